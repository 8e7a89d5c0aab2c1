"""What a new op has in common with others that are valid if it is, and whose results have the same types."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from sdy.mlir import address, ir
from sdy.stablehlo import registry
from sdy.stablehlo.answers import LOOK_AROUND, PARTLY, Question, ask, looks_around, what_counts
from sdy.stablehlo.declarations import Declaration

_TYPES = "types"
_ELEMENT = "element"
_REGION = "region"
_RETURNED = "returned"

Passed = tuple[Sequence[ir.Type], Sequence[ir.Type]]
"""Types that a region takes and returns."""


def likeness(
    declaration: Declaration,
    context: ir.Context,
    operands: Sequence[ir.Type],
    attributes: Mapping[str, ir.Attribute],
    interfaces: Sequence[Passed],
    types: Sequence[ir.Type] | None,
    element: ir.Type | None,
) -> Question | None:
    """What the types of the results, and whether the op is valid, follow from; None if that takes more.

    Args:
      declaration: of the op.
      context: the bindings' context.
      operands: types of its operands.
      attributes: its attributes in the bindings.
      interfaces: what its regions take and return: shape functions and verifiers look at nothing else of them.
      types: of the results, if they are given.
      element: the element type of results, if it is given.
    """
    name = declaration.name
    known = registry.find(name)
    if known is None or not known.is_own or (name in LOOK_AROUND and looks_around(name, attributes)):
        return None
    key: list[Hashable] = [name, None, *map(address, operands)]
    for attribute_name, attribute in attributes.items():
        declared = declaration.attribute_named.get(attribute_name)
        if declared is not None:
            key.append(attribute_name)
            key.append(address(attribute) if declared.kind not in PARTLY else what_counts(declared, attribute))
    if types is not None:
        key.append(_TYPES)
        key += map(address, types)
    if element is not None:
        key.append(_ELEMENT)
        key.append(address(element))
    for taken, returned in interfaces:
        key += (_REGION, *map(address, taken), _RETURNED, *map(address, returned))
    return ask(context, key)
