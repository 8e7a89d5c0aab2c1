"""Turns a program at any stage into the program of one device, with a record of each collective's purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sdy.dialect.context import exclusively
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings, summed_axes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import PARAMETERS, RECORDED, get_sharding, set_sharding
from sdy.dialect.values.axes import difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import funcs
from sdy.mlir.walk import pre_order
from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.machine import Machine
from sdy.passes.manager import Observer, run_pipeline
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.steps import Phase, Phases
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled, import_foreign, own_copy
from sdy.programs.partitioning import Partitioning
from sdy.report.origins import COMMUNICATION, Origins, Reshard

_REDUCING = ("sdy.all_reduce", "sdy.reduce_scatter")

_COLLECTIVES = frozenset(COMMUNICATION) - {"sdy.reshard"}
"""Ops that only export leaves: nothing propagates through them. Programs of users have reshards, too."""


_COMPUTING = ("sdy-legalize-for-xla",)
"""Steps to XLA's program that change what is computed, so that its time counts."""


def make_local(
    module: ir.Operation,
    partitioning: Partitioning,
    filename: str,
    change: Callable[[ir.Operation], None] | None = None,
    observers: Sequence[Observer] = (),
) -> tuple[Origins, tuple[Reshard, ...]]:
    """Run the missing steps of partitioning on `module`, in place. Meshes stay, and replica groups refer to them.

    Returns what the collectives are for, and the reshards that the program needed from this stage on. `filename` is
    what their locations call a text without a name. A `change` is made once it is noted which op is which: what is
    said of the changed program is said of the ops of the given one. `observers` are told of each pass.
    """
    origins = Origins(filename)
    if is_local(module):
        return origins, ()
    propagates = partitioning.options.propagate and is_propagated(module)
    origins.number_ops(module)
    if change is not None:
        change(module)
    _mark_partial_results(module)
    phases = _phases(partitioning.changed(propagate=propagates))
    run_pipeline(module, [*phases.until("collectives")], observers=observers)
    reshards = origins.number_communication(module)
    run_pipeline(module, [*phases.since("collectives")], observers=observers)
    return origins, reshards


def is_propagated(module: ir.Operation) -> bool:
    """Return whether shardings of a global module are still propagated: it has no collectives of the dialect."""
    return _COLLECTIVES.isdisjoint({op.name for op in pre_order(module)})


@contextmanager
def localized(
    program: GivenProgram,
    machine: Machine,
    mesh: Mesh | None,
    *,
    filename: str,
    context: ir.Context | None,
    options: PartitionOptions | None,
) -> Iterator[tuple[ir.Operation, Machine, Mesh | None]]:
    """Return the local module of a program, also of a result of `sdy.partition`, with its machine and mesh.

    The copy exists until the end of the block. Warnings are dropped.
    """
    if isinstance(program, PartitionedModule):
        machine = machine.on(program.mesh)
    own = compiled(program, options, filename=filename, is_local=True)
    with made_local(own, filename, context) as (local, _, _):
        yield local, machine, mesh or own.mesh


@contextmanager
def made_local(
    own: CompiledProgram, filename: str, context: ir.Context | None
) -> Iterator[tuple[ir.Operation, Origins, tuple[Reshard, ...]]]:
    """Return the local module of a program, in its context, with the results of `make_local`."""
    copy = own_copy(own.program, filename, own.context or context, is_lean=True).operation
    with copy.context, exclusively(copy.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        import_foreign(copy, own.partitioning.options)
        yield copy, *make_local(copy, own.partitioning, filename)


def is_local(module: ir.Operation) -> bool:
    """Return whether the types of a module are local: it has been partitioned, or has no shardings."""
    if PARAMETERS in module.attributes and RECORDED not in module.attributes:
        return True
    has_boundary = any(any((*arg_shardings(func), *result_shardings(func))) for func in funcs(module))
    return not has_boundary and not any(
        SHARDING in op.attributes or (op.name.startswith("sdy.") and op.name != "sdy.mesh") for op in pre_order(module)
    )


def _phases(partitioning: Partitioning) -> Phases:
    """Return the steps to run, without those that number devices or drop meshes and rules."""
    phases = partitioning.changed(dense_replica_groups=False).phases()
    executable = partitioning.changed(executable=True).phases().only("executable")
    computes = Phase("computing", tuple(step for step in executable if step.name in _COMPUTING))
    return Phases((*phases.without("devices", "dropping", "executable").phases, computes))


def _mark_partial_results(module: ir.Operation) -> None:
    """Mark reduced partial results as unreduced along the reduced axes, so that they are not reduced twice.

    `sdy-insert-explicit-reshards` does so on request.
    """
    meshes = MeshTable(module)
    for op in pre_order(module):
        if op.name not in _REDUCING or not _is_partial(op.operands[0]):
            continue
        value = op.operands[0]
        sharding = get_sharding(value) or attributes.get(op, "out_sharding")
        mesh = meshes.of(sharding)
        assert mesh is not None, "shardings are verified to name meshes that exist"
        missing = difference(summed_axes(op), sharding.unreduced, mesh.axis_sizes)
        if missing:
            unreduced = mesh.sort_and_merge((*sharding.unreduced, *missing))
            set_sharding(value, sharding.with_unreduced(unreduced, Reduction(op.attributes["reduction_op"].value)))


def _is_partial(value: ir.Value) -> bool:
    """Return whether a value comes from a contraction or reduction and is used by reductions alone."""
    if not isinstance(value, ir.OpResult) or not all(use.owner.operation.name in _REDUCING for use in value.uses):
        return False
    rule = rule_of(value.owner.operation)
    return rule is not None and bool(rule.reduction)
