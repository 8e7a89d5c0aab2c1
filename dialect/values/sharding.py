"""Shardings of tensors on a mesh (spec: sharding-algebra, 1, 5, 6 and 7)."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, product, quote
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass

DYNAMIC = -(2**63)
"""The size of a dynamic dimension, as MLIR's `ShapedType` encodes it."""


class Reduction(Enum):
    """Reduction that combines the shards of an unreduced tensor."""

    SUM = 0
    MAX = 1
    MIN = 2

    @property
    def keyword(self) -> str:
        return self.name.lower()

    @property
    def is_idempotent(self) -> bool:
        """Return whether it makes no difference how many devices count a value."""
        return self is not Reduction.SUM


MeshRef = str | Mesh
"""A mesh by symbol name, or inlined."""


@dataclass(frozen=True, slots=True)
class DimensionSharding:
    """Axes that shard one dimension, major to minor; an open one may get further axes from propagation.

    `priority` orders user priorities, 0 first; None means 0 too, but is not printed.
    """

    axes: AxisList = ()
    is_closed: bool = False
    priority: int | None = None

    def __str__(self) -> str:
        parts = [str(axis) for axis in self.axes]
        if not self.is_closed:
            parts.append("?")
        priority = "" if self.priority is None else f"p{self.priority}"
        return "{" + ", ".join(parts) + "}" + priority

    @property
    def priority_or_default(self) -> int:
        return self.priority or 0

    def shards(self, sizes: AxisSizes) -> int:
        """Number of shards of the dimension."""
        return product(self.axes, sizes)

    def with_axes(self, axis_list: Iterable[AxisRef]) -> DimensionSharding:
        return replace(self, axes=tuple(axis_list))


OPEN = DimensionSharding()
CLOSED = DimensionSharding(is_closed=True)


@dataclass(frozen=True)
class TensorSharding:
    """The sharding of one tensor: axes per dimension, plus axes it must be replicated on or is unreduced over.

    `mesh_or_ref` is a mesh symbol's name or the mesh itself. `reduction` takes part in equality even without unreduced
    axes, as in the dialect.
    """

    mesh_or_ref: MeshRef
    dims: tuple[DimensionSharding, ...] = ()
    replicated: AxisList = ()
    unreduced: AxisList = ()
    reduction: Reduction = Reduction.SUM

    # Construction --------------------------------------------------------------------------------

    @staticmethod
    def open(mesh: MeshRef, rank: int) -> TensorSharding:
        """Return the sharding without axes in which every dimension is open."""
        return TensorSharding(mesh, (OPEN,) * rank)

    @staticmethod
    def closed(mesh: MeshRef, rank: int) -> TensorSharding:
        """Return the sharding without axes in which every dimension is closed."""
        return TensorSharding(mesh, (CLOSED,) * rank)

    @staticmethod
    def from_axes(mesh: MeshRef, dims: Iterable[Iterable[AxisRef]], unreduced: AxisList = ()) -> TensorSharding:
        """Closed dimensions with the given axes."""
        return TensorSharding(mesh, tuple(DimensionSharding(tuple(d), True) for d in dims), (), unreduced)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.mesh_or_ref, self.dims, self.replicated, self.unreduced, self.reduction))

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        mesh = f"mesh{self.mesh_or_ref}" if isinstance(self.mesh_or_ref, Mesh) else symbol(self.mesh_or_ref)
        text = f"<{mesh}, [{', '.join(map(str, self.dims))}]"
        if self.replicated:
            text += f", replicated={axis_set(self.replicated)}"
        if self.unreduced:
            kind = "" if self.reduction is Reduction.SUM else self.reduction.keyword
            text += f", unreduced={kind}{axis_set(self.unreduced)}"
        return text + ">"

    # Parts ---------------------------------------------------------------------------------------

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def dim_axes(self) -> tuple[AxisList, ...]:
        """The axes of each dimension."""
        return tuple(dim.axes for dim in self.dims)

    def axis_refs(self) -> Iterator[AxisRef]:
        """Every axis reference: dimensions, then replicated, then unreduced axes."""
        for dim in self.dims:
            yield from dim.axes
        yield from self.replicated
        yield from self.unreduced

    # Predicates ----------------------------------------------------------------------------------

    @cached_property
    def is_fully_replicated(self) -> bool:
        """Return whether no dimension has axes.

        Replicated and unreduced axes do not matter.
        """
        return not any(dim.axes for dim in self.dims)

    @property
    def is_fully_closed(self) -> bool:
        return all(dim.is_closed for dim in self.dims)

    @property
    def is_fully_open(self) -> bool:
        """Return whether there are only open dimensions, at least one, and no axes or priorities."""
        return bool(self.dims) and all(d == OPEN for d in self.dims) and not self.replicated and not self.unreduced

    def binds(self, name: str) -> bool:
        """Return whether an axis of that name, or a part of it, is used anywhere."""
        return any(axis.name == name for axis in self.axis_refs())

    def is_equivalent(self, other: TensorSharding | None, *, ignore_unreduced: bool = False) -> bool:
        """Return whether both place the same data on every device (section 6.1)."""
        return is_equivalent(self, other, ignore_unreduced=ignore_unreduced)

    # Updates -------------------------------------------------------------------------------------

    def with_dims(self, dims: Iterable[DimensionSharding]) -> TensorSharding:
        return replace(self, dims=tuple(dims))

    def with_dim_axes(self, dim_axes: Iterable[Iterable[AxisRef]]) -> TensorSharding:
        """Other axes per dimension, flags and priorities kept."""
        pairs = zip(self.dims, dim_axes, strict=True)
        return replace(self, dims=tuple(dim.with_axes(axis_list) for dim, axis_list in pairs))

    def replicated_along(self, dims: Collection[int]) -> TensorSharding:
        """Return the sharding with none of these dimensions sharded."""
        return self.with_dim_axes(() if dim in dims else axes for dim, axes in enumerate(self.dim_axes))

    def with_mesh(self, mesh: MeshRef) -> TensorSharding:
        return replace(self, mesh_or_ref=mesh)

    def with_replicated(self, axis_list: Iterable[AxisRef]) -> TensorSharding:
        return replace(self, replicated=tuple(axis_list))

    def with_manual(self, names: Sequence[str], mesh: Mesh) -> TensorSharding:
        """Add the manual axes, of these names, that the sharding does not use as replicated ones."""
        missing = [AxisRef(name) for name in names if not self.binds(name)]
        return self.with_replicated(mesh.sort_and_merge([*self.replicated, *missing]))

    def with_unreduced(self, axis_list: Iterable[AxisRef], reduction: Reduction | None = None) -> TensorSharding:
        """Other unreduced axes; the reduction stays unless a new one is given, even if no axes are left."""
        return replace(self, unreduced=tuple(axis_list), reduction=reduction or self.reduction)

    def close(self) -> TensorSharding:
        """Close all dimensions and drop replicated axes (*closed-like*)."""
        return replace(self, dims=tuple(replace(dim, is_closed=True) for dim in self.dims), replicated=())

    def map_axes(self, keep: Callable[[AxisRef], bool]) -> TensorSharding:
        """Without the axis references, anywhere, that `keep` refuses. Flags and priorities stay."""
        dims = tuple(dim.with_axes(filter(keep, dim.axes)) for dim in self.dims)
        return replace(
            self,
            dims=dims,
            replicated=tuple(filter(keep, self.replicated)),
            unreduced=tuple(filter(keep, self.unreduced)),
        )

    def erase_manual_axes(self, manual: Sequence[str]) -> TensorSharding:
        """Return an outer sharding as the body of a manual computation sees it (section 8.4)."""
        if not manual:
            return self
        # The manual axes of a dimension stand in front. Propagation may bring in an axis that is manual here behind a
        # free one; then, as in the reference, a binary search decides where the front ends.
        dims = tuple(
            dim.with_axes(dim.axes[bisect_left(dim.axes, True, key=lambda axis: axis.name not in manual) :])
            for dim in self.dims
        )
        return replace(
            self,
            dims=dims,
            replicated=tuple(axis for axis in self.replicated if axis.name not in manual),
            unreduced=tuple(axis for axis in self.unreduced if axis.name not in manual),
        )

    def add_manual_axes(self, inner: TensorSharding, manual: Sequence[str]) -> TensorSharding:
        """Us, an outer sharding of a manual computation, with the free part replaced by `inner` (section 8.4).

        Replicated and unreduced axes stay ours, and with them the reduction.
        """
        dims = tuple(
            inner_dim.with_axes((*(a for a in outer_dim.axes if a.name in manual), *inner_dim.axes))
            for outer_dim, inner_dim in zip(self.dims, inner.dims, strict=True)
        )
        return TensorSharding(inner.mesh_or_ref, dims, self.replicated, self.unreduced, self.reduction)

    # Shapes --------------------------------------------------------------------------------------

    def local_shape(self, shape: Sequence[int], sizes: AxisSizes) -> tuple[int, ...]:
        """Per-device shape of a tensor of `shape`, rounded up; dynamic dimensions stay (section 7)."""
        if not self.dims:
            return tuple(shape)
        pairs = zip(shape, self.dims, strict=True)
        return tuple(d if d < 0 else -(-d // dim.shards(sizes)) for d, dim in pairs)

    def global_shape(self, shape: Sequence[int], sizes: AxisSizes) -> tuple[int, ...]:
        """Global shape of a tensor whose per-device shape is `shape`."""
        if not self.dims:
            return tuple(shape)
        pairs = zip(shape, self.dims, strict=True)
        return tuple(d if d < 0 else d * dim.shards(sizes) for d, dim in pairs)

    def divides(self, shape: Sequence[int], sizes: AxisSizes) -> bool:
        """Return whether every static dimension is a multiple of its number of shards."""
        return all(d < 0 or d % dim.shards(sizes) == 0 for d, dim in zip(shape, self.dims, strict=False))


def symbol(name: str) -> str:
    """``@name``, quoted unless it is a bare identifier."""
    bare = name.isascii() and bool(name) and not name[0].isdigit() and all(c.isalnum() or c in "_$." for c in name)
    return f"@{name}" if bare and (name[0].isalpha() or name[0] == "_") else f"@{quote(name)}"


def axis_set(axis_list: Iterable[AxisRef]) -> str:
    """``{"a", "b":(1)2}``."""
    return "{" + ", ".join(map(str, axis_list)) + "}"


def is_equivalent(
    first: TensorSharding | None, second: TensorSharding | None, *, ignore_unreduced: bool = False
) -> bool:
    """Return whether both place the same data on every device; a missing sharding is a replicated one (section 6.1)."""

    def replicated(sharding: TensorSharding | None) -> bool:
        return sharding is None or (sharding.is_fully_replicated and (ignore_unreduced or not sharding.unreduced))

    if first is None or replicated(first):
        return replicated(second)
    if second is None or first.mesh_or_ref != second.mesh_or_ref:
        return False
    if not ignore_unreduced and first.unreduced != second.unreduced:
        return False
    return first.dim_axes == second.dim_axes


def is_equivalent_across_reshape(
    first: TensorSharding | None,
    first_shape: Sequence[int],
    second: TensorSharding | None,
    second_shape: Sequence[int],
    sizes: AxisSizes,
    *,
    non_divisible: bool = False,
) -> bool:
    """Return whether a reshape from one shape to the other moves no data between devices (section 6.2).

    `sizes` are the axis sizes of the common mesh. `non_divisible` selects the variant that resolves reshapes by
    padding. The caller checks that element types agree and that neither type has an encoding.
    """
    if first is not None and first == second and tuple(first_shape) == tuple(second_shape):
        return True
    if first is None or second is None:
        return False
    if first.mesh_or_ref != second.mesh_or_ref or first.replicated != second.replicated:
        return False
    a = _stride_list(first, first_shape, sizes, non_divisible)
    b = _stride_list(second, second_shape, sizes, non_divisible)
    if len(a) != len(b):
        return False
    measure = (lambda r: r.weight) if non_divisible else (lambda r: r.stride)
    pairs = zip(a, b, strict=True)
    return all(x.axis == y.axis and math.isclose(measure(x), measure(y), abs_tol=1e-6) for x, y in pairs)


@dataclass(slots=True)
class _Stride:
    """Axis of a stride list: the distance in elements between the starts of neighbouring shards."""

    axis: AxisRef
    stride: float
    weight: float
    dim_size: int


def _stride_list(
    sharding: TensorSharding, shape: Sequence[int], sizes: AxisSizes, non_divisible: bool
) -> list[_Stride]:
    records: list[_Stride] = []
    inner = 1
    # A sharding to a single device has no dimensions, whatever the shape.
    for position in reversed(range(len(shape) if sharding.dims else 0)):
        size, axis_list = shape[position], sharding.dims[position].axes
        shards = product(axis_list, sizes)
        stride: float = inner * size / shards if non_divisible else inner * -(-size // shards)
        outer = math.prod(shape[:position])
        for index in reversed(range(len(axis_list))):
            axis = axis_list[index]
            weight = outer * product(axis_list[:index], sizes)
            records.append(_Stride(axis, stride, weight, size))
            stride *= axis.size(sizes)
        inner *= size
    records.sort(key=lambda r: r.stride)
    folded: list[_Stride] = []
    for record in records:
        if folded and _folds(folded[-1], record, sizes, non_divisible):
            folded[-1] = _fold(folded[-1], record, sizes)
        else:
            folded.append(record)
    return folded


def _folds(last: _Stride, record: _Stride, sizes: AxisSizes, non_divisible: bool) -> bool:
    p, c = last.axis, record.axis
    if p.name != c.name or c.pre_size * c.size(sizes) != p.pre_size:
        return False
    if not non_divisible:
        return math.isclose(record.stride, last.stride * p.size(sizes), abs_tol=1e-6)
    return last.weight == record.weight or (
        last.weight == record.weight * record.dim_size and c.size(sizes) == record.dim_size
    )


def _fold(last: _Stride, record: _Stride, sizes: AxisSizes) -> _Stride:
    p, c = last.axis, record.axis
    size = p.size(sizes) * c.size(sizes)
    full = c.pre_size == 1 and size == sizes[p.name]
    axis = AxisRef(p.name) if full else AxisRef.sub(p.name, c.pre_size, size)
    return _Stride(axis, last.stride, min(last.weight, record.weight), record.dim_size)
