"""Integers that are known before a program runs, such as the places in an image from which another one is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS

_MOST = 1 << 14
"""More numbers are not computed."""

_DEEPEST = 64
"""Nor are those behind more ops than these."""

_COMPUTED: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "stablehlo.convert": lambda x: x,
    "stablehlo.divide": np.divide,
    "stablehlo.floor": np.floor,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.multiply": np.multiply,
    "stablehlo.select": np.where,
    "stablehlo.subtract": np.subtract,
}

_COMPARED: dict[str, Callable[..., np.ndarray]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}

_KNOWN = frozenset(_COMPUTED) | {"stablehlo.broadcast_in_dim", "stablehlo.compare", "stablehlo.reshape"}


def known_integers(value: ir.Value) -> np.ndarray | None:
    """The elements of a tensor of integers; None if they are not known.

    That is constants and iotas, moved, converted, compared, and computed with, so that it makes no difference whether
    numbers on the way have 32 or 64 bits.
    """
    if not isinstance(value.type.element_type, ir.IntegerType):
        return None
    with np.errstate(all="ignore"):
        found, more_exact = (_Elements(np.dtype(each)).of(value) for each in (np.float32, np.float64))
    is_known = found is not None and more_exact is not None and np.array_equal(found, more_exact)
    return found if is_known else None


class _Elements:
    """The elements of tensors, integers in 64 bits and numbers of 32 bits as `number`; each is computed once."""

    def __init__(self, number: np.dtype) -> None:
        self._number = number
        self._found: dict[ir.Value, np.ndarray | None] = {}

    def of(self, value: ir.Value, depth: int = 0) -> np.ndarray | None:
        """None if they are not known."""
        if value not in self._found:
            self._found[value] = self._computed(value, depth + 1)
        return self._found[value]

    def _computed(self, value: ir.Value, depth: int) -> np.ndarray | None:
        op = defining_op(value)
        if op is None or depth > _DEEPEST or not value.type.has_static_shape or math.prod(value.type.shape) > _MOST:
            return None
        shape, dtype = tuple(value.type.shape), _dtype(value.type.element_type, self._number)
        if dtype is None:
            return None
        if op.name in CONSTANTS:
            return np.array(op.attributes["value"]).reshape(shape).astype(dtype)
        if (iota := views.Iota.match(op)) is not None:
            dim = iota.iota_dimension
            return np.broadcast_to(np.arange(shape[dim], dtype=dtype).reshape(_along(shape, dim)), shape)
        operands = [self.of(operand, depth) for operand in op.operands] if op.name in _KNOWN else [None]
        known = [each for each in operands if each is not None]
        made = _made(op, known, shape) if len(known) == len(operands) else None
        if made is None or not np.isfinite(made).all():
            return None
        made = np.broadcast_to(np.trunc(made) if dtype == np.int64 else made, shape).astype(dtype)
        return made if _fits(value.type.element_type, made) else None


def _made(op: ir.Operation, operands: Sequence[np.ndarray], shape: Sequence[int]) -> np.ndarray | None:
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        return _broadcast(operands[0], shape, broadcast.broadcast_dimensions)
    if op.name == "stablehlo.reshape":
        return operands[0].reshape(shape)
    if (compare := views.Compare.match(op)) is not None:
        return _COMPARED[compare.comparison_direction](*operands)
    if op.name == "stablehlo.divide" and operands[0].dtype == np.int64:
        return None
    return _COMPUTED[op.name](*operands)


def _broadcast(x: np.ndarray, shape: Sequence[int], dims: Sequence[int]) -> np.ndarray:
    order = np.argsort(dims)
    sizes = [1] * len(shape)
    for dim, size in zip(dims, x.shape, strict=True):
        sizes[dim] = size
    return np.broadcast_to(x.transpose(order).reshape(sizes), shape)


def _along(shape: Sequence[int], dim: int) -> list[int]:
    return [size if each == dim else 1 for each, size in enumerate(shape)]


def _dtype(element: ir.Type, number: np.dtype) -> np.dtype | None:
    if isinstance(element, ir.IntegerType):
        return np.dtype(np.bool_ if element.width == 1 else np.int64)
    return {ir.F32Type: number, ir.F64Type: np.dtype(np.float64)}.get(type(element))


def _fits(element: ir.Type, numbers: np.ndarray) -> bool:
    """Whether integers are in the range of their type."""
    if not isinstance(element, ir.IntegerType) or element.width == 1 or not numbers.size:
        return True
    bits = element.width - (0 if element.is_unsigned else 1)
    return (0 if element.is_unsigned else -(1 << bits)) <= numbers.min() and int(numbers.max()) < 1 << min(bits, 63)
