"""Tensors whose elements are their own places, as indices that count through a dimension are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.stablehlo.attribute_readers import read_ints
from sdy.stablehlo.constants import CONSTANTS, constant_number

_ALWAYS = {"LT": False, "GE": True}
"""How a number that is not negative compares with one that is not positive."""


def counted_dim(value: ir.Value) -> int | None:
    """The dimension along which an integer tensor counts from 0; None if it is not known to do so.

    That is iotas and constants, through what JAX makes of them as indices: dimensions that are added, conversions,
    choices by whether a number is negative, and numbers that are kept inside of a range that all of them are in.
    """
    op = defining_op(value)
    if op is None or not value.type.has_static_shape or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    if op.name == "stablehlo.iota":
        dim = ir.IntegerAttr(op.attributes["iota_dimension"]).value
        return dim if _fits(value.type, dim) else None
    if op.name in CONSTANTS:
        return _of_constant(op)
    if op.name == "stablehlo.convert":
        dim = counted_dim(op.operands[0])
        return dim if dim is not None and _fits(value.type, dim) else None
    if op.name == "stablehlo.broadcast_in_dim":
        return _of_broadcast(op)
    if op.name == "stablehlo.reshape":
        return _of_reshape(op)
    if op.name == "stablehlo.select":
        chosen = _chosen(op)
        return None if chosen is None else counted_dim(chosen)
    return _of_limited(op)


def _fits(type_: ir.RankedTensorType, dim: int) -> bool:
    """Whether the numbers of the places along a dimension do not overflow."""
    element = ir.IntegerType(type_.element_type)
    return 1 < type_.shape[dim] <= 1 << (element.width if element.is_unsigned else element.width - 1)


def _of_constant(constant: ir.Operation) -> int | None:
    attribute, shape = constant.attributes["value"], list(constant.results[0].type.shape)
    if not isinstance(attribute, ir.DenseIntElementsAttr) or attribute.is_splat:
        return None
    values = np.array(attribute).reshape(shape)
    for dim, size in enumerate(shape):
        along = [size if each == dim else 1 for each in range(len(shape))]
        if size > 1 and (values == np.arange(size).reshape(along)).all():
            return dim
    return None


def _of_broadcast(op: ir.Operation) -> int | None:
    dim, dims = counted_dim(op.operands[0]), read_ints(op.attributes["broadcast_dimensions"])
    return None if dim is None or dims is None else dims[dim]


def _of_reshape(op: ir.Operation) -> int | None:
    """Only dimensions of size 1 come or go."""
    dim = counted_dim(op.operands[0])
    before, after = (_longer_than_one(value.type.shape) for value in (op.operands[0], op.results[0]))
    shapes = [
        [value.type.shape[each] for each in dims] for value, dims in ((op.operands[0], before), (op.results[0], after))
    ]
    return None if dim is None or shapes[0] != shapes[1] else after[before.index(dim)]


def _longer_than_one(shape: Sequence[int]) -> list[int]:
    return [dim for dim, size in enumerate(shape) if size != 1]


def _chosen(select: ir.Operation) -> ir.Value | None:
    """Which of two values is chosen everywhere, by a comparison of what counts with a number that is not positive."""
    compare = defining_op(select.operands[0])
    if compare is None or compare.name != "stablehlo.compare" or counted_dim(compare.operands[0]) is None:
        return None
    limit, direction = constant_number(compare.operands[1]), _direction(compare)
    if limit is None or limit > 0 or direction not in _ALWAYS:
        return None
    return select.operands[1 if _ALWAYS[direction] else 2]


def _direction(compare: ir.Operation) -> str:
    return str(compare.attributes["comparison_direction"]).split()[-1].rstrip(">")


def _of_limited(op: ir.Operation) -> int | None:
    """Numbers that are no smaller than a number, or no larger, and were so before."""
    if op.name == "stablehlo.clamp":
        low, value, high = op.operands
        limits = [(low, False), (high, True)]
    elif op.name in ("stablehlo.maximum", "stablehlo.minimum"):
        value, limit = op.operands if constant_number(op.operands[0]) is None else reversed(list(op.operands))
        limits = [(limit, op.name == "stablehlo.minimum")]
    else:
        return None
    dim = counted_dim(value)
    if dim is None:
        return None
    for limit, is_upper in limits:
        number = constant_number(limit)
        if number is None or (number < value.type.shape[dim] - 1 if is_upper else number > 0):
            return None
    return dim
