"""How many bytes values take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_bytes import bits


def byte_size(type_: Any) -> int:
    """Of a tensor; sub-byte elements are packed, a boolean takes a byte. 0 for what is no tensor, such as a token."""
    if not isinstance(type_, ir.RankedTensorType):
        return 0
    return math.ceil(math.prod(type_.shape) * bits(type_.element_type) / 8)


def is_scalar(type_: Any) -> bool:
    """Whether a type is that of a tensor of rank 0."""
    return isinstance(type_, ir.RankedTensorType) and not type_.rank


def bytes_of(values: Iterable[Any], op: ir.Operation) -> int:
    """Of all values of an op. Raises `DiagnosticError` at it if one is a tensor of dynamic size."""
    total = 0
    for value in values:
        type_ = value.type
        if isinstance(type_, ir.ShapedType) and not type_.has_static_shape:
            raise DiagnosticError(op, "has tensors of dynamic size, whose bytes cannot be counted")
        total += byte_size(type_)
    return total
