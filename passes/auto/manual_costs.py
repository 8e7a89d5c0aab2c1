"""What manual computations take whatever the plan: they run as the user wrote them, and leave no axes free."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.program_graph import ProgramGraph
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_steps import Reader, collectives_sent


@dataclass(frozen=True, slots=True)
class ManualCost:
    """Seconds of a step that a device computes and waits for what is sent, and bytes that it sends."""

    compute: float = 0.0
    communication: float = 0.0
    bytes_sent: float = 0.0


def manual_cost(program: ir.Operation, graph: ProgramGraph, mesh: Mesh, machine: Machine) -> ManualCost:
    """Of the manual computations of a program, which `graph` is of, but for those whose bodies it has opened."""
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
