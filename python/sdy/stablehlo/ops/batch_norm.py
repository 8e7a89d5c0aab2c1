"""Normalization over a batch, by mean and variance of each feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
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
