"""Making ops at one insertion point.

    b = ops.Builder.before(op)
    product = b.multiply(b.broadcast_in_dim(x, [2, 3]), y)

The methods are the functions of `sdy.stablehlo.ops` without insertion point and location, which the builder has.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo.ops import regions, special, values
from sdy.stablehlo.ops.declared import ROWS, builder

BY_HAND: dict[str, Callable[..., Any]] = {
    name: getattr(family, name) for family in (regions, special) for name in family.__all__
}
"""Builders of StableHLO's ops that are no rows of the table in `declared`."""


@lru_cache(maxsize=256)
def function_named(name: str) -> Callable[..., Any]:
    """The builder of that name.

    Raises:
      AttributeError: there is none.
    """
    if name in BY_HAND:
        return BY_HAND[name]
    if name not in ROWS["stablehlo"]:
        raise AttributeError(f"there is no builder '{name}'")
    return builder("stablehlo", name)


class Builder:
    """Inserts ops at `ip`, one after the other, all with `location`."""

    __slots__ = ("ip", "location")

    def __init__(self, ip: ir.InsertionPoint, location: ir.Location) -> None:
        self.ip = ip
        self.location = location

    @staticmethod
    def before(op: ir.Operation) -> Builder:
        """Return a builder that inserts in front of `op`, with its location."""
        return Builder(ir.InsertionPoint(op), op.location)

    @staticmethod
    def after(op: ir.Operation) -> Builder:
        """Return a builder that inserts behind `op`, with its location."""
        return Builder(ir.InsertionPoint.after(op), op.location)

    @staticmethod
    def at_end(block: ir.Block, location: ir.Location) -> Builder:
        return Builder(ir.InsertionPoint(block), location)

    def create(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        attributes: Mapping[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        """Make an op of any dialect from complete information: nothing is inferred or checked."""
        return ir.Operation.create(
            name,
            list(types),
            list(operands),
            dict(attributes) if attributes else None,
            None,
            regions,
            self.location,
            self.ip,
        )

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Make the method of a builder at its first use; `one` makes an op from its name."""
        function: Callable[..., Any] = values.one if name == "one" else function_named(name)

        @functools.wraps(function)
        def method(self: Builder, *args: object, **options: object) -> object:
            return function(*args, loc=self.location, ip=self.ip, **options)

        setattr(Builder, name, method)
        return getattr(self, name)
