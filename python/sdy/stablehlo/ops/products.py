"""Builders of products, linear algebra, Fourier transforms and batch normalization."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import TypeLike
from sdy.stablehlo.ops.making.structured_attributes import ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers
from sdy.stablehlo.ops.values import Value, one, several

__all__ = ["batch_norm_grad", "batch_norm_inference", "batch_norm_training", "cholesky", "convolution", "dot"]
__all__ += ["dot_general", "dynamic_conv", "einsum", "fft", "triangular_solve", "unary_einsum"]

Precision = str | Sequence[str] | None
"""DEFAULT, HIGH or HIGHEST, for both operands or for each."""

Pair = tuple[Sequence[int], Sequence[int]]
"""Dimensions of the left and of the right operand."""


def dot_general(
    lhs: ir.Value,
    rhs: ir.Value,
    *,
    contracting: Pair,
    batching: Pair = ((), ()),
    precision: Precision = None,
    algorithm: DotAlgorithm | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """Sums of products over the contracting dimensions.

    Args:
      lhs, rhs: the factors. The result has the batching dimensions, then those of `lhs`, then those of `rhs`.
      contracting: dimensions that are summed over.
      batching: dimensions that go together.
      precision: DEFAULT, HIGH or HIGHEST, for both operands or for each.
      algorithm: how the products are computed.
      element_type: that of the result, by default the one of `lhs`.
    """
    attributes = {
        "dot_dimension_numbers": _dot_dimensions(contracting, batching),
        "precision_config": precision,
        "algorithm": algorithm,
    }
    return one("stablehlo.dot_general", (lhs, rhs), attributes, element=element_type, **at)


def dot(
    lhs: ir.Value, rhs: ir.Value, *, precision: Precision = None, element_type: TypeLike | None = None, **at: Unpack[At]
) -> Value:
    """The product of matrices or vectors; `element_type` is that of the result, by default the one of `lhs`."""
    return one("stablehlo.dot", (lhs, rhs), {"precision_config": precision}, element=element_type, **at)


class Windows(At, total=False):
    """Where the kernel of a convolution is applied, and how.

    Attributes:
      window_strides: distance of neighbouring windows in each spatial dimension; 1 if missing.
      lhs_dilation, rhs_dilation: distance of neighbouring elements of image and kernel; 1 if missing.
      window_reversal: whether the kernel is applied in reverse.
      feature_group_count, batch_group_count: numbers of groups that are convolved apart from one another; 1 if missing.
      precision: DEFAULT, HIGH or HIGHEST, for both operands or for each.
      element_type: that of the result, by default the one of `lhs`.
    """

    window_strides: Sequence[int] | None
    lhs_dilation: Sequence[int] | None
    rhs_dilation: Sequence[int] | None
    window_reversal: Sequence[bool] | None
    feature_group_count: int
    batch_group_count: int
    precision: Precision
    element_type: TypeLike | None


def convolution(
    lhs: ir.Value,
    rhs: ir.Value,
    dimension_numbers: ConvDimensionNumbers,
    *,
    padding: Sequence[tuple[int, int]] | None = None,
    **windows: Unpack[Windows],
) -> Value:
    """A kernel applied at each window of an image.

    Args:
      lhs, rhs: image and kernel.
      dimension_numbers: roles of the dimensions, as in `ConvDimensionNumbers.from_text("b01f", "01io", "b01f")`.
      padding: zeros before and after each spatial dimension; none if missing.
      windows: see `Windows`.
    """
    attributes = {"padding": padding, "dimension_numbers": dimension_numbers}
    return _convolved("stablehlo.convolution", (lhs, rhs), attributes, windows)


def dynamic_conv(
    lhs: ir.Value,
    rhs: ir.Value,
    padding: ir.Value,
    dimension_numbers: ConvDimensionNumbers,
    **windows: Unpack[Windows],
) -> Value:
    """A `convolution` whose padding is a value, a tensor with a pair for each spatial dimension."""
    return _convolved("stablehlo.dynamic_conv", (lhs, rhs, padding), {"dimension_numbers": dimension_numbers}, windows)


def _convolved(name: str, operands: Sequence[ir.Value], attributes: Mapping[str, object], windows: Windows) -> Value:
    groups = {"feature_group_count": 1, "batch_group_count": 1, "precision_config": windows.pop("precision", None)}
    element, at = windows.pop("element_type", None), At(loc=windows.pop("loc", None), ip=windows.pop("ip", None))
    return one(name, operands, {**groups, **attributes, **windows}, element=element, **at)


def einsum(
    lhs: ir.Value, rhs: ir.Value, einsum_config: str, *, element_type: TypeLike | None = None, **at: Unpack[At]
) -> Value:
    """Sums of products in Einstein's notation, as in `ij,jk->ik`."""
    attributes = {"einsum_config": einsum_config}
    return one("stablehlo.einsum", (lhs, rhs), attributes, element=element_type, **at)


def unary_einsum(operand: ir.Value, einsum_config: str, **at: Unpack[At]) -> Value:
    """Sums in Einstein's notation, as in `ij->i`."""
    return one("stablehlo.unary_einsum", (operand,), {"einsum_config": einsum_config}, **at)


def _dot_dimensions(contracting: Pair, batching: Pair) -> DotDimensionNumbers | tuple[Pair, Pair]:
    """Dimension numbers, or what was given if these are no pairs."""
    if not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in (contracting, batching)):
        return contracting, batching
    return DotDimensionNumbers(*batching, *contracting)


# Linear algebra ------------------------------------------------------------------------------------------------------


def cholesky(a: ir.Value, lower: bool | None = None, **at: Unpack[At]) -> Value:
    """The Cholesky factor of each matrix in the last two dimensions, the upper one unless `lower`."""
    return one("stablehlo.cholesky", (a,), {"lower": lower}, **at)


def triangular_solve(
    a: ir.Value,
    b: ir.Value,
    *,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool = False,
    transpose_a: str = "NO_TRANSPOSE",
    **at: Unpack[At],
) -> Value:
    """Solves `a x = b` (or `x a = b` unless `left_side`) with triangular matrices `a`.

    Args:
      a, b: matrices in the last two dimensions.
      left_side: on which side of the unknown `a` stands.
      lower: which triangle of `a` counts.
      unit_diagonal: take the diagonal of `a` for ones.
      transpose_a: NO_TRANSPOSE, TRANSPOSE or ADJOINT.
    """
    attributes = {
        "left_side": left_side,
        "lower": lower,
        "unit_diagonal": unit_diagonal,
        "transpose_a": transpose_a,
    }
    return one("stablehlo.triangular_solve", (a, b), attributes, **at)


def fft(operand: ir.Value, fft_type: str, fft_length: Sequence[int], **at: Unpack[At]) -> Value:
    """The Fourier transform FFT, IFFT, RFFT or IRFFT over the last dimensions, of which `fft_length` has the sizes."""
    return one("stablehlo.fft", (operand,), {"fft_type": fft_type, "fft_length": fft_length}, **at)


def batch_norm_inference(
    operand: ir.Value,
    scale: ir.Value,
    offset: ir.Value,
    mean: ir.Value,
    variance: ir.Value,
    *,
    epsilon: float,
    feature_index: int,
    **at: Unpack[At],
) -> Value:
    """The operand normalized by a given mean and variance.

    Args:
      operand: a tensor.
      scale, offset, mean, variance: tensors with an element for each feature.
      epsilon: what is added to the variance.
      feature_index: the dimension of the features.
    """
    attributes = {"epsilon": epsilon, "feature_index": feature_index}
    operands = operand, scale, offset, mean, variance
    return one("stablehlo.batch_norm_inference", operands, attributes, **at)


def batch_norm_training(
    operand: ir.Value, scale: ir.Value, offset: ir.Value, *, epsilon: float, feature_index: int, **at: Unpack[At]
) -> tuple[Value, Value, Value]:
    """The operand normalized by its own mean and variance, the mean and the variance."""
    return _three("stablehlo.batch_norm_training", (operand, scale, offset), epsilon, feature_index, **at)


def batch_norm_grad(
    operand: ir.Value,
    scale: ir.Value,
    mean: ir.Value,
    variance: ir.Value,
    grad_output: ir.Value,
    *,
    epsilon: float,
    feature_index: int,
    **at: Unpack[At],
) -> tuple[Value, Value, Value]:
    """The gradients of operand, scale and offset, from that of the normalized operand."""
    operands = operand, scale, mean, variance, grad_output
    return _three("stablehlo.batch_norm_grad", operands, epsilon, feature_index, **at)


def _three(
    name: str, operands: Sequence[ir.Value], epsilon: float, feature_index: int, **at: Unpack[At]
) -> tuple[Value, Value, Value]:
    attributes = {"epsilon": epsilon, "feature_index": feature_index}
    first, second, third = several(name, operands, attributes, **at)
    return first, second, third
