"""Values that depend on the device: its id, and table lookups by it (spec: partitioner, 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import i1, i32, i64
from sdy.stablehlo.ops import Builder

_LARGEST = np.iinfo(np.int32).max


def index_type(*numbers: int) -> ir.Type:
    """Return the type for computing with these bounds: i32 if they fit, else i64."""
    return i32() if max(map(abs, numbers), default=0) <= _LARGEST else i64()


def as_index(b: Builder, number: ir.Value, type_: ir.Type) -> ir.Value:
    """A scalar converted to another integer type; the scalar itself if it has that type."""
    return number if number.type.element_type == type_ else b.convert(number, type_)


def entry(b: Builder, table: ir.Value, position: ir.Value) -> ir.Value:
    """The entry of a table, of rank 1, at `position`: a scalar."""
    return b.reshape(b.dynamic_slice(table, [position], [1]), ())


def slice_along(b: Builder, x: ir.Value, dim: int, start: ir.Value, size: int, zero: ir.Value) -> ir.Value:
    """The `size` elements of `x` along `dim` from `start` on; `zero` is 0 in the type of `start`."""
    shape: Sequence[int] = [size if each == dim else given for each, given in enumerate(x.type.shape)]
    return b.dynamic_slice(x, [start if each == dim else zero for each in range(len(shape))], shape)


_LARGEST_INDEX = np.iinfo(np.int32).max


def check_indices(b: Builder, *numbers: int) -> None:
    """Raises `DiagnosticError` where the builder is if one of these is too large for an index of type i32."""
    largest = max(numbers)
    if largest > _LARGEST_INDEX:
        raise DiagnosticError(b.location, f"needs an index of {largest}, which does not fit type i32")


class Devices:
    """Makes device-dependent values; the devices are replicas if `by_replica`, else partitions.

    On meshes of more than `computed_above` devices, unless that is 0, positions are computed from the device id, which
    keeps the text short. On others they are looked up in a table.
    """

    def __init__(self, by_replica: bool = False, computed_above: int = 0) -> None:
        self.by_replica = by_replica
        self.computed_above = computed_above

    def id(self, b: Builder) -> ir.Value:
        """The id of the executing device, a scalar of type ui32."""
        return b.replica_id() if self.by_replica else b.partition_id()

    def lookup(
        self, b: Builder, numbers: np.ndarray, element_type: ir.Type | None = None, device: ir.Value | None = None
    ) -> ir.Value:
        """The entry of `numbers` (one per device id) for the executing device, a scalar; i32 unless told otherwise.

        `device` is an id that exists already. `DiagnosticError` for numbers that the type does not hold.
        """
        if element_type is None:
            check_indices(b, numbers.max(initial=0))
        index = device if device is not None else self.id(b)
        table = b.constant(numbers, element_type or i32())
        return b.reshape(b.dynamic_slice(table, [index], [1]), ())

    def computes(self, mesh: Mesh) -> bool:
        """Return whether positions on `mesh` are computed."""
        return 0 < self.computed_above < mesh.size and not mesh.device_ids

    def position(self, b: Builder, mesh: Mesh, axes: AxisList, device: ir.Value | None = None) -> ir.Value:
        """Compute the shard index of the executing device along `axes` from its id, an i32 scalar.

        The mesh numbers its devices in order. `device` is an id that exists already.
        """
        sizes = mesh.axis_sizes
        number = b.convert(device if device is not None else self.id(b), i32())
        position: ir.Value | None = None
        for axis in axes:
            after = math.prod(each.size for each in mesh.axes[mesh.axis_positions[axis.name] + 1 :])
            divisor = after * (sizes[axis.name] // (axis.pre_size * axis.size(sizes)))
            coordinate = b.divide(number, b.constant(divisor, i32())) if divisor > 1 else number
            is_outermost = divisor * axis.size(sizes) == mesh.size
            if axis.size(sizes) < mesh.size and not (is_outermost and self.computes(mesh)):
                coordinate = b.remainder(coordinate, b.constant(axis.size(sizes), i32()))
            if position is None:
                position = coordinate
            else:
                position = b.add(b.multiply(position, b.constant(axis.size(sizes), i32())), coordinate)
        return b.constant(0, i32()) if position is None else position

    def linear(
        self, b: Builder, mesh: Mesh, axes: AxisList, numbers: np.ndarray, type_: ir.Type, device: ir.Value
    ) -> ir.Value:
        """Compute an entry of `numbers` by device; they grow by a constant from shard to shard along `axes`."""
        if not self.computes(mesh):
            return self.lookup(b, numbers, type_, device)
        parts = mesh.shard_indices(axes)
        first = int(numbers[int(np.argmax(parts == 0))])
        step = int(numbers[int(np.argmax(parts == 1))]) - first
        check_indices(b, int(abs(numbers).max(initial=0)))
        position = as_index(b, self.position(b, mesh, axes, device), type_)
        return b.add(b.multiply(position, b.constant(step, type_)), b.constant(first, type_))

    def offset(self, b: Builder, mesh: Mesh, axes: Sequence[AxisRef], shard_size: int) -> ir.Value:
        """Compute the start of the executing device's shard along `axes`, an i32 scalar."""
        if not self.computes(mesh):
            return self.lookup(b, mesh.shard_indices(axes) * shard_size)
        check_indices(b, (math.prod(axis.size(mesh.axis_sizes) for axis in axes) - 1) * shard_size)
        position = self.position(b, mesh, tuple(axes))
        return position if shard_size == 1 else b.multiply(position, b.constant(shard_size, i32()))

    def is_first(self, b: Builder, mesh: Mesh, axes: Sequence[AxisRef], device: ir.Value | None = None) -> ir.Value:
        """Return whether the executing device has the first shard along `axes`, a scalar of type i1."""
        if not self.computes(mesh):
            return self.lookup(b, mesh.shard_indices(axes) == 0, i1(), device)
        return b.compare(self.position(b, mesh, tuple(axes), device), b.constant(0, i32()), "EQ")
