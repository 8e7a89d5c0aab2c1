"""Inputs and outputs bound to one mesh, such as parameters and their updates in a step."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import MeshesWithOrigins
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, symbol_name, update_function_type
from sdy.mlir.rewriting import before, has_no_use, terminator
from sdy.passes.mpmd.common.fragments import is_entry_point, is_mpmd_function, mesh_tensor_of
from sdy.passes.mpmd.inference.mesh_sets import SOURCE_SET, USE_SET, Program, value_set
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ConstraintOptions:
    """Options of both passes."""

    constraints: tuple[str, ...] = option((), "input:output of each pair")

    def __post_init__(self) -> None:
        """Raises `ValueError` for entries of another form."""
        self.pairs()

    def pairs(self) -> Pairs:
        """The numbers of inputs and outputs."""
        found = []
        for entry in self.constraints:
            given, colon, returned = entry.partition(":")
            if not (colon and given.isdecimal() and returned.isdecimal()):
                raise ValueError(f"'{entry}' is not of the form input:output")
            found.append((int(given), int(returned)))
        return tuple(found)


def _check_pairs(func: ir.Operation, pairs: Pairs) -> None:
    counts = len(body(func).arguments), len(terminator(body(func)).operands)
    for given, returned in pairs:
        if given >= counts[0] or returned >= counts[1]:
            message = f"'{symbol_name(func)}' has {counts[0]} inputs and {counts[1]} outputs, and no pair"
            raise DiagnosticError(func, f"{message} {given}:{returned} of them")


@pass_("mpmd-enforce-input-output-equisharding", on="func.func", options=ConstraintOptions)
def enforce_input_output_equisharding(func: ir.Operation, options: ConstraintOptions) -> object:
    """mpmd-enforce-input-output-equisharding: Return outputs on the meshes of their inputs.

        func.func @main(%arg0: !m1) -> !m2 ... {
          %0 = mpmd.transfer %arg0 : (!m1) -> !m2
          return %0 : !m2
        }
    ==> func.func @main(%arg0: !m1) -> !m1 ... {     // with constraints=0:0
          %0 = mpmd.transfer %arg0 : (!m1) -> !m2
          %1 = mpmd.transfer %0 : (!m2) -> !m1
          return %1 : !m1
        }
    """
    pairs = options.pairs()
    if not pairs or not (is_mpmd_function(func) and is_entry_point(func)):
        return UNCHANGED
    _check_pairs(func, pairs)
    end = terminator(body(func))
    for given, returned in pairs:
        argument, value = body(func).arguments[given], end.operands[returned]
        wanted, found = mesh_tensor_of(argument), mesh_tensor_of(value)
        if wanted is not None and found is not None and wanted.mesh_name != found.mesh_name:
            where = {"loc": value.location, "ip": before(end)}
            end.operands[returned] = mpmd_builders.transfer(value, argument.type, **where)
    update_function_type(func)
    return None


@pass_("mpmd-infer-mesh-assign-using-input-output-constraints", options=ConstraintOptions)
def assign_using_input_output_constraints(module: ir.Operation, options: ConstraintOptions) -> object:
    """mpmd-infer-mesh-assign-using-input-output-constraints: Assign inputs and their outputs to a mesh of both.

        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> ... {
          %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %1 : ...
          return %0 : tensor<4xf32>
        }
    ==> func.func @main(%arg0: !m1) -> !m1 ... {     // with constraints=0:0
          %2 = mpmd.unassign {origin = "io_constraint_in"} %arg0 : (!m1) -> tensor<4xf32>
          %0 = mpmd.unassign ...
          %3 = mpmd.assign {origin = "io_constraint_out"} %0 : (tensor<4xf32>) -> !m1
          return %3 : !m1
        }

    Pairs without a common mesh stay.
    """
    pairs = options.pairs()
    if not pairs:
        return UNCHANGED
    program = Program(module)
    for func in program.entry_points:
        _check_pairs(func, pairs)
        for given, returned in pairs:
            mesh_name = _mesh_of_pair(program, func, given, returned)
            if mesh_name is not None:
                _assign_pair(func, given, returned, mesh_name)
        update_function_type(func)
    return None


def _mesh_of_pair(program: Program, func: ir.Operation, given: int, returned: int) -> str | None:
    argument, value = body(func).arguments[given], terminator(body(func)).operands[returned]
    own = mesh_tensor_of(value)
    if own is not None:
        return own.mesh_name
    used, sources = value_set(value, USE_SET), value_set(program.behind_calls(value), SOURCE_SET)
    placed = mesh_tensor_of(argument)
    if placed is None and has_no_use(argument):
        return _first_of([used, sources])
    wanted = MeshesWithOrigins.of(placed.mesh_name) if placed is not None else value_set(argument, USE_SET)
    if wanted is None:
        return None
    return _first_of([each.intersection(wanted) for each in (used, sources) if each is not None])


def _first_of(candidates: Sequence[MeshesWithOrigins | None]) -> str | None:
    """Return the prioritized mesh of the first set that has one."""
    found = (each.prioritized() for each in candidates if each is not None)
    return next((name for name in found if name is not None), None)


def _assign_pair(func: ir.Operation, given: int, returned: int, mesh_name: str) -> None:
    end, argument = terminator(body(func)), body(func).arguments[given]
    value = end.operands[returned]
    if mesh_tensor_of(value) is None:
        type_ = mpmd_builders.mesh_tensor(mesh_name, value.type)
        where = {"loc": value.location, "ip": before(end)}
        end.operands[returned] = mpmd_builders.assign(value, type_, "io_constraint_out", **where)
    if mesh_tensor_of(argument) is None:
        argument.set_type(mpmd_builders.mesh_tensor(mesh_name, argument.type))
        first = body(func).operations[0].operation
        unassigned = mpmd_builders.unassign(argument, "io_constraint_in", loc=argument.location, ip=before(first))
        argument.replace_all_uses_except(unassigned, [unassigned.owner.operation])
