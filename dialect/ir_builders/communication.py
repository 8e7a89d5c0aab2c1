"""StableHLO collectives between the devices of a mesh (spec: partitioner, 2 and 7; jax-execution, 2.1)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, field

import numpy as np

from sdy.dialect.replica_groups import ManualScopes, axis_attribute, groups_along, stablehlo_mesh
from sdy.dialect.values.axes import AxisList, AxisRef, merged, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, Reduction
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir, stablehlo
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_with
from sdy.mlir.tensor_types import i1, i32, i64, with_shape
from sdy.stablehlo import ops
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import dense_integers
from sdy.stablehlo.ops.regions import Body

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


class RepeatedOps:
    """Ops with one operand, grouped by name, attributes, and the attributes set on the copies.

    The copied op stands outside of the program, so changes of the program do not reach it.
    """

    def __init__(self) -> None:
        self._copied: dict[Hashable, ir.Operation] = {}
        self._holder: ir.Operation | None = None

    def copy(self, alike: Hashable, operand: ir.Value, b: Builder) -> ir.Operation | None:
        """Copy the op with another operand; None before the first one was recorded."""
        copied = self._copied.get(alike)
        if copied is None:
            return None
        op = copied.clone(ip=b.ip).operation
        op.operands[0] = operand
        _relocate(op, b.location)
        return op

    def note(self, alike: Hashable, op: ir.Operation) -> None:
        """Keep a copy of `op`, the first one of its kind, which costs a tenth of making another."""
        self._copied[alike] = self._taken(op)

    def _taken(self, op: ir.Operation) -> ir.Operation:
        if self._holder is None:
            self._holder = ir.Operation.create("builtin.module", regions=1, loc=op.location, ip=False)
        block = self._holder.regions[0].blocks.append(op.operands[0].type, arg_locs=[op.location])
        copied = op.clone(ip=ir.InsertionPoint(block)).operation
        copied.operands[0] = block.arguments[0]
        return copied


def _relocate(op: ir.Operation, location: ir.Location) -> None:
    """Sets the location of an op and of the ops in it."""
    op.location = location
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                argument.set_location(location)
            for view in block.operations:
                _relocate(view.operation, location)


REDUCTIONS: dict[Reduction, Body] = {
    Reduction.SUM: ops.add,
    Reduction.MAX: ops.maximum,
    Reduction.MIN: ops.minimum,
}
"""Ops that combine two partial values."""


_BETWEEN_DEVICES = 1
"""The type of a channel."""

_MAX_CHANNEL = 2**62
"""Collectives are numbered on from the largest channel of the program, in 64 bits."""


@dataclass(eq=False, slots=True)
class Communication:
    """Makes collectives, each on a channel of its own.

    `mesh_axes_groups` selects replica groups in mesh-axes form over dense ones. Dense groups on meshes of more than
    `axes_above` devices, unless that is 0, are also written along axes, of a mesh in the op, which keeps the text short
    for many devices. In replica mode (`devices.by_replica`) all_to_all and collective_permute have no channel. `world`
    is a mesh of all devices, if the program has any. `scopes` has the manual axes: a collective that crosses one raises
    `DiagnosticError`. It may cross the axes of the innermost computation if the collectives are made
    `in_own_computations`, in which they are manual. With `signed_zeros` devices without a part add -0.0 to a sum
    instead of 0, which preserves -0.0.
    """

    devices: Devices
    mesh_axes_groups: bool
    next_channel: int = 1
    world: tuple[MeshRef, Mesh] | None = None
    _: KW_ONLY
    scopes: ManualScopes
    in_own_computations: bool = False
    signed_zeros: bool = False
    axes_above: int = 0
    _groups: dict[tuple[MeshRef, Mesh, AxisList], ir.Attribute] = field(default_factory=dict, init=False)
    _all_reduces: RepeatedOps = field(default_factory=RepeatedOps, init=False)

    # Collectives ---------------------------------------------------------------------------------

    def all_gather(
        self, b: Builder, x: ir.Value, dim: int, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]
    ) -> ir.Value:
        """Concatenates the parts of the devices along `axes` in dimension `dim`."""
        shape = list(x.type.shape)
        if shape[dim] >= 0:
            shape[dim] *= product(axes, mesh.axis_sizes)
        if shape[dim] == 0:
            return b.constant(0, with_shape(x.type, shape))  # StableHLO refuses to gather nothing
        groups, types = self._free_groups(b, ref, mesh, axes), [with_shape(x.type, shape)]
        (gathered,) = b.all_gather([x], dim, groups, channel=self._channel(), use_global_device_ids=True, types=types)
        return gathered

    def all_reduce(
        self, b: Builder, x: ir.Value, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef], body: Body
    ) -> ir.Value:
        """Combines the values of the devices along `axes`."""
        groups = self._free_groups(b, ref, mesh, axes)
        # A program has hundreds of them, and few that differ.
        alike = (address(x.type), address(groups), body)
        copy = self._all_reduces.copy(alike, x, b)
        if copy is not None:
            copy.attributes["channel_handle"] = stablehlo.ChannelHandle.get(self._channel(), _BETWEEN_DEVICES)
            return copy.results[0]
        made = b.all_reduce(x, groups, body, channel=(self._channel(), _BETWEEN_DEVICES), use_global_device_ids=True)
        self._all_reduces.note(alike, made.owner.operation)
        return made

    def reduce_scatter(
        self, b: Builder, x: ir.Value, dim: int, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef], body: Body
    ) -> ir.Value:
        """Reduce like `all_reduce`, but keep only the device's shard along `dim`."""
        shape = list(x.type.shape)
        if shape[dim] >= 0:
            shape[dim] //= product(axes, mesh.axis_sizes)
        if shape[dim] == 0:
            return b.constant(0, with_shape(x.type, shape))  # StableHLO refuses to scatter nothing
        groups, type_ = self._free_groups(b, ref, mesh, axes), with_shape(x.type, shape)
        return b.reduce_scatter(x, dim, groups, body, channel=self._channel(), use_global_device_ids=True, type=type_)

    def all_to_all(
        self,
        b: Builder,
        x: ir.Value,
        split_dim: int,
        concat_dim: int,
        ref: MeshRef,
        mesh: Mesh,
        axes: Sequence[AxisRef],
    ) -> ir.Value:
        """Splits `x` along `split_dim` for the devices along `axes`, and concatenates the parts received."""
        count = product(axes, mesh.axis_sizes)
        groups, channel = self._free_groups(b, ref, mesh, axes), self._point_to_point_channel()
        return b.all_to_all(x, split_dim, concat_dim, count, groups, channel=channel)

    def permute(self, b: Builder, x: ir.Value, pairs: np.ndarray, mesh: Mesh) -> ir.Value:
        """Sends `x` from the first to the second device of every row of `pairs`; others get zeros."""
        for name in self._barred(b, mesh):
            coordinates = mesh.shard_indices([AxisRef(name)])[pairs]
            if (coordinates[:, 0] != coordinates[:, 1]).any():
                raise _crossing(b, name)
        return b.collective_permute(x, pairs, channel=self._point_to_point_channel())

    # Manual axes ---------------------------------------------------------------------------------

    def _barred(self, b: Builder, mesh: Mesh) -> list[str]:
        """The axes of `mesh` that no collective made by `b` may cross."""
        barred = self.scopes.inside(b.ip.block.owner.operation, skip=int(self.in_own_computations))
        return [axis.name for axis in mesh.axes if axis.name in barred] if barred else []

    def _free_groups(self, b: Builder, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]) -> ir.Attribute:
        """The replica groups of a collective that `b` makes."""
        for name in self._barred(b, mesh):
            if any(axis.name == name for axis in axes):
                raise _crossing(b, name)
        return self.replica_groups(ref, mesh, axes)

    # Parts ---------------------------------------------------------------------------------------

    def replica_groups(self, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]) -> ir.Attribute:
        """The groups of devices that differ along `axes` only."""
        key = (ref, mesh, tuple(axes))
        groups = self._groups.get(key)
        if groups is None:
            groups = self._groups[key] = self._make_groups(ref, mesh, axes)
        return groups

    def _make_groups(self, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]) -> ir.Attribute:
        folded = merged(axes, mesh.axis_sizes)
        is_inlined = 0 < self.axes_above < mesh.size and not mesh.device_ids and not self.devices.by_replica
        if not self.mesh_axes_groups and not is_inlined:
            return dense_integers(mesh.replica_groups(folded))
        if not self.mesh_axes_groups:
            return groups_along(mesh, folded)
        named = ir.FlatSymbolRefAttr.get(ref) if isinstance(ref, str) else stablehlo_mesh(mesh)
        return stablehlo.ReplicaGroupMeshAxesAttr.get(named, ir.ArrayAttr.get([axis_attribute(a) for a in folded]))

    def _point_to_point_channel(self) -> int | None:
        return None if self.devices.by_replica else self._channel()

    def _channel(self) -> int:
        number, self.next_channel = self.next_channel, self.next_channel + 1
        return number


def _crossing(b: Builder, name: str) -> DiagnosticError:
    return DiagnosticError(b.location, f"would be partitioned by a collective that crosses the manual axis {name!r}")


def max_channel(module: ir.Operation) -> int:
    """The largest channel handle of any op in `module`, 0 if there is none."""
    largest = 0
    for op in ops_with(module, "channel_handle"):
        largest = max(largest, stablehlo.ChannelHandle(op.attributes["channel_handle"]).handle)
        if largest > _MAX_CHANNEL:
            raise DiagnosticError(op, f"has channel {largest}, which leaves none for new collectives")
    return largest


def manual_names(mesh: Mesh, dim_axes: Sequence[AxisList]) -> list[str]:
    """The names of all axes in `dim_axes`, in mesh order."""
    used = {axis.name for axes in dim_axes for axis in axes}
    return [axis.name for axis in mesh.axes if axis.name in used]


def position_along(comm: Communication, b: Builder, mesh: Mesh, axes: AxisList) -> ir.Value:
    """Compute the shard index of the executing device along `axes` from its id, an i32 scalar."""
    device = comm.devices.id(b)
    if mesh.device_ids:
        return comm.devices.lookup(b, mesh.shard_indices(axes), device=device)
    return comm.devices.position(b, mesh, axes, device)


def device_grid(mesh: Mesh, axes: AxisList) -> np.ndarray:
    """Places in the mesh: a row for each part of the mesh along the other axes, a column per part along `axes`."""
    atoms = mesh.atomic_axes(axes)
    sizes = mesh.axis_sizes
    others = [atom for atom in atoms if not any(axis.contains(atom) for axis in axes)]
    grid_order = [*others, *[atom for axis in axes for atom in atoms if axis.contains(atom)]]
    grid = np.arange(mesh.size).reshape([atom.size(sizes) for atom in atoms])
    return grid.transpose([atoms.index(atom) for atom in grid_order]).reshape(-1, _count(axes, mesh))


def shift_pairs(mesh: Mesh, axes: AxisList, distance: int) -> np.ndarray:
    """Rows (sender, receiver): every device sends to the one whose part along `axes` is `distance` further.

    The rows have the order of the senders in the mesh; devices without such a receiver do not send.
    """
    grid = device_grid(mesh, axes)
    count = grid.shape[1]
    senders = np.arange(max(0, -distance), min(count, count - distance))
    pairs = np.stack([grid[:, senders].ravel(), grid[:, senders + distance].ravel()], axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    return np.asarray(mesh.device_ids)[pairs] if mesh.device_ids else pairs


def _count(axes: AxisList, mesh: Mesh) -> int:
    return int(np.prod([axis.size(mesh.axis_sizes) for axis in axes], dtype=np.int64))
