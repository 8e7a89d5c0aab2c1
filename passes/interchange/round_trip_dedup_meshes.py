"""xla-sdy-round-trip-dedup-meshes: Remove meshes whose axes can be written as axes of another mesh.

    sdy.mesh @mesh = <["a"=2, "b"=4]>
    sdy.mesh @flat = <["u"=8]>
    %0 = sdy.sharding_constraint %x <@flat, [{"u"}]> : tensor<8xf32>
==> sdy.mesh @mesh = <["a"=2, "b"=4]>
    %0 = sdy.sharding_constraint %x <@mesh, [{"a", "b"}]> : tensor<8xf32>

Of meshes of one size and one order of devices the one with the most axes stays. Meshes with manual axes that would
become parts of its axes stay, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.definition.attributes import attr_of, value_of
from sdy.dialect.replica_groups import axis_attribute, mesh_axes
from sdy.dialect.sharding_text.device_order import axes_of_sizes, refine
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_few_shardings
from sdy.dialect.values.axes import AxisList, AxisRef, merged
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ManualAxes
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.functions import symbol_name, top_level
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.registry import UNCHANGED, pass_

_GROUPS = "replica_groups"


@pass_("xla-sdy-round-trip-dedup-meshes")
def round_trip_dedup_meshes(module: ir.Operation) -> object:
    """Spec: interchange, 8.3."""
    found = _merges(MeshTable(module).by_name)
    merges = {name: merge for name, merge in found.items() if name not in _with_parts_manual(module, found)}
    if not merges:
        return UNCHANGED
    _rewrite_groups(module, merges)
    _rewrite_manual_axes(module, merges)

    def merge(sharding: TensorSharding) -> TensorSharding:
        found = merges.get(sharding.mesh_or_ref) if isinstance(sharding.mesh_or_ref, str) else None
        return sharding if found is None else found.sharding(sharding)

    transform_few_shardings(module, merge)
    for op in top_level(module):
        if op.name == "sdy.mesh" and symbol_name(op) in merges:
            op.erase()
    return None


@dataclass(frozen=True)
class _Merge:
    """Axes of a mesh in terms of another one, `kept`, whose name is `name`."""

    old: Mesh
    kept: Mesh
    name: str
    atoms: tuple[AxisRef, ...]

    def axes(self, old_axes: Iterable[AxisRef]) -> AxisList:
        """Return the axes of the kept mesh. Axes of size 1 stay if the meshes are equal, else they are dropped."""
        if self.old == self.kept:
            return tuple(old_axes)
        found: list[AxisRef] = []
        for axis in old_axes:
            position, low, high = 0, axis.pre_size, axis.next_pre_size(self.old.axis_sizes)
            for one in self.old.axes:
                offset = 1
                while offset < one.size:
                    atom = self.atoms[position]
                    if one.name == axis.name:
                        part = _overlap(atom, self.kept, offset, low, high)
                        found += [] if part is None else [part]
                    offset *= atom.size(self.kept.axis_sizes)
                    position += 1
        return merged(found, self.kept.axis_sizes)

    def sharding(self, old: TensorSharding) -> TensorSharding:
        replaced = old.with_mesh(self.name).with_dim_axes(map(self.axes, old.dim_axes))
        lists = (self.kept.sort_and_merge(self.axes(axes)) for axes in (old.replicated, old.unreduced))
        replicated, unreduced = lists
        return replaced.with_replicated(replicated).with_unreduced(unreduced)


def _overlap(atom: AxisRef, mesh: Mesh, offset: int, low: int, high: int) -> AxisRef | None:
    """Return the digits of `atom` between `low` and `high`, with `offset` combinations before it."""
    size = atom.size(mesh.axis_sizes)
    start, end = max(low, offset), min(high, offset * size)
    if end <= start:
        return None
    if (start, end) == (offset, offset * size):
        return atom
    return AxisRef.sub(atom.name, atom.pre_size * start // offset, end // start)


def _merges(meshes: dict[str, Mesh]) -> dict[str, _Merge]:
    """Map each removed mesh to the mesh that replaces it."""
    found: dict[str, _Merge] = {}
    gone: set[str] = set()
    for name in sorted(meshes, key=lambda each: -len(meshes[each].axes)):
        if name in gone:
            continue
        for other, mesh in meshes.items():
            if other == name or other in gone or other in found:
                continue
            atoms = _atoms(meshes[name], mesh)
            if atoms is not None:
                found[other] = _Merge(mesh, meshes[name], name, atoms)
        gone |= {name, *found}
    return found


def _atoms(kept: Mesh, other: Mesh) -> tuple[AxisRef, ...] | None:
    """Return the axes of `kept`, cut at the borders of `other`; None if `other` has another arrangement."""
    if not kept.axes or not other.axes:
        return () if kept == other else None
    if kept.device_ids != other.device_ids or kept.size != other.size:
        return None
    sizes = [[axis.size for axis in mesh.axes if axis.size > 1] for mesh in (kept, other)]
    refined = refine(*sizes)
    return None if refined is None else axes_of_sizes(kept, refined)


def _rewrite_groups(module: ir.Operation, merges: dict[str, _Merge]) -> None:
    """Rewrite replica groups along axes of a mesh that is removed."""
    for op in ops_with(module, _GROUPS):
        groups = mesh_axes(op.attributes[_GROUPS])
        merge = merges.get(groups[0]) if groups is not None and isinstance(groups[0], str) else None
        if groups is not None and merge is not None:
            axes = ir.ArrayAttr.get(list(map(axis_attribute, merge.axes(groups[1]))))
            name = ir.FlatSymbolRefAttr.get(merge.name)
            op.attributes[_GROUPS] = stablehlo.ReplicaGroupMeshAxesAttr.get(name, axes)


def _rewrite_manual_axes(module: ir.Operation, merges: dict[str, _Merge]) -> None:
    for op in ops_named(module, "sdy.manual_computation"):
        shardings = [*value_of(op.attributes["in_shardings"]), *value_of(op.attributes["out_shardings"])]
        found = next((merges[s.mesh_or_ref] for s in shardings if s.mesh_or_ref in merges), None)
        if found is None:
            continue
        manual: ManualAxes = value_of(op.attributes["manual_axes"])
        axes = found.axes(AxisRef(name) for name in manual)
        op.attributes["manual_axes"] = attr_of(ManualAxes(tuple(axis.name for axis in axes)))


def _with_parts_manual(module: ir.Operation, merges: dict[str, _Merge]) -> set[str]:
    """Return the meshes with manual axes that would become parts of axes; manual axes must be complete."""
    return {
        sharding.mesh_or_ref
        for op in ops_named(module, "sdy.manual_computation")
        for sharding in (*value_of(op.attributes["in_shardings"]), *value_of(op.attributes["out_shardings"]))
        if (merge := merges.get(sharding.mesh_or_ref)) is not None
        and any(axis.sub_axis is not None for axis in merge.axes(map(AxisRef, value_of(op.attributes["manual_axes"]))))
    }
