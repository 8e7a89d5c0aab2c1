"""`sdy.auto.partition`: shardings that make the step of a program short, within the available memory.

>>> plan = sdy.auto.partition(text, mesh={"data": 4, "model": 2}, machine="h100", memory_limit=60e9)
>>> print(plan)                      # what it costs, how arguments are sharded
>>> sdy.partition(plan.text)         # the program of each device
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.auto.found_plans import plan_for, prepared
from sdy.auto.plan import Plan
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.interpreter import collector_paused
from sdy.passes.auto.auto_options import SOFT, AutoPartitionOptions, bytes_limit, check_search
from sdy.passes.auto.plan_costs import Request
from sdy.passes.costs.machine import Machine
from sdy.passes.options import make_options
from sdy.passes.propagation import auto_partitioner
from sdy.passes.registry import step
from sdy.passes.steps import Step
from sdy.programs.meshes import AnyMesh, is_jax_mesh, is_number_of_devices, mesh_from
from sdy.programs.sources import AnyProgram


@dataclass(frozen=True)
class Options:
    """The arguments of `partition`, where their meaning is documented.

    A JAX mesh is also the mesh of a plan's shardings, with its devices. A jitted step uses all devices if `mesh` is
    None. With `inside` arguments and results keep the caller's shardings, and only inner values are planned.

    Raises `ValueError` or `TypeError` for what cannot be read.
    """

    mesh: AnyMesh | None = None
    machine: Machine | str = "generic"
    memory_limit: float | str | None = None
    axes: Sequence[str] | None = None
    annotate: str = "best"
    effort: str = "default"
    verify: int = 1
    time_limit: float | None = None
    inside: bool = False
    overlap: float = 0.0

    def __post_init__(self) -> None:
        seconds = math.inf if self.time_limit is None else self.time_limit
        check_search(self.annotate, self.effort, self.verify, seconds, self.overlap)
        if not (self.mesh is None or is_jax_mesh(self.mesh) or is_number_of_devices(self.mesh)):
            object.__setattr__(self, "mesh", mesh_from(self.mesh))
        if self.axes is not None and (isinstance(self.axes, str) or not isinstance(self.axes, Sequence)):
            raise TypeError(f"axes are a sequence of names, not {self.axes!r}")
        object.__setattr__(self, "axes", None if self.axes is None else tuple(self.axes))
        if not isinstance(self.inside, bool):
            raise TypeError(f"inside is True or False, not {self.inside!r}")
        machine = Machine.parse(str(self.machine))
        if ".json" in str(self.machine):
            object.__setattr__(self, "machine", machine)
        bytes_limit(self.memory_limit, machine.memory)

    def plan(self, program: AnyProgram, mesh: AnyMesh | None = None) -> Plan:
        """Return the plan for a program, on `mesh` if the options name none."""
        return partition(
            program,
            mesh if self.mesh is None else self.mesh,
            self.machine,
            memory_limit=self.memory_limit,
            axes=self.axes,
            annotate=self.annotate,
            effort=self.effort,
            verify=self.verify,
            time_limit=self.time_limit,
            overlap=self.overlap,
        )

    def step(self) -> str:
        """Return the pass that plans the open shardings of a program with a mesh, as pipeline text with options."""
        given = {
            "machine": f"{{{self.machine}}}",
            "memory-limit": f"{self.memory_limit:g}B"
            if isinstance(self.memory_limit, int | float)
            else self.memory_limit,
            "time-limit": None if self.time_limit is None else f"{self.time_limit:g}",
            "axes": None if self.axes is None else ",".join(self.axes),
            "annotate": self.annotate,
            "effort": self.effort,
            "verify": str(self.verify),
            "overlap": f"{self.overlap:g}",
        }
        return f"sdy-auto-partition{{{' '.join(f'{k}={v}' for k, v in given.items() if v is not None)}}}"


def partition(
    program: AnyProgram,
    mesh: AnyMesh | None = None,
    machine: Machine | str = "generic",
    *,
    memory_limit: float | str | None = None,
    axes: Sequence[str] | None = None,
    annotate: str = "best",
    effort: str = "default",
    verify: int = 1,
    time_limit: float | None = None,
    overlap: float = 0.0,
    filename: str = "-",
    context: ir.Context | None = None,
) -> Plan:
    """Return the shardings with which a step of `program` takes the least time on a mesh of a machine.

    Shardings and constraints of the program are kept: closed dimensions unchanged, open ones may get more axes. The
    result is the same in every process.

    Args:
      program: input of `sdy.parse`, or an `ir.Module` (not changed), before propagation.
      mesh: a `Mesh`, a mesh of JAX, sizes by names of axes, pairs of names and sizes, a text such as
        ``"data:4,model:2"``, or a number of devices, for which the mesh is chosen, too; None for that of the program.
      machine: a `Machine`, or its text for `Machine.parse`.
      memory_limit: bytes that a device may hold, as a number or as a text such as "60GiB"; None for nine tenths of the
        machine's memory; "soft" for as much, if there is a plan, and else for that of least memory.
      axes: the axes that may be used; others are left to the user. None for all.
      annotate: the written shardings: "arguments" (and results) only, "values" of ops, too, and intermediate layouts
        shared by several uses of a value, "full", which constrains every use that needs a value in another layout;
        "best": "values", or "full" where that is better once partitioned; "minimal": of "values" those without which a
        step would take longer, found by up to 40 partitionings.
      effort: "fast" for one descent, "default" for several, which are mixed.
      verify: number of best plans to partition and estimate; with 0 plans are only predicted, and the memory
        limit is that of the model.
      time_limit: seconds after which no further solution is begun; then `is_complete` of the plan is false, and the
        result depends on the clock.
      overlap: the part, from 0 to 1, of communication hidden behind computation, for values made of arguments alone
        (gathered weights) and sums that only results need (gradients).
        If it is not 0, plans are estimated after `sdy-overlap-pipeline`.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.

    Raises:
      DiagnosticError: the program cannot be partitioned (dynamic shapes, calls that stay, unreduced values, several
        meshes), or no plan fits into memory.
      TypeError, ValueError, OSError: an invalid argument.
    """
    machine = Machine.given(machine, "partition")
    # Making the options refuses what cannot be read.
    Options(mesh, machine, memory_limit, axes, annotate, effort, verify, time_limit, overlap=overlap)
    limit = bytes_limit(memory_limit, machine.memory)
    copy = prepared(program, filename, context)
    with (
        copy.context,
        exclusively(copy.context),
        ir.Location.unknown(),
        collecting(lambda diagnostic: None),
        collector_paused(),
    ):
        seconds = math.inf if time_limit is None else time_limit
        request = Request(Mesh(), machine, (), limit, effort, annotate, verify, memory_limit == SOFT, seconds, overlap)
        return Plan.of(plan_for(copy, request, mesh, axes))


def register(**options: str | float) -> None:
    """Register `sdy-auto-partition`, with these options, as the auto-partitioner.

    It keeps the results of propagation, chooses the rest, and is followed by another propagation.

    Raises:
      RuntimeError: another one is registered; `sdy.auto_partitioner.clear()` forgets it.
      ValueError: the pass has no such option, or not with that value.
    """
    make_options(AutoPartitionOptions, options)

    def add(steps: list[Step]) -> None:
        steps += [Step("sdy-auto-partition", options), step("sdy-basic-propagate")]

    auto_partitioner.register(add)
