"""Moving a value to another layout by the plainest means: gather what differs, then slice.

Explicit reshards and collectives have put every value where it is needed before the program is made local. What is left
for this module are inconsistencies of programs that skipped those passes, and ops that can only be computed as a whole.
"""

from __future__ import annotations

from sdy.dialect.ir_builders import local_collectives
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, nothing
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.values.axes import AxisRef, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import is_tensor, ui32
from sdy.stablehlo.ops import Builder


def is_in_place(have: Layout, want: Layout) -> bool:
    """Whether `relayout` has nothing to do."""
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
        x = local_collectives.all_gather(comm, b, x, axes, have.mesh_ref, have.mesh)
    if want.mesh is not None and want.sharded_dims:
        axes = [want.dim_axes[dim] if moved[dim] and want.is_sharded(dim) else () for dim in range(want.rank)]
        if any(axes):
            x = local_collectives.all_slice(comm, b, x, axes, want.mesh, want.local_shape)
    return x


def as_partial(comm: Communication, b: Builder, x: ir.Value, have: Layout, want: Layout) -> ir.Value:
    """`x`, which is whole along some axes that `want` leaves unreduced, as a partial value along these too.

    A predicate is no part of anything: what is selected by it may be, and it has the same sharding. The largest or
    smallest of equal values is what they are.
    """
    if want.sharding is None or want.mesh is None or _is_predicate(want.type) or want.sharding.reduction.is_idempotent:
        return x
    axes = difference(want.unreduced, have.unreduced, want.mesh.axis_sizes)
    if not axes:
        return x
    if not is_static_shaped(x.type):
        raise DiagnosticError(x.location, f"makes a value of type {want.type} partial, whose size is dynamic")
    return local_collectives.replicated_to_unreduced(comm, b, x, axes, want.sharding.reduction, want.mesh)


def _is_predicate(type_: ir.Type) -> bool:
    return is_tensor(type_) and isinstance(type_.element_type, ir.IntegerType) and type_.element_type.width == 1


def _reduced(comm: Communication, b: Builder, x: ir.Value, have: Layout, want: Layout) -> ir.Value:
    """`x` combined along the axes that `have` leaves unreduced and `want` does not."""
    if have.sharding is None or have.mesh is None:
        return x
    axes = difference(have.unreduced, want.unreduced, have.mesh.axis_sizes)
    if not axes:
        return x
    return local_collectives.all_reduce(comm, b, x, axes, have.sharding.reduction, have.mesh_ref, have.mesh)


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
    return from_bits(b, local_collectives.all_reduce(comm, b, chosen, axes, Reduction.SUM, ref, mesh), element)
