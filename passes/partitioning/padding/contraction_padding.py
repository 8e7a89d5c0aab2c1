"""Ops that sum over dimensions that may be padded (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.emit.identities import identity_of_op
from sdy.passes.partitioning.padding.pad_op import PadOp, is_zero_of_stablehlo
from sdy.passes.partitioning.padding.registry import pads
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.ragged_dims import RaggedDims
from sdy.stablehlo.idioms.reduction_bodies import IDEMPOTENT, combining_ops, selects


@pads("stablehlo.dot_general")
def dot_general(op: PadOp) -> None:
    """Contracting dimensions are padded with zeros on both sides."""
    numbers = stablehlo.DotDimensionNumbers(op.op.attributes["dot_dimension_numbers"])
    op.mask(0, list(numbers.lhs_contracting_dimensions))
    op.mask(1, list(numbers.rhs_contracting_dimensions))
    op.grow()


@pads("stablehlo.dot")
def dot(op: PadOp) -> None:
    """As dot_general."""
    op.mask(0, [op.operand_layouts[0].rank - 1])
    op.mask(1, [0])
    op.grow()


@pads("chlo.ragged_dot")
def ragged_dot(op: PadOp) -> None:
    """As dot_general; groups that are padding have no rows."""
    dims = RaggedDims.of(op.op.attributes["ragged_dot_dimension_numbers"])
    op.mask(0, dims.lhs_contracting)
    op.mask(1, dims.rhs_contracting)
    sizes = op.operand_layouts[2]
    op.mask(2, [sizes.rank - 1])
    groups = op.result_layouts[0].padded_shape[0] if dims.contracts_groups else sizes.shape[-1]
    for dim in dims.rhs_group:
        groups = op.op.operands[1].type.shape[dim]
    op.high_pad(2, [*op.op.operands[2].type.shape[:-1], groups], sizes.sharding)
    op.drop_rule()
    op.grow()


@pads("stablehlo.reduce")
def reduce(op: PadOp) -> None:
    """Reduced dimensions are padded with values that do not change the result; gathered if none are known."""
    dims = list(op.op.attributes["dimensions"])
    count = len(op.op.results)
    names = combining_ops(op.op.regions[0])
    if names is None and not selects(op.op.regions[0]) and any(dim in dims for dim in op.grown_dims(0)):
        op.compute_unpadded()
        return
    for index in range(count):
        if not any(dim in dims for dim in op.grown_dims(index)):
            continue
        init = op.op.operands[count + index]
        if op.is_zero_padded(op.op.operands[index]) and is_zero_of_stablehlo(init):
            continue
        op.mask(index, dims, _neutral(op, init, None if names is None else names[index]))
    op.grow()


def _neutral(op: PadOp, init: ir.Value, name: str | None) -> ir.Value:
    """The init value, unless combining with it more than once could change the result."""
    if name is None or name in IDEMPOTENT:
        return init
    element_type = init.type.element_type
    neutral = identity_of_op(name, element_type)
    if neutral is None or splat_number(init) == neutral:
        return init
    return op.b.constant(neutral, element_type)
