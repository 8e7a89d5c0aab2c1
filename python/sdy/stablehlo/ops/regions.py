"""Regions from Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo.ops.creation import RegionPlan
from sdy.stablehlo.ops.type_writers import TypeLike, as_type
from sdy.stablehlo.ops.values import Value

Body = Callable[..., "Value | Sequence[Value] | None"]
"""Takes the arguments of the region as values and returns what the region returns."""


def region(arguments: Sequence[Any], body: Body) -> RegionPlan:
    """A region with arguments of these types."""
    return RegionPlan(arguments, body, Value)


def scalars(values: Sequence[Any], element_type: TypeLike = None) -> list[Any]:
    """Types of scalars with the element types of `values`, or all with the one given; other types stay."""
    given = None if element_type is None else as_type(element_type)
    return [_scalar(value.type, given) for value in values]


def _scalar(type_: Any, element: Any) -> Any:
    if not isinstance(type_, ir.ShapedType):
        return type_
    return ir.RankedTensorType.get([], element if element is not None else type_.element_type)
