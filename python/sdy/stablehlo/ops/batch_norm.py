"""Normalization over a batch, by mean and variance of each feature."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.stablehlo.ops.making.creation import Location, Point
from sdy.stablehlo.ops.values import Value, one, several


def batch_norm_inference(
    operand: ir.Value,
    scale: ir.Value,
    offset: ir.Value,
    mean: ir.Value,
    variance: ir.Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Location = None,
    ip: Point = None,
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
    return one("stablehlo.batch_norm_inference", operands, attributes, loc=loc, ip=ip)


def batch_norm_training(
    operand: ir.Value,
    scale: ir.Value,
    offset: ir.Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Location = None,
    ip: Point = None,
) -> tuple[Value, Value, Value]:
    """The operand normalized by its own mean and variance, the mean and the variance."""
    return _three("stablehlo.batch_norm_training", (operand, scale, offset), epsilon, feature_index, loc, ip)


def batch_norm_grad(
    operand: ir.Value,
    scale: ir.Value,
    mean: ir.Value,
    variance: ir.Value,
    grad_output: ir.Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Location = None,
    ip: Point = None,
) -> tuple[Value, Value, Value]:
    """The gradients of operand, scale and offset, from that of the normalized operand."""
    operands = operand, scale, mean, variance, grad_output
    return _three("stablehlo.batch_norm_grad", operands, epsilon, feature_index, loc, ip)


def _three(
    name: str, operands: Sequence[ir.Value], epsilon: float, feature_index: int, loc: Location, ip: Point
) -> tuple[Value, Value, Value]:
    attributes = {"epsilon": epsilon, "feature_index": feature_index}
    first, second, third = several(name, operands, attributes, loc=loc, ip=ip)
    return first, second, third
