"""Layout of a value: its global type together with its sharding on a mesh."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import count

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, merged, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.per_context import PerContext
from sdy.mlir.tensor_types import bits, is_tensor, with_shape


class _Parts:
    """Facts derived from shape, sharding and mesh; see `Layout`."""

    def __init__(self, number: int, shape: tuple[int, ...], sharding: TensorSharding | None, mesh: Mesh | None) -> None:
        self.number = number
        self.shape = shape
        self.sharding = sharding
        self.mesh = mesh

    @cached_property
    def dim_axes(self) -> tuple[AxisList, ...]:
        if self.sharding is None or not self.sharding.dims:
            return ((),) * len(self.shape)
        return self.sharding.dim_axes

    @cached_property
    def shards(self) -> tuple[int, ...]:
        if self.mesh is None:
            return (1,) * len(self.shape)
        sizes = self.mesh.axis_sizes
        return tuple(product(axes, sizes) for axes in self.dim_axes)

    @cached_property
    def sharded_dims(self) -> tuple[int, ...]:
        return tuple(dim for dim, count in enumerate(self.shards) if count > 1)

    @cached_property
    def divides(self) -> bool:
        return all(size < 0 or size % count == 0 for size, count in zip(self.shape, self.shards, strict=True))

    @cached_property
    def local_shape(self) -> tuple[int, ...]:
        return tuple(n if n < 0 else -(-n // count) for n, count in zip(self.shape, self.shards, strict=True))

    @cached_property
    def padded_shape(self) -> tuple[int, ...]:
        pairs = zip(self.local_shape, self.shards, strict=True)
        return tuple(n if n < 0 else n * count for n, count in pairs)

    @cached_property
    def placement(self) -> tuple[object, ...]:
        if self.mesh is None:
            return ()
        if not self.sharded_dims:
            return (self.mesh,) if self.mesh.is_maximal else ()
        sizes = self.mesh.axis_sizes
        dims = tuple(merged((a for a in axes if a.size(sizes) > 1), sizes) for axes in self.dim_axes)
        return (self.mesh, dims)


_parts: PerContext[dict[tuple[int, TensorSharding | None, Mesh | None], _Parts]] = PerContext(dict)
"""By the address of the type, the sharding and its mesh."""

_numbers = count()
"""Counter of parts; parts that are made again get another number."""


class Layout:
    """A global type, and how the devices of a mesh share it.

    `sharding` None means that every device has all of the value. `mesh` is the mesh that the sharding names.
    """

    def __init__(self, type_: ir.Type, sharding: TensorSharding | None, mesh: Mesh | None) -> None:
        self.type: ir.AnyType = type_
        self.sharding = sharding
        self.mesh = mesh
        parts, key = _parts.of(type_.context), (address(type_), sharding, mesh)
        known = parts.get(key)
        if known is None:
            shape = tuple(type_.shape) if is_tensor(type_) else ()
            known = parts[key] = _Parts(next(_numbers), shape, sharding, mesh)
        self._parts = known

    @property
    def number(self) -> int:
        """Number that equal layouts share in all modules of a context."""
        return self._parts.number

    @property
    def shape(self) -> tuple[int, ...]:
        """Global shape; () for anything that is not a ranked tensor."""
        return self._parts.shape

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def mesh_ref(self) -> MeshRef:
        """The mesh as the sharding names it. There must be a sharding."""
        assert self.sharding is not None
        return self.sharding.mesh_or_ref

    @property
    def dim_axes(self) -> tuple[AxisList, ...]:
        """The axes of each dimension of the value."""
        return self._parts.dim_axes

    @property
    def shards(self) -> tuple[int, ...]:
        """Number of shards of each dimension."""
        return self._parts.shards

    @property
    def is_replicated(self) -> bool:
        """Return whether no dimension has axes; unreduced axes do not matter."""
        return self.sharding is None or self.sharding.is_fully_replicated

    @property
    def unreduced(self) -> AxisList:
        return () if self.sharding is None else self.sharding.unreduced

    def is_sharded(self, dim: int) -> bool:
        return self.shards[dim] > 1

    @property
    def sharded_dims(self) -> tuple[int, ...]:
        return self._parts.sharded_dims

    @property
    def divides(self) -> bool:
        """Return whether every static dimension is a multiple of its number of shards."""
        return self._parts.divides

    @property
    def local_shape(self) -> tuple[int, ...]:
        """Shape of one device's part, rounded up; dynamic dimensions stay."""
        return self._parts.local_shape

    @cached_property
    def local_type(self) -> ir.AnyType:
        return self.type if self.local_shape == self.shape else with_shape(self.type, self.local_shape)

    @cached_property
    def local_bytes(self) -> float:
        """Bytes of one device's part, rounded up where parts are uneven."""
        return math.prod(self.local_shape) * bits(self.type.element_type) / 8

    @property
    def padded_shape(self) -> tuple[int, ...]:
        """Global shape with every static dimension rounded up to a multiple of its number of shards."""
        return self._parts.padded_shape

    @property
    def placement(self) -> tuple[object, ...]:
        """Return a key that is equal for two layouts of one type exactly if every device has the same part under both.

        Unreduced axes are left out; axes of size 1 and the spelling of sub-axes do not matter. A value on a single
        device has its own key.
        """
        return self._parts.placement

    def with_sharding(self, sharding: TensorSharding | None) -> Layout:
        """Return the layout of the value under another sharding on the same mesh."""
        return Layout(self.type, sharding, self.mesh)


class Layouts:
    """Makes layouts, one object per (type, sharding), so that their properties are computed once."""

    def __init__(self, meshes: MeshTable) -> None:
        self._meshes = meshes
        self._found: dict[tuple[ir.Type, TensorSharding | None], Layout] = {}
        self._mesh_of: dict[TensorSharding | None, Mesh | None] = {None: None}

    def of(self, type_: ir.Type, sharding: TensorSharding | None) -> Layout:
        """Return the layout of a type with a sharding."""
        key = (type_, sharding)
        layout = self._found.get(key)
        if layout is None:
            layout = Layout(type_, sharding, self.mesh(sharding))
            if sharding is not None and len(sharding.dims) not in (0, layout.rank):
                problem = f"has the sharding {sharding} on a value of type {type_}, which is not a tensor of that rank"
                raise DiagnosticError(ir.Location.current, problem)
            self._found[key] = layout
        return layout

    def of_value(self, value: ir.Value) -> Layout:
        """The layout of a value with the sharding that it has in the program."""
        return self.of(value.type, get_sharding(value))

    def mesh(self, sharding: TensorSharding | None) -> Mesh | None:
        """The mesh of a sharding; None without one."""
        if sharding is not None and sharding not in self._mesh_of:
            self._mesh_of[sharding] = mesh_with_axes(self._meshes, sharding, ir.Location.current)
        return self._mesh_of[sharding]


def mesh_with_axes(meshes: MeshTable, sharding: TensorSharding, at: ir.Operation | ir.Location | None) -> Mesh | None:
    """The mesh that a sharding names, None if there is none.

    Raises:
      DiagnosticError: at `at`, if the mesh lacks an axis. That is seen here, since passes may run without verification.
    """
    mesh = meshes.of(sharding)
    if mesh is not None:
        missing = next((axis.name for axis in sharding.axis_refs() if axis.name not in mesh.axis_sizes), None)
        if missing is not None:
            raise DiagnosticError(at, f'has a sharding {sharding} by axis "{missing}", which its mesh does not have')
    return mesh
