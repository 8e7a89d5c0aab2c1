"""sdy-remove-size-one-axes: drops axes of size 1 from all shardings, so that they cannot conflict.

    sdy.mesh @mesh = <["a"=1, "b"=2]>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a", "b"}, {"a", ?}p1]> : tensor<8x8xf32>
==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}, {?}p1]> : tensor<8x8xf32>
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.registry import pass_


@pass_("sdy-remove-size-one-axes", on="builtin.module")
def remove_size_one_axes(module: ir.Operation) -> None:
    """Spec: import-passes, 4.2. Modules without a named mesh with an axis of size 1 stay as they are."""
    meshes = MeshTable(module)
    if not any(axis.size == 1 for mesh in meshes.by_name.values() for axis in mesh.axes):
        return

    def cleaned(sharding: TensorSharding) -> TensorSharding:
        mesh = meshes.of(sharding)
        return sharding if mesh is None else _without_size_one(sharding, mesh.axis_sizes)

    transform_shardings(module, cleaned)


def _without_size_one(sharding: TensorSharding, sizes: Mapping[str, int]) -> TensorSharding:
    def keep(axis: AxisRef) -> bool:
        return axis.size(sizes) != 1

    filtered = sharding.map_axes(keep)
    # A closed dimension without axes has nothing left that could be prioritised.
    dims = (replace(dim, priority=None) if dim.is_closed and not dim.axes else dim for dim in filtered.dims)
    return filtered.with_dims(dims)
