"""What a plan costs when the partitioner has carried it out: the local program, priced op by op."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import main_function
from sdy.passes.costs.fused_durations import fused_seconds
from sdy.passes.costs.live_memory import live_memory
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_steps import Reader, Steps
from sdy.passes.costs.simulation import Start
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.registry import step


@dataclass(frozen=True, slots=True)
class PlanCost:
    """Of one step on each device: seconds, bytes sent, bytes of memory at the peak, of which those of arguments."""

    step: float
    compute: float
    communication: float
    bytes_sent: float
    memory: int
    arguments: int


def measured(module: ir.Operation, mesh: Mesh, machine: Machine) -> PlanCost:
    """The cost of the local program that a copy of an annotated module becomes on `mesh`."""
    local = module.clone().operation
    with local.context, collecting(lambda diagnostic: None):
        run_nested(local, [step("sdy-partition-pipeline", **asdict(PartitionOptions()))])
        main = main_function(local)
        steps = Reader(local, mesh, machine, seconds_of=fused_seconds).of_function(main)
        run, memory = steps.run(), live_memory(main, local)
    return PlanCost(run.total, run.compute, run.communication, _bytes_sent(steps, 1), memory.peak, memory.arguments)


def _bytes_sent(steps: Steps, times: int) -> float:
    sent = 0.0
    for item in steps.items:
        if item.transfer is not None and isinstance(item.step, Start):
            sent += times * item.transfer.collective.moved_bytes
        for region in item.regions:
            if region.counts:
                sent += _bytes_sent(region.steps, times * (1 if region.rounds is None else region.rounds))
    return sent
