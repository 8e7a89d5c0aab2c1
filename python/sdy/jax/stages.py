"""Stages returned by `sdy.jax.jit`: JAX's own, which also know the partitioned program."""

from __future__ import annotations

import functools
import math
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

import jax.stages

import sdy
from sdy.jax.caching.kept_programs import place_of
from sdy.jax.call_arguments import PyTree
from sdy.mlir.diagnostics import collecting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jaxlib.mlir import ir

    from sdy.auto.comparison import Comparison, Way
    from sdy.jax.partitioner import Partitioner
    from sdy.jax_internals import LoweringParameters
    from sdy.partitioned_module import PartitionedModule
    from sdy.passes.costs.machine import Machine
    from sdy.programs.given_modules import CompiledProgram
    from sdy.report.communication_report import CommunicationReport
    from sdy.report.explanation import Explanations
    from sdy.report.sharding_pictures import ShardingPictures, ValueSharding
    from sdy.report.timelines.timeline import Timeline
    from sdy.suggestions.attribution import Cause
    from sdy.suggestions.program_cures import ProgramCures

T = TypeVar("T")


@runtime_checkable
class Jitted(jax.stages.Wrapped, Protocol):
    """The result of `sdy.jax.jit`: a JAX object with all methods of `jax.jit` functions."""

    def lower(self, *args: PyTree, **kwargs: PyTree) -> Lowered:
        """Traces and lowers for these arguments, each maybe a `jax.ShapeDtypeStruct`; neither partitions nor runs."""
        ...

    def trace(self, *args: PyTree, **kwargs: PyTree) -> Traced:
        """Traces for these arguments; `lower` of the result does the rest."""
        ...

    def eval_shape(self, *args: PyTree, **kwargs: PyTree) -> PyTree:
        """Shapes and types of the results."""
        ...

    def clear_cache(self) -> None:
        """Forgets everything compiled."""
        ...


def _turned(stage: jax.stages.Traced | jax.stages.Lowered, ours: type[T], partitioner: Partitioner) -> T:
    """Return a JAX stage converted to one of this package."""
    turned: Any = stage
    turned.__class__ = ours
    turned._partitioner = partitioner
    return turned


class Traced(jax.stages.Traced):
    """A function traced for some arguments: a `jax.stages.Traced`."""

    _partitioner: Partitioner

    @staticmethod
    def of(traced: jax.stages.Traced, partitioner: Partitioner) -> Traced:
        """Return `traced` converted to the class of this package."""
        return _turned(traced, Traced, partitioner)

    def lower(
        self,
        *,
        lowering_platforms: tuple[str, ...] | None = None,
        _private_parameters: LoweringParameters | None = None,
    ) -> Lowered:
        """Lower to the global program, without partitioning; options are those of `jax.stages.Traced.lower`."""
        lowered = super().lower(lowering_platforms=lowering_platforms, _private_parameters=_private_parameters)
        return Lowered.of(lowered, self._partitioner)

    def compiled_program(self) -> CompiledProgram:
        """Return the compiled program after `lower`, for reports on a traced function."""
        return self.lower().compiled_program()


class Lowered(jax.stages.Lowered):
    """A function lowered for some arguments: a `jax.stages.Lowered` that knows the partitioned program."""

    _partitioner: Partitioner

    @staticmethod
    def of(lowered: jax.stages.Lowered, partitioner: Partitioner) -> Lowered:
        """Return `lowered` converted to the class of this package."""
        return _turned(lowered, Lowered, partitioner)

    def __repr__(self) -> str:
        """Return the function, its arguments, and the mesh of their shardings, without partitioning."""
        from sdy.jax.gspmd import mesh_of

        arguments = jax.tree.leaves(self.in_avals)
        sizes = sum(math.prod(one.shape) * one.dtype.itemsize for one in arguments if hasattr(one, "dtype"))
        mesh, name = mesh_of(self), getattr(self._lowering, "_name", "")
        where = "" if mesh is None else f", on {mesh}"
        return f"<sdy.jax.Lowered {name}: {len(arguments)} arguments, {sizes:,} bytes{where}>"

    @functools.cached_property
    def partitioned(self) -> PartitionedModule:
        """Return the program of one device. Raises `DiagnosticError` if the program cannot be partitioned.

        Its axes have the names in the function's shardings, for any form in which JAX lowered it.
        """
        module = self.compiler_ir("stablehlo")
        assert module is not None, "JAX lowers to StableHLO"
        return self._kept(module) or self._partitioned(module)

    def _kept(self, module: ir.Module) -> PartitionedModule | None:
        """Return the program from JAX's cache, if present; never one with axis names known only to JAX."""
        backend = getattr(getattr(self, "_lowering", None), "compile_args", {}).get("backend")
        if backend is None or not any(op.operation.name == "sdy.mesh" for op in module.body):
            return None
        place = place_of(backend, module, self._partitioner)
        found = None if place is None else place.find(with_places=True)
        if found is None:
            return None
        own = self.compiled_program()
        return replace(found, source=own.program, context=own.context, partitioning=own.partitioning)

    def _partitioned(self, module: ir.Module) -> PartitionedModule:
        from sdy.jax.gspmd import mesh_of

        return self._partitioner.partition(module, mesh_of(self))

    def compiled_program(self) -> CompiledProgram:
        """Return the partitioned program, with the user's axis names."""
        return self._compiled_program

    @functools.cached_property
    def _compiled_program(self) -> CompiledProgram:
        from sdy.jax.gspmd import mesh_of

        return self._partitioner.compiled(self.as_text(debug_info=True), mesh_of(self))

    def communication(self, *, machine: Machine | str | None = None) -> CommunicationReport:
        """Report the communication of the program and its causes: `sdy.communication`."""
        return sdy.communication(self, machine=machine)

    def explain(self, selector: str = "all") -> Explanations:
        """Why values are sharded as they are: `sdy.explain`. Arguments go by their names, as ``params['w']``."""
        return sdy.explain(self, selector)

    def visualize_sharding(self, selector: str) -> ShardingPictures:
        """Draw how values lie on the mesh, for the terminal and for notebooks: `sdy.visualize_sharding`."""
        return sdy.visualize_sharding(self, selector)

    def why(self, collective: str, *, machine: Machine | str | None = None) -> Cause:
        """Explain a collective, and find changes that would remove it: `sdy.why`."""
        return sdy.why(self, collective, machine=machine)

    def cure(self, *, machine: Machine | str | None = None) -> ProgramCures:
        """Find changes of shardings that together make the step shorter: `sdy.cure`."""
        return sdy.cure(self, machine=machine)

    def compare(self, alternatives: Mapping[str, Way], *, machine: Machine | str | None = None) -> Comparison:
        """Compare with other shardings or options: `sdy.compare`."""
        return sdy.compare(self, alternatives, machine=machine)

    def report(self, path: str | os.PathLike[str], *, machine: Machine | str | None = None, title: str = "") -> Path:
        """Writes a page about the program into a file, for a browser: `sdy.page.save`. Returns the path."""
        return sdy.page.save(path, self, machine=machine, title=title)

    def timeline(self, machine: Machine | str) -> Timeline:
        """Return the timeline of a step on a machine (see `sdy.timeline`)."""
        return sdy.timeline(self, machine)

    def value_shardings(self) -> list[ValueSharding]:
        """The shardings that propagation gives the values of the global program, in program order."""
        from sdy.passes.manager import run_pipeline
        from sdy.programs.given_modules import own_copy
        from sdy.report.sharding_pictures import value_shardings

        own = self.compiled_program()
        module = own_copy(own.program, context=own.context)
        phases = own.partitioning.phases().only("importing", "preparing", "propagating")
        with module.context, collecting(lambda warning: None):
            run_pipeline(module, [*phases])
            return value_shardings(module)
