"""Requests to the planner, its results, and measured costs of plans."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, field

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import RefusedByUser, collecting
from sdy.mlir.functions import main_function
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.search.problem import Plan, Problem
from sdy.passes.auto.search.program_graph import UNKNOWN_ROUNDS, ProgramGraph
from sdy.passes.costs.liveness import LiveMemory, live_memory
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_steps import Reader, Sent, collectives_sent, compute_parts
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.registry import step
from sdy.stablehlo.idioms.loops import BRANCHES, WHILE, trip_count


@dataclass(frozen=True, slots=True)
class PlanCost:
    """Cost of one step per device: seconds, bytes sent, peak memory in bytes, and the bytes of arguments in it.

    `communication` are the seconds in which a device waits for data; communication hidden behind computation is left
    out.
    """

    step: float
    compute: float
    communication: float
    bytes_sent: float
    memory: int
    arguments: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured cost of a plan, and its parts.

    `products` are the seconds of contractions, `starts` those of kernel launches; the rest of the computation is bound
    by memory bandwidth. `memory` is a device's content at the peak.
    """

    cost: PlanCost
    products: float
    starts: float
    collectives: tuple[Sent, ...]
    memory: LiveMemory


def measured(module: ir.Operation, mesh: Mesh, machine: Machine, *, overlaps: bool = False) -> Measured:
    """The cost of the local program that a copy of an annotated module becomes on `mesh`.

    If it `overlaps`, collectives are asynchronous, as `sdy-overlap-pipeline` makes and places them for the machine.
    """
    local = module.clone().operation
    with local.context, collecting(lambda diagnostic: None):
        run_nested(local, [step("sdy-partition-pipeline", **asdict(PartitionOptions(keep_records=True)))])
        if overlaps:
            run_nested(local, [step("sdy-overlap-pipeline", machine=str(machine))])
        main = main_function(local)
        reader = Reader(local, mesh, machine, seconds_of=fused_seconds(local))
        steps = reader.of_function(main)
        run, memory, sent = steps.run(), live_memory(main, local), collectives_sent(steps)
        parts = compute_parts(steps, reader)
    bytes_sent = sum(one.bytes_sent for one in sent)
    cost = PlanCost(run.total, run.compute, run.exposed, bytes_sent, memory.peak, memory.arguments)
    return Measured(cost, parts.products, parts.starts, sent, memory)


@dataclass(frozen=True, slots=True)
class ManualCost:
    """Seconds that a device computes and waits in a step, and bytes that it sends."""

    compute: float = 0.0
    communication: float = 0.0
    bytes_sent: float = 0.0


def manual_cost(program: ir.Operation, graph: ProgramGraph, mesh: Mesh, machine: Machine) -> ManualCost:
    """Return the cost of a program's manual computations, except those whose bodies `graph` has opened."""
    if not graph.manual:
        return ManualCost()
    reader = Reader(program, mesh, machine, seconds_of=fused_seconds(program))
    compute = communication = bytes_sent = 0.0
    for op, times in graph.manual:
        steps = reader.of_block(graph.snapshot.ops[op].regions[0].blocks[0])
        run = steps.run()
        compute += times * run.compute
        communication += times * run.exposed
        bytes_sent += times * sum(one.bytes_sent for one in collectives_sent(steps))
    return ManualCost(compute, communication, bytes_sent)


@dataclass(frozen=True, slots=True)
class Tally:
    """Total picoseconds, those of computation, and bytes sent."""

    total: float = 0.0
    compute: float = 0.0
    sent: float = 0.0

    def plus(self, other: Tally) -> Tally:
        """The sum of two."""
        return Tally(self.total + other.total, self.compute + other.compute, self.sent + other.sent)

    def over(self, count: float) -> Tally:
        """Return the cost of one of `count` equal parts."""
        return Tally(self.total / count, self.compute / count, self.sent / count)


def tally(snapshot: Snapshot, parts: Iterable[tuple[int | None, Tally]]) -> Tally:
    """Sum the costs of ops by number; None is everything outside of ops."""
    own = [Tally()] * len(snapshot.names)
    outside = Tally()
    for op, part in parts:
        if op is None:
            outside = outside.plus(part)
        else:
            own[op] = own[op].plus(part)
    return outside.plus(_of_ops(snapshot, own, snapshot.regions[snapshot.main_function][0]))


def _of_ops(snapshot: Snapshot, own: Sequence[Tally], members: Iterable[int]) -> Tally:
    found = Tally()
    for op in members:
        found = found.plus(own[op])
        regions = [_of_ops(snapshot, own, inner) for inner in snapshot.regions.get(op, ())]
        if not regions:
            continue
        if snapshot.names[op] in BRANCHES:
            regions = [max(regions, key=lambda one: one.total)]
        is_unknown = snapshot.names[op] == WHILE and trip_count(snapshot.ops[op]) is None
        if snapshot.names[op] == WHILE and not regions[0].sent:
            del regions[0]
        for inner in regions:
            found = found.plus(inner.over(UNKNOWN_ROUNDS) if is_unknown else inner)
    return found


AS_GIVEN = "as given"
"""Amount written if propagation of the user's shardings is better than any plan."""


@dataclass(frozen=True, slots=True)
class Request:
    """Request for a plan.

    `axes` are those of the mesh that may be used, `limit` the bytes that a device may hold, infinite for any number.
    `annotate` is one of `auto_options.ANNOTATE`: "best" measures "values", and "full" for the best plan and for any
    that differs from its prediction. `verify` is how many of the best plans are partitioned and measured. If the limit
    `is_soft`, and no plan fits, the plan of least memory is used. After `time_limit` seconds the search ends with its
    results so far. `overlap` is the share of hideable communication that is hidden; if it is not 0, programs are
    measured with it hidden.
    """

    mesh: Mesh
    machine: Machine
    axes: tuple[str, ...]
    limit: float = math.inf
    effort: str = "default"
    annotate: str = "best"
    verify: int = 1
    is_soft: bool = False
    time_limit: float = math.inf
    overlap: float = 0.0

    def measured(self, module: ir.Operation) -> Measured:
        """Partition an annotated module and measure it."""
        return measured(module, self.mesh, self.machine, overlaps=self.overlap > 0)


@dataclass(slots=True)
class Found:
    """A found plan: the annotated copy of the program, the predicted costs, and the measured ones if asked for.

    `annotations` refer to the program, or, if it `is_inlined`, to its copy without calls. `others` are other plans
    found, the best first. `is_complete` is false if the time ended before the search. `replicated` is the cost of full
    replication, measured if it was partitioned. `without_rule` counts ops without a rule by name. `solves` counts
    solutions for one axis. `request` is the request it was found for. `refused` has the plans that a user's function
    refuses; `refusals` are the errors of plans that would have been tried.
    """

    module: ir.Operation
    annotate: str
    annotations: Annotations
    predicted: PlanCost
    measured: Measured | None
    replicated: PlanCost
    without_rule: dict[str, int]
    solves: int
    is_exact: bool
    problem: Problem
    plan: Plan
    request: Request
    is_inlined: bool = False
    others: list[tuple[Plan, PlanCost]] = field(default_factory=list)
    is_complete: bool = True
    refused: RefusedByUser | None = None
    refusals: tuple[RefusedByUser, ...] = ()

    @property
    def step(self) -> float:
        """Seconds of a step: measured, or else predicted; infinite for a refused program."""
        if self.refused is not None:
            return math.inf
        return self.predicted.step if self.measured is None else self.measured.cost.step

    @property
    def excess(self) -> float:
        """Return the measured bytes by which a device has too little memory; infinite for a refused program."""
        if self.refused is not None:
            return math.inf
        return 0.0 if self.measured is None else max(0.0, self.measured.cost.memory - self.request.limit)
