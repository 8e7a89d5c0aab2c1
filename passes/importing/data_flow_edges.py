"""Inserting `sdy.data_flow_edge` ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sdy.dialect import builders
from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir


def add_edges(flow: DataFlowOp) -> None:
    """One edge per owner of static shape, with the sharding kept on the op: arguments first, then results.

    Argument edges stand at the start of their block, result edges behind the op. All other uses of an owner go to its
    edge (spec: import-passes, 4.7).
    """
    add_argument_edges(flow)
    add_result_edges(flow)


_Owner = TypeVar("_Owner", bound=ir.Value)


def add_argument_edges(flow: DataFlowOp) -> None:
    """What `add_edges` does for the arguments."""
    arguments = flow.block_arg_owners()
    by_block: dict[ir.Block, ir.InsertionPoint] = {}
    shardings = flow.block_arg_shardings()
    for argument, sharding in _owners(arguments, shardings):
        block = argument.owner
        if block not in by_block:
            by_block[block] = ir.InsertionPoint.at_block_begin(block)
        _add_edge(argument, sharding, by_block[block])


def add_result_edges(flow: DataFlowOp) -> None:
    """What `add_edges` does for the results."""
    results = flow.result_owners()
    if results:
        shardings = flow.result_shardings()
        behind = ir.InsertionPoint.after(flow.op)
        for result, sharding in _owners(results, shardings):
            _add_edge(result, sharding, behind)


def _owners(
    owners: Sequence[_Owner], shardings: Sequence[TensorSharding] | None
) -> list[tuple[_Owner, TensorSharding | None]]:
    """The owners that get an edge, with their shardings."""
    listed = [None] * len(owners) if shardings is None else shardings
    pairs = zip(owners, listed, strict=True)
    return [(owner, sharding) for owner, sharding in pairs if is_static_shaped(owner.type)]


def _add_edge(owner: ir.Value, sharding: TensorSharding | None, ip: ir.InsertionPoint) -> None:
    edge = builders.data_flow_edge(owner, sharding, loc=owner.location, ip=ip)
    owner.replace_all_uses_except(edge, [edge.owner.operation])
