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

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.op_properties import is_constant, is_static_shaped
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
from sdy.mlir.functions import funcs, main_function, module_body, symbol_name
from sdy.mlir.search import ops_with
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.machine import Machine, machine_to_compare_for, moved_bytes
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.costs.program_collectives import groups_attribute, kind_of, sent_operands
from sdy.passes.costs.program_steps import HOLDERS
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.collectives.analysis.disagreements import disagreements
from sdy.passes.partitioning.collectives.analysis.partial_sums import UNKNOWN_ROUNDS
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.registry import pass_, step
from sdy.stablehlo.idioms.loops import executions


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
        costs, new = _partitioned_cost(module, options), _partitioned_cost(other, options)
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


def _partitioned_cost(module: ir.Operation, options: PartitionOptions) -> StepCost:
    """The cost of the program that a copy of the module becomes."""
    local = module.clone().operation
    with local.context:
        inner = replace(options, propagate=False, overlap=False, executable=False, keep_records=True, embedded=False)
        chosen = replace(inner, dense_replica_groups=True)
        run_nested(local, [step("sdy-partition-pipeline", **asdict(chosen))])
        return step_cost(local)


@dataclass(frozen=True)
class StepCost:
    """Bytes that a device sends, bytes of the tensors that its ops make, and operations in its matrix products."""

    sent: float = 0.0
    written: float = 0.0
    products: float = 0.0

    def seconds(self, machine: Machine) -> float:
        """Return the sum of sending, writing and computing; links are those of no axis, starts take no time."""
        sending = self.sent / (machine.bandwidth * machine.directions)
        return sending + self.written / machine.memory_bandwidth + self.products / (machine.flops * machine.efficiency)


class _Leaves:
    """The names of ops that count by themselves, with what is in their regions."""

    def __contains__(self, name: object) -> bool:
        return name not in HOLDERS


def step_cost(module: ir.Operation) -> StepCost:
    """Return the cost of a run of @main, with replica groups as matrices; every branch counts."""
    functions = {symbol_name(func): func for func in funcs(module)}
    sent = written = products = 0.0
    for one in executions(main_function(module), functions, _Leaves()):
        op, times = one.op, UNKNOWN_ROUNDS if one.times is None else one.times
        if op.results and not is_constant(op):
            written += times * _bytes(op.results)
            products += times * (product_operations(op) or 0.0)
            sent += times * _sent(op)
    return StepCost(sent, written, products)


def _sent(op: ir.Operation) -> float:
    kind = kind_of(op)
    if kind is None:
        return 0.0
    group_size = 2 if kind == "collective_permute" else groups_attribute(op).type.shape[1]
    return moved_bytes(kind, group_size, _bytes(sent_operands(op)))


def _bytes(values: Iterable[ir.Value]) -> int:
    return sum(byte_size(value.type) for value in values if is_static_shaped(value.type))


def _replace(module: ir.Operation, other: ir.Operation) -> None:
    """Puts what is in `other` in the place of what is in `module`."""
    for view in list(module_body(module).operations):
        view.operation.erase()
    for view in list(module_body(other).operations):
        module_body(module).append(view.operation.detach_from_parent())
