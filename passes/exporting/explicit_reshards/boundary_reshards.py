"""Matches values to what loops, branches, computations, calls and functions expect (spec: export-passes, 5.7, 5.8)."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.shardings.attribute_shardings import result_shardings
from sdy.dialect.shardings.value_shardings import filled_arg_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import is_return
from sdy.mlir.rewriting.insertion import after_value, before, terminator
from sdy.passes.exporting.explicit_reshards.sharding_matcher import ShardingMatcher, closed_like


def match_data_flow(op: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    """Matches the sources of every edge of a data-flow op to the sharding of its owner."""
    flow = interface(op)
    assert flow is not None
    for owner, target in _targets(flow):
        for use in flow.sources(owner):
            value = use.value
            if matcher.needs_match(value, target, full=full):
                use.owner.operands[use.operand_number] = matcher.matched(value, target, after_value(value), full=full)


def _targets(flow: DataFlowOp) -> Iterator[tuple[ir.Value, TensorSharding | None]]:
    """Every owner, and the sharding that the sources of its edge shall have."""
    for owners, shardings in (
        (flow.result_owners(), flow.result_shardings()),
        (flow.block_arg_owners(), flow.block_arg_shardings()),
    ):
        for index, owner in enumerate(owners):
            yield owner, None if shardings is None else flow.at_sources(owner, shardings[index])


def match_call(call: ir.Operation, callee: ir.Operation, matcher: ShardingMatcher) -> None:
    """Matches the operands of a call to the arguments of the callee, in either version of the pass."""
    operands = list(call.operands)
    targets = filled_arg_shardings(callee, matcher.meshes)
    if targets is None:
        mesh = matcher.meshes.first_non_maximal(map(matcher.known.of, operands))
        if mesh is None:
            return
        targets = [closed_like(mesh, value) for value in operands]
    for index, (value, target) in enumerate(zip(operands, targets, strict=True)):
        if matcher.needs_match(value, target, full=True):
            call.operands[index] = matcher.matched(value, target, after_value(value), full=True)


def match_returns(func: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    """Matches the operands of `return` to the results of the function."""
    shardings = result_shardings(func)
    for block in func.regions[0].blocks:
        last = terminator(block)
        if not is_return(last):
            continue
        for index, (value, target) in enumerate(zip(last.operands, shardings, strict=False)):
            if matcher.needs_match(value, target, full=full):
                last.operands[index] = matcher.matched(value, target, before(last), full=full)
