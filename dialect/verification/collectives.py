"""Verification of the collectives (spec: dialect, 7)."""

from __future__ import annotations

from sdy.dialect.attributes import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from sdy.dialect.mesh import Mesh
from sdy.dialect.sharding import Reduction, TensorSharding
from sdy.dialect.values import get_sharding
from sdy.dialect.verification import collective_axes
from sdy.dialect.verification.registry import check_of
from sdy.dialect.verification.scope import Scope, expect, value
from sdy.dialect.verification.structure import check_same_type
from sdy.dialect.verification.unreduced import NEVER, check_unreduced, only
from sdy.mlir import ir


@check_of("sdy.all_gather")
def all_gather(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope)
    lists = value(op, "gathering_axes", ListOfAxisRefLists).lists
    expect(op, collective_axes.check_gather(source, out, lists, mesh))


@check_of("sdy.all_slice")
def all_slice(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope, may_be_missing=True)
    lists = value(op, "slicing_axes", ListOfAxisRefLists).lists
    expect(op, collective_axes.check_slice(source, out, lists, mesh))


@check_of("sdy.all_to_all")
def all_to_all(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope)
    params = value(op, "params", AllToAllParamList).params
    expect(op, collective_axes.check_all_to_all(source, out, params, mesh))


@check_of("sdy.collective_permute")
def collective_permute(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope, may_change_mesh=True)
    expect(op, collective_axes.check_permute(source, out, scope.mesh(source), mesh))


@check_of("sdy.all_reduce")
def all_reduce(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope, may_be_missing=True)
    axis_list = value(op, "reduction_axes", AxisRefList).axes
    expect(op, collective_axes.check_all_reduce(source, out, axis_list, mesh))
    _check_reduced(op, source, out, mesh)


@check_of("sdy.reduce_scatter")
def reduce_scatter(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope, may_be_missing=True)
    _check_reduced(op, source, out, mesh)
    lists = value(op, "reduce_scatter_axes", ListOfAxisRefLists).lists
    expect(op, collective_axes.check_slice(source, out, lists, mesh))


@check_of("sdy.sharded_to_unreduced")
def sharded_to_unreduced(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope)
    lists = value(op, "axes", ListOfAxisRefLists).lists
    expect(op, collective_axes.check_sharded_to_unreduced(source, out, lists, mesh))


@check_of("sdy.replicated_to_unreduced")
def replicated_to_unreduced(op: ir.Operation, scope: Scope) -> None:
    source, out, mesh = _shardings(op, scope)
    axis_list = value(op, "axes", AxisRefList).axes
    expect(op, collective_axes.check_replicated_to_unreduced(source, out, axis_list, mesh))


def _shardings(
    op: ir.Operation, scope: Scope, *, may_be_missing: bool = False, may_change_mesh: bool = False
) -> tuple[TensorSharding, TensorSharding, Mesh]:
    """The shardings of operand and result and the mesh of the latter, after the checks common to all (7.1)."""
    check_same_type(op)
    type_ = op.results[0].type
    if not isinstance(type_, ir.ShapedType):
        expect(op, f"has an operand of type {type_}, expected a shaped type")
    source = get_sharding(op.operands[0])
    if source is None and not may_be_missing:
        expect(op, "has an operand without a sharding")
    out: TensorSharding = value(op, "out_sharding", TensorSharding)
    scope.check(op, out, type_)
    mesh = scope.mesh(out)
    if source is None:
        source = TensorSharding.open(out.mesh_or_ref, scope.info(type_).rank)
    elif scope.meshes.of(source) is None:
        expect(op, f"has an operand on an unknown mesh: {source}")
    elif not may_change_mesh and scope.meshes.of(source) != mesh:
        expect(op, f"has an operand on another mesh: {source}")
    if source.rank != out.rank:
        expect(op, f"has an operand with a sharding of rank {source.rank} and a result with one of rank {out.rank}")
    return source, out, mesh


def _check_reduced(op: ir.Operation, source: TensorSharding, out: TensorSharding, mesh: Mesh) -> None:
    """Axes may cease to be unreduced, by the reduction of the op."""
    kind = ir.IntegerAttr(op.attributes["reduction_op"]).value if "reduction_op" in op.attributes else 0
    if kind not in (case.value for case in Reduction):
        expect(op, f"has an unknown reduction, number {kind}")
    expect(op, check_unreduced([source], [out], [mesh, mesh], NEVER, only(Reduction(kind))))
