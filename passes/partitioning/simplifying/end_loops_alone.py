"""sdy-end-loops-alone: a loop over a batch ends on each device when nothing of the part that it has goes on.

    %1 = stablehlo.while(%x = %0) : tensor<2xf32>
    cond {
      %p = stablehlo.compare GT, %x, %limit : ... -> tensor<2xi1>
      %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : ... -> tensor<i1>
      %all = "stablehlo.all_reduce"(%any) ({or}) : (tensor<i1>) -> tensor<i1>
      stablehlo.return %all : tensor<i1>
    } do {
      %p = stablehlo.compare GT, %x, %limit : ... -> tensor<2xi1>
      ...
      %next = stablehlo.select %p, %new, %x : tensor<2xi1>, tensor<2xf32>
      stablehlo.return %next : tensor<2xf32>
    }

==> cond { ... stablehlo.return %any : tensor<i1> }

So JAX writes loops under `jax.vmap`: where an element is done, it stays what it is. All devices would agree in every
round whether any of them goes on. Works on local programs; nothing in the loop may send anything or have effects, since
devices that have ended would be waited for. Everything that is carried has to be handed on, or chosen by the same
condition. Cost model: nothing is sent, and devices do fewer rounds.
"""

from __future__ import annotations

from sdy.dialect.ops.linalg import decomposes_matrices
from sdy.dialect.value_numbers import ValueNumbers
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_one_use, terminator
from sdy.mlir.walk import post_order
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_OR = ["stablehlo.or"]
_SENDING = frozenset(
    f"stablehlo.{name}"
    for name in """
        all_gather all_reduce all_to_all async_done async_start collective_broadcast collective_permute
        collective_reduce composite cross-replica-sum infeed outfeed recv reduce_scatter rng send
        """.split()
)
"""Ops that send, wait for others, or may do anything."""

_REPEATING = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")


@pass_("sdy-end-loops-alone", on="func.func")
def end_loops_alone(func: ir.Operation) -> None:
    for loop in views.While.all_in(func):  # those inside of others first
        cond, body = loop.cond, loop.body
        agreed = views.AllReduce.defining(terminator(cond).operands[0])
        goes_on = None if agreed is None else _of_elements(agreed)
        if agreed is None or goes_on is None or not has_one_use(agreed.results[0]) or not _is_alone(loop.op, agreed.op):
            continue
        numbers = ValueNumbers(equal=zip(cond.arguments, body.arguments, strict=True))
        returned = zip(terminator(body).operands, body.arguments, strict=True)
        if all(_stays(value, carried, goes_on, numbers) for value, carried in returned):
            terminator(cond).operands[0] = agreed.operands[0]
            agreed.op.erase()


def _of_elements(agreed: views.AllReduce) -> ir.Value | None:
    """Whether each element of a device's part goes on, where devices agree whether any does."""
    own = views.Reduce.defining(agreed.operands[0])
    if own is None or len(agreed.operands) != 1 or len(own.inputs) != 1 or splat_number(own.init_values[0]) != 0:
        return None
    return own.inputs[0] if all(combining_ops(each.op.regions[0]) == _OR for each in (agreed, own)) else None


def _is_alone(loop: ir.Operation, agreed: ir.Operation) -> bool:
    """Whether nothing in a loop but `agreed` sends anything, or has effects."""
    return all(op in (loop, agreed) or _is_own(op) for op in post_order(loop))


def _is_own(op: ir.Operation) -> bool:
    if op.name == "stablehlo.custom_call":
        return decomposes_matrices(op)
    return op.name not in _SENDING and op.name.startswith(("stablehlo.", "chlo."))


def _stays(value: ir.Value, carried: ir.Value, goes_on: ir.Value, numbers: ValueNumbers) -> bool:
    """Whether a loop hands on what it carries where an element does not go on."""
    if value == carried:
        return True
    chosen = views.Select.defining(value)
    if chosen is None or chosen.on_false != carried:
        return False
    by = chosen.pred
    while numbers.of(by) != numbers.of(goes_on):
        op = defining_op(by)
        if op is None or op.name not in _REPEATING:
            return False
        by = op.operands[0]
    return True
