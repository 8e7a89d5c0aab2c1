"""sdy-manual-axes-cleanup: manual axes in mesh order, each of them mentioned by every in and out sharding.

    sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b"}]>] ... manual_axes={"b", "a"} ...
==> sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b"}], replicated={"a"}>] ... manual_axes={"a", "b"} ...
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, axes, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-manual-axes-cleanup", on="builtin.module")
def manual_axes_cleanup(module: ir.Operation) -> None:
    """Spec: import-passes, 4.6.

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
    """The same where there are no shardings, and one mesh of the module alone can be meant."""
    if not names or _is_empty(op):
        return
    found = {mesh for mesh in meshes.by_name.values() if mesh.axis_positions.keys() >= set(names)}
    if len(found) != 1:
        what = "neither operands nor results, whose shardings would say on which mesh they are"
        raise DiagnosticError(op, f"has manual axes, but {what}")
    (mesh,) = found
    ordered = tuple(sorted(names, key=mesh.axis_positions.__getitem__))
    if ordered != names:
        attributes.put(op, "manual_axes", ManualAxes(ordered))


def _is_empty(op: ir.Operation) -> bool:
    return op.regions[0].blocks[0].operations[0].operation.name == "sdy.return"


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
