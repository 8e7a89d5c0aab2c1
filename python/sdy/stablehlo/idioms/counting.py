"""Dimensions along which an integer value is 0, 1, 2, ...."""

from __future__ import annotations

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS, constant_number

_ALWAYS = {"LT": False, "GE": True}
"""Results of comparing a number >= 0 with a number <= 0, by direction."""


def counted_dim(value: ir.Value) -> int | None:
    """Return the dimension along which an integer tensor counts from 0; None if unknown.

    Iotas and constants do, also through JAX's index computations: added dimensions, conversions, selects by the sign of
    a number, and clamps without effect.
    """
    op = defining_op(value)
    if op is None or not value.type.has_static_shape or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    if op.name in CONSTANTS:
        return _of_constant(op)
    if (iota := views.Iota.match(op)) is not None:
        return iota.iota_dimension if _counts_fit(value.type, iota.iota_dimension) else None
    if (convert := views.Convert.match(op)) is not None:
        dim = counted_dim(convert.operand)
        return dim if dim is not None and _counts_fit(value.type, dim) else None
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        dim = counted_dim(broadcast.operand)
        return None if dim is None else broadcast.broadcast_dimensions[dim]
    if (reshape := views.Reshape.match(op)) is not None:
        return _of_reshape(reshape)
    if (select := views.Select.match(op)) is not None:
        chosen = _chosen(select)
        return None if chosen is None else counted_dim(chosen)
    return _of_limited(op)


def _counts_fit(type_: ir.RankedTensorType, dim: int) -> bool:
    """Return whether the element type can hold all indices along a dimension of more than one element."""
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


def _of_reshape(reshape: views.Reshape) -> int | None:
    """Return the counted dimension of a reshape that only adds or removes dimensions of size 1."""
    dim = counted_dim(reshape.operand)
    before, after = (
        {each: size for each, size in enumerate(value.type.shape) if size != 1}
        for value in (reshape.operand, reshape.result)
    )
    is_same = list(before.values()) == list(after.values())
    return None if dim is None or not is_same else list(after)[list(before).index(dim)]


def _chosen(select: views.Select) -> ir.Value | None:
    """Return the value that `select` takes everywhere: it compares an iota with a non-positive number."""
    compare = views.Compare.defining(select.pred)
    if compare is None or counted_dim(compare.lhs) is None or compare.comparison_direction not in _ALWAYS:
        return None
    limit = constant_number(compare.rhs)
    if limit is None or limit > 0:
        return None
    return select.on_true if _ALWAYS[compare.comparison_direction] else select.on_false


def _of_limited(op: ir.Operation) -> int | None:
    """Return the counted dimension of a clamp, maximum or minimum whose limits change nothing."""
    if (clamp := views.Clamp.match(op)) is not None:
        value, limits = clamp.operand, [(clamp.min, False), (clamp.max, True)]
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
