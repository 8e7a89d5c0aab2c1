"""A JAX function lowered for several meshes: its module before and after each phase, shardings, fragments."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import jax
from jax.sharding import NamedSharding, PartitionSpec

import sdy
from sdy.dialect.assembly import print_module
from sdy.jax.call_arguments import PyTree
from sdy.jax.mpmd.compiled import Compiled
from sdy.jax.mpmd.config import Config, flat_assignment
from sdy.jax.mpmd.phases import apply_phases
from sdy.jax.mpmd.preparing import names_of_computations, prepare
from sdy.jax.mpmd.transfer_causes import TransferCause, why
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mpmd_running.dispatch import sharding_of
from sdy.mpmd_running.executables import partitioned_fragments
from sdy.mpmd_running.instructions import PipelineProgram
from sdy.passes.costs.machine import Machine
from sdy.pipeline.page import page
from sdy.pipeline.tables import Schedule
from sdy.pipeline.timeline import PipelineTimeline, timeline
from sdy.pipeline.transfer_report import PipelineCommunication, pipeline_communication
from sdy.programs.sources import write_file

if TYPE_CHECKING:
    from sdy.partitioned_module import PartitionedModule
    from sdy.report.explanation import Explanations
    from sdy.suggestions.attribution import Cause

Found = TypeVar("Found")


@dataclass(frozen=True)
class FunctionShardings:
    """Shardings of arguments and results, in their trees, on their meshes."""

    input_specs: PyTree
    output_specs: PyTree


@dataclass(frozen=True)
class FunctionMeshes:
    """Names of the meshes of arguments and results, in their trees."""

    input_meshes: PyTree
    output_meshes: PyTree


class Lowered:
    """A function lowered by `mpmd.jit` for some arguments."""

    def __init__(self, lowered: jax.stages.Lowered, config: Config, meshes: tuple[PyTree, PyTree]) -> None:
        """Take JAX's lowered program, and prefix trees of the meshes of arguments and results."""
        self._jax = lowered
        self.config = config
        self._meshes = meshes
        arguments, self._keywords = lowered.args_info
        self._arguments: tuple[PyTree, ...] = arguments
        self._num_arguments = len(jax.tree.leaves(lowered.args_info))
        kept_by_jax = lowered._lowering.compile_args  # pyright: ignore[reportAttributeAccessIssue]
        self.callbacks: tuple[Callable, ...] = tuple(kept_by_jax.get("host_callbacks") or ())
        kept = kept_by_jax.get("kept_var_idx")
        self._kept = sorted(kept) if kept is not None else [*range(self._num_arguments)]

    def __repr__(self) -> str:
        """Return the number of arguments and the meshes, without lowering the program to them."""
        return f"<sdy.jax.mpmd.Lowered: {self._num_arguments} arguments, on meshes {', '.join(self.config.topology)}>"

    @property
    def in_tree(self) -> Any:
        """The structure of positional and named arguments."""
        return self._jax.in_tree

    @property
    def out_tree(self) -> Any:
        """The structure of results."""
        return self._jax.out_tree

    @functools.cached_property
    def module(self) -> ir.Module:
        """Return the exported module: calls of fragments, each on one mesh, and transfers.

        Raises:
          DiagnosticError: the program cannot be spread over the meshes.
        """
        imported = sdy.parse(self._jax.as_text(debug_info=True))
        module: ir.Module = getattr(imported, "module", imported)
        prepare(module, self.config, [number for number, kept in enumerate(self._kept) if self._is_donated(kept)])
        inputs = flat_assignment(self._meshes[0], self._arguments)
        inputs += [None] * (self._num_arguments - len(inputs))
        outputs = flat_assignment(self._meshes[1], jax.tree.unflatten(self.out_tree, [0] * self.out_tree.num_leaves))
        apply_phases(module, self.config, [inputs[number] for number in self._kept], outputs)
        return module

    @functools.cached_property
    def program(self) -> PipelineProgram:
        """The instructions that a call dispatches."""
        return PipelineProgram.of(self.module)

    @functools.cached_property
    def fragments(self) -> dict[str, PartitionedModule]:
        """Return, by name of a fragment's function, the program of one device of its mesh.

        `sdy.communication`, `sdy.why`, `sdy.timeline` and `sdy.page.save` take each of them.
        """
        sizes = {run.callee: self.config.topology[run.mesh].size for run in self.program.runs}
        return partitioned_fragments(self.module, sizes)

    def as_text(self, dialect: Literal["mpmd", "stablehlo", "fragments"] = "mpmd") -> str:
        """The program as text.

        Args:
          dialect: "stablehlo" for JAX's module, "mpmd" for the exported module, "fragments" for the program of each
            fragment.
        """
        if dialect == "stablehlo":
            return self._jax.as_text()
        if dialect == "mpmd":
            return print_module(self.module)
        if dialect == "fragments":
            return "\n\n".join(f"// {name}\n{each.text}" for name, each in self.fragments.items())
        raise ValueError(f"unknown dialect {dialect!r}; these are mpmd, stablehlo, fragments")

    def compiler_ir(self, dialect: Literal["mpmd", "stablehlo"] = "mpmd") -> Any:
        """The module: of our bindings for "mpmd", of JAX's for "stablehlo"."""
        return self.module if dialect == "mpmd" else self._jax.compiler_ir("stablehlo")

    def schedule(self) -> Schedule:
        """The order of fragments on each mesh; prints as a table."""
        return Schedule.of(self.program)

    def communication(self) -> PipelineCommunication:
        """Report what a step sends: transfers between meshes, and collectives within them."""
        reports = _by_text(self.fragments.values(), sdy.communication)
        return pipeline_communication(self.program, self.fragments, reports)

    def why(self, name: str) -> TransferCause | Cause:
        """Explain a transfer of `communication` (``t0``), or a collective of a fragment (``p0_f.main:c0``).

        Of a transfer it tells what other assignments of names would send, of a collective which shardings would remove
        it.

        Raises:
          ValueError: there is no such transfer, fragment or collective.
        """
        fragment, found, collective = name.partition(":")
        return sdy.why(self._fragment(fragment), collective) if found else why(self, name)

    def explain(self, fragment: str, selector: str = "all") -> Explanations:
        """Explain the shardings of values in a fragment, as `sdy.explain` does.

        Raises:
          ValueError: there is no such fragment or value.
        """
        return sdy.explain(self._fragment(fragment), selector)

    def _fragment(self, name: str) -> PartitionedModule:
        if name not in self.fragments:
            raise ValueError(f"there is no fragment {name!r}; these are {', '.join(self.fragments)}")
        return self.fragments[name]

    def report(
        self, path: str | os.PathLike[str], machine: Machine | str = "h100", **others: Lowered | PipelineTimeline
    ) -> Path:
        """Write a page of the step: when meshes compute and wait, what they hold, what is sent.

        Args:
          path: of the HTML file, which needs no other.
          machine: as `timeline` takes it.
          others: by name: the same function for other configs, or timelines such as a measured one; drawn below on the
            same scale.
        """
        given = {self.config.schedule_title: self, **others}
        timelines = {
            name: each.timeline(machine) if isinstance(each, Lowered) else each for name, each in given.items()
        }
        texts = {
            f"{name}: {title}": text for name, each in timelines.items() for title, text in [("meshes", str(each))]
        }
        texts |= {"Order of fragments": str(self.schedule()), "Communication": str(self.communication())}
        target = Path(path)
        write_file(target, page(target.stem, timelines, texts).encode())
        return target

    def names(self) -> list[str]:
        """Return the names of computations, in the order of the program that JAX lowered."""
        imported = sdy.parse(self._jax.as_text())
        module: ir.Module = getattr(imported, "module", imported)
        with module.context:
            return names_of_computations(module)

    def with_config(self, config: Config) -> Lowered:
        """Return the same function for another config, with meshes of the same axes."""
        return Lowered(self._jax, config, self._meshes)

    def timeline(self, machine: Machine | str) -> PipelineTimeline:
        """Simulate a step on a machine.

        Args:
          machine: as `sdy.timeline` takes it; `bandwidth.stage` and `latency.stage` are those between meshes.
        """
        machine = Machine.given(machine, "timeline")
        found = _by_text(self.fragments.values(), lambda each: sdy.timeline(each, machine))
        timelines = {name: found[each.text] for name, each in self.fragments.items()}
        seconds = {name: each.total for name, each in timelines.items()}
        return replace(timeline(self.program, seconds, machine), fragments=timelines)

    @functools.cached_property
    def function_named_shardings(self) -> FunctionShardings:
        """Return the shardings of arguments and results on their meshes; unused arguments are on the first mesh."""
        program, topology = self.program, self.config.topology
        found = [sharding_of(type_, topology, is_auto=False) for type_ in program.slots]
        unused = NamedSharding(self.config.mesh, PartitionSpec())
        flat = [unused] * self._num_arguments
        for number, sharding in zip(self._kept, found, strict=False):
            flat[number] = sharding
        return FunctionShardings(
            jax.tree.unflatten(self.in_tree, flat)[0],
            jax.tree.unflatten(self.out_tree, [found[slot] for slot in program.results]),
        )

    @property
    def function_mesh_assignment(self) -> FunctionMeshes:
        """The meshes of arguments and results."""
        shardings = self.function_named_shardings
        name = self.config.mesh_of
        return FunctionMeshes(jax.tree.map(name, shardings.input_specs), jax.tree.map(name, shardings.output_specs))

    @property
    def sharding_info(self) -> FunctionShardings:
        """The same as `function_named_shardings`."""
        return self.function_named_shardings

    def compile(self, *, dispatch: Literal["order", "meshes"] | None = None) -> Compiled:
        """Compile each fragment for its mesh.

        Args:
          dispatch: "order" for one thread that dispatches in program order; "meshes" for a thread for each mesh; None
            to choose by the devices.
        """
        return Compiled(self, self._kept, dispatch)

    def _is_donated(self, number: int) -> bool:
        return jax.tree.leaves(self._jax.args_info)[number].donated


def _by_text(fragments: Iterable[PartitionedModule], report: Callable[[PartitionedModule], Found]) -> dict[str, Found]:
    """Return a report of each fragment; equal fragments share one."""
    found: dict[str, Found] = {}
    for each in fragments:
        if each.text not in found:
            found[each.text] = report(each)
    return found
