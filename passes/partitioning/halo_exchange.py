"""Pads and slices of sharded dimensions: devices fetch what they need from neighbours (spec: partitioner, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect import ops as sdy_ops
from sdy.dialect.axes import AxisList
from sdy.dialect.mesh import Mesh
from sdy.dialect.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.partitioning.communication import Communication
from sdy.passes.partitioning.communication_free import is_free_pad, is_free_slice
from sdy.passes.partitioning.halo_plan import DimPlan, needed_rows, reach, source_shards
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.marking import set_sharding
from sdy.passes.partitioning.stablehlo_builder import Builder, i32, with_shape


def exchange(op: ir.Operation, layout: Layout, comm: Communication, *, exact: bool = False) -> bool:
    """Rewrites a pad or slice on an operand laid out as `layout`; False if gathering its dimensions is better.

    An op that no device needs others' data for is left alone. If `exact`, devices send only what others need.
    """
    if any(layout.shape[dim] < 0 or op.results[0].type.shape[dim] < 0 for dim in layout.sharded_dims):
        return False
    plans = _plans(op, layout, exact)
    if not any(plan.is_needed for plan in plans):
        return True
    if any(plan.is_needed and (plan.is_costly if exact else plan.is_too_far) for plan in plans):
        return False
    _Exchange(op, layout, comm, [plan for plan in plans if plan.is_needed or _changes_size(plan)]).run()
    return True


def _changes_size(plan: DimPlan) -> bool:
    return plan.source_size != plan.target_size or plan.low != 0


def _plans(op: ir.Operation, layout: Layout, exact: bool) -> list[DimPlan]:
    is_pad = op.name == "stablehlo.pad"
    attributes = op.attributes
    count = layout.rank
    if is_pad:
        lows, strides = list(attributes["edge_padding_low"]), [1] * count
        dilations = [interior + 1 for interior in attributes["interior_padding"]]
    else:
        lows, strides = [-start for start in attributes["start_indices"]], list(attributes["strides"])
        dilations = [1] * count
    plans = []
    for dim in layout.sharded_dims:
        size, result, shards = layout.shape[dim], op.results[0].type.shape[dim], layout.shards[dim]
        stride = strides[dim] if result > 1 else 1
        sources = source_shards(size, result, shards, lows[dim], dilations[dim], stride)
        part = -(-size // shards)
        if exact:
            left, right = needed_rows(size, result, shards, lows[dim], dilations[dim], stride)
        else:
            left, right = (count * part for count in reach(sources))
        is_free = is_free_pad(op, layout, dim) if is_pad else is_free_slice(op, layout, dim)
        stays = all(each == (position, position) for position, each in enumerate(sources))
        plans.append(
            DimPlan(
                dim,
                shards,
                part,
                -(-result // shards),
                lows[dim],
                dilations[dim],
                stride,
                left,
                right,
                is_needed=not stays or not is_free,
                picks=True,
            )
        )
    return plans


class _Exchange:
    """One pad or slice that becomes a manual computation."""

    def __init__(self, op: ir.Operation, layout: Layout, comm: Communication, plans: Sequence[DimPlan]) -> None:
        assert layout.sharding is not None and layout.mesh is not None
        self.op = op
        self.layout = layout
        self.sharding = layout.sharding
        self.mesh = layout.mesh
        self.comm = comm
        self.plans = plans
        self.manual = manual_names(self.mesh, [layout.dim_axes[dim] for dim in layout.sharded_dims])
        self.inner = self.sharding.erase_manual_axes(self.manual)

    def run(self) -> None:
        b = Builder.before(self.op)
        x = self.op.operands[0]
        is_pad = self.op.name == "stablehlo.pad"
        value = self.op.operands[1] if is_pad else None
        x = self._marked(b.high_pad(x, self.layout.padded_shape, value), x)
        if value is None:
            value = b.scalar(x.type.element_type, 0)
        result = self.op.results[0].type
        shape = [-(-size // n) * n for size, n in zip(result.shape, self.layout.shards, strict=True)]
        scalar = TensorSharding(self.sharding.mesh_or_ref)
        computation = sdy_ops.manual_computation(
            [x, value],
            [with_shape(result, shape)],
            [self.sharding, scalar],
            [self.sharding],
            self.manual,
            [with_shape(x.type, self.layout.local_shape), value.type],
            loc=b.location,
            ip=b.ip,
        )
        self._fill(computation.regions[0].blocks[0], b.location, is_pad)
        whole = computation.results[0]
        self.op.results[0].replace_all_uses_with(self._marked(b.high_slice(whole, result.shape), whole))
        self.op.erase()

    def _marked(self, value: ir.Value, unless: ir.Value) -> ir.Value:
        if value != unless:
            set_sharding(value, self.sharding)
        return value

    def _fill(self, block: ir.Block, location: ir.Location, is_pad: bool) -> None:
        b = Builder.at_end(block, location)
        x, value = block.arguments
        for plan in self.plans:
            x = exchange_dim(self.comm, b, x, value, plan, self.mesh, self.layout.dim_axes[plan.dim], self.inner)
        x = self._pad_rest(b, x, value) if is_pad else self._slice_rest(b, x)
        sdy_ops.return_([x], loc=location, ip=b.ip)

    def _pad_rest(self, b: Builder, x: ir.Value, value: ir.Value) -> ir.Value:
        low, high, interior = (
            self._unsharded(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
        )
        if not any(low) and not any(high) and not any(interior):
            return x
        x = b.pad(x, value, low, high, interior)
        set_sharding(x, self.inner)
        return x

    def _unsharded(self, name: str) -> list[int]:
        """An array attribute with zeros for the sharded dimensions."""
        numbers = list(self.op.attributes[name])
        return [0 if self.layout.is_sharded(dim) else number for dim, number in enumerate(numbers)]

    def _slice_rest(self, b: Builder, x: ir.Value) -> ir.Value:
        attributes = self.op.attributes
        starts, limits, strides = (list(attributes[name]) for name in ("start_indices", "limit_indices", "strides"))
        for dim in self.layout.sharded_dims:
            starts[dim], limits[dim], strides[dim] = 0, x.type.shape[dim], 1
        if not any(starts) and limits == list(x.type.shape) and all(stride == 1 for stride in strides):
            return x
        x = b.slice(x, starts, limits, strides)
        set_sharding(x, self.inner)
        return x


# Parts that other exchanges share ----------------------------------------------------------------


def exchange_dim(
    comm: Communication,
    b: Builder,
    x: ir.Value,
    value: ir.Value,
    plan: DimPlan,
    mesh: Mesh,
    axes: AxisList,
    inner: TensorSharding,
) -> ir.Value:
    """What the device needs along one dimension, `value` where there is nothing.

    `inner` is the sharding of `x` inside of the manual computation.
    """
    position = position_along(comm, b, mesh, axes)
    x = fetched(comm, b, x, value, plan, mesh, axes, position, inner)
    rank = len(x.type.shape)
    edges = [plan.edge if dim == plan.dim else 0 for dim in range(rank)]
    interior = [plan.dilation - 1 if dim == plan.dim else 0 for dim in range(rank)]
    x = b.pad(x, value, edges, edges, interior)
    set_sharding(x, inner)
    return _cut(b, x, plan, position, inner)


def _cut(b: Builder, x: ir.Value, plan: DimPlan, position: ir.Value, inner: TensorSharding) -> ir.Value:
    """The device's window of the parts that it has got."""
    per_position = b.scalar(i32(), plan.target_size * plan.stride - plan.source_size * plan.dilation)
    base = b.scalar(i32(), -plan.low + plan.left_rows * plan.dilation + plan.edge)
    start = b.add(b.multiply(position, per_position), base)
    zero = b.scalar(i32(), 0)
    start = b.maximum(start, zero)
    shape = list(x.type.shape)
    shape[plan.dim] = plan.window
    starts = [start if dim == plan.dim else zero for dim in range(len(shape))]
    x = b.dynamic_slice(x, starts, shape)
    set_sharding(x, inner)
    if plan.picks and plan.stride > 1 and plan.target_size > 1:
        strides = [plan.stride if dim == plan.dim else 1 for dim in range(len(shape))]
        x = b.slice(x, [0] * len(shape), shape, strides)
        set_sharding(x, inner)
    return x


def manual_names(mesh: Mesh, dim_axes: Sequence[AxisList]) -> list[str]:
    """The names of all axes in `dim_axes`, in mesh order."""
    used = {axis.name for axes in dim_axes for axis in axes}
    return [axis.name for axis in mesh.axes if axis.name in used]


def position_along(comm: Communication, b: Builder, mesh: Mesh, axes: AxisList) -> ir.Value:
    """Which part along `axes` the executing device has, an i32 scalar computed from its id."""
    device = comm.devices.id(b)
    if mesh.device_ids:
        return comm.devices.lookup(b, mesh.shard_indices(axes), device=device)
    device = b.convert(device, i32())
    sizes = mesh.axis_sizes
    position: ir.Value | None = None
    for axis in axes:
        after = int(np.prod([each.size for each in mesh.axes[mesh.axis_positions[axis.name] + 1 :]], dtype=np.int64))
        divisor = after * (sizes[axis.name] // (axis.pre_size * axis.size(sizes)))
        coordinate = device
        if divisor > 1:
            coordinate = b.same_type("divide", coordinate, b.scalar(i32(), divisor))
        if axis.size(sizes) < mesh.size:
            coordinate = b.same_type("remainder", coordinate, b.scalar(i32(), axis.size(sizes)))
        if position is None:
            position = coordinate
        else:
            position = b.add(b.multiply(position, b.scalar(i32(), axis.size(sizes))), coordinate)
    assert position is not None
    return position


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

    In the order of the senders in the mesh; devices without such a receiver do not send.
    """
    grid = device_grid(mesh, axes)
    count = grid.shape[1]
    senders = np.arange(max(0, -distance), min(count, count - distance))
    pairs = np.stack([grid[:, senders].ravel(), grid[:, senders + distance].ravel()], axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    return np.asarray(mesh.devices)[pairs]


def _count(axes: AxisList, mesh: Mesh) -> int:
    return int(np.prod([axis.size(mesh.axis_sizes) for axis in axes], dtype=np.int64))


def fetched(
    comm: Communication,
    b: Builder,
    x: ir.Value,
    value: ir.Value,
    plan: DimPlan,
    mesh: Mesh,
    axes: AxisList,
    position: ir.Value,
    inner: TensorSharding,
) -> ir.Value:
    """The device's part `x` with those of its neighbours on both sides, `value` where there are none."""
    distances = [*range(plan.left, 0, -1), *range(-1, -plan.right - 1, -1)]
    parts = [_fetch(comm, b, x, value, plan, mesh, axes, position, distance, inner) for distance in distances]
    parts.insert(plan.left, x)
    joined = b.concatenate(parts, plan.dim)
    set_sharding(joined, inner)
    return joined


def _fetch(
    comm: Communication,
    b: Builder,
    x: ir.Value,
    value: ir.Value,
    plan: DimPlan,
    mesh: Mesh,
    axes: AxisList,
    position: ir.Value,
    distance: int,
    inner: TensorSharding,
) -> ir.Value:
    """What this device needs of the one `distance` positions before it; `value` if there is no such device."""

    is_sharded = any(axis.size(mesh.axis_sizes) > 1 for axis in inner.axis_refs())

    def marked(made: ir.Value) -> ir.Value:
        if is_sharded:
            set_sharding(made, inner)
        return made

    rows = plan.rows(distance)
    if rows < plan.source_size:
        x = marked(_end(b, x, plan.dim, rows) if distance > 0 else _beginning(b, x, plan.dim, rows))
    pairs = shift_pairs(mesh, axes, distance)
    arrived = marked(comm.permute(b, x, pairs)) if len(pairs) else x
    threshold = distance if distance > 0 else plan.shards + distance
    exists = b.compare(position, b.scalar(i32(), threshold), "GE" if distance > 0 else "LT")
    shape = x.type.shape
    padding = marked(b.broadcast_in_dim(value, shape))
    return marked(b.select(marked(b.broadcast_in_dim(exists, shape)), arrived, padding))


def _end(b: Builder, x: ir.Value, dim: int, rows: int) -> ir.Value:
    starts = [size - rows if each == dim else 0 for each, size in enumerate(x.type.shape)]
    return b.slice(x, starts, x.type.shape)


def _beginning(b: Builder, x: ir.Value, dim: int, rows: int) -> ir.Value:
    limits = [rows if each == dim else size for each, size in enumerate(x.type.shape)]
    return b.slice(x, [0] * len(limits), limits)
