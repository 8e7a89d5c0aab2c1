"""What `sdy.jax.jit` gives: JAX's own stages, which know the partitioned program besides."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

import jax.stages

import sdy
from sdy.jax.caching.kept_programs import place_of
from sdy.jax.jax_types import PyTree
from sdy.mlir.diagnostics import collecting
from sdy.partitioned_module import PIPELINE, PartitionedModule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax._src.interpreters.mlir import LoweringParameters
    from jaxlib.mlir import ir

    from sdy.auto.comparison import Comparison, Way
    from sdy.cures.causes import Cause
    from sdy.jax.partitioner import Partitioner
    from sdy.passes.costs.machine import Machine
    from sdy.passes.partitioning.partition_options import PartitionOptions
    from sdy.passes.registry import Step
    from sdy.report.communication_report import CommunicationReport
    from sdy.report.explanation import Explanations
    from sdy.report.sharding_table import ValueSharding

T = TypeVar("T")


@runtime_checkable
class Jitted(jax.stages.Wrapped, Protocol):
    """A function that `sdy.jax.jit` made; an object of JAX's, with all that those of `jax.jit` have."""

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
    """A stage of JAX itself, turned into one of ours."""
    turned: Any = stage
    turned.__class__ = ours
    turned._partitioner = partitioner
    return turned


class Traced(jax.stages.Traced):
    """A function traced for some arguments: a `jax.stages.Traced`."""

    _partitioner: Partitioner

    @staticmethod
    def of(traced: jax.stages.Traced, partitioner: Partitioner) -> Traced:
        """`traced` itself, turned into one of ours."""
        return _turned(traced, Traced, partitioner)

    def lower(
        self,
        *,
        lowering_platforms: tuple[str, ...] | None = None,
        _private_parameters: LoweringParameters | None = None,
    ) -> Lowered:
        """The global program, neither partitioned nor run; options as those of `jax.stages.Traced.lower`."""
        lowered = super().lower(lowering_platforms=lowering_platforms, _private_parameters=_private_parameters)
        return Lowered.of(lowered, self._partitioner)


class Lowered(jax.stages.Lowered):
    """A function lowered for some arguments: a `jax.stages.Lowered` that knows the partitioned program."""

    _partitioner: Partitioner

    @staticmethod
    def of(lowered: jax.stages.Lowered, partitioner: Partitioner) -> Lowered:
        """`lowered` itself, turned into one of ours."""
        return _turned(lowered, Lowered, partitioner)

    @functools.cached_property
    def partitioned(self) -> PartitionedModule:
        """The program of one device. Raises `DiagnosticError` if the program cannot be partitioned.

        Its axes have the names that the shardings of the function give them, whatever JAX has lowered it for.
        """
        module = self.compiler_ir("stablehlo")
        assert module is not None, "JAX lowers to StableHLO"
        return self._kept(module) or self._partitioned(module)

    def _kept(self, module: ir.Module) -> PartitionedModule | None:
        """The program from JAX's compilation cache, if it is there; one with axes that only JAX knows never is."""
        backend = getattr(getattr(self, "_lowering", None), "compile_args", {}).get("backend")
        if backend is None or not any(op.operation.name == "sdy.mesh" for op in module.body):
            return None
        place = place_of(backend, module, self._partitioner)
        return None if place is None else place.find(with_places=True)

    def _partitioned(self, module: ir.Module) -> PartitionedModule:
        from sdy.jax.axis_names import mesh_of

        return self._partitioner.partition(module, mesh_of(self))

    @functools.cached_property
    def _text(self) -> str:
        """The global program as it is partitioned, with the names that the user has given to axes."""
        from sdy.jax.axis_names import mesh_of

        text = self._partitioner.annotated(self.as_text(debug_info=True), mesh_of(self), "-")
        first, _ = self._steps
        if not first:
            return text
        from sdy.passes.manager import run_nested

        module = sdy.parse(text)
        with module.context, collecting(lambda warning: None):
            run_nested(module.operation, first)
        return sdy.print_module(module, sdy.PrintOptions(debug_info=True))

    @property
    def _options(self) -> PartitionOptions:
        """Those with which the program is partitioned; the usual ones if the passes are not."""
        from sdy.passes.options import make_options
        from sdy.passes.partitioning.partition_options import PartitionOptions

        _, partition = self._steps
        given = {} if partition is None else partition.options
        return make_options(PartitionOptions, {**given, "embedded": True})

    @property
    def _steps(self) -> tuple[list[Step], Step | None]:
        """The passes that come before the program is partitioned, and the one that does; none if it is not usual."""
        from sdy.passes.pipeline_text import parse_pipeline

        steps = parse_pipeline(self._partitioner.pipeline)
        place = next((place for place, one in enumerate(steps) if one.name == PIPELINE), None)
        return ([], None) if place is None else (steps[:place], steps[place])

    def communication(self, *, machine: Machine | str | None = None) -> CommunicationReport:
        """What the program communicates and why: `sdy.communication`."""
        return sdy.communication(self._text, options=self._options, machine=machine)

    def explain(self, selector: str = "all") -> Explanations:
        """Why values are sharded as they are: `sdy.explain`. Arguments go by their names, as ``params['w']``."""
        return sdy.explain(self._text, selector, is_embedded=True)

    def why(self, collective: str, *, machine: Machine | str | None = None) -> Cause:
        """Why a collective is there, and what would remove it: `sdy.why`."""
        return sdy.why(self._text, collective, options=self._options, machine=machine)

    def compare(self, alternatives: Mapping[str, Way], *, machine: Machine | str | None = None) -> Comparison:
        """The program with other shardings or options: `sdy.compare`."""
        return sdy.compare(self._text, alternatives, options=self._options, machine=machine)

    def report(self, path: str | os.PathLike[str], *, machine: Machine | str | None = None, title: str = "") -> Path:
        """Writes a page about the program into a file, for a browser: `sdy.page.save`. Returns the path."""
        plan = sdy.page.Plan(self._text, options=self._options)
        return sdy.page.save(path, plan, machine=machine, title=title)

    def value_shardings(self) -> list[ValueSharding]:
        """The shardings that propagation gives the values of the global program, in program order."""
        from sdy.report.sharding_table import value_shardings

        module = sdy.parse(self._text)
        with collecting(lambda warning: None):
            sdy.run(module, "sdy-import-foreign-shardings", "sdy-inline-plain-calls", "sdy-propagation-pipeline")
        return value_shardings(module)
