"""StableHLO collectives between the devices of a mesh (spec: partitioner, 2 and 7; jax-execution, 2.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.axes import AxisList, AxisRef, merged, product
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.mesh import Mesh
from sdy.dialect.search import ops_with
from sdy.dialect.sharding import MeshRef, Reduction
from sdy.dialect.stablehlo_meshes import stablehlo_mesh
from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.devices import Devices
from sdy.passes.partitioning.stablehlo_builder import Builder, RegionFiller, dense_matrix, i64, with_shape

REDUCTION_OPS = {Reduction.SUM: "add", Reduction.MAX: "maximum", Reduction.MIN: "minimum"}
"""The StableHLO op, without prefix, that combines two partial values."""


_MAX_CHANNEL = 2**62
"""Collectives are numbered on from the largest channel of the program, in 64 bits."""


class Communication:
    """Makes collectives, each on a channel of its own.

    `mesh_axes_groups` selects replica groups in mesh-axes form over dense ones. In replica mode (`devices.by_replica`)
    all_to_all and collective_permute carry no channel. `world` is a mesh of all devices, if the program has any. With
    `signed_zeros` devices that have nothing to add to a sum add -0.0, which leaves -0.0 as it is, instead of 0.
    """

    def __init__(
        self,
        devices: Devices,
        mesh_axes_groups: bool,
        first_channel: int = 1,
        world: tuple[MeshRef, Mesh] | None = None,
        *,
        signed_zeros: bool = False,
    ) -> None:
        self.devices = devices
        self.mesh_axes_groups = mesh_axes_groups
        self.world = world
        self.signed_zeros = signed_zeros
        self._next_channel = first_channel
        self._groups: dict[tuple[MeshRef, Mesh, AxisList], ir.Attribute] = {}

    # Collectives ---------------------------------------------------------------------------------

    def all_gather(
        self, b: Builder, x: ir.Value, dim: int, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]
    ) -> ir.Value:
        """Concatenates along `dim` what the devices along `axes` have."""
        shape = list(x.type.shape)
        if shape[dim] >= 0:
            shape[dim] *= product(axes, mesh.axis_sizes)
        if shape[dim] == 0:
            return b.zeros(with_shape(x.type, shape))  # StableHLO refuses to gather nothing
        attributes = {"all_gather_dim": i64(dim), **self._global_groups(ref, mesh, axes)}
        return b.one("stablehlo.all_gather", (x,), with_shape(x.type, shape), attributes)

    def all_reduce(
        self, b: Builder, x: ir.Value, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef], fill: RegionFiller
    ) -> ir.Value:
        """Combines what the devices along `axes` have with the region that `fill` makes."""
        op = b.create("stablehlo.all_reduce", (x,), (x.type,), self._global_groups(ref, mesh, axes), regions=1)
        fill(b, op.regions[0])
        return op.results[0]

    def reduce_scatter(
        self, b: Builder, x: ir.Value, dim: int, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef], fill: RegionFiller
    ) -> ir.Value:
        """As `all_reduce`, but every device keeps only its shard along `dim`."""
        shape = list(x.type.shape)
        if shape[dim] >= 0:
            shape[dim] //= product(axes, mesh.axis_sizes)
        if shape[dim] == 0:
            return b.zeros(with_shape(x.type, shape))  # StableHLO refuses to scatter nothing
        attributes = {"scatter_dimension": i64(dim), **self._global_groups(ref, mesh, axes)}
        op = b.create("stablehlo.reduce_scatter", (x,), (with_shape(x.type, shape),), attributes, regions=1)
        fill(b, op.regions[0])
        return op.results[0]

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
        """Splits `x` along `split_dim` for the devices along `axes`, and concatenates what they send."""
        count = product(axes, mesh.axis_sizes)
        shape = list(x.type.shape)
        shape[split_dim] //= count
        if shape[concat_dim] >= 0:
            shape[concat_dim] *= count
        attributes = {
            "split_dimension": i64(split_dim),
            "concat_dimension": i64(concat_dim),
            "split_count": i64(count),
            "replica_groups": self.replica_groups(ref, mesh, axes),
            **self._point_to_point_channel(),
        }
        return b.one("stablehlo.all_to_all", (x,), with_shape(x.type, shape), attributes)

    def permute(self, b: Builder, x: ir.Value, pairs: np.ndarray) -> ir.Value:
        """Sends `x` from the first to the second device of every row of `pairs`; others get zeros."""
        attributes = {"source_target_pairs": dense_matrix(pairs), **self._point_to_point_channel()}
        return b.one("stablehlo.collective_permute", (x,), x.type, attributes)

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
        if not self.mesh_axes_groups:
            return dense_matrix(mesh.replica_groups(folded))
        named = stablehlo_mesh(ref) if isinstance(ref, Mesh) else ir.FlatSymbolRefAttr.get(ref)
        return stablehlo.ReplicaGroupMeshAxesAttr.get(named, ir.ArrayAttr.get([_axis_attribute(a) for a in folded]))

    def _global_groups(self, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef]) -> dict[str, ir.Attribute]:
        return {
            "replica_groups": self.replica_groups(ref, mesh, axes),
            "channel_handle": self._channel(),
            "use_global_device_ids": ir.UnitAttr.get(),
        }

    def _point_to_point_channel(self) -> dict[str, ir.Attribute]:
        return {} if self.devices.by_replica else {"channel_handle": self._channel()}

    def _channel(self) -> ir.Attribute:
        number, self._next_channel = self._next_channel, self._next_channel + 1
        return stablehlo.ChannelHandle.get(number, 1)


def reduction_region(kind: Reduction, element_type: ir.Type) -> RegionFiller:
    """The region that combines two scalars as `kind` says."""
    return lambda b, region: b.fill_binary_region(region, REDUCTION_OPS[kind], element_type)


def cloned_region(source: ir.Region) -> RegionFiller:
    """A copy of a region of one block."""

    def fill(b: Builder, region: ir.Region) -> None:
        block = source.blocks[0]
        types = [argument.type for argument in block.arguments]
        copy = region.blocks.append(*types, arg_locs=[b.location] * len(types))
        copies = dict(zip(block.arguments, copy.arguments, strict=True))
        for nested in block.operations:
            clone = nested.operation.clone(ip=ir.InsertionPoint(copy))
            for number, operand in enumerate(nested.operation.operands):
                if operand in copies:
                    clone.operands[number] = copies[operand]
            copies.update(zip(nested.operation.results, clone.results, strict=True))

    return fill


def max_channel(module: ir.Operation) -> int:
    """The largest channel handle of any op in `module`, 0 if there is none."""
    largest = 0
    for op in ops_with(module, "channel_handle"):
        largest = max(largest, stablehlo.ChannelHandle(op.attributes["channel_handle"]).handle)
        if largest > _MAX_CHANNEL:
            raise DiagnosticError(op, f"has channel {largest}, which leaves none for new collectives")
    return largest


def _axis_attribute(axis: AxisRef) -> ir.Attribute:
    if axis.sub_axis is None:
        return stablehlo.AxisRefAttr.get(axis.name)
    info = stablehlo.SubAxisInfoAttr.get(axis.sub_axis.pre_size, axis.sub_axis.size)
    return stablehlo.AxisRefAttr.get(axis.name, info)
