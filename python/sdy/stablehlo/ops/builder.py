"""Making ops at one insertion point.

    b = ops.Builder.before(op)
    product = b.multiply(b.broadcast_in_dim(x, [2, 3]), y)

The methods are the functions of `sdy.stablehlo.ops` without insertion point and location, which the builder has.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops import regions
from sdy.stablehlo.ops.attribute_writers import DotAlgorithm, DotDimensionNumbers
from sdy.stablehlo.ops.constants import Numbers, TypeLike
from sdy.stablehlo.ops.declared import ROWS, builder
from sdy.stablehlo.ops.regions import Value, one, several

Pair = tuple[Sequence[int], Sequence[int]]
"""Dimensions of the left and of the right operand."""


def constant(value: Numbers | ir.Attribute, type: TypeLike | None = None, **at: Unpack[At]) -> Value:
    """A constant.

    Args:
      value: a number, nested lists of numbers, an array of NumPy's, or a dense attribute.
      type: element type, or tensor type, which a single number fills; types of the bindings or their text. Without it
        the one of the array; Python's numbers are `i32`, `f32`, `complex<f32>` and `i1`.
    """
    given = value if isinstance(value, ir.Attribute) else (value, type)
    types = [type] if type is not None and isinstance(value, ir.Attribute) else None
    return one("stablehlo.constant", (), {"value": given}, types=types, **at)


def rng_bit_generator(
    initial_state: ir.Value, type: TypeLike, rng_algorithm: str = "DEFAULT", **at: Unpack[At]
) -> tuple[Value, Value]:
    """The next state of a generator, and random bits.

    Args:
      initial_state: a tensor with one dimension.
      type: the static tensor type of the bits.
      rng_algorithm: DEFAULT, THREE_FRY or PHILOX.
    """
    types = [getattr(initial_state, "type", None), type]
    attributes = {"rng_algorithm": rng_algorithm}
    state, bits = several("stablehlo.rng_bit_generator", (initial_state,), attributes, types=types, **at)
    return state, bits


def dot_general(
    lhs: ir.Value,
    rhs: ir.Value,
    *,
    contracting: Pair,
    batching: Pair = ((), ()),
    precision: str | Sequence[str] | None = None,
    algorithm: DotAlgorithm | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """Sums of products over the contracting dimensions.

    Args:
      lhs: the left factor. The result has the batching dimensions, then its own, then those of `rhs`.
      rhs: the right factor.
      contracting: dimensions that are summed over.
      batching: dimensions that go together.
      precision: DEFAULT, HIGH or HIGHEST, for both operands or for each.
      algorithm: how the products are computed.
      element_type: that of the result, by default the one of `lhs`.
    """
    attributes = {
        "dot_dimension_numbers": _dot_dimensions(contracting, batching),
        "precision_config": precision,
        "algorithm": algorithm,
    }
    return one("stablehlo.dot_general", (lhs, rhs), attributes, element=element_type, **at)


def _dot_dimensions(contracting: Pair, batching: Pair) -> DotDimensionNumbers | tuple[Pair, Pair]:
    """Return the dimension numbers, or the given object if it is not a list of pairs."""
    if not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in (contracting, batching)):
        return contracting, batching
    return DotDimensionNumbers(*batching, *contracting)


BY_HAND: dict[str, Callable[..., Any]] = {
    **{name: getattr(regions, name) for name in regions.__all__},
    **{function.__name__: function for function in (constant, dot_general, rng_bit_generator)},
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
        function: Callable[..., Any] = one if name == "one" else function_named(name)

        @functools.wraps(function)
        def method(self: Builder, *args: object, **options: object) -> object:
            return function(*args, loc=self.location, ip=self.ip, **options)

        setattr(Builder, name, method)
        return getattr(self, name)
