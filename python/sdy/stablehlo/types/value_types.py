"""Types of values as plain values: tensors, possibly with open parts, and all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import overload

from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir, stablehlo
from sdy.mlir.per_context import PerContext
from sdy.stablehlo.types.elements import Element, is_per_axis, read_element, same_baseline, write_element
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    LARGEST,
    Dimension,
    SizeConflict,
    compatible_shapes,
    least_specific,
    most_specific,
    shape_text,
)


def compatible_types(inferred: ValueType, declared: ValueType) -> bool:
    """Return whether a value of one type can be declared with the other (H2).

    Not transitive: an unknown size is compatible with any. A tensor with an open element type fits any element type.
    """
    if isinstance(inferred, Tensor) and isinstance(declared, Tensor):
        return _compatible_tensors(inferred, declared)
    one, other = element_of(inferred), element_of(declared)
    return inferred == declared if one is None or other is None else same_baseline(one, other)


def element_of(type_: ValueType) -> Element | None:
    """The element type of a tensor, ranked or not."""
    if isinstance(type_, Plain) and type_.kind == "unranked":
        (type_,) = type_.parts
    return type_.element if isinstance(type_, Tensor) else None


def _compatible_tensors(first: Tensor, second: Tensor) -> bool:
    if first is second:
        return first.encoding is None
    if not compatible_shapes(first.dims, second.dims):
        return False
    if first.encoding is not None or second.encoding is not None:
        return False
    if (first.bounds or second.bounds) and not (_within(first, second) and _within(second, first)):
        return False
    return first.element is None or second.element is None or same_baseline(first.element, second.element)


def _within(sizes: Tensor, bounds: Tensor) -> bool:
    """Return whether no static size exceeds the bound of the other."""
    if not bounds.bounds:
        return True
    pairs = zip(sizes.dims, bounds.bounds, strict=True)
    return all(DYNAMIC in (size, bound) or size <= bound for size, bound in pairs)


def compatible_lists(inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> bool:
    """Check H2 for lists: equally long, and compatible one by one."""
    return len(inferred) == len(declared) and all(map(compatible_types, inferred, declared))


def compatible_shape_lists(inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> bool:
    """Check H1 for lists of tensors, ignoring element types and bounds."""
    return len(inferred) == len(declared) and all(map(_have_compatible_shapes, inferred, declared))


def compatible_bounded_shape_lists(inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> bool:
    """Check H1 for lists of tensors, where also no static size may exceed a bound."""
    return compatible_shape_lists(inferred, declared) and all(map(_are_within, inferred, declared))


def _have_compatible_shapes(first: ValueType, second: ValueType) -> bool:
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return False
    return compatible_shapes(first.dims, second.dims)


def _are_within(first: ValueType, second: ValueType) -> bool:
    assert isinstance(first, Tensor) and isinstance(second, Tensor)
    return _within(first, second) and _within(second, first)


# Folding types -------------------------------------------------------------------------------------------------------


def merged(types: Sequence[Tensor]) -> Tensor:
    """H3: the most specific type that all the types describe, with the element type of the first.

    Raises:
      SizeConflict: the shapes do not fit.
    """
    for type_ in types:
        if type_.bounds:
            return _folded(types, most_specific)
    return _merged_sizes(types)


def _merged_sizes(types: Sequence[Tensor]) -> Tensor:
    """Merge types without bounds: the usual case, several times faster."""
    first = types[0]
    dims = first.dims
    for other in types[1:]:
        if other.dims != dims:
            if len(other.dims) != len(dims):
                raise SizeConflict(f"ranks {len(dims)} and {len(other.dims)} differ")
            dims = tuple(map(_known_size, dims, other.dims))
    return first if dims == first.dims else Tensor(dims, first.element, (), first.encoding)


def _known_size(size: int, other: int) -> int:
    if size == other or other == DYNAMIC:
        return size
    if size != DYNAMIC:
        raise SizeConflict(f"sizes {size} and {other} differ")
    return other


def joined(types: Sequence[ValueType]) -> ValueType:
    """H4: the least specific type that holds values of each of the types.

    Raises:
      SizeConflict: the shapes do not fit.
    """
    first = types[0]
    if isinstance(first, Plain):
        return _joined_tuples(types) if first.kind == "tuple" else first
    return _folded([type_ for type_ in types if isinstance(type_, Tensor)], least_specific)


def _joined_tuples(types: Sequence[ValueType]) -> ValueType:
    parts = [type_.parts for type_ in types if isinstance(type_, Plain)]
    if len({len(each) for each in parts}) != 1:
        raise SizeConflict("tuples of different lengths")
    return Plain("tuple", tuple(joined(each) for each in zip(*parts, strict=True)))


def _folded(types: Sequence[Tensor], fold: Callable[[Dimension, Dimension], Dimension]) -> Tensor:
    first = types[0]
    if all(each.dims == first.dims and each.bounds == first.bounds for each in types[1:]):
        return first
    dimensions = first.dimensions()
    for each in types[1:]:
        if each.rank != first.rank:
            raise SizeConflict(f"ranks {first.rank} and {each.rank} differ")
        dimensions = [fold(mine, other) for mine, other in zip(dimensions, each.dimensions(), strict=True)]
    # The first type alone decides about the encoding: without bounds there, those of the others are dropped.
    return first.with_dimensions(dimensions, keeps_bounds=bool(first.bounds))


@dataclass(frozen=True, slots=True)
class Tensor:
    """A ranked tensor type.

    Attributes:
      dims: sizes, `DYNAMIC` where not known.
      element: element type; None where inference leaves it open.
      bounds: one entry per dimension, `DYNAMIC` where there is none; empty without any.
      encoding: an encoding other than bounds, as an attribute of the bindings.
      type: the type of the bindings this was read from, if it is kept.
    """

    dims: tuple[int, ...]
    element: Element | None
    bounds: tuple[int, ...] = ()
    encoding: ir.Attribute | None = None
    type: ir.RankedTensorType | None = field(default=None, compare=False, repr=False)

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def known_element(self) -> Element:
        """The element type of an operand or result that is read from a program."""
        assert self.element is not None
        return self.element

    @property
    def known_type(self) -> ir.RankedTensorType:
        """Return the type of the bindings for an operand or result of a function for `register_op`."""
        assert self.type is not None
        return self.type

    def bound(self, dim: int) -> int:
        return self.bounds[dim] if self.bounds else DYNAMIC

    def dimension(self, dim: int) -> Dimension:
        return self.dims[dim], self.bound(dim)

    def dimensions(self) -> list[Dimension]:
        return list(zip(self.dims, self.bounds or (DYNAMIC,) * len(self.dims), strict=True))

    def with_element(self, element: Element | None) -> Tensor:
        return self if element is self.element else Tensor(self.dims, element, self.bounds, self.encoding)

    def with_dimensions(self, dimensions: Sequence[Dimension], *, keeps_bounds: bool = True) -> Tensor:
        """Return the tensor type with other sizes and bounds; H6 decides about the encoding.

        Args:
          dimensions: sizes with bounds.
          keeps_bounds: without, bounds are dropped and the encoding stays as it is.
        """
        dims = tuple([size for size, _ in dimensions])
        if not keeps_bounds:
            return Tensor(dims, self.element, (), self.encoding)
        bounds = tuple([bound for _, bound in dimensions])
        if bounds.count(DYNAMIC) == len(bounds):
            # An empty list of bounds leaves the prototype's encoding; a list without any bound is no encoding.
            return Tensor(dims, self.element, (), None if self.bounds else self.encoding)
        return Tensor(dims, self.element, bounds)

    def __str__(self) -> str:
        shape = "".join(f"{'?' if size == DYNAMIC else size}x" for size in self.dims)
        limits = f", bounds {shape_text(self.bounds)}" if self.bounds else ""
        return f"tensor<{shape}{self.element or 'open'}{limits}>"


@dataclass(frozen=True, slots=True)
class Plain:
    """Type that is neither a tensor nor another modelled type.

    Attributes:
      kind: `token`, `tuple`, `future`, `unranked`, `buffer` or `other`.
      parts: the types in a tuple or future; of an unranked tensor a scalar with its element type.
      text: identifies types of the last three kinds.
    """

    kind: str
    parts: tuple[ValueType, ...] = ()
    text: str = ""
    type: ir.Type | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text or f"{self.kind}<{', '.join(map(str, self.parts))}>"


ValueType = Tensor | Plain

TOKEN = Plain("token")


def scalar(element: Element | None) -> Tensor:
    """A 0-dimensional tensor."""
    return Tensor((), element)


def unranked(element: Element) -> Plain:
    """A tensor of any rank."""
    return Plain("unranked", (scalar(element),), f"tensor<*x{element}>")


def with_any_rank(type_: ValueType) -> ValueType:
    """Return a tensor with one dimension of unknown size for an unranked one, which broadcasts to any other."""
    if isinstance(type_, Plain) and type_.kind == "unranked" and isinstance(type_.parts[0], Tensor):
        return Tensor((DYNAMIC,), type_.parts[0].element)
    return type_


# From the bindings ---------------------------------------------------------------------------------------------------


def read_type(type_: ir.Type) -> ValueType:
    """The value of a type of the bindings."""
    if type(type_) is ir.RankedTensorType:
        encoding = type_.encoding
        dims = tuple(type_.shape)
        if encoding is None:
            return Tensor(dims, read_element(type_.element_type), (), None, type_)
        return _read_encoded(type_, dims, encoding)
    return _read_plain(type_)


_MOST = 1 << 14

kept_types: PerContext[dict[int, Tensor]] = PerContext(dict)
"""By the address of a type; nothing that is kept refers to the context."""


def read_types(types: Sequence[ir.Type], context: ir.Context | None = None) -> list[ValueType]:
    """Return the values of types from one context; equal types share a value."""
    if not len(types):
        return []
    known = kept_types.of(context or types[0].context)
    values = [known.get(address(type_)) for type_ in types]
    # None is the only one of them that is false.
    return values if all(values) else [_read_and_kept(type_, known) for type_ in types]  # pyright: ignore[reportReturnType]


def _read_and_kept(type_: ir.Type, known: dict[int, Tensor]) -> ValueType:
    value = known.get(address(type_))
    if value is not None:
        return value
    value = read_type(type_)
    if not isinstance(value, Tensor) or value.encoding is not None:
        return value
    if len(known) >= _MOST:
        known.clear()
    kept = known[address(type_)] = Tensor(value.dims, value.element, value.bounds)
    return kept


def _read_encoded(type_: ir.RankedTensorType, dims: tuple[int, ...], encoding: ir.Attribute) -> Tensor:
    element = read_element(type_.element_type)
    if str(encoding).startswith(("#stablehlo.bounds", "#stablehlo.type_extensions")):
        return Tensor(dims, element, tuple(stablehlo.TypeExtensions(encoding).bounds), None, type_)
    return Tensor(dims, element, (), encoding, type_)


def _read_plain(type_: ir.Type) -> Plain:
    if isinstance(type_, ir.TupleType):
        parts = tuple(read_type(type_.get_type(index)) for index in range(type_.num_types))
        return Plain("tuple", parts, type=type_)
    if isinstance(type_, ir.UnrankedTensorType):
        return Plain("unranked", (scalar(read_element(type_.element_type)),), str(type_), type_)
    if isinstance(type_, (ir.MemRefType, ir.UnrankedMemRefType)):
        return Plain("buffer", (), str(type_), type_)
    text = str(type_)
    if text == "!stablehlo.token":
        return Plain("token", type=type_)
    if text.startswith("!stablehlo.future<"):
        return Plain("future", tuple(map(read_type, stablehlo.FutureType(type_).types)), type=type_)
    return Plain("other", (), text, type_)


# To the bindings -----------------------------------------------------------------------------------------------------


class Unwritable(ValueError):
    """A value that no type of the bindings can hold."""


@overload
def write_type(value: Tensor, context: ir.Context) -> ir.RankedTensorType: ...
@overload
def write_type(value: ValueType, context: ir.Context) -> ir.Type: ...
def write_type(value: ValueType, context: ir.Context) -> ir.Type:
    """The type in the bindings.

    Raises:
      Unwritable: a size that is negative or above 64 bits, an open element type.
    """
    if value.type is not None:
        return value.type
    if isinstance(value, Tensor):
        return _write_tensor(value, context)
    if value.kind == "token":
        return stablehlo.TokenType.get(context)
    if value.kind == "unranked" and isinstance(value.parts[0], Tensor) and value.parts[0].element is not None:
        element = write_element(value.parts[0].element, context)
        return ir.UnrankedTensorType.get(element, ir.Location.unknown(context))
    parts = [write_type(part, context) for part in value.parts]
    if value.kind == "future":
        return stablehlo.FutureType.get(parts, context)
    return ir.TupleType.get_tuple(parts, context)


def _write_tensor(value: Tensor, context: ir.Context) -> ir.RankedTensorType:
    if value.element is None:
        raise Unwritable("the element type does not follow from the operands")
    if value.element.is_plain and not value.bounds and value.encoding is None and has_fitting_sizes(value):
        element = write_element(value.element, context)
        return ir.RankedTensorType.get(value.dims, element, None, ir.Location.unknown(context))
    check_sizes(value)
    element = _element_type(value.element, context)
    encoding = write_encoding(value, context)
    try:
        return ir.RankedTensorType.get(value.dims, element, encoding, ir.Location.unknown(context))
    except (ir.MLIRError, ValueError) as error:
        raise Unwritable(f"there is no type {value}: {error}") from None


def has_fitting_sizes(value: Tensor) -> bool:
    """Return whether all sizes are static and small enough for a type."""
    return not value.dims or (min(value.dims) >= 0 and max(value.dims) <= LARGEST)


def check_sizes(value: Tensor) -> None:
    """Raises Unwritable for a size that no type can hold."""
    if has_fitting_sizes(value):
        return
    for size in value.dims:
        if (size < 0 and size != DYNAMIC) or size > LARGEST:
            raise Unwritable(f"a dimension would have size {size}")


def _element_type(element: Element, context: ir.Context) -> ir.Type:
    try:
        return write_element(element, context)
    except (ir.MLIRError, ValueError) as error:
        raise Unwritable(f"there is no element type {element}: {error}") from None


def write_encoding(value: Tensor, context: ir.Context) -> ir.Attribute | None:
    """Return the encoding attribute of a tensor type; None without one."""
    if not value.bounds:
        return value.encoding
    for bound in value.bounds:
        if (bound < 0 and bound != DYNAMIC) or bound > LARGEST:
            raise Unwritable(f"a dimension would have the bound {bound}")
    return stablehlo.TypeExtensions.get(list(value.bounds), context)


def quantization_fits(value: Tensor) -> bool:
    """Return whether a per-axis element type fits the dimensions: the axis exists, with one scale per index."""
    element = value.element
    if not is_per_axis(element):
        return True
    axis = element.axis  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    scales = element.scales  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    return axis < len(value.dims) and value.dims[axis] in (DYNAMIC, len(scales))


@dataclass(frozen=True, slots=True)
class ShapedTypeComponents:
    """Dimensions, element type and encoding of a result.

    Attributes:
      dims: sizes, `ir.ShapedType.get_dynamic_size()` where not known.
      element_type: the type of the elements; None where it does not follow from the operands.
      attribute: the encoding; None without one.
    """

    dims: tuple[int, ...]
    element_type: ir.Type | None = None
    attribute: ir.Attribute | None = None
