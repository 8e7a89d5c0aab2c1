"""Normalization over a batch, by mean and variance of each feature."""

from __future__ import annotations

from typing import Any

from sdy.stablehlo.ops.values import Value, one, several


def batch_norm_inference(
    operand: Value,
    scale: Value,
    offset: Value,
    mean: Value,
    variance: Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Any = None,
    ip: Any = None,
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
    operand: Value,
    scale: Value,
    offset: Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Any = None,
    ip: Any = None,
) -> tuple[Value, Value, Value]:
    """The operand normalized by its own mean and variance, the mean and the variance."""
    attributes = {"epsilon": epsilon, "feature_index": feature_index}
    operands = operand, scale, offset
    output, mean, variance = several("stablehlo.batch_norm_training", operands, attributes, loc=loc, ip=ip)
    return output, mean, variance


def batch_norm_grad(
    operand: Value,
    scale: Value,
    mean: Value,
    variance: Value,
    grad_output: Value,
    *,
    epsilon: float,
    feature_index: int,
    loc: Any = None,
    ip: Any = None,
) -> tuple[Value, Value, Value]:
    """The gradients of operand, scale and offset, from that of the normalized operand."""
    attributes = {"epsilon": epsilon, "feature_index": feature_index}
    operands = operand, scale, mean, variance, grad_output
    gradients = several("stablehlo.batch_norm_grad", operands, attributes, loc=loc, ip=ip)
    return gradients[0], gradients[1], gradients[2]
