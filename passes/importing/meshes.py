"""Meshes as symbols of the module, and their axes in shardings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.replica_groups import stablehlo_mesh
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import distinct_shardings, occurs, transform_few_shardings, transform_shardings
from sdy.dialect.values.axes import AxisList, AxisRef, axes, difference, merged
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir, stablehlo
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import ModuleSymbols, symbol_name, top_level
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_GROUPS = "replica_groups"


@pass_("sdy-inline-meshes", on="builtin.module")
def inline_meshes(module: ir.Operation) -> None:
    """sdy-inline-meshes: Write each mesh into the shardings that name it and erase the mesh symbols.

        sdy.mesh @mesh = <["a"=2]>
        %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
    ==> %0 = sdy.sharding_constraint %arg0 <mesh<["a"=2]>, [{"a"}]> : tensor<8xf32>

    Spec: import-passes, 6.1.
    """
    meshes = MeshTable(module)

    def inlined(sharding: TensorSharding) -> TensorSharding:
        mesh = meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(module, f"unknown mesh: @{sharding.mesh_or_ref}")
        return sharding.with_mesh(mesh)

    transform_few_shardings(module, inlined)
    known: dict[int, ir.Attribute] = {}  # by the address of the old groups
    for op in ops_with(module, _GROUPS):
        groups = op.attributes[_GROUPS]
        if address(groups) not in known:
            known[address(groups)] = _inlined_groups(groups, op, meshes)
        op.attributes[_GROUPS] = known[address(groups)]
    for op in top_level(module):
        if op.name == "sdy.mesh":
            op.erase()


def _inlined_groups(attribute: ir.Attribute, op: ir.Operation, meshes: MeshTable) -> ir.Attribute:
    """Return the replica groups of `op` with the mesh that they name, if they name one."""
    if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(attribute):
        return attribute
    groups = stablehlo.ReplicaGroupMeshAxesAttr(attribute)
    mesh = groups.mesh
    if stablehlo.MeshAttr.isinstance(mesh):
        return attribute
    name = ir.FlatSymbolRefAttr(mesh).value
    resolved = meshes.resolve(name)
    if resolved is None:
        raise DiagnosticError(op, f"unknown mesh: @{name}")
    return stablehlo.ReplicaGroupMeshAxesAttr.get(stablehlo_mesh(resolved), groups.axes)


STABLEHLO_MESH = "stablehlo.mesh"

_GROUPED = tuple(
    f"stablehlo.{name}" for name in ("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_broadcast")
)


@dataclass(frozen=True)
class Options:
    use_single_device_mesh_names: bool = option(
        False, "name the mesh of device n single_device_n instead of maximal_mesh_n"
    )
    if_inlined: bool = option(False, "leave modules without inlined meshes unchanged")
    is_propagated: bool = option(False, "with if-inlined: expect that most ops have shardings, which is faster")


@pass_("sdy-lift-inlined-meshes", on="builtin.module", options=Options)
def lift_inlined_meshes(module: ir.Operation, options: Options) -> object:
    """sdy-lift-inlined-meshes: Move each distinct inlined mesh to a symbol, and tag it for StableHLO.

        %0 = sdy.sharding_constraint %arg0 <mesh<["a"=2]>, [{"a"}]> : tensor<8xf32>
    ==> sdy.mesh @mesh = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
        %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>

    Spec: import-passes, 4.1.
    """
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
        """Return whether `lift_sharding` changes `sharding`."""
        return not isinstance(sharding.mesh_or_ref, str) or sharding.mesh_or_ref in self._kept_name

    def lift_sharding(self, sharding: TensorSharding) -> TensorSharding:
        """Return `sharding` on the mesh symbol that stays."""
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
        """Create a mesh behind the last one that was kept or made."""
        block = self._module.regions[0].blocks[0]
        ip = ir.InsertionPoint.at_block_begin(block) if self._last is None else ir.InsertionPoint.after(self._last)
        made = self._last = builders.mesh(base, mesh, loc=self._module.location, ip=ip)
        return self._symbols.insert(made)


def _from_stablehlo(attr: ir.Attribute) -> Mesh:
    """Return the mesh with the axes of a `#stablehlo.mesh`, without its device ids."""
    entries = map(stablehlo.MeshAxisAttr, stablehlo.MeshAttr(attr).axes)
    return Mesh(tuple(MeshAxis(entry.name, entry.size) for entry in entries))


def _tag(mesh: Mesh) -> ir.Attribute:
    """The mesh as StableHLO's discardable dictionary."""
    i64 = ir.IntegerType.get_signless(64)
    entries = [
        ir.DictAttr.get(
            {
                "name": ir.StringAttr.get(axis.name.encode(errors="surrogateescape")),
                "size": ir.IntegerAttr.get(i64, axis.size),
            }
        )
        for axis in mesh.axes
    ]
    tag: dict[str, ir.Attribute] = {"axes": ir.ArrayAttr.get(entries)}
    if mesh.device_ids:
        ids = [ir.IntegerAttr.get(i64, device) for device in mesh.device_ids]
        tag["device_ids"] = ir.DenseElementsAttr.get(ids, ir.RankedTensorType.get([len(ids)], i64))
    return ir.DictAttr.get(tag)


@pass_("sdy-remove-size-one-axes", on="builtin.module")
def remove_size_one_axes(module: ir.Operation) -> None:
    """sdy-remove-size-one-axes: Drop axes of size 1 from all shardings, so that they cannot conflict.

        sdy.mesh @mesh = <["a"=1, "b"=2]>
        %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a", "b"}, {"a", ?}p1]> : tensor<8x8xf32>
    ==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}, {?}p1]> : tensor<8x8xf32>

    Spec: import-passes, 4.2. Modules without a named mesh with an axis of size 1 stay as they are.
    """
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
    # Sub-axes that an axis of size 1 stood between become one.
    joined = (replace(dim, axes=merged(dim.axes, sizes)) for dim in filtered.dims)
    # A closed dimension without axes has nothing left that could be prioritised.
    return filtered.with_dims(replace(dim, priority=None) if dim.is_closed and not dim.axes else dim for dim in joined)


@pass_("sdy-manual-axes-cleanup", on="builtin.module")
def manual_axes_cleanup(module: ir.Operation) -> None:
    """sdy-manual-axes-cleanup: Sort manual axes by the mesh, and mention each in every in and out sharding.

        sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b"}]>] ... manual_axes={"b", "a"} ...
    ==> sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b"}], replicated={"a"}>] ... manual_axes={"a", "b"} ...

    Spec: import-passes, 4.6.

    Raises `DiagnosticError` at the computations that have manual axes and a body but no shardings, where not just one
    mesh has these axes, after all others were cleaned up.
    """
    meshes = MeshTable(module)
    with Faults() as faults:
        for op in ops_named(module, "sdy.manual_computation"):
            with faults.one():
                _clean(op, meshes)


def _clean(op: ir.Operation, meshes: MeshTable) -> None:
    in_shardings = attributes.get(op, "in_shardings").shardings
    out_shardings = attributes.get(op, "out_shardings").shardings
    names = attributes.get(op, "manual_axes").names
    if not in_shardings and not out_shardings:
        _order_alone(op, names, meshes)
        return
    ref = meshes.common((*in_shardings, *out_shardings))
    mesh = None if ref is None else meshes.resolve(ref)
    if ref is None or mesh is None:
        raise DiagnosticError(op, "has shardings on several meshes, or on an unknown one")
    ordered = tuple(sorted(names, key=mesh.axis_positions.__getitem__))
    if ordered != names:
        attributes.put(op, "manual_axes", ManualAxes(ordered))
    manual = axes(*ordered)
    _mention(op, "in_shardings", in_shardings, list(op.operands), manual, ref, mesh)
    _mention(op, "out_shardings", out_shardings, list(op.results), manual, ref, mesh)


def _order_alone(op: ir.Operation, names: tuple[str, ...], meshes: MeshTable) -> None:
    """Order manual axes without shardings by the module's only mesh that has them."""
    if not names or op.regions[0].blocks[0].operations[0].operation.name == "sdy.return":
        return
    found = {mesh for mesh in meshes.by_name.values() if mesh.axis_positions.keys() >= set(names)}
    if len(found) != 1:
        what = "no operands or results, whose shardings would name the mesh of the axes"
        raise DiagnosticError(op, f"has manual axes, but {what}")
    (mesh,) = found
    ordered = tuple(sorted(names, key=mesh.axis_positions.__getitem__))
    if ordered != names:
        attributes.put(op, "manual_axes", ManualAxes(ordered))


def _mention(
    op: ir.Operation,
    name: str,
    shardings: Sequence[TensorSharding],
    values: Sequence[ir.Value],
    manual: AxisList,
    ref: MeshRef,
    mesh: Mesh,
) -> None:
    """Adds the manual axes that a sharding of a tensor lacks to its replicated axes."""
    new = tuple(
        _mentioning(sharding, manual, ref, mesh) if isinstance(value.type, ir.ShapedType) else sharding
        for sharding, value in zip(shardings, values, strict=True)
    )
    if new != shardings:
        attributes.put(op, name, ShardingPerValue(new))


def _mentioning(sharding: TensorSharding, manual: AxisList, ref: MeshRef, mesh: Mesh) -> TensorSharding:
    missing = difference(manual, tuple(sharding.axis_refs()), mesh.axis_sizes)
    if not missing:
        return sharding
    return sharding.with_mesh(ref).with_replicated(mesh.sort_and_merge((*sharding.replicated, *missing)))
