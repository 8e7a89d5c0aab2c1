"""Partition programs that JAX lowers: `Partitioner`, and its cache of programs."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlib.mlir import ir

import sdy
from sdy.dialect.values.mesh import Mesh
from sdy.jax.caching.keys import Inputs, UnknownCode
from sdy.jax.report_options import QUIET, ReportOptions
from sdy.jax_internals import register_cache
from sdy.lazy_dataclass import dataclass
from sdy.mlir.interpreter import collector_paused
from sdy.partitioned_module import PartitionedModule
from sdy.passes.executable.user_partitions import CUSTOM_PARTITIONING
from sdy.passes.partitioning.partition_options import PIPELINE
from sdy.running.wrapping import wrap

if TYPE_CHECKING:
    from sdy.auto.plan_inside import PlanInside
    from sdy.programs.given_modules import CompiledProgram
    from sdy.running.deferred_failures import Callback


@dataclass(frozen=True)
class Partitioner:
    """Passes and overlap for partitioning, as in `sdy.partition`.

    `report` selects the logs and dumps of the programs. `planned` has shardings of inner values of one program.
    """

    pipeline: str = PIPELINE
    overlap: sdy.Overlap | None = None
    report: ReportOptions = QUIET
    planned: PlanInside | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.pipeline, str):
            raise TypeError(f"a pipeline is a text such as {PIPELINE!r}, not {type(self.pipeline).__name__}")
        if self.overlap is not None and not isinstance(self.overlap, sdy.Overlap):
            raise TypeError(f"overlap must be a sdy.Overlap, not {type(self.overlap).__name__}")
        if not isinstance(self.report, ReportOptions):
            raise TypeError(f"report must be a sdy.jax.ReportOptions, not {type(self.report).__name__}")

    @property
    def is_told_by_its_fields(self) -> bool:
        """Return whether its fields determine the result; False for subclasses of the user."""
        return type(self) is Partitioner

    @property
    def writes_files(self) -> bool:
        """Return whether partitioning writes files, so that no program may be reused."""
        asked = ("dump-directory=", "sdy-save-module")
        return bool(self.report.with_environment().dump_ir_to) or any(each in self.pipeline for each in asked)

    def partition(self, module: ir.Module, mesh: Mesh | None = None) -> PartitionedModule:
        """The device-local program of a module that JAX lowered; the module is not changed.

        If it was lowered for GSPMD, with jax_use_shardy_partitioner=False, it has generated axis names, unless its
        tiles are cut along those of `mesh`.

        Raises `DiagnosticError` at the op that cannot be partitioned, `PipelineError` for a pipeline that does not
        partition.
        """
        attributes = module.operation.attributes
        text = _text(module)
        name = ir.StringAttr(attributes["sym_name"]).value
        devices = ir.IntegerAttr(attributes["mhlo.num_partitions"]).value
        text = self.annotated(text, mesh, name)
        if CUSTOM_PARTITIONING in text or self.writes_files or not self.is_told_by_its_fields:
            # The call names a Python function by a number that means something else once the function is gone.
            return _partition(text, name, devices, self)
        try:
            return _partitioned_before(Inputs.of(text, self.pipeline), name, devices, self)
        except UnknownCode:
            return _partition(text, name, devices, self)
        except _ChangedOnTheWay as changed:
            return changed.program

    def annotated(self, text: str, mesh: Mesh | None, name: str) -> str:
        """Return a lowered module, given as text, with the axes of `mesh` and the `planned` shardings."""
        if mesh is None and self.planned is not None:
            mesh = self.planned.mesh
        if mesh is not None:
            from sdy.jax.gspmd import with_axes_of

            text = with_axes_of(text, mesh, name)
        return text if self.planned is None else self.planned.put_into(text, name)

    def compiled(self, text: str, mesh: Mesh | None = None) -> CompiledProgram:
        """Return the program that is compiled from a lowered module, given as text, for reports."""
        from sdy.passes.partitioning.partition_options import PartitionOptions
        from sdy.programs.given_modules import after_leading_passes
        from sdy.programs.partitioning import Partitioning
        from sdy.programs.sources import Source

        program = Source(self.annotated(text, mesh, "-"), "-")
        partitioning = Partitioning.of(self.pipeline, PartitionOptions(embedded=True), self.overlap)
        return after_leading_passes(program, partitioning)

    def __call__(self, module: ir.Module, callbacks: Sequence[Callback] = ()) -> tuple[ir.Module, Sequence[Callback]]:
        """Return the module to compile instead of `module`, and the Python callbacks that it calls by index."""
        return self.wrapped(self.partition(module), module, callbacks)

    def wrapped(
        self, partitioned: PartitionedModule, module: ir.Module, callbacks: Sequence[Callback] = ()
    ) -> tuple[ir.Module, Sequence[Callback]]:
        """Return the wrapped program and its callbacks; `partitioned` is the partitioned `module`."""
        self.report.with_environment().tell(partitioned, lambda: self.compiled(_text(module)))
        if callbacks:
            from sdy.running.deferred_failures import with_deferred_failures

            partitioned, callbacks = with_deferred_failures(partitioned, callbacks)
        return wrap(partitioned, module), callbacks


def _text(module: ir.Module) -> str:
    return str(module.operation.get_asm(enable_debug_info=True))


class _ChangedOnTheWay(Exception):
    """Code of users, or a file, changed while `program` was made. An exception, since returned values are cached."""

    def __init__(self, program: PartitionedModule) -> None:
        self.program = program


@functools.lru_cache(maxsize=16)
def _partitioned_before(inputs: Inputs, name: str, num_devices: int, by: Partitioner) -> PartitionedModule:
    """Return the cached program of the same inputs; `jax.clear_caches` clears it."""
    program = _partition(inputs.text, name, num_devices, by)
    if not inputs.are_unchanged():
        raise _ChangedOnTheWay(program)
    return program


register_cache(_partitioned_before, "programs that sdy partitioned")


def _partition(text: str, name: str, num_devices: int, by: Partitioner) -> PartitionedModule:
    # What the first program of a process imports are many small objects that stay, too.
    with collector_paused():
        return sdy.partition(
            text,
            filename=name,
            num_devices=num_devices,
            pipeline=by.pipeline,
            is_embedded=True,
            overlap=by.overlap,
            dump_ir_to=by.report.with_environment().dump_ir_to,
        )


def checked(partitioner: Partitioner) -> Partitioner:
    """Raises `TypeError` for something else than a partitioner."""
    if not isinstance(partitioner, Partitioner):
        hint = f"; for these passes write sdy.jax.Partitioner({partitioner!r})" if isinstance(partitioner, str) else ""
        raise TypeError(f"partitioner must be a sdy.jax.Partitioner, not {type(partitioner).__name__}{hint}")
    return partitioner
