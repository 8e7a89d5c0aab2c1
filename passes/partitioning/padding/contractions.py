"""Ops that sum over dimensions that may be padded (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.identities import identity_of_op
from sdy.passes.partitioning.marking import set_sharding
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.passes.partitioning.reduction_bodies import IDEMPOTENT, combining_ops, splat_number
from sdy.passes.partitioning.stablehlo_builder import Builder, i64, with_shape
from sdy.passes.partitioning.uses import use_instead, uses_of


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


@pads("stablehlo.reduce")
def reduce(op: PadOp) -> None:
    """Reduced dimensions are padded with values that do not change the result."""
    dims = list(op.op.attributes["dimensions"])
    count = len(op.op.results)
    names = combining_ops(op.op.regions[0])
    for index in range(count):
        if not any(dim in dims for dim in op.grown_dims(index)):
            continue
        init = op.op.operands[count + index]
        if op.is_zero_padded(op.op.operands[index]) and _is_constant_zero(init):
            continue
        op.mask(index, dims, _neutral(op, init, None if names is None else names[index]))
    op.grow()


def _is_constant_zero(value: ir.Value) -> bool:
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "stablehlo.constant":
        return False
    return splat_number(value) == 0


def _neutral(op: PadOp, init: ir.Value, name: str | None) -> ir.Value:
    """The init value, unless combining with it more than once could change the result."""
    if name is None or name in IDEMPOTENT:
        return init
    element_type = init.type.element_type
    neutral = identity_of_op(name, element_type)
    if neutral is None or splat_number(init) == neutral:
        return init
    return op.b.scalar(element_type, neutral)


@pads("stablehlo.convolution")
def convolution(op: PadOp) -> None:
    """Features and spatial dimensions are padded with zeros; spatial dimensions of the result are cut."""
    attributes = op.op.attributes
    numbers = stablehlo.ConvDimensionNumbers(attributes["dimension_numbers"])
    op.mask(0, [numbers.input_feature_dimension, *numbers.input_spatial_dimensions])
    op.mask(1, [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions])
    lhs, kernel = (operand.type.shape for operand in op.operands)
    for name, dim, shape in (
        ("feature_group_count", numbers.input_feature_dimension, lhs),
        ("batch_group_count", numbers.input_batch_dimension, lhs),
    ):
        if not _grow_groups(op, name, dim, shape[dim]):
            op.compute_unpadded()
            return
    result = op.op.results[0]
    layout = op.result_layouts[0]
    shape = list(layout.padded_shape)
    for index, dim in enumerate(numbers.output_spatial_dimensions):
        shape[dim] = _spatial_size(
            op.op,
            index,
            lhs[numbers.input_spatial_dimensions[index]],
            kernel[numbers.kernel_spatial_dimensions[index]],
        )
    result.set_type(with_shape(layout.type, shape))
    if shape != list(layout.padded_shape):
        slots = uses_of(result)
        b = Builder.after(op.op)
        fitting = [min(have, want) for have, want in zip(shape, layout.padded_shape, strict=True)]
        part = b.high_slice(result, fitting)
        part = b.high_pad(part, layout.padded_shape)
        if layout.sharding is not None:
            set_sharding(part, layout.sharding)
        use_instead(slots, part)


def _grow_groups(op: PadOp, name: str, dim: int, size: int) -> bool:
    """Adds groups where a dimension of groups of size 1 is padded; False where groups are larger."""
    count = op.op.attributes[name].value
    if count == 1 or dim not in op.grown_dims(0):
        return True
    if count != op.operand_layouts[0].shape[dim]:
        return False
    op.op.attributes[name] = i64(size)
    return True


def _spatial_size(op: ir.Operation, index: int, size: int, kernel: int) -> int:
    """Number of window positions along a spatial dimension."""
    attributes = op.attributes

    def entry(name: str) -> int:
        return list(attributes[name])[index] if name in attributes else 1

    low, high = list(attributes["padding"])[2 * index : 2 * index + 2] if "padding" in attributes else (0, 0)
    dilated = (size - 1) * entry("lhs_dilation") + 1 if size else 0
    window = (kernel - 1) * entry("rhs_dilation") + 1 if kernel else 0
    total = low + dilated + high
    return 0 if total < window else (total - window) // entry("window_strides") + 1
