"""What a bundle says, as lists of types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from sdy.dialect.hlo_async.declarations import BundleType
from sdy.mlir import ir

_DEFAULT_CONTEXT = "tensor<i32>"
"""What XLA has as the context of an operation unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The types of the operands, of the results and of the context of an asynchronous operation (spec: async, 10.1)."""

    operands: tuple[ir.Type, ...]
    results: tuple[ir.Type, ...]
    contexts: tuple[ir.Type, ...] = ()

    def type(self, context: ir.Context | None = None) -> ir.DynamicType:
        """The bundle as a type of the dialect, which the context (the current one by default) has to have."""
        lists = [
            ir.ArrayAttr.get([ir.TypeAttr.get(each) for each in types], context)
            for types in (self.operands, self.results, self.contexts)
        ]
        return ir.DynamicType.get(BundleType.type_name, lists, context=context)


def is_bundle(type_: ir.Type) -> TypeGuard[ir.DynamicType]:
    """Whether a type is a bundle."""
    return isinstance(type_, ir.DynamicType) and str(type_).startswith(f"!{BundleType.type_name}<")


def bundle_of(type_: ir.Type) -> Bundle:
    """What a bundle says.

    Raises:
      ValueError: something in its lists is no type.
    """
    return Bundle(*(_types(each) for each in ir.DynamicType(type_).params))


def _types(array: ir.Attribute) -> tuple[ir.Type, ...]:
    found = list(ir.ArrayAttr(array))
    for each in found:
        if not isinstance(each, ir.TypeAttr):
            raise ValueError(f"{each} is no type")
    return tuple(each.value for each in found)


def default_contexts(context: ir.Context | None = None) -> Sequence[ir.Type]:
    """The context that an operation has in HLO if nobody asks for another one: an integer."""
    return (ir.Type.parse(_DEFAULT_CONTEXT, context),)
