"""Diagnostics for placements that need transfers, at the ops that need them."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.mpmd.values import MeshesWithOrigins
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import body, callee_name, symbol_name
from sdy.mlir.rewriting import users
from sdy.mlir.tensor_types import byte_size
from sdy.passes.mpmd.common.fragment_editing import CALL, calls_of
from sdy.passes.mpmd.inference.mesh_sets import (
    ARGUMENTS,
    ASSIGN,
    REDUCE,
    RESULTS,
    SOURCE_SET,
    USE_SET,
    VISITED_FAILURE,
    Program,
    get_entry_set,
    get_set,
    is_meshless,
    ops_of,
    value_set,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class ErrorLimitOptions:
    """Options of the passes."""

    error_limit: int = option(5, "errors that are reported; -1: all")

    def limited(self, found: Iterator[DiagnosticError]) -> None:
        """Raise all errors of a kind up to the limit."""
        with Faults() as faults:
            for number, error in enumerate(found):
                if 0 <= self.error_limit <= number:
                    break
                with faults.one():
                    raise error


@pass_("mpmd-infer-mesh-validate-src-set-not-empty", options=ErrorLimitOptions)
def validate_src_set_not_empty(module: ir.Operation, options: ErrorLimitOptions) -> None:
    """mpmd-infer-mesh-validate-src-set-not-empty: Refuse ops that can be on no mesh without a transfer.

        %2 = stablehlo.divide %0, %1 {mpmd.src_set = #mpmd.meshes_with_origins<>} : tensor<4xf32>

    Raises `DiagnosticError` at such ops, at reductions over meshes that are not to be inferred, and at callees that
    values of different meshes are passed to.
    """
    program = Program(module)
    options.limited(_of_operands(program))
    options.limited(_of_reductions(program))
    options.limited(_of_callees(program))


def _is_empty(meshes: MeshesWithOrigins | None) -> bool:
    return meshes is not None and not meshes.meshes


def _sources(program: Program, value: ir.Value) -> MeshesWithOrigins | None:
    return value_set(program.behind_calls(value), SOURCE_SET)


def _is_conflict(program: Program, op: ir.Operation) -> bool:
    """Return whether no mesh is common to all operands."""
    met = None
    for operand in op.operands:
        sources = _sources(program, operand)
        met = sources if met is None else met.intersection(sources)
    return _is_empty(met)


def _of_operands(program: Program) -> Iterator[DiagnosticError]:
    for func in program.callees_first:
        for op in ops_of(func):
            if not (is_meshless(op) or op.name == ASSIGN) or not _is_empty(get_set(op, SOURCE_SET)):
                continue
            if not any(_is_empty(_sources(program, operand)) for operand in op.operands):
                yield DiagnosticError(
                    op,
                    "has operands on conflicting meshes: " + _listed(program, op) + "; infer transfers, name one of the"
                    " operands with `named_tensor`, or move the op into a named computation",
                )


def _of_reductions(program: Program) -> Iterator[DiagnosticError]:
    for func in program.callees_first:
        for op in ops_of(func):
            if REDUCE not in op.attributes or not is_meshless(op) or not _is_conflict(program, op):
                continue
            sources = (program.behind_calls(operand) for operand in op.operands)
            owners = [each.owner.operation for each in sources if isinstance(each, ir.OpResult)]
            if not any(REDUCE in owner.attributes and is_meshless(owner) for owner in owners):
                yield DiagnosticError(
                    op,
                    "reduces values of different meshes: " + _listed(program, op) + "; infer reductions across meshes,"
                    " mark the result with `reduce`, name one of the operands with `named_tensor`, or move the op into"
                    " a named computation",
                )


def _of_callees(program: Program) -> Iterator[DiagnosticError]:
    for func in program.callees:
        calls = calls_of(program.module, symbol_name(func))
        for number in range(len(body(func).arguments)):
            if not _is_empty(get_entry_set(func, ARGUMENTS, number, SOURCE_SET)):
                continue
            found = [_sources(program, call.operands[number]) for call in calls]
            if any(map(_is_empty, found)):
                continue
            notes = [(call, f"operand {number} is on {_shown(each)}") for call, each in zip(calls, found, strict=True)]
            yield DiagnosticError(func, f"argument {number} is passed from different meshes", notes)


def _listed(program: Program, op: ir.Operation) -> str:
    found = (f"operand {number} on {_shown(_sources(program, each))}" for number, each in enumerate(op.operands))
    return ", ".join(found)


def _shown(meshes: MeshesWithOrigins | None) -> str:
    """Meshes with what has put a value there."""
    if meshes is None:
        return "any mesh"
    if not meshes.meshes:
        return "no mesh"
    shown = []
    for each in meshes.meshes:
        labels = ", ".join(f"'{origin.label}'" for origin in each.origins)
        shown.append(f"'{each.mesh_name}'" + (f" (by {labels})" if labels else ""))
    return ", ".join(shown)


@pass_("mpmd-infer-mesh-validate-no-additional-transfers-needed", options=ErrorLimitOptions)
def validate_no_additional_transfers_needed(module: ir.Operation, options: ErrorLimitOptions) -> None:
    """mpmd-infer-mesh-validate-no-additional-transfers-needed: Refuse uses on meshes where a value cannot be.

        %0 = stablehlo.abs %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"m1">,
                                  mpmd.use_set = #mpmd.meshes_with_origins<"m1", "m2">} : tensor<4xf32>

    Raises `DiagnosticError` at the last op of each chain of such ops.
    """
    program = Program(module)
    for func in program.callees_first:
        options.limited(_of_uses(program, func))
    options.limited(_of_chained_calls(program))


def _is_misplaced(sources: MeshesWithOrigins | None, used: MeshesWithOrigins | None) -> bool:
    return sources is not None and used is not None and not all(map(sources.has, used.names))


def _of_uses(program: Program, func: ir.Operation) -> Iterator[DiagnosticError]:
    for op in reversed(list(ops_of(func))):
        if not (is_meshless(op) or op.name == ASSIGN):
            continue
        sources, used = get_set(op, SOURCE_SET), get_set(op, USE_SET)
        if not _is_misplaced(sources, used):
            continue
        op.attributes[VISITED_FAILURE] = ir.UnitAttr.get()
        if any(VISITED_FAILURE in user.attributes for result in op.results for user in users(result)):
            continue
        yield DiagnosticError(
            op, f"is used on {_shown(used)}, but it can only be placed on {_shown(sources)}; {_advice(op)}"
        )
    for argument in body(func).arguments:
        sources, used = value_set(argument, SOURCE_SET), value_set(argument, USE_SET)
        if _is_misplaced(sources, used) and not any(VISITED_FAILURE in user.attributes for user in users(argument)):
            message = f"argument {argument.arg_number} is used on {_shown(used)}, but it can only be placed on"
            yield DiagnosticError(func, f"{message} {_shown(sources)}")


def _advice(op: ir.Operation) -> str:
    """Return how to move a value to another mesh, and the bytes that this sends."""
    size = sum(byte_size(sharded_type(value.type)) for value in op.results)
    return (
        f"infer transfers, of {size:,} bytes here, name the value with `named_tensor`, or move the op into a named"
        " computation"
    )


def _of_chained_calls(program: Program) -> Iterator[DiagnosticError]:
    for func in program.callees:
        for call in calls_of(program.module, symbol_name(func)):
            for number, result in enumerate(call.results):
                for use in result.uses:
                    user = use.owner.operation
                    if user.name != CALL or callee_name(user) != symbol_name(func):
                        continue
                    given = get_entry_set(func, RESULTS, number, USE_SET)
                    taken = get_entry_set(func, ARGUMENTS, use.operand_number, USE_SET)
                    names = [set(each.names) if each is not None else set() for each in (given, taken)]
                    if names[0] != names[1]:
                        yield DiagnosticError(
                            user,
                            f"takes result {number} of a call of the same function, which is on {_shown(given)}, as"
                            f" argument {use.operand_number}, which is used on {_shown(taken)}",
                        )
