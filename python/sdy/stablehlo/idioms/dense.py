"""Constants of any element type, including attributes that the bindings do not support (complex numbers)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir
from sdy.stablehlo.constants import repeated_attribute
from sdy.stablehlo.ops import Builder

_SPLAT = re.compile(r"dense<(\([^()]*\)|[^\[\]\"(){}<>]+)>")
_HEX = re.compile(r'dense<"0x([0-9A-Fa-f]*)">')
_ELEMENT = re.compile(r"\([^()]*\)|[^\[\],\s]+")


def constant_of(b: Builder, op: ir.Operation) -> ir.Value:
    """A `stablehlo.constant` with the value of a constant op."""
    if _is_complex(op):
        return b.constant(ir.Attribute.parse(f"{_value_text(op)} : {op.results[0].type}"))
    return b.constant(op.attributes["value"])


def resized_splat(b: Builder, op: ir.Operation, type_: ir.Type) -> ir.Value | None:
    """Make a `stablehlo.constant` of `type_` with the splat of the constant `op`; None if it is not a splat."""
    value = local_splat(op, type_)
    return None if value is None else b.constant(value)


def local_splat(op: ir.Operation, type_: ir.Type) -> ir.Attribute | None:
    """Return an attribute of `type_` with the splat of the constant `op`; None if it is not a splat."""
    if _is_complex(op):
        found = _SPLAT.fullmatch(_value_text(op))
        return None if found is None else ir.Attribute.parse(f"dense<{found[1]}> : {type_}", type_.context)
    number = repeated_attribute(op)
    return None if number is None else ir.DenseElementsAttr.get_splat(type_, number)


def is_splat(op: ir.Operation) -> bool:
    """Return whether the constant `op` is a splat."""
    if _is_complex(op):
        return _SPLAT.fullmatch(_value_text(op)) is not None
    return repeated_attribute(op) is not None


def resized_text(op: ir.Operation, type_: ir.RankedTensorType) -> str:
    """Return the value of the constant `op` for the larger `type_`: a splat, or extended with zeros.

    ``dense<...> : tensor<...>``
    """
    text = _value_text(op)
    old_shape, shape = list(op.results[0].type.shape), list(type_.shape)
    if _SPLAT.fullmatch(text) or 0 in old_shape:
        return f"{text} : {type_}"
    room = tuple(slice(0, size) for size in old_shape)
    hexadecimal = _HEX.fullmatch(text)
    if hexadecimal:
        data = bytes.fromhex(hexadecimal[1])
        kind = np.dtype((np.void, len(data) // int(np.prod(old_shape))))
        whole = np.zeros(shape, dtype=kind)
        whole[room] = np.frombuffer(data, dtype=kind).reshape(old_shape)
        return f'dense<"0x{whole.tobytes().hex().upper()}"> : {type_}'
    elements = np.array(_ELEMENT.findall(text[len("dense<") : -1]), dtype=object).reshape(old_shape)
    filled = np.full(shape, _zero_text(type_.element_type), dtype=object)
    filled[room] = elements
    return f"dense<{_nested(filled.tolist())}> : {type_}"


def _is_complex(op: ir.Operation) -> bool:
    return isinstance(op.results[0].type.element_type, ir.ComplexType)


def _zero_text(element_type: ir.Type) -> str:
    if isinstance(element_type, ir.ComplexType):
        return f"({_zero_text(element_type.element_type)}, {_zero_text(element_type.element_type)})"
    if isinstance(element_type, ir.FloatType):
        return "0.0"
    return "false" if isinstance(element_type, ir.IntegerType) and element_type.width == 1 else "0"


Nested = str | Sequence["Nested"]


def _nested(elements: Nested) -> str:
    return elements if isinstance(elements, str) else f"[{', '.join(map(_nested, elements))}]"


def _value_text(op: ir.Operation) -> str:
    """The value of a constant op as text without its type, ``dense<...>``."""
    text = op.get_asm(print_generic_op_form=True, assume_verified=True)
    start = text.index("dense<")
    return text[start : text.index(f" : {op.results[0].type}", start)]
