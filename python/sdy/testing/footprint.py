"""Bytes, memory and operations of a program on each device, whoever partitioned it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.liveness import Held
from sdy.passes.costs.machine import Machine
from sdy.programs.given_modules import GivenProgram, IsCompiled
from sdy.programs.meshes import AnyMesh, mesh_from
from sdy.programs.sources import source
from sdy.report.communication_report import communication
from sdy.report.hlo_communication import HloProgram, hlo_of, is_compiled
from sdy.report.step_estimate import Estimate, estimate
from sdy.report.transfers import Transfer
from sdy.suggestions.attribution import Cause, why

if TYPE_CHECKING:
    import jax.stages

TestedProgram: TypeAlias = "GivenProgram | HloProgram"
"""A program at any stage, partitioned by this package or by XLA."""

_ANY_MACHINE = "h100"
"""Memory and operations are the same on every machine."""


class Footprint:
    """Bytes sent, memory and operations of a program on each device.

    Programs lowered by `jax.jit` are compiled and counted in XLA's form, as are compiled programs and HLO text; all
    others are counted as partitioned by this package.
    """

    def __init__(self, program: TestedProgram, *, mesh: AnyMesh | None = None, filename: str = "-") -> None:
        """Count a program.

        Args:
          program: a stage of `jax.jit` or `sdy.jax.jit`, lowered or compiled, or input of `sdy.communication`.
          mesh: names the axes in an HLO text of which it only lists the devices, or in a local module.
          filename: name in locations of a module from a text without a name.

        Raises:
          the errors of `sdy.communication`.
        """
        self._filename = filename
        self._given: Any = source(program, filename) if isinstance(program, (str, bytes, os.PathLike)) else program
        self._counted = self._given
        if is_of_plain_jax(self._given):
            lowered = self._given.lower() if hasattr(self._given, "lower") else self._given
            self._counted = lowered.compile()
        self.is_of_xla = hlo_of(self._counted) is not None
        given_mesh = None if mesh is None else mesh_from(mesh)
        self.report = communication(self._counted, mesh=given_mesh, filename=filename)

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device sends in one run."""
        return self.report.bytes_sent

    @cached_property
    def temp_bytes(self) -> float:
        """Bytes that a device holds besides the arguments: XLA's temporaries, or the estimated peak.

        Raises:
          ValueError: the program is HLO text, which does not say.
        """
        if not self.is_of_xla:
            return self.estimate.memory.peak - self.estimate.memory.arguments
        found: Any = self._compiled("temporaries").memory_analysis()
        if found is None:
            raise ValueError("the backend gives no analysis of memory")
        return found.temp_size_in_bytes

    @cached_property
    def flops(self) -> float:
        """Return the floating-point operations of a device in one run.

        XLA counts all ops, and each loop once; the estimate counts products of matrices and convolutions, and each
        round of a loop.

        Raises:
          ValueError: the program is HLO text, which does not say.
        """
        if not self.is_of_xla:
            return self.estimate.flops
        found: Any = self._compiled("operations").cost_analysis()
        if not found:
            raise ValueError("the backend gives no analysis of operations")
        return (found[0] if isinstance(found, list) else found).get("flops", 0.0)

    @cached_property
    def estimate(self) -> Estimate:
        """Return the memory and computation of a device by the model of `sdy.auto.estimate`.

        Not for programs compiled by XLA.
        """
        return estimate(cast("GivenProgram", self._counted), Machine.parse(_ANY_MACHINE), filename=self._filename)

    def cause(self, matches: Callable[[Transfer], bool]) -> Cause | None:
        """Return why the largest matching collective exists; None if unknown.

        For programs lowered by `jax.jit` it is the collective that this package would make.
        """
        is_xla_only = self.is_of_xla and not is_of_plain_jax(self._given)
        if is_xla_only or (isinstance(self._given, PartitionedModule) and self._given.source is None):
            return None
        program = cast("GivenProgram", self._given)
        report = communication(program, filename=self._filename) if self.is_of_xla else self.report
        found = max(filter(matches, report.transfers), key=lambda one: one.bytes_sent, default=None)
        return None if found is None else why(program, found.id, filename=self._filename)

    @property
    def held(self) -> tuple[Held, ...]:
        """Return the tensors in a device's memory at the peak, besides arguments, largest first.

        None for programs compiled by XLA.
        """
        held = () if self.is_of_xla else self.estimate.memory.held
        return tuple(one for one in held if one.kind != "argument")

    def _compiled(self, what: str) -> jax.stages.Compiled:
        if not is_compiled(self._counted):
            raise ValueError(f"HLO text does not say anything about {what}: pass the compiled stage")
        return self._counted


def is_of_plain_jax(given: object) -> bool:
    """Return whether `given` was traced or lowered by `jax.jit`, so that XLA partitions it."""
    stages = sys.modules.get("jax.stages")
    is_stage = stages is not None and isinstance(given, (stages.Traced, stages.Lowered))
    return is_stage and not isinstance(given, IsCompiled)
