"""Passes that report fragments which do not form a pipeline (spec: mpmd, 5)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults, warning
from sdy.mlir.functions import enclosing_function
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    REMAT,
    call_counter,
    fragments_in,
    is_mpmd_function,
    is_on_host,
    is_scheduling_unit,
    mesh_name_of,
    origins_of,
    split_type,
    stage_of,
    topology_of,
    transpose_count,
)
from sdy.passes.mpmd.common.order import Dependencies
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@pass_("mpmd-verify-stage-merging", on=FUNCTION)
def verify_stage_merging(func: ir.Operation) -> None:
    """mpmd-verify-stage-merging: Refuse two fragments of a mesh for one stage, direction and microbatch.

        %1 = mpmd.fragment<mesh="m1", origin=["f"], stage=1> (%0) {call_counter = 0 : ui32} ...
        %2 = mpmd.fragment<mesh="m1", origin=["g"], stage=1> (%0) {call_counter = 0 : ui32} ...
    ==> error

    Spec: mpmd, 5.
    """
    found: dict[object, list[ir.Operation]] = {}
    with Faults() as faults:
        for op in fragments_in(func) if is_mpmd_function(func) else []:
            if stage_of(op) is None:
                continue
            with faults.one():
                is_remat = REMAT in op.attributes
                key = mesh_name_of(op), stage_of(op), _transpose_count(op), split_type(op), is_remat
                others = found.setdefault(key, [])
                _check_apart(op, others)
                others.append(op)


def _transpose_count(op: ir.Operation) -> int:
    """Return the transpose count of a staged fragment, the greatest count for a recomputed one."""
    count = transpose_count(op)
    if REMAT in op.attributes:
        return max((origin.transpose_count for origin in origins_of(op)), default=0)
    if count is None:
        raise DiagnosticError(op, "has a stage, but computations of several transpose counts")
    return count


def _check_apart(op: ir.Operation, others: list[ir.Operation]) -> None:
    for other in others:
        counters = call_counter(op), call_counter(other)
        if None in counters or counters[0] == counters[1]:
            message = f"and another fragment are of stage {stage_of(op)} on mesh {mesh_name_of(op)}; they should be one"
            raise DiagnosticError(op, message + _between(other, op), [(other, "here is the other")])


def _between(first: ir.Operation, second: ir.Operation) -> str:
    """Return the fragments that keep two from merging: those on paths of values from the first to the second."""
    order = Dependencies(enclosing_function(second))
    ends = [next(number for number, each in enumerate(order.ops) if each == op) for op in (first, second)]
    if not order.is_before(*ends):
        return ""
    path = [order.ops[number] for number in order.path(*ends)[1:-1]]
    names = [f"'{origin.name}'" for each in path if each.name == FRAGMENT for origin in origins_of(each)]
    return f", but {', '.join(dict.fromkeys(names))} stands between them" if names else ""


@pass_("mpmd-scheduling-units-verifier", on=FUNCTION)
def scheduling_units_verifier(func: ir.Operation) -> None:
    """mpmd-scheduling-units-verifier: Report meshes without a forward and backward fragment for each microbatch.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 0 : ui32} ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
        %3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) {call_counter = 0 : ui32} ...
    ==> the same, and a warning

    Spec: mpmd, 5.
    """
    topology = topology_of(func)
    if topology is None or not is_mpmd_function(func):
        return
    fragments = fragments_in(func)
    counters = [counter for counter in map(call_counter, fragments) if counter is not None]
    if not counters:
        warning(func, "has no fragments with call counters, so there is no pipeline")
        return
    wanted = max(counters) + (1 if 0 in counters else 0)
    for mesh in (each.name for each in topology.meshes if not is_on_host(each.name)):
        units = [op for op in fragments if is_scheduling_unit(op) and mesh_name_of(op) == mesh]
        for kind, count in (("forward", 0), ("backward", 1)):
            number = sum(transpose_count(op) == count for op in units)
            if number != wanted:
                warning(func, f"has {number} {kind} fragments on mesh {mesh} for {wanted} microbatches")
