"""mpmd-infer-mesh-finalize: Replace the remaining assigns, unassigns, broadcasts and reductions.

    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) ...
==> %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ...

Arguments of entry points are on the mesh whose name sorts first, among those of their users.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sdy.dialect.definition import attributes
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import ReductionKind
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import body, update_function_type
from sdy.mlir.greedy import Rewriter, apply_greedily
from sdy.mlir.rewriting import before, defining_op, users
from sdy.passes.mpmd.common.fragments import INFERRED_BY, TRANSFER, is_entry_point, on_mesh
from sdy.passes.mpmd.common.order import in_chain_order, mesh_name_of_result, transfer_in_chain, use_transfer
from sdy.passes.mpmd.inference.mesh_sets import (
    ANNOTATIONS,
    ASSIGN,
    BROADCAST,
    KINDS,
    REDUCE_OP,
    UNASSIGN,
    Program,
    drop_annotations,
    is_meshless,
    ops_of,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_

_REDUCED = "infer_mesh_convert_reduce_ops"
_OP_OF = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True)
class FinalizeOptions:
    """Options of the pass."""

    infer_transfers: bool = option(False, "transfer values that are used on another mesh")


@pass_("mpmd-infer-mesh-finalize", options=FinalizeOptions)
def finalize(module: ir.Operation, options: FinalizeOptions) -> None:
    """Spec: mpmd, 9.

    Raises `DiagnosticError` at ops that no mesh was found for, and at arguments that are used in several kinds of
    memory.
    """
    program = Program(module)
    with Faults() as faults:
        for func in program.entry_points:
            for argument in body(func).arguments:
                with faults.one():
                    _place_argument(func, argument)
    patterns = {
        ASSIGN: [partial(_assign_of_unassign, infer_transfers=options.infer_transfers)],
        BROADCAST: [_broadcast],
        REDUCE_OP: [_reduce],
    }
    for func in program.callees_first:
        apply_greedily(func, patterns)
        update_function_type(func)
    with Faults() as faults:
        for func in program.callees_first:
            for op in ops_of(func):
                with faults.one():
                    _check_done(op)
    drop_annotations(module, *ANNOTATIONS)


def _check_done(op: ir.Operation) -> None:
    if is_meshless(op):
        raise DiagnosticError(op, "is in no fragment after the inference of meshes")
    if op.name in (ASSIGN, UNASSIGN, BROADCAST, REDUCE_OP):
        raise DiagnosticError(op, "remains after the inference of meshes: its value needs a transfer")


def _place_argument(func: ir.Operation, argument: ir.BlockArgument) -> None:
    if not isinstance(argument.type, ir.RankedTensorType):
        return
    assigned = [on_mesh(user.results[0]) for user in users(argument) if user.name == ASSIGN]
    if not assigned:
        return
    kinds = {each.memory_kind for each in assigned}
    if len(kinds) > 1:
        shown = ", ".join(sorted(kind or "default" for kind in kinds))
        raise DiagnosticError(func, f"argument {argument.arg_number} is used in different kinds of memory: {shown}")
    tensor = argument.type
    mesh_name = min(each.mesh_name for each in assigned)
    argument.set_type(mpmd_builders.mesh_tensor(mesh_name, tensor, None, kinds.pop()))
    first = body(func).operations[0].operation
    unassigned = mpmd_builders.unassign(argument, loc=argument.location, ip=before(first))
    argument.replace_all_uses_except(unassigned, [unassigned.owner.operation])


def _unassigned(value: ir.Value) -> ir.Value | None:
    """Return the mesh tensor of an unassigned value; None for other values."""
    source = defining_op(value)
    return source.operands[0] if source is not None and source.name == UNASSIGN else None


def _assign_of_unassign(assign: ir.Operation, rewriter: Rewriter, *, infer_transfers: bool) -> bool:
    source = _unassigned(assign.operands[0])
    if source is None:
        return False
    own, type_ = on_mesh(source).mesh_name, assign.results[0].type
    if mesh_name_of_result(assign) == own:
        return rewriter.replace(assign, [source])
    existing = next((user for user in users(source) if user.name == TRANSFER and user.results[0].type == type_), None)
    if existing is not None:
        use_transfer(assign, existing, rewriter)
        return True
    is_argument = isinstance(source, ir.BlockArgument) and is_entry_point(source.owner.owner.operation)
    if not (is_argument or infer_transfers):
        return False
    assigns = [user for user in users(assign.operands[0]) if user.name == ASSIGN]
    transfer_in_chain(source, [each for each in assigns if mesh_name_of_result(each) != own], rewriter)
    return True


def _broadcast(op: ir.Operation, rewriter: Rewriter) -> bool:
    source = _unassigned(op.operands[0])
    assigns = [user for user in users(op.results[0]) if user.name == ASSIGN]
    if source is None or not assigns:
        return False
    transfer_in_chain(source, assigns, rewriter)
    return True


def _reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    sources = [_unassigned(operand) for operand in op.operands]
    given = [source for source in sources if source is not None]
    assigns = [user for user in users(op.results[0]) if user.name == ASSIGN]
    if len(given) < len(sources) or not assigns:
        return False
    kind = attributes.get(op, "reduction").kind
    groups: dict[str, list[ir.Value]] = {}
    for source in given:
        groups.setdefault(on_mesh(source).mesh_name, []).append(source)
    partial_results = [
        values[0] if len(values) == 1 else _reduced(op, kind, name, values, rewriter) for name, values in groups.items()
    ]
    wanted: dict[str, list[ir.Operation]] = {}
    for assign in assigns:
        wanted.setdefault(mesh_name_of_result(assign), []).append(assign)
    for name in in_chain_order(list(wanted)):
        moved = [_moved(op, value, name, rewriter) for value in partial_results]
        total = _reduced(op, kind, name, moved, rewriter)
        for assign in wanted[name]:
            rewriter.replace(assign, [total])
    return True


def _moved(op: ir.Operation, value: ir.Value, mesh_name: str, rewriter: Rewriter) -> ir.Value:
    tensor = on_mesh(value)
    if tensor.mesh_name == mesh_name:
        return value
    type_ = mpmd_builders.mesh_tensor(mesh_name, op.results[0].type)
    new = mpmd_builders.transfer(value, type_, loc=op.location, ip=before(op))
    rewriter.created(new.owner.operation)
    return new


def _reduced(
    op: ir.Operation, kind: ReductionKind, mesh_name: str, values: Sequence[ir.Value], rewriter: Rewriter
) -> ir.Value:
    """Return the results of an inferred fragment, made from values on its mesh."""

    def combine(*arguments: ir.Value) -> list[ir.Value]:
        total, *others = arguments
        for each in others:
            total = ir.Operation.create(_OP_OF[kind], [total.type], [total, each], loc=op.location).results[0]
        return [total]

    type_ = mpmd_builders.mesh_tensor(mesh_name, op.results[0].type)
    fragment = mpmd_builders.fragment(mesh_name, [], values, [type_], combine, loc=op.location, ip=before(op))
    fragment.attributes[INFERRED_BY] = ir.ArrayAttr.get([ir.StringAttr.get(_REDUCED)])
    rewriter.cloned(fragment)
    return fragment.results[0]
