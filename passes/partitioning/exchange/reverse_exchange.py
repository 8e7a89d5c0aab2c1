"""Reversal of a sharded dimension: devices reverse their parts and the order of these (spec: partitioner, 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.with_sharding import (
    ManualOperand,
    ManualResult,
    build_manual_computation,
    pad_high,
    slice_high,
    use_instead,
    uses_of,
)
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.analysis.programs import ModuleMeshes
from sdy.passes.partitioning.exchange.dim_exchange import Exchange
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


def reverse(
    op: ir.Operation, layout: Layout, result: Layout, comm: Communication, meshes: ModuleMeshes, *, exact: bool
) -> None:
    """Rewrite a reverse from the layout `layout` to the layout `result`; see `Exchange.shifted` for `exact`."""
    dims = [dim for dim in views.Reverse(op).dimensions if layout.is_sharded(dim)]
    if not dims or layout.mesh is None or layout.sharding is None or layout.mesh.is_maximal:
        return
    b = Builder.before(op)
    uneven = [dim for dim in dims if layout.padded_shape[dim] != layout.shape[dim]]
    old_type = op.results[0].type
    if uneven:
        op.operands[0] = _moved_to_end(b, op.operands[0], layout, uneven, comm, exact=exact)
        op.results[0].set_type(op.operands[0].type)
    mesh = _reversed_mesh(layout.mesh, layout, dims)
    sharding = layout.sharding.with_mesh(meshes.named_like(mesh, layout.mesh_ref, "_reversed"))
    unreduced = result.unreduced if _may_be_partial(layout, result) else layout.unreduced
    set_op_shardings(op, (sharding.with_unreduced(unreduced, Reduction.SUM),))
    value = op.results[0]
    slots = uses_of(value)
    after = Builder.after(op)
    wanted = result.sharding or TensorSharding.closed(layout.mesh_ref, layout.rank)
    moved = sdy_ops.reshard(value, wanted, loc=after.location, ip=after.ip)
    if uneven:
        moved = slice_high(after, moved, old_type.shape, layout.sharding)
    use_instead(slots, moved)


def _may_be_partial(layout: Layout, result: Layout) -> bool:
    """Return whether a value with `layout` can be unreduced along the unreduced axes of `result`."""
    taken = [axis for axes in layout.dim_axes for axis in axes]
    overlap = any(axis.overlaps(other) for axis in result.unreduced for other in taken)
    return layout.mesh == result.mesh and not overlap


def _moved_to_end(
    b: Builder, x: ir.Value, layout: Layout, dims: Sequence[int], comm: Communication, *, exact: bool
) -> ir.Value:
    """`x` padded to a multiple of its parts along `dims`, the padding in front."""
    exchange = Exchange(comm, layout, dims)
    sharding, mesh = exchange.sharding, exchange.mesh
    shape = [layout.padded_shape[dim] if dim in dims else size for dim, size in enumerate(layout.shape)]
    padded = pad_high(b, x, shape, sharding)
    manual_part = sharding.map_axes(lambda axis: axis.name in exchange.manual)
    local = with_shape(padded.type, manual_part.local_shape(shape, mesh.axis_sizes))

    def body(inside: Builder, arguments: list[ir.Value]) -> list[ir.Value]:
        (value,) = arguments
        for dim in dims:
            value = exchange.shifted(inside, value, dim, shape[dim] - layout.shape[dim], exact=exact)
        return [value]

    leaving = ManualResult(padded.type, sharding, shape)
    (moved,) = build_manual_computation(b, [ManualOperand(padded, sharding, local)], [leaving], exchange.manual, body)
    return moved


def _reversed_mesh(mesh: Mesh, layout: Layout, dims: Sequence[int]) -> Mesh:
    """`mesh` with the coordinates of all axes that shard `dims` flipped."""
    flipped = [axis for dim in dims for axis in layout.dim_axes[dim]]
    atoms = mesh.atomic_axes(flipped)
    grid = np.asarray(mesh.devices).reshape([atom.size(mesh.axis_sizes) for atom in atoms])
    positions = [number for number, atom in enumerate(atoms) if any(axis.contains(atom) for axis in flipped)]
    return Mesh(mesh.axes, tuple(int(device) for device in np.flip(grid, tuple(positions)).ravel()))
