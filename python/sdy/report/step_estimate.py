"""`sdy.auto.estimate`: time and memory of a program's step on each device of a machine.

>>> found = sdy.auto.estimate(text, "h100")
>>> print(found)                      # a table
>>> found.step, found.memory.peak     # seconds, bytes

Nothing is chosen: the annotated program is partitioned on a copy, and the device program is priced.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.markup.templating import ShownText
from sdy.mlir import ir
from sdy.mlir.functions import check_defined
from sdy.passes.costs.liveness import LiveMemory, live_memory
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_collectives import entry_functions, local_mesh
from sdy.passes.costs.program_steps import Reader, Sent, collectives_sent, compute_parts
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import CompiledProgram, GivenProgram
from sdy.programs.meshes import AnyMesh, mesh_from, placed_mesh
from sdy.report.localizing import localized, made_local
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

_HELD_IN_TABLE = 5


@dataclass(frozen=True, slots=True)
class Estimate(ShownText):
    """Estimated seconds and bytes of one step on each device, by the model of `sdy.Machine`.

    Attributes:
      step: seconds altogether, `compute + exposed`.
      products: seconds of products of matrices and convolutions.
      traffic: seconds of everything else, which waits for memory.
      starts: seconds that starting kernels costs.
      communication: seconds that collectives take; `exposed` of them the device waits.
      collectives: the same by kind and mesh axes, in program order.
      memory: the peak of memory of a device, and its content.
      flops: additions and multiplications of a device, in products of matrices and convolutions.
      is_exact: whether it is known how often every loop runs and which branch is taken; if not, loops count as one
        round, and branches as the longest.
      machine: the given machine.
    """

    step: float
    products: float
    traffic: float
    starts: float
    communication: float
    exposed: float
    collectives: tuple[Sent, ...]
    memory: LiveMemory
    flops: float
    is_exact: bool
    machine: Machine

    @property
    def compute(self) -> float:
        """Seconds of computation: products of matrices, memory traffic and starts of kernels."""
        return self.products + self.traffic + self.starts

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device sends."""
        return sum(one.bytes_sent for one in self.collectives)

    @property
    def fits(self) -> bool:
        """Return whether it fits into the memory of a device."""
        return self.memory.peak <= self.machine.memory

    def __str__(self) -> str:
        return "\n\n".join(filter(None, (_sums(self), _listing(self), _memory(self))))

    def to_json(self, indent: int | None = 2) -> str:
        """The attributes, the sums among them, as a JSON object."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> JsonObject:
        """Return the data that `to_json` writes."""
        seconds = ("step", "compute", "products", "traffic", "starts", "communication", "exposed")
        seconds = (*seconds, "bytes_sent", "flops", "is_exact")
        return {
            **{name: getattr(self, name) for name in seconds},
            "collectives": [asdict(one) for one in self.collectives],
            "memory": asdict(self.memory),
            "machine": str(self.machine),
        }


def estimate(
    program: GivenProgram,
    machine: Machine | str,
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    mesh: AnyMesh | None = None,
    options: PartitionOptions | None = None,
) -> Estimate:
    """Estimate one step of `program` on `machine` with its own shardings.

    Bytes and kinds of collectives are those of `sdy.communication`, seconds those of `sdy.Machine`, as in
    `sdy.timeline`: fused ops neither access memory nor start kernels (`sdy.passes.costs.op_cost`).

    Args:
      program: input of `sdy.parse`, an `ir.Module` (not changed), or what `sdy.partition` or
        `sdy.jax.jit` return.
      machine: a `Machine`, or its text for `Machine.parse`: ``"h100"``.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.
      mesh: of a local module that does not say on which mesh it runs; a `Mesh`, one of JAX, or sizes by names. The ids
        of a mesh of JAX say which links of the machine its axes go along.
      options: of the partitioner; None for those of the compiled program.

    Returns:
      An `Estimate`: seconds and bytes of a step per device, and its peak of memory.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned, has tensors of dynamic size, or calls
        itself.
      ValueError, OSError: see `Machine.parse`.
      TypeError: an invalid machine or mesh.
    """
    machine = Machine.given(machine, "estimate")
    if mesh is not None:
        machine, mesh = machine.on(placed_mesh(mesh)), mesh_from(mesh)
    with localized(program, machine, mesh, filename=filename, context=context, options=options) as (local, on, over):
        return estimate_of(local, on, over)


def estimate_of_own(own: CompiledProgram, machine: Machine, filename: str = "-") -> Estimate:
    """Estimate a program as it is compiled."""
    with made_local(own, filename, None) as (local, _, _):
        return estimate_of(local, machine, own.mesh)


def estimate_of(module: ir.Operation, machine: Machine, mesh: Mesh | None = None) -> Estimate:
    """Estimate a local module, which runs on `mesh` (by default its own)."""
    reader = Reader(module, local_mesh(module) if mesh is None else mesh, machine, seconds_of=fused_seconds(module))
    functions = entry_functions(module)
    for function in functions:
        check_defined(function)
    steps = reader.of_entries(module)
    peaks = [live_memory(function, module) for function in functions]
    run = steps.run()
    parts = compute_parts(steps, reader)
    return Estimate(
        run.total,
        parts.products,
        parts.traffic,
        parts.starts,
        run.communication,
        run.exposed,
        collectives_sent(steps),
        max(peaks, key=lambda one: one.peak, default=LiveMemory(0, 0, "", ())),
        parts.operations,
        steps.is_exact,
        machine,
    )


# Tables ----------------------------------------------------------------------------------------------


def _sums(one: Estimate) -> str:
    headings = (
        "step",
        "products",
        "memory traffic",
        "kernel starts",
        "communication",
        "exposed",
        "bytes sent",
        "memory",
    )
    seconds = map(duration, (one.step, one.products, one.traffic, one.starts, one.communication, one.exposed))
    return columns([headings, (*seconds, f"{one.bytes_sent:,.0f}", size_text(one.memory.peak))])


def _listing(one: Estimate) -> str:
    if not one.collectives:
        return ""
    rows = [
        (each.kind, each.axes, f"{each.ops}", f"{each.bytes_sent:,.0f}", duration(each.seconds))
        for each in one.collectives
    ]
    return columns([("collective", "axes", "ops", "bytes sent", "time"), *rows])


def _memory(one: Estimate) -> str:
    memory = one.memory
    kinds = ", ".join(f"{size_text(size)} {kind}s" for kind, size in memory.by_kind.items() if size)
    text = f"memory is most at {memory.where}: {kinds}" if memory.where else f"memory: {kinds or 'none'}"
    rows = [(f"  {size_text(each.bytes)}", each.kind, each.name) for each in memory.held[:_HELD_IN_TABLE]]
    return "\n".join([text, *(columns([("  bytes", "kind", "name"), *rows]).splitlines() if rows else ())])


def size_text(size: float) -> str:
    """``12.3 MiB``: three digits or more in the unit that fits."""
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale:
            return f"{size / scale:.4g} {unit}"
    return f"{size:.0f} B"
