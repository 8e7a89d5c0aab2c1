"""Compatible types, and merging of several types of one value (H2, H3, H4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.stablehlo.types.elements import Element, same_baseline
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, SizeConflict, compatible_shapes, least_specific, most_specific
from sdy.stablehlo.types.value_types import Plain, Tensor, ValueType


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
