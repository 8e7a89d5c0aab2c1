"""Passes that put the bodies of functions in the place of their calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sdy.dialect.hlo_async.declarations import START
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.sharding_survey import occurs, shardings_in
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, body, callee_name, calls_in, funcs, has_body, is_private, symbol_name
from sdy.mlir.rewriting import inline_call, inline_last_call, terminator
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_SMALL = 16
"""How many ops a function may have that is inlined wherever it is called."""


def may_be_inlined(func: ir.Operation) -> bool:
    """Whether a function has a body of one block, and does not say that it is to stay."""
    return has_body(func) and len(func.regions[0].blocks) == 1 and "no_inline" not in func.attributes


def is_sharded_at_its_border(func: ir.Operation) -> bool:
    """Whether a function says how arguments or results are sharded, which would be lost with it."""
    return any((*arg_shardings(func), *result_shardings(func)))


def is_cheap(func: ir.Operation, uses: int) -> bool:
    """Whether a function with a body, used so often, is private and costs nothing to copy for each call.

    It is called once, or has few ops.
    """
    return is_private(func) and (uses == 1 or len(body(func).operations) <= _SMALL + 1)  # the last one returns


@dataclass(frozen=True)
class InlinePlainCallsOptions:
    """Options of sdy-inline-plain-calls."""

    cheap: bool = option(False, "only private functions that are small or called once")


@pass_("sdy-inline-plain-calls", options=InlinePlainCallsOptions)
def inline_plain_calls(module: ir.Operation, options: InlinePlainCallsOptions) -> None:
    """sdy-inline-plain-calls: inlines calls that shardings should travel through, as XLA does before it propagates.

        %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        ...
        func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
    ==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>

    Propagation may come to other shardings where a call keeps what is inside from what is outside. A call stays if it
    says more than what it calls, or if the function says how its arguments or results are sharded. Functions that
    nobody calls any more stay where they are.

    With `cheap` only those private functions are inlined that are small, as the paddings and shifts of JAX, or called
    once: the program does not grow, and what shifts data is seen together with what is around it.

    A call that makes a function call itself stays, for others to refuse.

    Raises `DiagnosticError` where copies would be too many.
    """
    uses = Counter(map(callee_name, calls_in(module)))
    if not uses:
        return
    calls = CallGraph(module)
    if not options.cheap:
        calls.check_growth()
    inlined: dict[str, ir.Operation] = {}
    for func in calls.callee_first:
        name = symbol_name(func)
        for call in calls.calls[name]:
            callee = inlined.get(callee_name(call))
            if callee is not None and _is_plain(call):
                inline_call(call, callee)
        is_plain = may_be_inlined(func) and not is_sharded_at_its_border(func)
        if is_plain and (not options.cheap or is_cheap(func, uses[name])):
            inlined[name] = func


def _is_plain(call: ir.Operation) -> bool:
    return len(call.attributes) == 1 and call.parent.operation.name != START


@pass_("sdy-inline-unreduced-calls")
def inline_unreduced_calls(module: ir.Operation) -> object:
    """sdy-inline-unreduced-calls: inlines functions whose values are unreduced, or are where they are called.

        func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
          %0 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
          return %arg0, %0 : tensor<8xf32>, tensor<8xf32>
        }
        ...
        %1:2 = call @f(%0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    ==> %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>

    Arguments and results of a function are sharded in one way, and what is unreduced in one place of it, or in one of
    its calls, need not be in another. A call stays if the function says how its arguments or results are sharded.


    The functions that nobody calls any more stay where they are.
    """
    if not occurs(module, lambda sharding: sharding.unreduced):
        return UNCHANGED
    calls = CallGraph(module)
    calls.check_growth()
    functions = {symbol_name(func): func for func in calls.callee_first}
    unreduced: set[str] = set()
    for name, func in functions.items():
        if any(sharding.unreduced for sharding in shardings_in(func)):
            unreduced.add(name)
        for call in calls.calls[name]:
            callee = functions.get(callee_name(call))
            if callee is None or not (callee_name(call) in unreduced or _passes_unreduced(call)):
                continue
            unreduced.add(name)
            if may_be_inlined(callee) and not is_sharded_at_its_border(callee):
                inline_call(call, callee)
    return None


def _passes_unreduced(call: ir.Operation) -> bool:
    """Whether an operand is known to be unreduced, or a result is said to be so where it is used."""
    users = [use.owner.operation for result in call.results for use in result.uses]
    constrained = [user.results[0] for user in users if user.name == "sdy.sharding_constraint"]
    shardings = map(get_sharding, (*call.operands, *constrained))
    return any(sharding is not None and sharding.unreduced for sharding in shardings)


@pass_("sdy-inline-calls")
def inline_calls(module: ir.Operation) -> None:
    """sdy-inline-calls: inlines private functions that are small or called once.

        %1 = stablehlo.while(...) do {
          %2 = func.call @body(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
    ==> %1 = stablehlo.while(...) do {
          %2 = stablehlo.negate %x {sdy.sharding = ...} : tensor<8xf32>

    What a loop adds up, say, or which slice it takes, only shows if its body is there. A call stays if arguments or
    results are sharded in another way inside than outside. Cost model: none, nothing is sent or computed differently.
    """
    functions = {symbol_name(func): func for func in funcs(module) if may_be_inlined(func)}
    if not any(callee_name(call) in functions for call in calls_in(module)):
        return
    uses = Counter(used_symbols(module))
    for call in CallGraph(module).all_calls():
        name = callee_name(call)
        callee = functions.get(name)
        if callee is None or not is_cheap(callee, uses[name]) or not _means_the_same(call, callee):
            continue
        if uses[name] == 1:
            del functions[name]
            inline_last_call(call, callee)
        else:
            inline_last_call(call, callee.clone(ip=False).operation)
            uses[name] -= 1


def _means_the_same(call: ir.Operation, callee: ir.Operation) -> bool:
    if _holds(callee, call):
        return False
    returned = terminator(body(callee)).operands
    inside = result_shardings(callee)
    return (
        _agree(map(get_sharding, call.operands), arg_shardings(callee))
        and _agree(map(get_sharding, call.results), inside)
        and _agree(map(get_sharding, returned), inside)
    )


def _holds(func: ir.Operation, op: ir.Operation) -> bool:
    holder = op.parent
    while holder is not None and holder.operation.name != "func.func":
        holder = holder.operation.parent
    return holder is not None and holder.operation == func


def _agree(first: Iterable[TensorSharding | None], second: Iterable[TensorSharding | None]) -> bool:
    return all(_is_same(a, b) for a, b in zip(first, second, strict=True))


def _is_same(first: TensorSharding | None, second: TensorSharding | None) -> bool:
    if first is None or second is None:
        return all(each is None or (each.is_fully_replicated and not each.unreduced) for each in (first, second))
    return first is second or (first.mesh_or_ref == second.mesh_or_ref and first.is_equivalent(second))
