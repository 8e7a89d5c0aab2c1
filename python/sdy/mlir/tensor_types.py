"""Types of tensors, and of their elements, for new ops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeGuard

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

MOST_ELEMENTS = (1 << 63) - 1
"""The largest size of a dimension."""


def tensor_type(shape: Sequence[int], element_type: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(_possible(shape), element_type)


def with_shape(type_: ir.RankedTensorType, shape: Sequence[int]) -> ir.RankedTensorType:
    """`type_` with another shape; element type and encoding stay."""
    return ir.RankedTensorType.get(_possible(shape), type_.element_type, type_.encoding)


def _possible(shape: Sequence[int]) -> list[int]:
    sizes = list(shape)
    if sizes and max(sizes) > MOST_ELEMENTS:
        raise DiagnosticError(
            ir.Location.current, f"needs a tensor with a dimension of {max(sizes)}, which is too large"
        )
    return sizes


def with_element_type(type_: ir.RankedTensorType, element_type: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(type_.shape), element_type, type_.encoding)


def is_tensor(type_: ir.Type) -> TypeGuard[ir.RankedTensorType]:
    """Whether `type_` is a ranked tensor."""
    return isinstance(type_, ir.RankedTensorType)


def num_elements(shape: Sequence[int]) -> int:
    return math.prod(shape)


def i1() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def i64() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def ui32() -> ir.Type:
    return ir.IntegerType.get_unsigned(32)
