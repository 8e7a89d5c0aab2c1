"""sdy-lift-inlined-meshes: makes every mesh a named symbol, no two of them equal, and tags it for StableHLO.

    %0 = sdy.sharding_constraint %arg0 <mesh<["a"=2]>, [{"a"}]> : tensor<8xf32>
==> sdy.mesh @mesh = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.sharding_survey import occurs
from sdy.dialect.shardings.sharding_walk import distinct_shardings, transform_shardings
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir, stablehlo
from sdy.mlir.functions import ModuleSymbols, symbol_name, top_level
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

STABLEHLO_MESH = "stablehlo.mesh"

_GROUPED = tuple(
    f"stablehlo.{name}" for name in ("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_broadcast")
)


@dataclass(frozen=True)
class Options:
    use_single_device_mesh_names: bool = option(
        False, "name the mesh of device n single_device_n instead of maximal_mesh_n"
    )
    if_inlined: bool = option(False, "leave a module as it is in which no sharding has its mesh inlined")
    is_propagated: bool = option(False, "with if-inlined: expect that most ops have shardings, which takes less time")


@pass_("sdy-lift-inlined-meshes", on="builtin.module", options=Options)
def lift_inlined_meshes(module: ir.Operation, options: Options) -> object:
    """Spec: import-passes, 4.1."""
    if options.if_inlined and options.is_propagated and not occurs(module, _is_inlined):
        return UNCHANGED
    shardings = distinct_shardings(module)
    if options.if_inlined and not any(map(_is_inlined, shardings)):
        return UNCHANGED
    lifter = _Lifter(module, options)
    if any(map(lifter.concerns, shardings)):
        transform_shardings(module, lifter.lift_sharding)
    for op in ops_named(module, *_GROUPED):
        lifter.lift_replica_groups(op)
    for op in top_level(module):
        if op.name == "sdy.mesh" and STABLEHLO_MESH not in op.attributes:
            op.attributes[STABLEHLO_MESH] = _tag(attributes.get(op, "mesh"))
    return None


def _is_inlined(sharding: TensorSharding) -> bool:
    return not isinstance(sharding.mesh_or_ref, str)


class _Lifter:
    """The mesh symbols of a module: duplicates erased, new ones made on demand."""

    def __init__(self, module: ir.Operation, options: Options) -> None:
        self._module = module
        self._options = options
        self._symbols = ModuleSymbols(module)
        self._names: dict[Mesh, str] = {}
        self._kept_name: dict[str, str] = {}
        self._of_stablehlo_mesh: dict[ir.Attribute, str] = {}
        self._last: ir.Operation | None = None
        for op in top_level(module):
            if op.name == "sdy.mesh":
                self._deduplicate(op)

    def _deduplicate(self, op: ir.Operation) -> None:
        mesh, name = attributes.get(op, "mesh"), symbol_name(op)
        if mesh in self._names:
            self._kept_name[name] = self._names[mesh]
            self._symbols.erase(op)
        else:
            self._names[mesh] = name
            self._last = op

    def concerns(self, sharding: TensorSharding) -> bool:
        """Whether `lift_sharding` changes `sharding`."""
        return not isinstance(sharding.mesh_or_ref, str) or sharding.mesh_or_ref in self._kept_name

    def lift_sharding(self, sharding: TensorSharding) -> TensorSharding:
        """`sharding` with a mesh symbol that stays."""
        mesh = sharding.mesh_or_ref
        if isinstance(mesh, str):
            return sharding.with_mesh(self._kept_name.get(mesh, mesh))
        if mesh not in self._names:
            self._names[mesh] = self._create(self._base_name(mesh), mesh)
        return sharding.with_mesh(self._names[mesh])

    def lift_replica_groups(self, op: ir.Operation) -> None:
        """Makes replica groups along mesh axes name a mesh.

        Their meshes share no symbol with those of shardings, even where they are equal.
        """
        groups = op.attributes["replica_groups"]
        if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(groups):
            return
        groups = stablehlo.ReplicaGroupMeshAxesAttr(groups)
        mesh = groups.mesh
        if stablehlo.MeshAttr.isinstance(mesh):
            if mesh not in self._of_stablehlo_mesh:
                self._of_stablehlo_mesh[mesh] = self._create("mesh", _from_stablehlo(mesh))
            name = self._of_stablehlo_mesh[mesh]
        else:
            name = self._kept_name.get(ir.FlatSymbolRefAttr(mesh).value)
            if name is None:
                return
        op.attributes["replica_groups"] = stablehlo.ReplicaGroupMeshAxesAttr.get(
            ir.FlatSymbolRefAttr.get(name), groups.axes
        )

    def _base_name(self, mesh: Mesh) -> str:
        if mesh.is_maximal:
            prefix = "single_device" if self._options.use_single_device_mesh_names else "maximal_mesh"
            return f"{prefix}_{mesh.device_ids[0]}"
        return "empty_mesh" if mesh.is_empty else "mesh"

    def _create(self, base: str, mesh: Mesh) -> str:
        """A new mesh behind the last one that was kept or made."""
        block = self._module.regions[0].blocks[0]
        ip = ir.InsertionPoint.at_block_begin(block) if self._last is None else ir.InsertionPoint.after(self._last)
        made = self._last = builders.mesh(base, mesh, loc=self._module.location, ip=ip)
        return self._symbols.insert(made)


def _from_stablehlo(attr: ir.Attribute) -> Mesh:
    """The mesh with the axes of a `#stablehlo.mesh`, its device ids left behind."""
    entries = map(stablehlo.MeshAxisAttr, stablehlo.MeshAttr(attr).axes)
    return Mesh(tuple(MeshAxis(entry.name, entry.size) for entry in entries))


def _tag(mesh: Mesh) -> ir.Attribute:
    """The mesh as StableHLO's discardable dictionary."""
    i64 = ir.IntegerType.get_signless(64)
    entries = [
        ir.DictAttr.get({"name": ir.StringAttr.get(axis.name), "size": ir.IntegerAttr.get(i64, axis.size)})
        for axis in mesh.axes
    ]
    tag: dict[str, ir.Attribute] = {"axes": ir.ArrayAttr.get(entries)}
    if mesh.device_ids:
        ids = [ir.IntegerAttr.get(i64, device) for device in mesh.device_ids]
        tag["device_ids"] = ir.DenseElementsAttr.get(ids, ir.RankedTensorType.get([len(ids)], i64))
    return ir.DictAttr.get(tag)
