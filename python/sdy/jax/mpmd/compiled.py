"""A compiled program of several meshes: calls, and figures of memory and time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import jax

from sdy.hidden_frames import hidden
from sdy.jax.call_arguments import PyTree
from sdy.lazy_dataclass import dataclass
from sdy.mpmd_running.dispatch import Dispatcher, await_outputs
from sdy.mpmd_running.executables import compile_fragments, with_callbacks
from sdy.mpmd_running.processes import check_same_program
from sdy.mpmd_running.profiling import Profile, profile
from sdy.pipeline.timeline import PipelineTimeline, measured_timeline, peak_bytes

if TYPE_CHECKING:
    from jax.sharding import NamedSharding

    from sdy.jax.mpmd.config import Config
    from sdy.jax.mpmd.lowered import Lowered


@dataclass(frozen=True)
class Memory:
    """Bytes on each device of a mesh: of simultaneous values, and the largest temporary memory of a fragment."""

    values: int
    temporary: int

    @property
    def peak(self) -> int:
        """Return the sum of both, a bound of a step's memory."""
        return self.values + self.temporary


class Compiled:
    """A compiled program of several meshes; a call dispatches it without waiting."""

    def __init__(self, lowered: Lowered, kept: Sequence[int], dispatch: Literal["order", "meshes"] | None) -> None:
        """Compiles the fragments of `lowered`; `kept` are the arguments that the program takes."""
        self._lowered = lowered
        self._kept = [*kept]
        self.input_shardings: PyTree = lowered.function_named_shardings.input_specs
        self.output_shardings: PyTree = lowered.function_named_shardings.output_specs
        self._expected: list[NamedSharding] = jax.tree.leaves(self.input_shardings)
        if lowered.config.is_unequal and jax.process_count() > 1:
            raise ValueError("meshes with axes of their own run in one process, where transfers may change shardings")
        check_same_program(lowered.program)
        self.fragments: dict[str, jax.stages.Compiled] = compile_fragments(
            lowered.fragments, lowered.program.runs, lowered.config.topology, lowered.callbacks
        )
        awaited = with_callbacks(lowered.fragments)
        self._dispatch = Dispatcher(lowered.program, self.fragments, lowered.config.topology, dispatch, awaited)

    @hidden
    def __call__(self, *args: PyTree) -> PyTree:
        """Dispatch the program.

        Args:
          args: arrays with the shardings in `input_shardings`; `put` gives them these.

        Raises:
          FragmentError: a fragment or a transfer fails.
          TypeError: the arguments have another structure than those that it was lowered for.
          ValueError: an argument is not an array, or has another sharding; the message lists all such arguments.
        """
        results = self._dispatch(self._taken(args))
        return jax.tree.unflatten(self._lowered.out_tree, results)

    @hidden
    def check(self, *args: PyTree) -> PyTree:
        """Run one step and wait for each instruction, so that an error names the failing fragment.

        Raises:
          FragmentError: a fragment or a transfer fails.
        """
        results = self._dispatch(self._taken(args), await_outputs)
        return jax.tree.unflatten(self._lowered.out_tree, results)

    @hidden
    def profile(self, *args: PyTree) -> tuple[PyTree, Profile]:
        """Run one step; return its results, and measurements: seconds, microbatches and bytes that meshes hold."""
        results, measured = profile(self._dispatch, self._taken(args))
        return jax.tree.unflatten(self._lowered.out_tree, results), measured

    @hidden
    def timeline(self, *args: PyTree) -> tuple[PyTree, PipelineTimeline]:
        """Run one step, waiting for each instruction; return its results, and the step with the times measured.

        Raises:
          FragmentError: a fragment or a transfer fails.
        """
        in_order = self._dispatch if self._dispatch.dispatch == "order" else self._dispatch.in_order()
        results, measured = measured_timeline(in_order, self._taken(args))
        return jax.tree.unflatten(self._lowered.out_tree, results), measured

    def memory_analysis(self) -> dict[str, Memory]:
        """By name of a mesh: bytes on each of its devices, by the order of the program and by XLA's figures."""
        program = self._lowered.program
        temporary = dict.fromkeys(self._lowered.config.topology, 0)
        for run in program.runs:
            analysis = self.fragments[run.callee].memory_analysis() if run.callee in self.fragments else None
            size = getattr(analysis, "temp_size_in_bytes", 0)
            temporary[run.mesh] = max(temporary[run.mesh], size)
        values = peak_bytes(program)
        return {mesh: Memory(values[mesh], temporary[mesh]) for mesh in temporary}

    def cost_analysis(self) -> dict[str, dict[str, float]]:
        """Return XLA's cost analysis by name of a fragment's function."""
        return {name: dict(each.cost_analysis() or {}) for name, each in self.fragments.items()}

    def _taken(self, args: tuple[PyTree, ...]) -> list[jax.Array]:
        """Return the arrays for the program. Raises `TypeError` or `ValueError` for mismatched arguments."""
        flat, tree = jax.tree.flatten((args, {}))
        if tree != self._lowered.in_tree:
            raise TypeError(
                f"arguments have the structure {tree}, but the program is lowered for {self._lowered.in_tree}"
            )
        expected = self._expected
        for number in self._kept:
            array = flat[number]
            sharding = getattr(array, "sharding", None)
            if sharding is not expected[number] and not self._fits(array, number):
                raise ValueError(self._complaint(args))
        return [flat[number] for number in self._kept]

    def put(self, *args: PyTree) -> tuple[PyTree, ...]:
        """The arguments on the meshes, and with the shardings, that the program takes."""
        return jax.device_put(args, self.input_shardings)

    def _fits(self, array: object, number: int) -> bool:
        if not isinstance(array, jax.Array):
            return False
        expected = self._expected[number]
        return array.sharding == expected or array.sharding.is_equivalent_to(expected, array.ndim)

    def _complaint(self, args: tuple[PyTree, ...]) -> str:
        lines = []
        config: Config = self._lowered.config
        kept = {*self._kept}
        for number, (path, array) in enumerate(jax.tree_util.tree_leaves_with_path(args)):
            if number in kept and not self._fits(array, number):
                expected = self._expected[number]
                sharding = getattr(array, "sharding", None)
                mesh = config.mesh_of(sharding)
                given = (
                    f"not a jax.Array, but a {type(array).__name__}" if sharding is None else f"{sharding} on {mesh}"
                )
                name = f"args{jax.tree_util.keystr(path)}"
                lines.append(f"  {name} is {given}; expected {expected.spec} on {config.mesh_of(expected)}")
        return "\n".join(["arguments are not placed as the program takes them (see `put`):", *lines])
