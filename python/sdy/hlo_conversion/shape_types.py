"""Shapes of HLO as types of MLIR, and back."""

from __future__ import annotations

import re

from sdy.hlo_text import ArrayShape, Shape, TokenShape, TupleShape
from sdy.mlir import ir

_SMALL_FLOAT = re.compile(r"(f\d)(e\w+)")
_INTEGER = re.compile(r"([su]?)i(\d+)")


def type_text(shape: Shape) -> str:
    """Return the type of values of a shape, without its layout; raise `ValueError` if there is none."""
    if isinstance(shape, TokenShape):
        return "!stablehlo.token"
    if isinstance(shape, TupleShape):
        return f"tuple<{', '.join(map(type_text, shape.elements))}>"
    if isinstance(shape, ArrayShape) and not any(shape.dynamic) and None not in shape.dims:
        return f"tensor<{''.join(f'{size}x' for size in shape.dims)}{_element(shape.element)}>"
    raise ValueError(f"{shape} has no type")


def _element(name: str) -> str:
    if name == "pred":
        return "i1"
    if name in ("c64", "c128"):
        return "complex<f32>" if name == "c64" else "complex<f64>"
    if name[0] in "su" and name[1:].isdigit():
        return f"{'u' if name[0] == 'u' else ''}i{name[1:]}"
    small = _SMALL_FLOAT.fullmatch(name)
    return small[1] + small[2].upper() if small else name


def shape_text(type_: ir.Type) -> str:
    """Return the HLO shape of values of a type; raise `ValueError` if it has none."""
    if isinstance(type_, ir.TupleType):
        return f"({', '.join(shape_text(type_.get_type(index)) for index in range(type_.num_types))})"
    if str(type_) == "!stablehlo.token":
        return "token[]"
    if isinstance(type_, ir.RankedTensorType) and type_.has_static_shape:
        return f"{_name(str(type_.element_type))}[{','.join(map(str, type_.shape))}]"
    raise ValueError(f"{type_} has no shape in HLO")


def _name(element: str) -> str:
    if element in ("complex<f32>", "complex<f64>"):
        return "c64" if element == "complex<f32>" else "c128"
    integer = _INTEGER.fullmatch(element)
    if integer is None:
        return element.lower()
    return "pred" if element == "i1" else f"{integer[1] or 's'}{integer[2]}"
