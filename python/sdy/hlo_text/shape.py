"""Shapes of HLO values: arrays with an element type, tuples, tokens, buffers."""

from __future__ import annotations

import math
from functools import cached_property

from sdy.lazy_dataclass import dataclass

ELEMENT_BITS = {
    "pred": 8,
    **{f"{sign}{bits}": bits for sign in "su" for bits in (1, 2, 4, 8, 16, 32, 64)},
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "f64": 64,
    "c64": 64,
    "c128": 128,
    "opaque": 0,
    **dict.fromkeys("f8e5m2 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e3m4 f8e5m2fnuz f8e4m3fnuz f8e8m0fnu".split(), 8),
    "f4e2m1fn": 4,
    "f6e2m3fn": 6,
    "f6e3m2fn": 6,
}
"""Bits of an element, by its type; a value of type `opaque` has none."""

PRIMITIVE_TYPES = frozenset({*ELEMENT_BITS, "token"})
"""Words that are no names of instructions."""


class Shape:
    """The type of an HLO value."""

    text: str
    """Text of the shape in HLO."""

    plain: Shape
    """The shape without layouts."""

    bytes: int
    """Size of all arrays in it, the elements of each rounded up to whole bytes; of tokens 0.

    Raises:
      ValueError: an array has a dimension without a bound.
    """

    def __str__(self) -> str:
        return self.text

    def at(self, path: tuple[int, ...]) -> Shape | None:
        """Return the element at these indices, or None."""
        return None if path else self

    def replaced(self, path: tuple[int, ...], shape: Shape) -> Shape:
        """Replace the shape at a path that `at` accepts."""
        if path:
            raise ValueError(f"{self.text} has no elements")
        return shape


@dataclass(frozen=True)
class ArrayShape(Shape):
    """An array; ``f32[8,<=16]{1,0}`` with dims (8, 16), of which dynamic are (False, True), and layout "{1,0}".

    A dimension without a bound is None. `dynamic` is empty if no dimension is.
    """

    element: str
    dims: tuple[int | None, ...] = ()
    layout: str = ""
    dynamic: tuple[bool, ...] = ()

    @cached_property
    def text(self) -> str:
        dims = ["?" if dim is None else str(dim) for dim in self.dims]
        if self.dynamic:
            dims = [f"<={dim}" if on and dim != "?" else dim for dim, on in zip(dims, self.dynamic, strict=True)]
        return f"{self.element}[{','.join(dims)}]{self.layout}"

    @cached_property
    def plain(self) -> Shape:
        return ArrayShape(self.element, self.dims, dynamic=self.dynamic) if self.layout else self

    @cached_property
    def bytes(self) -> int:
        sizes = [dim for dim in self.dims if dim is not None]
        if len(sizes) < len(self.dims):
            raise ValueError(f"{self.text} has no bound, and so no size")
        return -(-math.prod(sizes) * ELEMENT_BITS[self.element] // 8)


@dataclass(frozen=True)
class TokenShape(Shape):
    """Shape of a token, which orders side effects: ``token[]``."""

    @property
    def text(self) -> str:
        return "token[]"

    @property
    def plain(self) -> Shape:
        return self

    @property
    def bytes(self) -> int:
        return 0


@dataclass(frozen=True)
class BufferShape(Shape):
    """Memory that holds an array: ``b(f32[8])``."""

    array: Shape

    @cached_property
    def text(self) -> str:
        return f"b({self.array.text})"

    @cached_property
    def plain(self) -> Shape:
        return BufferShape(self.array.plain)

    @property
    def bytes(self) -> int:
        return self.array.bytes


@dataclass(frozen=True)
class TupleShape(Shape):
    """A tuple of shapes, possibly empty: ``(f32[8], s32[])``."""

    elements: tuple[Shape, ...] = ()

    @cached_property
    def text(self) -> str:
        return f"({', '.join(each.text for each in self.elements)})"

    @cached_property
    def plain(self) -> Shape:
        return TupleShape(tuple(each.plain for each in self.elements))

    @cached_property
    def bytes(self) -> int:
        return sum(each.bytes for each in self.elements)

    def at(self, path: tuple[int, ...]) -> Shape | None:
        if not path:
            return self
        return self.elements[path[0]].at(path[1:]) if path[0] < len(self.elements) else None

    def replaced(self, path: tuple[int, ...], shape: Shape) -> Shape:
        if not path:
            return shape
        index, *rest = path
        new = self.elements[index].replaced(tuple(rest), shape)
        return TupleShape((*self.elements[:index], new, *self.elements[index + 1 :]))


TOKEN = TokenShape()
S32 = ArrayShape("s32")


def same(one: Shape | None, other: Shape | None) -> bool:
    """Return whether two shapes are equal, ignoring layouts."""
    return one is other or (one is not None and other is not None and one.plain == other.plain)
