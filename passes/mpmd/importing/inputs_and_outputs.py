"""Meshes of inputs and outputs of entry points, and transfers between assigned values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sdy.dialect.definition.attributes import string_of
from sdy.dialect.mpmd import mpmd_builders
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.functions import body, funcs, symbol_name, update_function_type
from sdy.mlir.greedy import Rewriter, apply_greedily
from sdy.mlir.rewriting import before, defining_op, has_one_use, terminator, users
from sdy.passes.mpmd.common.fragment_editing import callee_of, calls_by_callee, functions, wrap_in_fragment
from sdy.passes.mpmd.common.fragments import (
    ARG_ATTRS,
    MEMORY_KIND,
    RES_ATTRS,
    TRANSFER,
    entries_of,
    is_entry_point,
    is_mpmd_function,
    on_mesh,
    put_entries,
    topology_of,
)
from sdy.passes.mpmd.common.order import mesh_name_of_result, transfer_in_chain, use_transfer
from sdy.passes.mpmd.common.rules import Placement, mesh_problem, parse_indices
from sdy.passes.options import option
from sdy.passes.registry import pass_

_ADD, _ASSIGN, _CALL, _UNASSIGN = "stablehlo.add", "mpmd.assign", "mpmd.call", "mpmd.unassign"
_FORM = "index@mesh or index@mesh#memory_kind of each"


@dataclass(frozen=True)
class MapInputOutputOptions:
    """Options of the pass."""

    input_assignment: tuple[str, ...] = option((), f"{_FORM} argument that is assigned")
    output_assignment: tuple[str, ...] = option((), f"{_FORM} result that is assigned")

    def __post_init__(self) -> None:
        """Raises `ValueError` for entries of another form."""
        parse_indices((*self.input_assignment, *self.output_assignment))


@pass_("mpmd-map-input-output-to-mesh", options=MapInputOutputOptions)
def map_input_output_to_mesh(module: ir.Operation, options: MapInputOutputOptions) -> None:
    """mpmd-map-input-output-to-mesh: Put arguments and results of entry points on their meshes.

        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #t} {
          return %arg0 : tensor<4xf32>
        }
    ==> func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>> ... {
          %0 = mpmd.unassign {origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
          %1 = mpmd.assign {origin = "user_out"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
          return %1 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
        }

    The attribute `mhlo.memory_kind` is dropped where a type has a kind of memory.

    Raises `DiagnosticError` at a function without that argument or result, and for meshes that the topology has not.
    """
    inputs, outputs = parse_indices(options.input_assignment), parse_indices(options.output_assignment)
    if not inputs and not outputs:
        return
    for func in filter(is_entry_point, funcs(module)):
        _check_placements(func, "argument", inputs, body(func).arguments)
        _check_placements(func, "result", outputs, terminator(body(func)).operands)
        _assign_inputs(func, inputs)
        _assign_outputs(func, outputs)
        update_function_type(func)


def _check_placements(
    func: ir.Operation, kind: str, placements: Mapping[int, Placement], values: Sequence[ir.Value]
) -> None:
    for number, placed in placements.items():
        problem = mesh_problem(placed, topology_of(func))
        if number >= len(values):
            raise DiagnosticError(func, f"'{symbol_name(func)}' has no {kind} {number}, which is assigned to a mesh")
        if not isinstance(values[number].type, ir.RankedTensorType):
            raise DiagnosticError(func, f"{kind} {number} is assigned to a mesh, and is not a tensor without one")
        if problem is not None:
            raise DiagnosticError(func, f"{kind} {number}: {problem}")


def _in_order_of_table(numbers: Iterable[int]) -> list[int]:
    """Order small numbers as C++'s hash table lists them, which decides the order of the new ops."""
    numbers = list(numbers)
    size = 64
    while len(numbers) * 4 >= size * 3:
        size *= 2
    places: dict[int, int] = {}
    for number in numbers:
        place, step = number * 37 % size, 1
        while place in places:
            place, step = (place + step) % size, step + 1
        places[place] = number
    return [places[place] for place in sorted(places)]


def _assign_inputs(func: ir.Operation, inputs: Mapping[int, Placement]) -> None:
    first = body(func).operations[0].operation
    for number in _in_order_of_table(inputs):
        argument, placed = body(func).arguments[number], inputs[number]
        tensor = argument.type
        argument.set_type(mpmd_builders.mesh_tensor(placed.mesh_name, tensor, None, placed.memory_kind))
        where = {"loc": argument.location, "ip": before(first)}
        unassigned = mpmd_builders.unassign(argument, "user_in", **where)
        argument.replace_all_uses_except(unassigned, [unassigned.owner.operation])
    _drop_memory_kinds(func, ARG_ATTRS, inputs)


def _assign_outputs(func: ir.Operation, outputs: Mapping[int, Placement]) -> None:
    end, entries = terminator(body(func)), entries_of(func, RES_ATTRS)
    for number in _in_order_of_table(outputs):
        placed, value = outputs[number], end.operands[number]
        type_ = mpmd_builders.mesh_tensor(placed.mesh_name, value.type, None, placed.memory_kind)
        name = entries[number].get("jax.result_info")
        location = end.location if name is None else ir.Location.name(string_of(name), end.location)
        end.operands[number] = mpmd_builders.assign(value, type_, "user_out", loc=location, ip=before(end))
    _drop_memory_kinds(func, RES_ATTRS, outputs)


def _drop_memory_kinds(func: ir.Operation, kind: str, placements: Mapping[int, Placement]) -> None:
    """Remove memory-kind attributes of values whose type has the kind."""
    entries = entries_of(func, kind)
    changed = False
    for number, placed in placements.items():
        stored = entries[number].get(MEMORY_KIND)
        if stored is None or placed.memory_kind is None:
            continue
        if string_of(stored) != placed.memory_kind:
            what = "argument" if kind == ARG_ATTRS else "result"
            message = f"{what} {number} is assigned to {placed.memory_kind}, its attribute says {string_of(stored)}"
            warning(func, message)
        del entries[number][MEMORY_KIND]
        changed = True
    if changed:
        put_entries(func, kind, entries)


@pass_("mpmd-introduce-transfers")
def introduce_transfers(module: ir.Operation) -> None:
    """mpmd-introduce-transfers: Replace assigns of values that are on a mesh by transfers.

        %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
        %2 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    ==> %2 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>

    A value assigned to several meshes goes from one to the next. Sums of such values are computed on the target mesh.
    Callees get the mesh of an argument if all calls pass values of one mesh.
    """
    known, calls = functions(module), calls_by_callee(module)
    for name, func in known.items():
        if name in calls and is_mpmd_function(func):
            _assign_arguments(func, calls[name], known)
    for func in known.values():
        if is_mpmd_function(func):
            apply_greedily(func, {_ASSIGN: [_assign_of_unassign, _assign_of_sum]})


def _assign_arguments(func: ir.Operation, calls: list[ir.Operation], known: Mapping[str, ir.Operation]) -> None:
    """Put arguments of a callee on the mesh of all callers' operands, if they are assigned in it."""
    for argument in body(func).arguments:
        if all(user.name != _ASSIGN for user in users(argument)):
            continue
        found = [_source_of(call.operands[argument.arg_number], known) for call in calls]
        sources = [source for source in found if source is not None]
        if len(sources) < len(found) or len({on_mesh(source).mesh_name for source in sources}) > 1:
            continue
        where = {"loc": argument.location, "ip": ir.InsertionPoint.at_block_begin(body(func))}
        assigned = mpmd_builders.assign(argument, sources[0].type, **where)
        unassigned = mpmd_builders.unassign(assigned, **where)
        argument.replace_all_uses_except(unassigned, [assigned.owner.operation])


def _source_of(passed: ir.Value, known: Mapping[str, ir.Operation]) -> ir.Value | None:
    """The mesh tensor that a passed value is, looked for in the callee if it is the result of a call."""
    source = defining_op(passed)
    if source is not None and source.name == _CALL and isinstance(passed, ir.OpResult):
        returned = terminator(body(callee_of(source, known))).operands[passed.result_number]
        source = defining_op(returned)
    return source.operands[0] if source is not None and source.name == _UNASSIGN else None


def _assign_of_unassign(assign: ir.Operation, rewriter: Rewriter) -> bool:
    unassign = defining_op(assign.operands[0])
    if unassign is None or unassign.name != _UNASSIGN:
        return False
    source, type_ = unassign.operands[0], assign.results[0].type
    if source.type == type_:
        return rewriter.replace(assign, [source])
    own = on_mesh(source).mesh_name
    existing = next((user for user in users(source) if _goes_to(user, type_, own)), None)
    if existing is not None:
        use_transfer(assign, existing, rewriter)
        return True
    assigns = [user for user in users(unassign.results[0]) if user.name == _ASSIGN]
    others = [each for each in assigns if mesh_name_of_result(each) != own]
    if len(others) > 1 and assign in others:
        transfer_in_chain(source, others, rewriter)
        return True
    new = mpmd_builders.transfer(source, type_, loc=assign.location, ip=before(assign))
    rewriter.created(new.owner.operation)
    return rewriter.replace(assign, [new])


def _goes_to(op: ir.Operation, type_: ir.Type, mesh_name: str) -> bool:
    """Return whether an op is a transfer from the mesh of that name to another one, with that type."""
    return op.name == TRANSFER and op.results[0].type == type_ and mesh_name_of_result(op) != mesh_name


def _assign_of_sum(assign: ir.Operation, rewriter: Rewriter) -> bool:
    if not _is_sum_of_unassigned(assign.operands[0]):
        return False
    root = defining_op(assign.operands[0])
    assert root is not None
    fragment = wrap_in_fragment(root, mesh_name_of_result(assign), "introduce_transfers", [assign.results[0].type])
    for operand in fragment.operands:
        rewriter.created(operand.owner.operation)
    rewriter.cloned(fragment)
    rewriter.replace(assign, list(fragment.results))
    rewriter.erase(root)
    return True


def _is_sum_of_unassigned(value: ir.Value) -> bool:
    """Return whether a value with one use is a sum of such sums, down to unassigned values with any number of uses."""
    source = defining_op(value)
    if source is None or source.name != _ADD or not has_one_use(value):
        return False
    leaves = [each for each in source.operands if (op := defining_op(each)) is not None and op.name == _UNASSIGN]
    return all(each in leaves or _is_sum_of_unassigned(each) for each in source.operands)
