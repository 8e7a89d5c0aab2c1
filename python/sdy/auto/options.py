"""Options of automatic partitioning, also for `sdy.jax.jit(auto=...)`."""

from __future__ import annotations

import math

from sdy.auto.plan import Plan
from sdy.auto.planning import partition
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.auto_options import (
    ANNOTATE,
    EFFORTS,
    bytes_limit,
    check_choice,
    check_overlap,
    check_time_limit,
    check_verify,
)
from sdy.passes.costs.machine import Machine
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
    axes: tuple[str, ...] | None = None
    annotate: str = "best"
    effort: str = "default"
    verify: int = 1
    time_limit: float | None = None
    inside: bool = False
    overlap: float = 0.0

    def __post_init__(self) -> None:
        check_choice("annotate", self.annotate, ANNOTATE)
        check_choice("effort", self.effort, EFFORTS)
        if not (self.mesh is None or is_jax_mesh(self.mesh) or is_number_of_devices(self.mesh)):
            object.__setattr__(self, "mesh", mesh_from(self.mesh))
        if isinstance(self.axes, str):
            raise TypeError(f"axes are a sequence of names, not {self.axes!r}")
        object.__setattr__(self, "axes", None if self.axes is None else tuple(self.axes))
        check_overlap(self.overlap)
        check_time_limit(math.inf if self.time_limit is None else self.time_limit)
        check_verify(self.verify)
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
