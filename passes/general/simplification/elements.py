"""Elements of constants as arrays, and constants made of arrays.

Floating-point numbers are computed in 64 bits and rounded to their type, integers in 64 bits and wrapped to their
width. A constant that repeats one number is an array without dimensions.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.stablehlo.constants import repeated_attribute

CONSTANT = "stablehlo.constant"

Elements: TypeAlias = NDArray

_NATIVE = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def is_integer(type_: ir.Type) -> bool:
    """Return whether a type is one of integers, or of tensors of them."""
    element = type_.element_type if isinstance(type_, ir.ShapedType) else type_
    return isinstance(element, ir.IntegerType)


def is_signed(element: ir.Type) -> bool:
    """Return whether integers of a type have a sign; those of one bit have none."""
    return isinstance(element, ir.IntegerType) and not element.is_unsigned and element.width > 1


def constant_attribute(value: ir.Value) -> ir.DenseElementsAttr | None:
    """Return the attribute of a constant value; None for any other value."""
    op = defining_op(value)
    attribute = None if op is None or op.name != CONSTANT else op.attributes["value"]
    return attribute if isinstance(attribute, ir.DenseElementsAttr) else None


def elements_of(value: ir.Value) -> Elements | None:
    """Return the elements of a constant of real numbers; None for any other value, and for unreadable types."""
    attribute = constant_attribute(value)
    if attribute is None:
        return None
    element = ir.ShapedType(attribute.type).element_type
    if attribute.is_splat:
        number = repeated_attribute(value.owner.operation)
        if not isinstance(number, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)):
            return None
        return (
            wrapped(np.asarray(int(number.value) % (1 << 64), np.uint64), element)
            if is_integer(element)
            else (np.asarray(number.value, np.float64))
        )
    try:
        array = np.asarray(attribute)
    except TypeError:
        return None
    if array.dtype == object:
        return None
    if not is_integer(element):
        return array.astype(np.float64)
    return array.astype(np.int64 if is_signed(element) else np.uint64)


def wrapped(values: Elements, element: ir.Type) -> Elements:
    """Return 64-bit integers wrapped to the width of a type."""
    width = ir.IntegerType(element).width
    if not is_signed(element):
        values = values.astype(np.uint64)
        return values if width == 64 else values & np.uint64((1 << width) - 1)
    shift = np.int64(64 - width)
    return (values.astype(np.int64) << shift) >> shift


def rounded(values: Elements, element: ir.Type) -> Elements:
    """Return 64-bit numbers rounded to a floating-point type, with one form of NaN."""
    values = np.where(np.isnan(values), np.nan, values)
    native = _NATIVE.get(str(element))
    if native is not None:
        with np.errstate(over="ignore"):
            return values.astype(native).astype(np.float64)
    numbers = [ir.FloatAttr.get(element, float(number), loc=_location(element)).value for number in values.flat]
    return np.asarray(numbers, np.float64).reshape(values.shape)


def attribute_of(values: Elements, type_: ir.ShapedType) -> ir.Attribute:
    """Return the constant attribute of a type; `values` has its shape, or is one repeated number."""
    element = type_.element_type
    values = wrapped(values, element) if is_integer(element) else rounded(values, element)
    native = _NATIVE.get(str(element))
    if values.ndim == 0:
        return ir.DenseElementsAttr.get_splat(type_, _number(element, values.item()))
    if native is not None:
        with np.errstate(over="ignore"):
            return ir.DenseElementsAttr.get(np.ascontiguousarray(values.astype(native)), type=element)
    return ir.DenseElementsAttr.get([_number(element, number.item()) for number in values.flat], type_)


def _number(element: ir.Type, value: float) -> ir.Attribute:
    if is_integer(element):
        # The bindings take the bits of 64 as a signed number.
        return ir.IntegerAttr.get(element, int(value) - (1 << 64) if value >= 1 << 63 else int(value))
    return ir.FloatAttr.get(element, value, loc=_location(element))


def _location(element: ir.Type) -> ir.Location:
    return ir.Location.unknown(element.context)
