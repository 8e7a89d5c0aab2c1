"""sdy-reconsider-shardings: takes shardings that follow from the arguments where the propagated ones send more.

    %1 = stablehlo.dot_general %x, %w, ... {... [{}, {"model"}]}        // %x: [{}, {"data"}], %w: [{}, {"model"}]
==> %1 = stablehlo.dot_general %x, %w, ... {... [{"data"}, {"model"}]}  // %x: [{"data"}, {}], %w: [{}, {"model"}]

Propagation weighs nothing: how the state of an optimizer is sharded, or a constraint in the middle, may decide over
everything around it. So where data would have to move in the middle of a program, shardings are propagated once more,
first from the arguments to the results, then as usual. Arguments, results, constraints and manual computations stay
as they are. Cost model: if products of matrices, convolutions, gathers and scatters then seem to need less, both
programs are partitioned to the end; the other one is taken if its devices send fewer bytes and it takes less time
altogether: what it sends, writes and computes, on the `machine` or, without one, on today's in round figures.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.attribute_shardings import (
    num_arguments,
    num_results,
    set_arg_shardings,
    set_op_shardings,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_survey import shardings_in
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import funcs, main_function, module_body
from sdy.mlir.search import ops_with
from sdy.passes.costs.machine_option import machine_to_compare_for
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.saving.analysis.disagreements import disagreements
from sdy.passes.partitioning.saving.analysis.step_cost import StepCost, step_cost
from sdy.passes.registry import pass_, step


@pass_("sdy-reconsider-shardings", options=PartitionOptions)
def reconsider_shardings(module: ir.Operation, options: PartitionOptions) -> None:
    """Expects a propagated module. Programs with unreduced axes or on single devices stay as they are."""
    if not _may_change(module):
        return
    found = disagreements(module)
    if not found.in_doubt:
        return
    with collecting(lambda diagnostic: None):
        other = _propagated_anew(module, options)
        if disagreements(other).moved > found.moved:
            return
        costs, new = _cost(module, options), _cost(other, options)
    machine = machine_to_compare_for(options.machine)
    if new.sent < costs.sent and new.seconds(machine) < costs.seconds(machine):
        _replace(module, other)


def _may_change(module: ir.Operation) -> bool:
    meshes = MeshTable(module)
    shardings = shardings_in(module)
    return len(funcs(module)) > 0 and not any(
        sharding.unreduced or (mesh := meshes.of(sharding)) is None or mesh.is_maximal for sharding in shardings
    )


def _propagated_anew(module: ir.Operation, options: PartitionOptions) -> ir.Operation:
    """A copy of the module with other shardings inside."""
    other = module.clone().operation
    main = main_function(other)
    for func in funcs(other):
        if func != main:
            set_arg_shardings(func, dict.fromkeys(range(num_arguments(func))))
            for index in range(num_results(func)):
                set_result_sharding(func, index, None)
    for op in ops_with(other, SHARDING):
        if op.name != "stablehlo.custom_call":
            set_op_shardings(op, None)
    anew = step(
        "sdy-propagation-pipeline",
        conservative_propagation=options.conservative_propagation,
        avoid_export_for_partitioning=True,
        forward_first=True,
    )
    run_nested(other, [anew])
    return other


def _cost(module: ir.Operation, options: PartitionOptions) -> StepCost:
    """The cost of the program that a copy of the module becomes."""
    local = module.clone().operation
    with local.context:
        inner = replace(options, propagate=False, overlap=False, executable=False, keep_records=True, embedded=False)
        chosen = replace(inner, dense_replica_groups=True)
        run_nested(local, [step("sdy-partition-pipeline", **asdict(chosen))])
        return step_cost(local)


def _replace(module: ir.Operation, other: ir.Operation) -> None:
    """Puts what is in `other` in the place of what is in `module`."""
    for view in list(module_body(module).operations):
        view.operation.erase()
    for view in list(module_body(other).operations):
        module_body(module).append(view.operation.detach_from_parent())
