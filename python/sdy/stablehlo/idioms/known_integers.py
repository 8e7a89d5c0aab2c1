"""Integer values that the text of a program determines."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS, repeated_attribute
from sdy.stablehlo.idioms.loops import WHILE, before_loops, loop_body, unchanged_variables
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_MOST_ELEMENTS = 1 << 12
_MOST_VALUES = 64

_COMPARE = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}

_ELEMENTWISE: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
    "stablehlo.minimum": np.minimum,
    "stablehlo.maximum": np.maximum,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.convert": np.asarray,
    "stablehlo.select": np.where,
    "stablehlo.clamp": lambda least, value, most: np.minimum(np.maximum(least, value), most),
}


def known_integers(value: ir.Value) -> np.ndarray | None:
    """Evaluate a small tensor of integers or booleans that depends on constants alone; None if it does not.

    Looks through loop variables that the body leaves unchanged.

    Returns:
      An array of the tensor's shape and element type.
    """
    return _evaluate(value, {})


def _evaluate(value: ir.Value, known: dict[ir.Value, np.ndarray | None]) -> np.ndarray | None:
    """Evaluate `value`; `known` caches at most `_MOST_VALUES` values."""
    value = _before_loops(value)
    if value in known:
        return known[value]
    known[value] = None
    op, dtype = defining_op(value), _dtype(value.type)
    if op is None or dtype is None or len(known) > _MOST_VALUES:
        return None
    if op.name in CONSTANTS:
        made = _constant(op, value.type.shape)
    else:
        operands: list[np.ndarray] = []
        for operand in op.operands:
            found = _evaluate(operand, known)
            if found is None:
                return None
            operands.append(found)
        with np.errstate(over="ignore"):
            made = _computed(op, operands, value.type.shape)
    known[value] = None if made is None else made.astype(dtype)
    return known[value]


def _before_loops(value: ir.Value) -> ir.Value:
    """Return the value before all loops around it that leave it unchanged."""
    while isinstance(value, ir.BlockArgument):
        block = value.owner
        loop = block.owner.operation
        before = unchanged_variables(loop).get(value) if loop.name == WHILE and block == loop_body(loop) else None
        if before is None:
            return value
        value = before
    before = before_loops(value)
    return value if before == value else _before_loops(before)


def _dtype(type_: ir.Type) -> np.dtype | None:
    """Return the element type in numpy; None except for small tensors of integers."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return None
    element = type_.element_type
    if not isinstance(element, ir.IntegerType) or math.prod(type_.shape) > _MOST_ELEMENTS:
        return None
    if element.width == 1:
        return np.dtype(bool)
    kind = "u" if element.is_unsigned else "i"
    return np.dtype(f"{kind}{element.width // 8}") if element.width in (8, 16, 32, 64) else None


def _constant(op: ir.Operation, shape: Sequence[int]) -> np.ndarray | None:
    attribute = op.attributes["value"]
    repeated: Any = repeated_attribute(op)
    if repeated is not None:
        return np.broadcast_to(np.array(repeated.value), shape)
    return np.array(attribute).reshape(shape) if isinstance(attribute, ir.DenseElementsAttr) else None


def _computed(op: ir.Operation, operands: Sequence[np.ndarray], shape: Sequence[int]) -> np.ndarray | None:
    """Return the result of `op`; None unless it is an op of index computations."""
    if op.name in _ELEMENTWISE:
        return _ELEMENTWISE[op.name](*operands)
    if (compare := views.Compare.match(op)) is not None:
        return _COMPARE[compare.comparison_direction](*operands)
    if (iota := views.Iota.match(op)) is not None:
        return _repeated(np.arange(shape[iota.iota_dimension]), [iota.iota_dimension], shape)
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        return _repeated(operands[0], broadcast.broadcast_dimensions, shape)
    if (concatenate := views.Concatenate.match(op)) is not None:
        return np.concatenate(operands, concatenate.dimension)
    if (cut := views.Slice.match(op)) is not None:
        return operands[0][tuple(map(slice, cut.start_indices, cut.limit_indices, cut.strides))]
    if (reduce := views.Reduce.match(op)) is not None:
        return _reduced(reduce, operands)
    return operands[0].reshape(shape) if op.name == "stablehlo.reshape" else None


def _reduced(reduce: views.Reduce, operands: Sequence[np.ndarray]) -> np.ndarray | None:
    """Return whether all, or any, of the booleans are true, as in JAX's index checks; None for other reductions."""
    names, values = combining_ops(reduce.op.regions[0]), operands[0]
    if names not in (["stablehlo.and"], ["stablehlo.or"]) or values.dtype != bool:
        return None
    axes = tuple(reduce.dimensions)
    return operands[1] & values.all(axes) if names == ["stablehlo.and"] else operands[1] | values.any(axes)


def _repeated(values: np.ndarray, dims: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """Return `values`, whose dimensions become `dims` of `shape`."""
    order = sorted(range(len(dims)), key=dims.__getitem__)
    sizes = dict(zip(dims, values.shape, strict=True))
    along = [sizes.get(dim, 1) for dim in range(len(shape))]
    return np.broadcast_to(values.transpose(order).reshape(along), shape)
