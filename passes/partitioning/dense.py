"""Constants of any element type, also those whose attributes the bindings cannot hold (complex numbers)."""

from __future__ import annotations

import re
from typing import Any

from sdy.mlir import ir
from sdy.passes.partitioning.stablehlo_builder import Builder

_SPLAT = re.compile(r"dense<(\([^()]*\)|[^\[\]\"(){}<>]+)>")


def constant_of(b: Builder, op: ir.Operation) -> ir.Value:
    """A `stablehlo.constant` with the value of a constant op."""
    if isinstance(op.results[0].type.element_type, ir.ComplexType):
        return b.parsed_constant(_value_text(op))
    return b.constant(op.attributes["value"])


def resized_splat(b: Builder, op: ir.Operation, type_: Any) -> ir.Value | None:
    """If the constant `op` repeats one number, a constant of `type_` that repeats it; else None."""
    if isinstance(type_.element_type, ir.ComplexType):
        found = _SPLAT.fullmatch(_value_text(op).rsplit(" : ", 1)[0])
        return None if found is None else b.parsed_constant(f"dense<{found[1]}> : {type_}")
    value = op.attributes["value"]
    if not isinstance(value, ir.DenseElementsAttr) or not value.is_splat:
        return None
    return b.constant(ir.DenseElementsAttr.get_splat(type_, value.get_splat_value()))


def _value_text(op: ir.Operation) -> str:
    """The value of a constant op as text, ``dense<...> : tensor<...>``."""
    text = op.get_asm(print_generic_op_form=True, assume_verified=True)
    start = text.index("dense<")
    return text[start : text.index(f" : {op.results[0].type}", start)] + f" : {op.results[0].type}"
