"""Reduces several small tensors in one all_reduce.

    %1 = "stablehlo.all_reduce"(%a) <{...}> ({ ... }) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.all_reduce"(%b) <{...}> ({ ... }) : (tensor<4xf32>) -> tensor<4xf32>
==> %1:2 = "stablehlo.all_reduce"(%a, %b) <{...}> ({ ... })
         : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)

Works on local programs. Cost model: starting a collective takes as long as sending 32 KiB, so that it pays to let a
smaller tensor wait for others. An all_reduce waits until somebody needs one of its results; those over the same groups
of devices with the same body and element type that are there by then are made one. Nothing is copied for it, and each
tensor is free again when nobody needs it any more.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from sdy.dialect.definition.attributes import without_sharding
from sdy.mlir import ir
from sdy.mlir.rewriting import first_user
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import byte_size
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder

_SMALL = 32 * 1024
"""Bytes of a tensor that may wait."""

_ALL_REDUCE = "stablehlo.all_reduce"


@dataclass
class _Waiting:
    """All_reduces of one block that may be one, and the first op that needs one of their results."""

    ops: list[ir.Operation]
    needed_by: ir.Operation


@function_pattern("combine-all-reduces", _ALL_REDUCE)
def combine_all_reduces(func: ir.Operation, _: Rewriter) -> bool:
    """Reduce several small tensors in one all_reduce."""
    waiting: dict[Hashable, _Waiting] = {}
    for op in ops_named(func, _ALL_REDUCE):
        for key in [key for key, others in waiting.items() if _is_needed(others, op)]:
            _release(waiting.pop(key))
        key, user = _key(op), first_user(op)
        if key is None or user is None:
            continue
        others = waiting.setdefault(key, _Waiting([], user))
        others.ops.append(op)
        if user.is_before_in_block(others.needed_by):
            others.needed_by = user
    for others in waiting.values():
        _release(others)
    return True


def _is_needed(waiting: _Waiting, op: ir.Operation) -> bool:
    """Whether somebody in the block of `op`, not behind it, needs what waits."""
    needed_by = waiting.needed_by
    return needed_by.block == op.block and not op.is_before_in_block(needed_by)


def _release(waiting: _Waiting) -> None:
    if len(waiting.ops) > 1:
        _combine(waiting.ops, waiting.needed_by)


def _key(op: ir.Operation) -> Hashable | None:
    """Equal for all_reduces that can be one; None for what is no small all_reduce."""
    if op.name != _ALL_REDUCE or len(op.operands) != 1:
        return None
    type_ = op.operands[0].type
    names = combining_ops(op.regions[0])
    if names is None or not type_.has_static_shape or byte_size(type_) > _SMALL:
        return None
    return op.block, op.attributes["replica_groups"], tuple(sorted(op.attributes)), type_.element_type, names[0]


def _combine(ops: list[ir.Operation], user: ir.Operation) -> None:
    """One all_reduce of all tensors, with the channel of the first."""
    first = ops[0]
    operands = [op.operands[0] for op in ops]
    attributes = without_sharding(first)
    b = Builder(ir.InsertionPoint(user), first.location)
    combined = b.create(_ALL_REDUCE, operands, [operand.type for operand in operands], attributes, regions=1)
    first.regions[0].blocks[0].append_to(combined.regions[0])
    for op, result in zip(ops, combined.results, strict=True):
        op.results[0].replace_all_uses_with(result)
        op.erase()
