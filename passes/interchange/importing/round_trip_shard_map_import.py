"""xla-sdy-round-trip-shard-map-import: Inline calls between shape conversions into manual computations.

    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes =
      {xla.sdy.in_shardings = "...", xla.sdy.manual_axes = "#sdy<manual_axes{\\22a\\22}>"}} :
      (tensor<8xf32>) -> tensor<4xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {...} : (tensor<4xf32>) -> tensor<8xf32>
==> %2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
      manual_axes={"a"} (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>

A body that is called twice is copied. Shardings that the call itself has, as in old modules, count as well.
"""

from __future__ import annotations

from typing import TypeVar

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.forms import Kind, Leaf, Named
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, ModuleSymbols, callee_name, calls_in, funcs, symbol_name
from sdy.passes.interchange import strings
from sdy.passes.interchange.importing.foreign_shardings import named_sharding
from sdy.passes.interchange.sites import (
    CUSTOM_CALL,
    SHARDING_CALL,
    TEXT,
    Site,
    calls_of,
    frontend,
    rank_of,
    target_of,
    text_in,
)
from sdy.passes.options import NamedTextRead
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-round-trip-shard-map-import", options=NamedTextRead)
def round_trip_shard_map_import(module: ir.Operation, options: NamedTextRead) -> object:
    """Spec: interchange, 6, 6.1 and 7."""
    symbols = ModuleSymbols(module)
    bodies = [func for func in funcs(module) if _BODY in symbol_name(func)]
    graph = CallGraph(module)
    if bodies:
        graph.check_acyclic()
    for func in graph.callee_first:
        for call in calls_in(func):
            if _BODY in callee_name(call):
                _import(_Pieces.of(call, named=options.enable_hlo_sharding_v3), symbols.callee(call))
    leftover = calls_of(module, strings.GLOBAL_TO_LOCAL, strings.LOCAL_TO_GLOBAL)
    if leftover:
        raise DiagnosticError(leftover[0], f"there is no call of a @{strings.BODY} beside it")
    used = used_symbols(module) if bodies else ()
    for body in bodies:
        if symbol_name(body) not in used:
            body.erase()
    return None if bodies else UNCHANGED


_BODY = "manual_computation_body"
"""Substring of the name of every body."""


@dataclass(frozen=True)
class _Pieces:
    """The call of a body, and the ops before and after it."""

    call: ir.Operation
    before: ir.Operation | None
    behind: ir.Operation | None
    in_shardings: tuple[TensorSharding, ...]
    out_shardings: tuple[TensorSharding, ...]
    manual_axes: ManualAxes
    operands: tuple[ir.Value, ...]

    @staticmethod
    def of(call: ir.Operation, *, named: bool) -> _Pieces:
        before, behind = _before(call), _behind(call)
        read = _named_texts if named else _strings_at
        ins, outs, manual = read(call, before, behind)
        operands = tuple(before.operands) if before is not None else tuple(call.operands)
        results = len(behind.results) if behind is not None else len(call.results)
        for op, shardings, count in ((before, ins, len(operands)), (behind, outs, results)):
            if len(shardings) != count:
                raise DiagnosticError(op or call, f"has {len(shardings)} shardings for {count} values")
        return _Pieces(call, before, behind, ins, outs, manual, operands)


def _before(call: ir.Operation) -> ir.Operation | None:
    """Return the single op that makes all operands local."""
    if not len(call.operands):
        return None
    for operand in call.operands:
        source = operand.owner.operation if isinstance(operand, ir.OpResult) else None
        if source is None or source.name != CUSTOM_CALL or target_of(source) != strings.GLOBAL_TO_LOCAL:
            if strings.IN_SHARDINGS in frontend(call.attributes):
                return None
            raise DiagnosticError(call, f"expected its operands to be produced by a @{strings.GLOBAL_TO_LOCAL}")
    source = call.operands[0].owner.operation
    if list(source.results) != list(call.operands):
        raise DiagnosticError(call, f"expected all results of one @{strings.GLOBAL_TO_LOCAL} as its operands")
    return source


def _behind(call: ir.Operation) -> ir.Operation | None:
    """Return the single op that makes all results global."""
    if not len(call.results):
        return None
    users = [use.owner.operation for result in call.results for use in result.uses]
    found = next((op for op in users if op.name == CUSTOM_CALL and target_of(op) == strings.LOCAL_TO_GLOBAL), None)
    if found is None or any(user != found for user in users):
        if found is None and strings.OUT_SHARDINGS in frontend(call.attributes):
            return None
        raise DiagnosticError(call, f"expected a @{strings.LOCAL_TO_GLOBAL} to be the use of its results")
    if list(found.operands) != list(call.results):
        raise DiagnosticError(call, f"expected its results to be the operands of one @{strings.LOCAL_TO_GLOBAL}")
    return found


T = TypeVar("T")

Texts = tuple[tuple[TensorSharding, ...], tuple[TensorSharding, ...], ManualAxes]


def _strings_at(call: ir.Operation, before: ir.Operation | None, behind: ir.Operation | None) -> Texts:
    ins = outs = ()
    if len(call.operands):
        ins = tuple(_string(before or call, strings.IN_SHARDINGS, ShardingPerValue))
    if len(call.results):
        outs = tuple(_string(behind or call, strings.OUT_SHARDINGS, ShardingPerValue))
    places = [op for op in (before, behind) if op is not None] or [call]
    found = [_string(op, strings.MANUAL_AXES, ManualAxes) for op in places]
    if any(axes != found[0] for axes in found):
        raise DiagnosticError(call, f"manual axes {found[0]} in front of it differ from {found[-1]} behind it")
    return ins, outs, found[0]


def _string(op: ir.Operation, key: str, kind: type[T]) -> T:
    stored = frontend(op.attributes).get(key)
    if stored is None:
        raise DiagnosticError(op, f"expected the frontend attribute '{key}'")
    return strings.read_string(stored, kind, op)


# Named texts -------------------------------------------------------------------------------------


def _named_texts(call: ir.Operation, before: ir.Operation | None, behind: ir.Operation | None) -> Texts:
    """In-shardings from the constraints in front, out-shardings from behind, manual axes from the local values."""
    if (before is None or TEXT not in before.attributes) and strings.MANUAL_AXES in frontend(
        (before or call).attributes
    ):
        return _strings_at(call, before, behind)
    local = call if before is None else before
    leaves = _leaves(local)
    manual = _manual_axes(leaves[0], local)
    constraints = [] if before is None else [_constraint_of(operand) for operand in before.operands]
    ins = tuple(sharding for _, sharding in constraints)
    if before is not None:
        for index, (constraint, _) in enumerate(constraints):
            before.operands[index] = constraint.operands[0]
            if not any(True for _ in constraint.results[0].uses):
                constraint.erase()
    outs: tuple[TensorSharding, ...] = ()
    if behind is not None:
        types = [result.type for result in behind.results]
        outs = tuple(_given(leaf, type_, behind) for leaf, type_ in zip(_leaves(behind), types, strict=True))
    mesh = leaves[0].mesh if isinstance(leaves[0], Named) else Mesh()
    names = list(manual)
    return tuple(s.with_manual(names, mesh) for s in ins), tuple(s.with_manual(names, mesh) for s in outs), manual


def _leaves(op: ir.Operation) -> tuple[Leaf, ...]:
    text = text_in(op.attributes)
    if text is None:
        raise DiagnosticError(op, "expected a sharding on this op")
    return Site(op, text).read()


def _given(leaf: Leaf, type_: ir.Type, op: ir.Operation) -> TensorSharding:
    found = named_sharding(leaf, rank_of(type_))
    if found is None:
        raise DiagnosticError(op, f'expected a named sharding, got "{leaf}"')
    return found


def _manual_axes(leaf: Leaf, op: ir.Operation) -> ManualAxes:
    if not isinstance(leaf, Named) or not (leaf.manual or leaf.for_all is Kind.MANUAL):
        raise DiagnosticError(op, f'expected a named sharding with manual axes, got "{leaf}"')
    if leaf.for_all is Kind.MANUAL:
        return ManualAxes(tuple(axis.name for axis in leaf.mesh.axes))
    return ManualAxes(tuple(axis.name for axis in leaf.manual))


def _constraint_of(value: ir.Value) -> tuple[ir.Operation, TensorSharding]:
    """Return the op with the in-sharding of an operand, and that sharding."""
    at = value.owner.owner if isinstance(value, ir.BlockArgument) else value.owner.operation
    if isinstance(value, ir.OpResult) and at.name == CUSTOM_CALL and target_of(at) == SHARDING_CALL:
        stored = attributes.get(at, SHARDING)
        if stored is not None:
            return at, stored.shardings[0]
    raise DiagnosticError(at, f"expected @{SHARDING_CALL} in front of @{strings.GLOBAL_TO_LOCAL}")


# The computation ---------------------------------------------------------------------------------


def _import(pieces: _Pieces, body: ir.Operation) -> None:
    """Replace the call and the ops around it by the computation."""
    call, before, behind = pieces.call, pieces.before, pieces.behind
    if len(body.regions[0].blocks) != 1:
        raise DiagnosticError(body, f"expected one block in @{symbol_name(body)}")
    copy = body.clone(ip=False).operation
    block = copy.regions[0].blocks[0]
    last = call if behind is None else behind
    computation = builders.manual_computation(
        pieces.operands,
        [result.type for result in last.results],
        pieces.in_shardings,
        pieces.out_shardings,
        pieces.manual_axes,
        [argument.type for argument in block.arguments],
        loc=call.location,
        ip=ir.InsertionPoint(call),
    )
    inside = computation.regions[0].blocks[0]
    for old, new in zip(block.arguments, inside.arguments, strict=True):
        old.replace_all_uses_with(new)
    *moved, terminator = [op.operation for op in block.operations]
    end = builders.return_(list(terminator.operands), loc=terminator.location, ip=ir.InsertionPoint(inside))
    for op in moved:
        op.move_before(end)
    copy.erase()
    for old, new in zip(last.results, computation.results, strict=True):
        old.replace_all_uses_with(new)
    for op in (behind, call, before):
        if op is not None:
            op.erase()
