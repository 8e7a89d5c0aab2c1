"""sdy-inline-calls: puts the body of a private function that is called once, or is small, in the place of its calls.

    %1 = stablehlo.while(...) do {
      %2 = func.call @body(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
==> %1 = stablehlo.while(...) do {
      %2 = stablehlo.negate %x {sdy.sharding = ...} : tensor<8xf32>

What a loop adds up, say, or which slice it takes, only shows if its body is there. A call stays if arguments or results
are sharded in another way inside than outside. Cost model: none, nothing is sent or computed differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, body, callee_name, calls_in, funcs, symbol_name
from sdy.mlir.rewriting import inline_last_call, terminator
from sdy.passes.partitioning.facts.inlining import is_cheap, may_be_inlined
from sdy.passes.registry import pass_


@pass_("sdy-inline-calls")
def inline_calls(module: ir.Operation) -> None:
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
