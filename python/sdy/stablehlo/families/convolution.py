"""Convolutions, with padding as an attribute or as an operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdy.stablehlo.attribute_readers import DenseInts, of_length, read_bools, read_conv_dimensions
from sdy.stablehlo.body_rules import WindowDimension, WindowLabels, check_padding, read_windows
from sdy.stablehlo.constants import known_value
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.dot import check_precisions
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import (
    any_quantized,
    check_quantized_factors,
    check_quantized_product,
)
from sdy.stablehlo.types.elements import Quantized, same_baseline
from sdy.stablehlo.types.sizes import DYNAMIC, are_dimensions, is_unique, is_unknown
from sdy.stablehlo.types.value_types import Tensor, compatible_shape_lists

_REST = (
    "lhs_dilation?:i64s=i5 rhs_dilation?:i64s=i6 window_reversal?:bools=i7 dimension_numbers:conv_dimensions=i8 "
    "feature_group_count:i64>0=i17 batch_group_count:i64>0=i18 precision_config?:precisions=i19"
)

declare("convolution", "lhs:Any rhs:Any+", "Any+", f"window_strides?:i64s=i3 padding?:dense=i4 {_REST}")
declare("dynamic_conv", "lhs:Any rhs:Any padding:static/2D/I", "Any", f"window_strides?:i64s=i3 {_REST}")

_WINDOW = WindowLabels(
    padding="c4", stride_length="c2", stride="c3", base_length="c5", base="c6", dilation_length="c7", dilation="c8"
)


class _Roles(NamedTuple):
    """Roles of dimensions: batch, features and space of input and output, features and space of the kernel."""

    input_batch: int
    input_feature: int
    input_spatial: Sequence[int]
    kernel_input: int
    kernel_output: int
    kernel_spatial: Sequence[int]
    output_batch: int
    output_feature: int
    output_spatial: Sequence[int]


def _roles(op: OpFacts) -> _Roles:
    numbers = op.attribute("dimension_numbers", read_conv_dimensions, "convolution dimension numbers")
    return _Roles(*numbers)


# Shape ---------------------------------------------------------------------------------------------------------------


@infers("convolution", "c25", partial=True, compared=compatible_shape_lists)
def infer_convolution(op: OpFacts) -> list[Tensor]:
    """Infer the shape; the element type stays open, and bounds are dropped."""
    return [_shape(op, lambda: op.optional_dense("padding"))]


@infers("dynamic_conv", "c25", partial=True, compared=compatible_shape_lists)
def infer_dynamic_conv(op: OpFacts) -> list[Tensor]:
    """Infer the shape; spatial sizes are known only if the padding is."""
    return [_shape(op, lambda: known_value(op, 2), is_operand=True)]


def _shape(op: OpFacts, padding: Callable[[], DenseInts | None], *, is_operand: bool = False) -> Tensor:
    lhs, rhs, roles = op.tensor(0), op.tensor(1), _roles(op)
    _check_ranks(op, lhs, rhs, roles)
    _check_groups(op, lhs, rhs, roles)
    check_precisions(op, "c24")
    if len(roles.input_spatial) != lhs.rank - 2:
        raise op.error("c12", f"{lhs} must have {lhs.rank - 2} spatial dimensions")
    if is_operand and op.tensor(2).dims != (lhs.rank - 2, 2):
        raise op.error("c4", f"padding must be of shape {lhs.rank - 2}x2, not {op.tensor(2)}")
    known = padding()
    check_padding(op, known, lhs.rank - 2, "c4")
    windows = _windows(op, rhs, roles, known)
    if any_quantized(lhs, rhs):
        _check_axis(op, "c29", rhs, roles.kernel_output)
        check_quantized_factors(op, ("c28", "c31", "c32", "c34"))
    dims = [0] * lhs.rank
    dims[roles.output_batch] = _divided(lhs.dims[roles.input_batch], op.integer("batch_group_count"))
    dims[roles.output_feature] = rhs.dims[roles.kernel_output]
    for window, source, target in zip(windows, roles.input_spatial, roles.output_spatial, strict=True):
        size = window.positions(lhs.dims[source])
        dims[target] = DYNAMIC if is_operand and known is None else size
    return Tensor(tuple(dims), None)


def _divided(size: int, count: int) -> int:
    return DYNAMIC if is_unknown(size) else size // count


def _windows(op: OpFacts, rhs: Tensor, roles: _Roles, padding: DenseInts | None) -> list[WindowDimension]:
    sizes = [rhs.dims[dim] for dim in roles.kernel_spatial]
    reversal = op.optional("window_reversal", read_bools, "an array of booleans")
    if not of_length(reversal, len(sizes)):
        raise op.error("c9", f"window_reversal must have {len(sizes)} entries")
    return read_windows(op, _WINDOW, sizes, padding, dilations=("lhs_dilation", "rhs_dilation"))


# Checks --------------------------------------------------------------------------------------------------------------


def _check_ranks(op: OpFacts, lhs: Tensor, rhs: Tensor, roles: _Roles) -> None:
    if lhs.rank < 2 or rhs.rank != lhs.rank:
        raise op.error("c1", f"ranks of {lhs} and {rhs} must be equal and at least 2")
    if not any_quantized(lhs, rhs) and not same_baseline(lhs.known_element, rhs.known_element):
        raise op.error("c27", f"element types of {lhs} and {rhs} differ")
    if len(roles.input_spatial) != len(roles.kernel_spatial) or len(roles.input_spatial) != len(roles.output_spatial):
        raise op.error("c17", "input, kernel and output must have equally many spatial dimensions")
    dims = list(range(lhs.rank))
    for label, listed in (
        ("c13", [roles.input_batch, roles.input_feature, *roles.input_spatial]),
        ("c18", [roles.kernel_input, roles.kernel_output, *roles.kernel_spatial]),
        ("c20", [roles.output_batch, roles.output_feature, *roles.output_spatial]),
    ):
        if sorted(listed) != dims and not (are_dimensions(listed, lhs.rank) and is_unique(listed)):
            raise op.error(label, f"{listed} must be different dimensions of {lhs.rank}")


def _check_groups(op: OpFacts, lhs: Tensor, rhs: Tensor, roles: _Roles) -> None:
    features, batches = op.integer("feature_group_count"), op.integer("batch_group_count")
    for label, count in (("c21", features), ("c22", batches)):
        if count <= 0:
            raise op.error(label, "group counts must be positive")
    if features > 1 and batches > 1:
        raise op.error("c23", "cannot group both features and batches")
    batch, feature = lhs.dims[roles.input_batch], lhs.dims[roles.input_feature]
    inputs, outputs = rhs.dims[roles.kernel_input], rhs.dims[roles.kernel_output]
    for label, size, count in (
        ("c10", batch, batches),
        ("c11", feature, features),
        ("c15", outputs, batches),
        ("c16", outputs, features),
    ):
        if size != DYNAMIC and size % count:
            raise op.error(label, f"size {size} is not divisible into {count} groups")
    if DYNAMIC not in (feature, inputs) and inputs != feature // features:
        raise op.error("c14", f"the kernel takes {inputs} features, but {feature // features} are given")


# Verification --------------------------------------------------------------------------------------------------------


@verifies("convolution dynamic_conv")
def verify_convolution(op: OpFacts) -> None:
    """Check the declared element type, which is free without quantization."""
    result = op.result(0)
    if any_quantized(op.tensor(0), op.tensor(1), result):
        _check_axis(op, "c30", result, _roles(op).output_feature)
        check_quantized_product(op, ("c28", "c32", "c33", "c34"))


def _check_axis(op: OpFacts, label: str, type_: Tensor, axis: int) -> None:
    element = type_.element
    if isinstance(element, Quantized) and element.axis not in (None, axis):
        raise op.error(label, f"{type_} must be quantized along dimension {axis}")
