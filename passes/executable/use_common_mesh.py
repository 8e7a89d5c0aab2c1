"""sdy-use-common-mesh: shardings are written with the axes of the first mesh, where that has them.

    sdy.mesh @mesh = <["x"=4, "y"=2]>
    sdy.mesh @mesh_0 = <["d"=8]>
    %0 = sdy.sharding_constraint %arg0 <@mesh_0, [{"d"}]> : tensor<8xf32>
==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}]> : tensor<8xf32>

Shardings only travel, and data is only moved step by step, between values on one mesh. XLA does the same in front of
its propagation.

Meshes stay declared. Left as they are: shardings on meshes with another order of devices, and on those whose axes are
only parts of axes of the first mesh if there are regions that are manual on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.definition import attributes
from sdy.dialect.mesh_translation import translate
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.lists import ManualAxes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-use-common-mesh")
def use_common_mesh(module: ir.Operation) -> object:
    meshes = MeshTable(module)
    found = meshes.global_mesh()
    if found is None:
        return UNCHANGED
    name, mesh = found
    manual = ops_named(module, "sdy.manual_computation")
    used = {_mesh_name(op) for op in manual}
    translations = {
        other: _Translation(each, name, mesh)
        for other, each in meshes.by_name.items()
        if each.axes and each.size == mesh.size and each.device_ids == mesh.device_ids and other != name
    }
    translations = {
        other: one for other, one in translations.items() if one.is_complete and (one.is_whole or other not in used)
    }
    if not translations:
        return UNCHANGED
    for op in manual:
        if (translation := translations.get(_mesh_name(op) or "")) is not None:
            names = attributes.get(op, "manual_axes").names
            attributes.put(op, "manual_axes", ManualAxes(translation.manual_axes(names)))

    def translated(sharding: TensorSharding) -> TensorSharding:
        ref = sharding.mesh_or_ref
        return translations[ref].of(sharding) if isinstance(ref, str) and ref in translations else sharding

    transform_shardings(module, translated)
    return None


def _mesh_name(op: ir.Operation) -> str | None:
    """The mesh of a manual computation, if it has operands or results."""
    shardings = (*attributes.get(op, "in_shardings").shardings, *attributes.get(op, "out_shardings").shardings)
    return next((one.mesh_or_ref for one in shardings if isinstance(one.mesh_or_ref, str)), None)


class _Translation:
    """From a mesh to one of the same devices in the same order, which is called `name`."""

    def __init__(self, source: Mesh, name: str, target: Mesh) -> None:
        self._source, self._name, self._target = source, name, target
        found = [translate([AxisRef(axis.name)], source, target) for axis in source.axes]
        self.is_complete = all(axes is not None for axes in found)
        self.is_whole = all(axis.sub_axis is None for axes in found for axis in axes or ())

    def of(self, sharding: TensorSharding) -> TensorSharding:
        dims = tuple(replace(dim, axes=tuple(self._axes(dim.axes))) for dim in sharding.dims)
        replicated, unreduced = (
            self._target.sort_and_merge(self._axes(axes)) for axes in (sharding.replicated, sharding.unreduced)
        )
        return replace(sharding, mesh_or_ref=self._name, dims=dims, replicated=replicated, unreduced=unreduced)

    def manual_axes(self, names: Sequence[str]) -> tuple[str, ...]:
        axes = self._axes([AxisRef(name) for name in names])
        return tuple(axis.name for axis in sorted(axes, key=self._target.order_key))

    def _axes(self, axes: Sequence[AxisRef]) -> Sequence[AxisRef]:
        found = translate(axes, self._source, self._target)
        assert found is not None, "the translation is complete"
        return found
