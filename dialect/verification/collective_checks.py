"""Verification of the collectives (spec: dialect, 7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from sdy.dialect.definition.attributes import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.dialect.verification import collective_axes
from sdy.dialect.verification.checked_attributes import expect, value
from sdy.dialect.verification.registry import invariants_of, symbol_uses_of
from sdy.dialect.verification.scope import Scope
from sdy.dialect.verification.sharding_checks import check_operand
from sdy.dialect.verification.structure import same_type
from sdy.dialect.verification.unreduced import NEVER, check_unreduced, only
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError


@dataclass(frozen=True, slots=True)
class _Operands:
    """What a collective is checked on."""

    source: TensorSharding
    out: TensorSharding
    source_mesh: Mesh
    mesh: Mesh
    axes: Any
    """The lists of axes, list of axes, or moves; None for a permute."""
    reduction: Reduction


_AxesCheck = Callable[[_Operands], "str | None"]


@dataclass(frozen=True, slots=True)
class _Collective:
    """How one collective is checked.

    `axes` is the attribute with its axes and `kind` the class of that attribute's value; `rules` are tried in order.
    """

    axes: str
    kind: type
    rules: tuple[_AxesCheck, ...]
    may_lack_sharding: bool = False
    may_change_mesh: bool = False


def _reduced(it: _Operands) -> str | None:
    """Axes may cease to be unreduced, by the reduction of the op."""
    return check_unreduced([it.source], [it.out], [it.mesh, it.mesh], NEVER, only(it.reduction))


def _by_axes(check: Callable[[TensorSharding, TensorSharding, Any, Mesh], str | None]) -> _AxesCheck:
    """A check of the axes alone, given as the entries of their list."""
    return lambda it: check(it.source, it.out, tuple(it.axes), it.mesh)


def _permuted(it: _Operands) -> str | None:
    return collective_axes.check_permute(it.source, it.out, it.source_mesh, it.mesh)


_sliced = _by_axes(collective_axes.check_slice)

_COLLECTIVES = {
    "sdy.all_gather": _Collective("gathering_axes", ListOfAxisRefLists, (_by_axes(collective_axes.check_gather),)),
    "sdy.all_slice": _Collective("slicing_axes", ListOfAxisRefLists, (_sliced,), may_lack_sharding=True),
    "sdy.all_to_all": _Collective("params", AllToAllParamList, (_by_axes(collective_axes.check_all_to_all),)),
    "sdy.collective_permute": _Collective("out_sharding", TensorSharding, (_permuted,), may_change_mesh=True),
    "sdy.all_reduce": _Collective(
        "reduction_axes", AxisRefList, (_by_axes(collective_axes.check_all_reduce), _reduced), may_lack_sharding=True
    ),
    "sdy.reduce_scatter": _Collective(
        "reduce_scatter_axes", ListOfAxisRefLists, (_reduced, _sliced), may_lack_sharding=True
    ),
    "sdy.sharded_to_unreduced": _Collective(
        "axes", ListOfAxisRefLists, (_by_axes(collective_axes.check_sharded_to_unreduced),)
    ),
    "sdy.replicated_to_unreduced": _Collective(
        "axes", AxisRefList, (_by_axes(collective_axes.check_replicated_to_unreduced),)
    ),
}


@invariants_of(*_COLLECTIVES)
def collective(op: ir.Operation, scope: Scope) -> None:
    """The checks common to all (7.1)."""
    key = _key(op)
    if key not in scope.valid:
        _operands(op, scope)
        scope.valid.add(key)


@symbol_uses_of(*_COLLECTIVES, include_invariants=True)
def collective_axes_of(op: ir.Operation, scope: Scope) -> None:
    """The checks of the axes (7.2 to 7.6)."""
    key = ("axes", *_key(op))
    if key not in scope.valid:
        operands = _operands(op, scope)
        expect(op, _check_ranks(operands.source, operands.out))
        for rule in _COLLECTIVES[op.name].rules:
            problem = rule(operands)
            if problem is not None:
                is_about_meshes = operands.source.mesh_or_ref != operands.out.mesh_or_ref
                raise DiagnosticError(op, problem, _mesh_note(op, operands.source_mesh) if is_about_meshes else ())
        scope.valid.add(key)


def _key(op: ir.Operation) -> tuple[Hashable, ...]:
    """What the checks depend on: the sharding of the operand, and addresses of attributes and types."""
    name, stored, operand = op.name, op.attributes, op.operands[0]
    attributes = stored["out_sharding"], stored[_COLLECTIVES[name].axes], stored.get("reduction_op")
    return (
        name,
        get_sharding(operand),
        *map(address, attributes),
        address(operand.type),
        *map(address, op.results.types),
    )


def _operands(op: ir.Operation, scope: Scope) -> _Operands:
    same_type(op, scope)
    how, type_ = _COLLECTIVES[op.name], op.results[0].type
    if not isinstance(type_, ir.ShapedType):
        expect(op, f"has an operand of type {type_}, expected a shaped type")
    found = get_sharding(op.operands[0])
    if found is None and not how.may_lack_sharding:
        expect(op, "has an operand without a sharding")
    out: TensorSharding = value(op, "out_sharding", TensorSharding)
    scope.check(op, out, type_)
    mesh = scope.mesh(out)
    source = found or TensorSharding.open(out.mesh_or_ref, scope.info(type_).rank)
    source_mesh = scope.meshes.of(source)
    if source_mesh is None or (source_mesh != mesh and not how.may_change_mesh):
        raise DiagnosticError(op, f"has an operand on another mesh: {source}", _mesh_note(op, source_mesh))
    expect(op, check_operand(source, source_mesh))
    if found is not None:
        expect(op, _check_ranks(source, out))
    axes = value(op, how.axes, how.kind)
    return _Operands(source, out, source_mesh, mesh, axes, Reduction(_reduction(op)))


def _mesh_note(op: ir.Operation, mesh: Mesh | None) -> list[tuple[ir.Location, str]]:
    """Where the operand comes from, and the mesh that it is on."""
    where = "an unknown mesh" if mesh is None else f"mesh {mesh}"
    return [(op.operands[0].location, f"the operand is on {where}")]


def _check_ranks(source: TensorSharding, out: TensorSharding) -> str | None:
    if source.rank == out.rank:
        return None
    return f"has an operand with a sharding of rank {source.rank} and a result with one of rank {out.rank}"


def _reduction(op: ir.Operation) -> int:
    """The number of the reduction; 0, which is sum, for an op that has none."""
    if "reduction_op" not in op.attributes:
        return 0
    attr = op.attributes["reduction_op"]
    if not isinstance(attr, ir.IntegerAttr) or attr.type != ir.IntegerType.get_signless(32):
        expect(op, f"has a reduction {attr}, expected a 32-bit integer")
    kind = ir.IntegerAttr(attr).value
    if kind not in _REDUCTIONS:
        expect(op, f"has an unknown reduction, number {kind}")
    return kind


_REDUCTIONS = frozenset(kind.value for kind in Reduction)
