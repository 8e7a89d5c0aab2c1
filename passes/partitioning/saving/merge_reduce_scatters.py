"""sdy-merge-reduce-scatters: scatters a sum instead of adding up what was scattered.

    %1 = sdy.reduce_scatter [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %2 = sdy.reduce_scatter [{"x"}] %b out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %3 = stablehlo.add %1, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
==> %1 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
    %2 = sdy.reduce_scatter [{"x"}] %1 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>

Also if there are transposes in between, unless somebody else needs what was scattered. Cost model: one reduce_scatter
instead of two of the same size; every device adds up the whole tensors instead of its shards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.operand_slots import erase_unused, uses_of
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-merge-reduce-scatters", on="func.func")
def merge_reduce_scatters(func: ir.Operation) -> None:
    if len(ops_named(func, "sdy.reduce_scatter")) > 1:
        for op in ops_named(func, "stablehlo.add", "stablehlo.subtract"):
            _merge(op)


@dataclass(frozen=True)
class _Scattered:
    """What is scattered along `axes` to give a value: of sharding `sharding`; `make` makes it in front of an op."""

    axes: tuple[AxisList, ...]
    sharding: TensorSharding
    make: Callable[[ir.InsertionPoint], ir.Value]


def _merge(op: ir.Operation) -> None:
    first, second = map(_scattered, op.operands)
    if first is None or second is None or first.axes != second.axes or first.sharding != second.sharding:
        return
    out = get_sharding(op.results[0])
    if out is None or op.operands[0] == op.operands[1]:
        return
    where = ir.InsertionPoint(op)
    whole = op.clone(ip=where).operation
    for number, operand in enumerate((first, second)):
        whole.operands[number] = operand.make(ir.InsertionPoint(whole))
    set_sharding(whole.results[0], first.sharding)
    made = builders.reduce_scatter(whole.results[0], first.axes, out, Reduction.SUM, loc=op.location, ip=where)
    op.results[0].replace_all_uses_with(made)
    scattered = list(op.operands)
    op.erase()
    erase_unused(scattered)


def _scattered(value: ir.Value) -> _Scattered | None:
    """How `value` was scattered, if it was, and nobody but one op needs it."""
    if not isinstance(value, ir.OpResult) or len(uses_of(value)) != 1:
        return None
    op = value.owner.operation
    if op.name == "sdy.reduce_scatter" and op.attributes["reduction_op"].value == Reduction.SUM.value:
        sharding = get_sharding(op.operands[0])
        if sharding is None:
            return None
        return _Scattered(attributes.get(op, "reduce_scatter_axes").lists, sharding, lambda where: op.operands[0])
    if op.name != "stablehlo.transpose":
        return None
    before = _scattered(op.operands[0])
    return None if before is None else _transposed(op, before)


def _transposed(op: ir.Operation, before: _Scattered) -> _Scattered:
    permutation = list(op.attributes["permutation"])
    sharding = before.sharding.with_dims(before.sharding.dims[dim] for dim in permutation)

    def make(where: ir.InsertionPoint) -> ir.Value:
        operand = before.make(where)
        copy = op.clone(ip=where).operation
        copy.operands[0] = operand
        set_sharding(copy.results[0], sharding)
        return copy.results[0]

    return _Scattered(tuple(before.axes[dim] for dim in permutation), sharding, make)
