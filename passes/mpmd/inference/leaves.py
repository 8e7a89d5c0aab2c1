"""mpmd-infer-mesh-assign-mesh-func-leaves: Assign unused values, results of functions, broadcasts and reductions.

    func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
      %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %1 : ...
      return %0 : tensor<4xf32>
    }
==> func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> ... {
      %0 = mpmd.unassign ...
      %2 = mpmd.assign {origin = "inferred_out"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
      return %2 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    }
"""

from __future__ import annotations

from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import MeshesWithOrigins
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import body, symbol_name, update_function_type
from sdy.mlir.rewriting import after, before, defining_op, has_no_use, is_unused, terminator
from sdy.passes.mpmd.common.fragment_editing import calls_of, wrap_in_fragment
from sdy.passes.mpmd.common.order import in_chain_order
from sdy.passes.mpmd.inference.mesh_sets import (
    ARGUMENTS,
    BROADCAST,
    REDUCE_OP,
    RESULTS,
    SOURCE_SET,
    USE_SET,
    Program,
    first_mesh,
    get_entry_set,
    get_set,
    is_meshless,
    ops_of,
    put_entry_set,
    value_set,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_

_WRAPPED = "infer_mesh_wrap_resultless_ops"


@dataclass(frozen=True)
class FuncLeavesOptions:
    """Options of the pass."""

    infer_transfers: bool = option(False, "return values that can be on no mesh from the first mesh")


@pass_("mpmd-infer-mesh-assign-mesh-func-leaves", options=FuncLeavesOptions)
def assign_mesh_func_leaves(module: ir.Operation, options: FuncLeavesOptions) -> None:
    """Spec: mpmd, 9.

    Raises `DiagnosticError` where functions return what can be on no mesh.
    """
    program = Program(module)
    with Faults() as faults:
        for func in program.entry_points:
            _assign_unused_arguments(func)
            with faults.one():
                _assign_results(program, func, options)
            update_function_type(func)
    for func in program.callees_first[::-1]:
        with Faults() as faults:
            for op in list(ops_of(func)):
                with faults.one():
                    _visit(program, func, op)
        for number in range(len(body(func).arguments)):
            if get_entry_set(func, ARGUMENTS, number, USE_SET) is not None:
                put_entry_set(func, ARGUMENTS, number, USE_SET, None)
    for func in program.callees:
        _note_unused(program, func)


def _assign_unused_arguments(func: ir.Operation) -> None:
    for argument in body(func).arguments:
        if has_no_use(argument) and isinstance(argument.type, ir.RankedTensorType):
            argument.set_type(mpmd_builders.mesh_tensor(first_mesh(func), argument.type))


def _assign_results(program: Program, func: ir.Operation, options: FuncLeavesOptions) -> None:
    end = terminator(body(func))
    for number, value in enumerate(end.operands):
        if not isinstance(value.type, ir.RankedTensorType):
            continue
        mesh = _mesh_for(program, func, value)
        if mesh is None:
            if not options.infer_transfers:
                message = f"returns a value, result {number}, that can be on no mesh without a transfer"
                raise DiagnosticError(end, message)
            mesh = first_mesh(func)
        type_ = mpmd_builders.mesh_tensor(mesh, value.type)
        end.operands[number] = mpmd_builders.assign(value, type_, "inferred_out", loc=end.location, ip=before(end))


def _sets_of(program: Program, value: ir.Value) -> tuple[MeshesWithOrigins | None, MeshesWithOrigins | None]:
    """Return the meshes on which a value is used, and on which it can be."""
    returned = program.behind_calls(value)
    source = defining_op(returned)
    found = None if source is not None and source.name == "mpmd.assign" else value_set(returned, SOURCE_SET)
    return value_set(value, USE_SET), found


def _mesh_for(program: Program, func: ir.Operation, value: ir.Value) -> str | None:
    """The mesh for a value; None if it can be on no mesh."""
    used, sources = _sets_of(program, value)
    if sources is not None:
        return sources.prioritized(used)
    return (used.prioritized() if used is not None else None) or first_mesh(func)


def _visit(program: Program, func: ir.Operation, op: ir.Operation) -> None:
    if op.name in (BROADCAST, REDUCE_OP):
        _assign_operands(program, func, op)
    elif not is_meshless(op):
        return
    elif not any(isinstance(result.type, ir.RankedTensorType) for result in op.results):
        _wrap(func, op)
    elif is_unused(op):
        sources = get_set(op, SOURCE_SET)
        mesh = (sources.prioritized() if sources is not None else None) or first_mesh(func)
        for result in op.results:
            if isinstance(result.type, ir.RankedTensorType):
                type_ = mpmd_builders.mesh_tensor(mesh, result.type)
                mpmd_builders.assign(result, type_, "inferred_unused", loc=op.location, ip=after(op))
        _drop_uses(op)
    else:
        _drop_uses(op)


def _drop_uses(op: ir.Operation) -> None:
    if USE_SET in op.attributes:
        del op.attributes[USE_SET]


def _assign_operands(program: Program, func: ir.Operation, op: ir.Operation) -> None:
    wanted = get_set(op, USE_SET)
    label = op.name.removeprefix("mpmd.")
    where = {"loc": op.location, "ip": before(op)}
    for number, operand in enumerate(op.operands):
        _, sources = _sets_of(program, operand)
        mesh = sources.prioritized(wanted) if sources is not None else None
        if mesh is None:
            mesh = (wanted.prioritized() if wanted is not None else None) or first_mesh(func)
        type_ = mpmd_builders.mesh_tensor(mesh, operand.type)
        assigned = mpmd_builders.assign(operand, type_, label, **where)
        op.operands[number] = mpmd_builders.unassign(assigned, **where)
    _drop_uses(op)


def _wrap(func: ir.Operation, op: ir.Operation) -> None:
    sources = get_set(op, SOURCE_SET)
    if sources is not None and not sources.meshes:
        raise DiagnosticError(op, "has operands on conflicting meshes, and no result that could be transferred")
    names = in_chain_order(list(sources.names)) if sources is not None else []
    names = names or [first_mesh(func)]
    if is_effect_free(op):
        names = names[:1]
    for kind in (USE_SET, SOURCE_SET):
        if kind in op.attributes:
            del op.attributes[kind]
    for name in names:
        wrap_in_fragment(op, name, _WRAPPED, [])
    op.erase()


def _note_unused(program: Program, func: ir.Operation) -> None:
    """Give unused arguments and results of a callee a use on the first mesh."""
    for argument in body(func).arguments:
        if has_no_use(argument):
            meshes = MeshesWithOrigins.of(first_mesh(func), "inferred_unused_callee_in")
            put_entry_set(func, ARGUMENTS, argument.arg_number, USE_SET, meshes)
    calls = calls_of(program.module, symbol_name(func))
    for number, value in enumerate(terminator(body(func)).operands):
        if all(has_no_use(call.results[number]) for call in calls):
            _, sources = _sets_of(program, value)
            mesh = (sources.prioritized() if sources is not None else None) or first_mesh(func)
            meshes = MeshesWithOrigins.of(mesh, "inferred_unused_callee_out")
            put_entry_set(func, RESULTS, number, USE_SET, meshes)
