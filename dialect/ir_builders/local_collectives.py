"""Collectives on local values, and gathers and slices that bring data from one sharding to another."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sdy.dialect.ir_builders.communication import REDUCTIONS, Communication
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, identity_of_parts, nothing
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.values.axes import AxisList, AxisRef, difference, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import i32, is_tensor, ui32
from sdy.stablehlo.ops import Builder

AxesPerDim = Sequence[Sequence[AxisRef]]


def all_gather(
    comm: Communication, b: Builder, x: ir.Value, axes: AxesPerDim, ref: MeshRef, mesh: Mesh, per_dim: bool = False
) -> ir.Value:
    """`x` gathered along `axes`: with one collective, or with `per_dim` one for each dimension, last one first."""
    dims = [dim for dim, axis_list in enumerate(axes) if axis_list]
    if len(dims) <= 1 or per_dim:
        for dim in reversed(dims):
            x = comm.all_gather(b, x, dim, ref, mesh, axes[dim])
        return x
    factors = {dim: product(axes[dim], mesh.axis_sizes) for dim in dims}
    stacked = b.reshape(x, [1, *x.type.shape])
    stacked = comm.all_gather(b, stacked, 0, ref, mesh, [axis for dim in dims for axis in axes[dim]])
    return _joined_from_front(b, stacked, factors)


def _split_to_front(b: Builder, x: ir.Value, counts: Mapping[int, int]) -> ir.Value:
    """Split dimensions into parts, given by their numbers in ascending order; one dimension in front counts all."""
    split: list[int] = []
    front: list[int] = []
    behind: list[int] = []
    for dim, size in enumerate(x.type.shape):
        if dim in counts:
            front.append(len(split))
            split += [counts[dim], size // counts[dim]]
        else:
            split.append(size)
        behind.append(len(split) - 1)
    x = b.transpose(b.reshape(x, split), front + behind)
    return b.reshape(x, [math.prod(counts.values()), *(split[position] for position in behind)])


def _joined_from_front(b: Builder, x: ir.Value, counts: Mapping[int, int]) -> ir.Value:
    """Join the parts that the dimension in front counts, in the order of `counts`, along these dimensions."""
    _, *shape = x.type.shape
    dims = list(counts)
    order: list[int] = []
    for dim in range(len(shape)):
        if dim in counts:
            order.append(dims.index(dim))
        order.append(len(dims) + dim)
    x = b.transpose(b.reshape(x, [*counts.values(), *shape]), order)
    return b.reshape(x, [size * counts.get(dim, 1) for dim, size in enumerate(shape)])


def all_slice(
    comm: Communication, b: Builder, x: ir.Value, axes: AxesPerDim, mesh: Mesh, local_shape: Sequence[int]
) -> ir.Value:
    """The executing device's part of `x` along `axes`, of shape `local_shape`."""
    starts = start_indices(comm, b, axes, mesh, local_shape)
    return b.dynamic_slice(x, starts, local_shape)


def start_indices(
    comm: Communication, b: Builder, axes: AxesPerDim, mesh: Mesh, local_shape: Sequence[int]
) -> list[ir.Value]:
    """Per dimension the i32 offset of the executing device's part along the dimension's axes."""
    return [
        comm.devices.offset(b, mesh, axis_list, size) if axis_list else b.constant(0, i32())
        for axis_list, size in zip(axes, local_shape, strict=True)
    ]


def all_reduce(
    comm: Communication, b: Builder, x: ir.Value, axes: Sequence[AxisRef], kind: Reduction, ref: MeshRef, mesh: Mesh
) -> ir.Value:
    """`x` combined along `axes`."""
    return comm.all_reduce(b, x, ref, mesh, axes, REDUCTIONS[kind])


def all_to_all(
    comm: Communication, b: Builder, x: ir.Value, params: Sequence[AllToAllParam], ref: MeshRef, mesh: Mesh
) -> ir.Value:
    """`x` with the axes of every parameter moved from its source to its target dimension."""
    if len(params) == 1:
        (param,) = params
        return comm.all_to_all(b, x, param.tgt_dim, param.src_dim, ref, mesh, param.axes)
    ordered = sorted(params, key=lambda param: param.tgt_dim)
    counts = [product(param.axes, mesh.axis_sizes) for param in ordered]
    x = _split_to_front(b, x, dict(zip((param.tgt_dim for param in ordered), counts, strict=True)))
    x = comm.all_to_all(b, x, 0, 0, ref, mesh, [axis for param in ordered for axis in param.axes])
    return _joined_from_front(b, x, dict(zip((param.src_dim for param in ordered), counts, strict=True)))


def permute_pairs(
    source: TensorSharding,
    source_mesh: Mesh,
    target: TensorSharding,
    target_mesh: Mesh,
    manual: Collection[str] = (),
) -> np.ndarray:
    """Rows (sender, receiver) of the permutation of devices that moves each part from `source` to `target`.

    Both shardings have the same number of shards in each dimension. Every device sends exactly once, maybe to itself,
    and along the axes `manual`, which neither sharding has, to a device with its own coordinates.
    """
    fixed = [AxisRef(axis.name) for axis in target_mesh.axes if axis.name in manual]
    used = [_used_axes(source), _used_axes(target)]
    if any(not one.can_coexist(other) for one in used[0] for other in used[1]):
        return _matched(source_mesh.shard_indices([*fixed, *used[0]]), target_mesh.shard_indices([*fixed, *used[1]]))
    atoms = target_mesh.atomic_axes(axis for axes in used for axis in axes)
    sent = source_mesh.shard_indices(_device_order(source, atoms, fixed))
    received = target_mesh.shard_indices(_device_order(target, atoms, fixed))
    receiver = np.empty_like(received)
    receiver[received] = np.arange(len(received))
    return np.stack([np.arange(len(sent)), receiver[sent]], axis=1)


def _used_axes(sharding: TensorSharding) -> list[AxisRef]:
    return [*(axis for axes in sharding.dim_axes for axis in axes), *sharding.unreduced]


def _matched(sent: np.ndarray, received: np.ndarray) -> np.ndarray:
    """Pair devices by the number of the part that each has and of the part that it needs.

    This handles axes that are digits of different bases. A device that has its part keeps it.
    """
    moves = sent != received
    senders, receivers = np.lexsort((moves, sent)), np.lexsort((moves, received))
    pairs = np.stack([senders, receivers], axis=1)
    return pairs[np.argsort(senders)]


def _device_order(sharding: TensorSharding, atoms: AxisList, fixed: Sequence[AxisRef]) -> list[AxisRef]:
    """Order all atoms: the `fixed` ones, those of the sharding's dimensions, then the others."""
    listed = [*fixed]
    listed += [atom for axes in sharding.dim_axes for axis in axes for atom in atoms if axis.contains(atom)]
    return listed + [atom for atom in atoms if atom not in listed]


def reduce_scatter(
    comm: Communication,
    b: Builder,
    x: ir.Value,
    axes: AxesPerDim,
    kind: Reduction,
    ref: MeshRef,
    mesh: Mesh,
    combine_dims: bool = False,
) -> ir.Value:
    """`x` combined along all of `axes`, each device keeping its part along them.

    Several dimensions take an all_reduce and a slice, or with `combine_dims` one reduce_scatter between transposes.
    """
    dims = [dim for dim, axis_list in enumerate(axes) if axis_list]
    all_axes = [axis for dim in dims for axis in axes[dim]]
    shape = list(x.type.shape)
    factors = [product(axis_list, mesh.axis_sizes) for axis_list in axes]
    local_shape = [size // factor for size, factor in zip(shape, factors, strict=True)]
    body = REDUCTIONS[kind]
    if len(dims) == 1:
        return comm.reduce_scatter(b, x, dims[0], ref, mesh, all_axes, body)
    if not combine_dims:
        reduced = comm.all_reduce(b, x, ref, mesh, all_axes, body)
        return all_slice(comm, b, reduced, axes, mesh, local_shape)
    x = _split_to_front(b, x, {dim: factors[dim] for dim in dims})
    return b.reshape(comm.reduce_scatter(b, x, 0, ref, mesh, all_axes, body), local_shape)


def replicated_to_unreduced(
    comm: Communication, b: Builder, x: ir.Value, axes: Sequence[AxisRef], kind: Reduction, mesh: Mesh
) -> ir.Value:
    """`x` on the first device along `axes`, the neutral element on the others."""
    first = comm.devices.is_first(b, mesh, axes)
    neutral = b.constant(identity_of_parts(kind, x.type.element_type, signed_zeros=comm.signed_zeros), x.type)
    return b.select(first, x, neutral)


def sharded_to_unreduced(
    comm: Communication,
    b: Builder,
    x: ir.Value,
    axes: AxesPerDim,
    kind: Reduction,
    mesh: Mesh,
    result_type: ir.Type,
) -> ir.Value:
    """`x` at its place along `axes` in a tensor of neutral elements."""
    whole = b.constant(identity_of_parts(kind, x.type.element_type, signed_zeros=comm.signed_zeros), result_type)
    zero: ir.Value | None = None
    starts: list[ir.Value] = []
    for axis_list, size in zip(axes, x.type.shape, strict=True):
        if not axis_list and zero is None:
            zero = b.constant(0, i32())
        starts.append(zero if zero is not None and not axis_list else comm.devices.offset(b, mesh, axis_list, size))
    return b.dynamic_update_slice(whole, x, starts)


def is_in_place(have: Layout, want: Layout) -> bool:
    """Return whether `relayout` has nothing to do."""
    return have is want or (have.placement == want.placement and not have.unreduced)


def relayout(comm: Communication, b: Builder, x: ir.Value, have: Layout, want: Layout, at: ir.Operation) -> ir.Value:
    """`x`, the local value of `have`, as the local value of `want`; both have the same global type.

    Raises:
      DiagnosticError: at `at`, if the shards are uneven, of dynamic size, or the meshes have different numbers of
        devices.
    """
    if is_in_place(have, want) or not isinstance(x.type, ir.RankedTensorType):
        return x
    x = _reduced(comm, b, x, have, want)
    if have.placement == want.placement:
        return x
    if not is_static_shaped(x.type):
        raise DiagnosticError(at, f"needs a value of type {have.type}, of dynamic size, on other devices")
    if have.mesh is not None and have.mesh.is_maximal:
        x = _from_single_device(comm, b, x, have.mesh, at)
    for layout in (have, want):
        if not layout.divides:
            raise DiagnosticError(at, f"needs a value of type {layout.type} that {layout.sharding} does not divide")
    if have.mesh and want.mesh and have.sharded_dims and want.sharded_dims and have.mesh.size != want.mesh.size:
        raise DiagnosticError(at, f"moves a value from {have.mesh.size} to {want.mesh.size} devices")
    same_mesh = have.mesh == want.mesh
    moved = [not (same_mesh and have.dim_axes[dim] == want.dim_axes[dim]) for dim in range(have.rank)]
    if have.mesh is not None and have.sharded_dims:
        axes = [have.dim_axes[dim] if moved[dim] and have.is_sharded(dim) else () for dim in range(have.rank)]
        x = all_gather(comm, b, x, axes, have.mesh_ref, have.mesh)
    if want.mesh is not None and want.sharded_dims:
        axes = [want.dim_axes[dim] if moved[dim] and want.is_sharded(dim) else () for dim in range(want.rank)]
        if any(axes):
            x = all_slice(comm, b, x, axes, want.mesh, want.local_shape)
    return x


def as_partial(comm: Communication, b: Builder, x: ir.Value, have: Layout, want: Layout) -> ir.Value:
    """Make `x` partial along axes that `want` leaves unreduced and along which `x` is replicated.

    A predicate is not partial: the selected value may be, and it has the same sharding. For minimum and maximum,
    combining equal values gives the same value.
    """
    if want.sharding is None or want.mesh is None or _is_predicate(want.type) or want.sharding.reduction.is_idempotent:
        return x
    axes = difference(want.unreduced, have.unreduced, want.mesh.axis_sizes)
    if not axes:
        return x
    if not is_static_shaped(x.type):
        raise DiagnosticError(x.location, f"makes a value of type {want.type} partial, whose size is dynamic")
    return replicated_to_unreduced(comm, b, x, axes, want.sharding.reduction, want.mesh)


def _is_predicate(type_: ir.Type) -> bool:
    return is_tensor(type_) and isinstance(type_.element_type, ir.IntegerType) and type_.element_type.width == 1


def _reduced(comm: Communication, b: Builder, x: ir.Value, have: Layout, want: Layout) -> ir.Value:
    """`x` combined along the axes that `have` leaves unreduced and `want` does not."""
    if have.sharding is None or have.mesh is None:
        return x
    axes = difference(have.unreduced, want.unreduced, have.mesh.axis_sizes)
    if not axes:
        return x
    return all_reduce(comm, b, x, axes, have.sharding.reduction, have.mesh_ref, have.mesh)


def _from_single_device(comm: Communication, b: Builder, x: ir.Value, single: Mesh, at: ir.Operation) -> ir.Value:
    """`x` as the device of the mesh `single` has it, on all devices."""
    if comm.world is None:
        raise DiagnosticError(at, "sends a value from a single device to all, but the module has no mesh with axes")
    ref, mesh = comm.world
    source = b.constant(single.device_ids[0], ui32())
    is_source = b.compare(comm.devices.id(b), source, "EQ")
    element = x.type.element_type
    chosen = bits_of(b, b.select(is_source, x, b.constant(nothing(element), x.type)))
    axes = [AxisRef(axis.name) for axis in mesh.axes]
    return from_bits(b, all_reduce(comm, b, chosen, axes, Reduction.SUM, ref, mesh), element)
