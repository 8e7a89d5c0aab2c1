"""mpmd-infer-mesh-rewrite-using-analysis: Move ops that are on no mesh into fragments.

    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : ...
==> %1 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%arg1: tensor<4xf32>) {
      %3 = stablehlo.abs %arg1 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : ...

Ops that no single fragment uses get their own fragments, one for each mesh. Callees take arguments and return results
once per mesh that uses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sdy.dialect.mpmd import mpmd_builders
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import body, update_function_type
from sdy.mlir.rewriting import (
    after,
    before,
    clone_with,
    defining_op,
    has_no_use,
    remade,
    replace,
    terminator,
    users,
    values_from_above,
)
from sdy.passes.mpmd.common.fragment_editing import CALL, keep_operands, operands_and_captured, wrap_in_fragment
from sdy.passes.mpmd.common.fragments import (
    ARG_ATTRS,
    FRAGMENT,
    RES_ATTRS,
    block_of,
    entries_of,
    mesh_name_of,
    on_mesh,
    put_entries,
)
from sdy.passes.mpmd.common.order import in_chain_order, mesh_name_of_result
from sdy.passes.mpmd.inference.mesh_sets import (
    ANNOTATIONS,
    ASSIGN,
    RESULTS,
    SOURCE_SET,
    USE_SET,
    Program,
    first_mesh,
    get_entry_set,
    is_meshless,
    value_set,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_

_COPIES = "mpmd.copies"
_WRAPPED = "infer_mesh_wrap_meshless_ops"


@dataclass(frozen=True)
class RewriteOptions:
    """Options of the pass."""

    max_clones: int = option(
        1, "names of fragments that absorb expensive ops, which otherwise get fragments of their own"
    )


@pass_("mpmd-infer-mesh-rewrite-using-analysis", options=RewriteOptions)
def rewrite_using_analysis(module: ir.Operation, options: RewriteOptions) -> None:
    """Spec: mpmd, 9."""
    program = Program(module)
    for func in program.callees:
        _assign_results(program, func)
        _rewrite_block(program, body(func), options)
        _take_arguments(func)
        update_function_type(func)
    for func in program.entry_points:
        _rewrite_block(program, body(func), options)


# Results and arguments of callees -----------------------------------------------------------------


def _assign_results(program: Program, func: ir.Operation) -> None:
    """Return each value on every mesh that uses it: additional copies follow the other results."""
    end = terminator(body(func))
    values, entries = list(end.operands), entries_of(func, RES_ATTRS)
    returned = list(values)
    for number, value in enumerate(values):
        first, *others = _meshes_of_result(program, func, number, value)
        returned[number] = _assigned(value, first, end)
        copies = list(range(len(returned), len(returned) + len(others)))
        returned += [_assigned(value, name, end) for name in others]
        entries += [{} for _ in others]
        if copies:
            entries[number][_COPIES] = ir.DenseI64ArrayAttr.get(copies)
    remade(end, returned, [])
    end.erase()
    put_entries(func, RES_ATTRS, entries)


def _meshes_of_result(program: Program, func: ir.Operation, number: int, value: ir.Value) -> Sequence[str]:
    used = get_entry_set(func, RESULTS, number, USE_SET)
    if used is not None and used.names:
        return used.names
    sources = value_set(program.behind_calls(value), SOURCE_SET)
    return [(sources.prioritized() if sources is not None else None) or first_mesh(func)]


def _assigned(value: ir.Value, mesh_name: str, user: ir.Operation) -> ir.Value:
    type_ = mpmd_builders.mesh_tensor(mesh_name, value.type)
    return mpmd_builders.assign(value, type_, loc=value.location, ip=before(user))


def _take_arguments(func: ir.Operation) -> None:
    """Take each argument on every mesh that it is assigned to: additional copies follow the other arguments."""
    block = body(func)
    entries = entries_of(func, ARG_ATTRS)
    first = block.operations[0].operation
    original = list(block.arguments)
    copies: list[tuple[ir.BlockArgument, list[ir.Operation]]] = []
    for argument in original:
        assigns = [user for user in users(argument) if user.name == ASSIGN]
        names = in_chain_order(list(dict.fromkeys(map(mesh_name_of_result, assigns)))) or [first_mesh(func)]
        tensor = argument.type
        taken = [argument]
        argument.set_type(mpmd_builders.mesh_tensor(names[0], tensor))
        for name in names[1:]:
            taken.append(block.add_argument(mpmd_builders.mesh_tensor(name, tensor), argument.location))
            entries.append({})
        if len(taken) > 1:
            numbers = [each.arg_number for each in taken[1:]]
            entries[argument.arg_number][_COPIES] = ir.DenseI64ArrayAttr.get(numbers)
        for name, each in zip(names, taken, strict=True):
            copies.append((each, [user for user in assigns if mesh_name_of_result(user) == name]))
    for argument, assigns in sorted(copies, key=lambda pair: pair[0].arg_number):
        unassigned = mpmd_builders.unassign(argument, loc=argument.location, ip=before(first))
        for assign in assigns:
            assign.operands[0] = unassigned
    put_entries(func, ARG_ATTRS, entries)


# Ops ----------------------------------------------------------------------------------------------


def _rewrite_block(program: Program, block: ir.Block, options: RewriteOptions) -> None:
    for op in reversed([view.operation for view in block.operations]):
        if op.name == CALL:
            _rewrite_call(program, op)
        elif is_meshless(op):
            _rewrite_op(op, options)


def _rewrite_op(op: ir.Operation, options: RewriteOptions) -> None:
    for name in ANNOTATIONS:
        if name in op.attributes:
            del op.attributes[name]
    assigns = [user for result in op.results for user in users(result)]
    for assign in assigns:
        mesh_name_of_result(assign)  # refuses what was not prepared
    fragments = _fragment_users(assigns)
    if fragments is not None and len(fragments) == 1:
        _absorb(op, fragments[0])
    elif fragments and (len(fragments) <= options.max_clones or _is_cheap(op)):
        for fragment in fragments:
            _absorb(op, fragment)
    else:
        _wrap(op, assigns)
        return
    for assign in dict.fromkeys(assigns):
        if has_no_use(assign.results[0]):
            assign.erase()
    op.erase()


def _fragment_users(assigns: Iterable[ir.Operation]) -> list[ir.Operation] | None:
    """Return the fragments that use assigned values, in textual order; None if other ops do, too."""
    found: list[ir.Operation] = []
    for assign in assigns:
        for user in users(assign.results[0]):
            if user.name != FRAGMENT:
                return None
            if user not in found:
                found.append(user)
    return found


def _is_cheap(op: ir.Operation) -> bool:
    """Return whether an op may be cloned into any number of fragments."""
    needed = operands_and_captured(op)
    if not needed:
        return True
    return is_effect_free(op) and not len(op.regions) and len(op.operands) <= 1 and len(op.results) == 1


def _absorb(op: ir.Operation, fragment: ir.Operation) -> None:
    """Clone an op to the start of a fragment that uses it."""
    mesh_name, block = mesh_name_of(fragment), block_of(fragment)
    needed = list(dict.fromkeys([*op.operands, *values_from_above(op)]))
    where = {"loc": op.location, "ip": before(fragment)}
    assigned = [
        mpmd_builders.assign(value, mpmd_builders.mesh_tensor(mesh_name, value.type), **where) for value in needed
    ]
    stood_for = {number: _result_behind(op, operand) for number, operand in enumerate(fragment.operands)}
    added = [block.add_argument(value.type, value.location) for value in needed]
    first = block.operations[0].operation
    clone = clone_with(op, dict(zip(needed, added, strict=True)), before(first))
    for number, result in stood_for.items():
        if result is not None:
            block.arguments[number].replace_all_uses_with(clone.results[result])
    operands = [*fragment.operands, *assigned]
    new = remade(fragment, operands, [each.type for each in fragment.results], with_blocks=True)
    replace(fragment, list(new.results))
    keep_operands(new, [number for number in range(len(operands)) if stood_for.get(number) is None])


def _result_behind(op: ir.Operation, operand: ir.Value) -> int | None:
    """The number of the result of `op` that an operand of a fragment is the assigned value of."""
    assign = defining_op(operand)
    source = assign.operands[0] if assign is not None and assign.name == ASSIGN else None
    return source.result_number if isinstance(source, ir.OpResult) and source.owner.operation == op else None


def _wrap(op: ir.Operation, assigns: Sequence[ir.Operation]) -> None:
    """Compute an op in its own fragment on each mesh that it is assigned to."""
    for name in in_chain_order(list(dict.fromkeys(map(mesh_name_of_result, assigns)))):
        fragment = wrap_in_fragment(op, name, _WRAPPED)
        for result, value in zip(op.results, fragment.results, strict=True):
            chosen = [user for user in users(result) if user.name == ASSIGN and mesh_name_of_result(user) == name]
            unassigned = mpmd_builders.unassign(value, loc=op.location, ip=before(op))
            for assign in chosen:
                assign.operands[0] = unassigned
    op.erase()


# Calls --------------------------------------------------------------------------------------------


def _copies(entry: Mapping[str, ir.Attribute]) -> list[int]:
    """Return the numbers of a callee's copies for one argument or result of a call."""
    return list(ir.DenseI64ArrayAttr(entry[_COPIES])) if _COPIES in entry else []


def _rewrite_call(program: Program, call: ir.Operation) -> None:
    callee = program.callee(call)
    types = [argument.type for argument in body(callee).arguments]
    where = {"loc": call.location, "ip": before(call)}
    assigned: dict[int, ir.Value] = {}
    for number, (operand, entry) in enumerate(zip(call.operands, entries_of(callee, ARG_ATTRS), strict=False)):
        for copy in (number, *_copies(entry)):
            assigned[copy] = mpmd_builders.assign(operand, types[copy], **where)
    operands = [assigned[number] for number in range(len(types))]
    returned = [value.type for value in terminator(body(callee)).operands]
    new = remade(call, operands, returned)
    behind = after(call)
    entries = entries_of(callee, RES_ATTRS)
    for number, result in enumerate(call.results):
        by_mesh = {
            on_mesh(new.results[copy]).mesh_name: new.results[copy] for copy in (number, *_copies(entries[number]))
        }
        for assign in users(result):
            source = by_mesh[mesh_name_of_result(assign)]
            assign.operands[0] = mpmd_builders.unassign(source, loc=call.location, ip=behind)
    call.erase()
