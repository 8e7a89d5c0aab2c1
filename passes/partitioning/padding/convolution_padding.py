"""Convolutions of padded tensors (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.mlir import ir, stablehlo
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.emit.ends import cut_at_ends, pad_at_ends
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.emit.with_sharding import marked
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.making.attribute_writers import i64


@pads("stablehlo.convolution")
def convolution(op: PadOp) -> None:
    """Features and spatial dimensions are padded with zeros; spatial dimensions of the result are cut."""
    numbers = stablehlo.ConvDimensionNumbers(op.op.attributes["dimension_numbers"])
    shape = _result_shape(op, numbers)
    if not _features_fit(op, numbers) or not _windows_fit(op, numbers) or not _result_fits(op, numbers, shape):
        op.compute_unpadded()
        return
    op.mask(0, [numbers.input_feature_dimension, *numbers.input_spatial_dimensions])
    op.mask(1, [numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions])
    lhs = op.op.operands[0].type.shape
    for name, dim in (
        ("feature_group_count", numbers.input_feature_dimension),
        ("batch_group_count", numbers.input_batch_dimension),
    ):
        if not _grow_groups(op, name, dim, lhs[dim]):
            op.compute_unpadded()
            return
    _fit_result(op, shape)


def _result_shape(op: PadOp, numbers: stablehlo.ConvDimensionNumbers) -> list[int]:
    """The shape that the padded operands give; batch and features as they should be."""
    lhs, kernel = (operand.type.shape for operand in op.operands)
    shape = list(op.result_layouts[0].padded_shape)
    for index, dim in enumerate(numbers.output_spatial_dimensions):
        size = lhs[numbers.input_spatial_dimensions[index]]
        shape[dim] = _spatial_size(op.op, index, size, kernel[numbers.kernel_spatial_dimensions[index]])
    return shape


def _fit_result(op: PadOp, shape: list[int]) -> None:
    """Gives the result `shape`, and its users what its sharding asks for."""
    result, layout = op.op.results[0], op.result_layouts[0]
    result.set_type(with_shape(layout.type, shape))
    if shape != list(layout.padded_shape):
        slots = uses_of(result)
        b = Builder.after(op.op)
        fitting = [min(have, want) for have, want in zip(shape, layout.padded_shape, strict=True)]
        part = pad_at_ends(b, cut_at_ends(b, result, fitting), layout.padded_shape)
        use_instead(slots, marked(part, layout.sharding))


def _features_fit(op: PadOp, numbers: stablehlo.ConvDimensionNumbers) -> bool:
    """Whether input and kernel agree on the features of a group, now that they are padded."""
    lhs, kernel = (operand.type.shape for operand in op.operands)
    features, kernel_features = lhs[numbers.input_feature_dimension], kernel[numbers.kernel_input_feature_dimension]
    groups = op.op.attributes["feature_group_count"].value
    if groups > 1 and numbers.input_feature_dimension in op.grown_dims(0):
        groups = features
    return features == kernel_features * groups


def _windows_fit(op: PadOp, numbers: stablehlo.ConvDimensionNumbers) -> bool:
    """Whether all windows are still there where the kernel has become larger: then the input has, too."""
    lhs_grown, kernel_grown = op.grown_dims(0), op.grown_dims(1)
    return all(
        kernel_dim not in kernel_grown or lhs_dim in lhs_grown
        for lhs_dim, kernel_dim in zip(numbers.input_spatial_dimensions, numbers.kernel_spatial_dimensions, strict=True)
    )


def _result_fits(op: PadOp, numbers: stablehlo.ConvDimensionNumbers, shape: list[int]) -> bool:
    """Whether batch and features of a result of `shape` are padded as far as those of the operands, shards evenly."""
    layout = op.result_layouts[0]
    padded = layout.padded_shape
    lhs, kernel = (operand.type.shape for operand in op.operands)
    batch, groups = numbers.input_batch_dimension, op.op.attributes["batch_group_count"].value
    if groups > 1 and batch in op.grown_dims(0):
        groups = lhs[batch]
    fits = padded[numbers.output_feature_dimension] == kernel[numbers.kernel_output_feature_dimension]
    is_even = all(size % count == 0 for size, count in zip(shape, layout.shards, strict=True))
    return is_even and fits and padded[numbers.output_batch_dimension] * groups == lhs[batch]


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
