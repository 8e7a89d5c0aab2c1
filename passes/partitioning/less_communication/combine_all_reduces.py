"""sdy-combine-all-reduces: reduces several small tensors in one all_reduce.

    %1 = "stablehlo.all_reduce"(%a) <{...}> ({ ... }) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.all_reduce"(%b) <{...}> ({ ... }) : (tensor<4xf32>) -> tensor<4xf32>
==> %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %2 = "stablehlo.all_reduce"(%1) <{...}> ({ ... }) : (tensor<12xf32>) -> tensor<12xf32>
    %3 = stablehlo.slice %2 [0:8] : (tensor<12xf32>) -> tensor<8xf32>
    %4 = stablehlo.slice %2 [8:12] : (tensor<12xf32>) -> tensor<4xf32>

Works on local programs. Cost model: starting a collective takes as long as sending 32 KiB, so that it pays to let a
smaller tensor wait for others. An all_reduce waits until somebody needs one of its results; those over the same groups
of devices with the same body and element type that are there by then are made one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator

from sdy.mlir import ir
from sdy.passes.partitioning.less_communication.tensor_bytes import bits
from sdy.passes.partitioning.reduction_bodies import combining_ops
from sdy.passes.partitioning.stablehlo_builder import Builder
from sdy.passes.registry import pass_

_SMALL = 32 * 1024
"""Bytes of a tensor that may wait."""

_ALL_REDUCE = "stablehlo.all_reduce"
_Waiting = dict[Hashable, list[ir.Operation]]


@pass_("sdy-combine-all-reduces", on="func.func")
def combine_all_reduces(func: ir.Operation) -> None:
    _combine_in(func)


def _combine_in(op: ir.Operation) -> None:
    for region in op.regions:
        for block in region.blocks:
            _combine_block([view.operation for view in block.operations])


def _combine_block(operations: list[ir.Operation]) -> None:
    waiting: _Waiting = {}
    for op in operations:
        _release(op, waiting)
        key = _key(op)
        if key is not None:
            waiting.setdefault(key, []).append(op)
        elif len(op.regions):
            _combine_in(op)


def _release(user: ir.Operation, waiting: _Waiting) -> None:
    """Combines those whose results `user` needs, in front of it."""
    needed = {value.owner.operation for value in _operands(user) if isinstance(value, ir.OpResult)}
    for key in [key for key, ops in waiting.items() if any(op in needed for op in ops)]:
        ops = waiting.pop(key)
        if len(ops) > 1:
            _combine(ops, user)


def _operands(op: ir.Operation) -> Iterator[ir.Value]:
    """The operands of an op and of all ops in it."""
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            for nested in block.operations:
                yield from _operands(nested.operation)


def _key(op: ir.Operation) -> Hashable | None:
    """Equal for all_reduces that can be one; None for what is no small all_reduce."""
    if op.name != _ALL_REDUCE or len(op.operands) != 1:
        return None
    type_ = op.operands[0].type
    names = combining_ops(op.regions[0])
    if names is None or math.prod(type_.shape) * bits(type_.element_type) // 8 > _SMALL:
        return None
    return op.attributes["replica_groups"], "use_global_device_ids" in op.attributes, type_.element_type, names[0]


def _combine(ops: list[ir.Operation], user: ir.Operation) -> None:
    """One all_reduce of all numbers in a row, with the channel of the first, and the tensors cut out of its result."""
    first = ops[0]
    b = Builder(ir.InsertionPoint(user), first.location)
    counts = [math.prod(op.results[0].type.shape) for op in ops]
    row = b.concatenate([b.reshape(op.operands[0], [count]) for op, count in zip(ops, counts, strict=True)], 0)
    attributes = {name: first.attributes[name] for name in first.attributes}
    combined = b.create(_ALL_REDUCE, (row,), (row.type,), attributes, regions=1)
    first.regions[0].blocks[0].append_to(combined.regions[0])
    start = 0
    for op, count in zip(ops, counts, strict=True):
        part = b.slice(combined.results[0], [start], [start + count])
        op.results[0].replace_all_uses_with(b.reshape(part, op.results[0].type.shape))
        op.erase()
        start += count
