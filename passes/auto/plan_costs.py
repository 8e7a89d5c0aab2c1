"""What a plan costs when the partitioner has carried it out: the local program, priced op by op."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import main_function
from sdy.passes.costs.live_memory import LiveMemory, live_memory
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_steps import Reader, Sent, collectives_sent, compute_parts
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.registry import step


@dataclass(frozen=True, slots=True)
class PlanCost:
    """Of one step on each device: seconds, bytes sent, bytes of memory at the peak, of which those of arguments.

    `communication` are the seconds in which a device waits for what is sent; what hides behind computation is left out.
    """

    step: float
    compute: float
    communication: float
    bytes_sent: float
    memory: int
    arguments: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What a plan costs when it has been carried out, and what that is made of.

    `products` are the seconds of products and convolutions, `starts` those in which kernels are started; the rest of
    what is computed waits for memory. `memory` says what a device holds where it holds most.
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
