"""Pipeline schedules: the order of two scheduling units of one mesh, and the pass that applies it (spec: mpmd, 5)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from sdy.dialect.mpmd.values import Topology
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import warn_once, warning
from sdy.passes.mpmd.common.fragments import (
    SPLIT_DROP,
    call_counter,
    is_mpmd_function,
    is_on_host,
    is_scheduling_unit,
    mesh_name_of,
    stage_of,
    topology_of,
    transpose_count,
)
from sdy.passes.mpmd.common.order import Dependencies
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@dataclass(frozen=True, slots=True)
class Unit:
    """A scheduling unit, and where it is in the pipeline.

    Attributes:
      meshes: number of meshes that are not on hosts.
      mesh: position of its mesh among them.
      mesh_name: name of its mesh.
      counter: number of the microbatch.
      is_backward: whether it is of a backward pass.
      is_weights: whether it is the part of a split backward pass that only makes gradients of parameters.
      stage: stage of the pipeline, None without one.
    """

    meshes: int
    mesh: int
    mesh_name: str
    counter: int
    is_backward: bool
    is_weights: bool = False
    stage: int | None = None

    @property
    def is_input_gradient(self) -> bool:
        """Return whether it is a backward pass, or the part of one for the gradient of inputs."""
        return self.is_backward and not self.is_weights


def unit_of(fragment: ir.Operation, topology: Topology) -> Unit:
    """The scheduling unit that a fragment is."""
    names = [each.name for each in topology.meshes if not is_on_host(each.name)]
    mesh, counter = mesh_name_of(fragment), call_counter(fragment)
    assert counter is not None
    return Unit(
        len(names),
        names.index(mesh) if mesh in names else 0,
        mesh,
        counter,
        transpose_count(fragment) == 1,
        SPLIT_DROP in fragment.attributes,
        stage_of(fragment),
    )


Precedes = Callable[[Unit, Unit], bool]
"""Predicate: the first of two units of one mesh must come before the second."""


def _never(first: Unit, second: Unit) -> bool:
    del first, second
    return False


def _gpipe(first: Unit, second: Unit) -> bool:
    return (first.is_backward, first.counter) < (second.is_backward, second.counter)


def _one_forward_one_backward(first: Unit, second: Unit) -> bool:
    if first.is_backward == second.is_backward:
        return first.counter < second.counter
    if first.is_backward:
        return first.counter == second.counter - first.meshes + first.mesh
    return first.counter == second.counter + first.meshes - first.mesh - 1


def _one_forward_one_backward_on_last_mesh(first: Unit, second: Unit) -> bool:
    rule = _one_forward_one_backward if first.mesh == first.meshes - 1 else _gpipe
    return rule(first, second)


def _zero_bubble_h1(first: Unit, second: Unit) -> bool:
    ahead = first.counter - second.counter
    if first.is_input_gradient and not second.is_backward and ahead == first.mesh - first.meshes:
        return True
    if not first.is_backward and second.is_input_gradient and ahead == first.meshes - first.mesh - 1:
        return True
    if (first.is_weights or (first.is_backward and first.mesh == 0)) and not second.is_backward:
        return -ahead == first.meshes
    if first.is_input_gradient and second.is_weights:
        return ahead == first.mesh
    return first.is_weights and second.is_input_gradient and -ahead == first.mesh + 1


def _zero_bubble_h2(latency: float) -> Precedes:
    """Return the schedule for a latency of transfers, in units of the time of a forward pass."""

    def warm_up(meshes: int, mesh: int) -> int:
        return math.floor(2 * (meshes - mesh) - 1 + 2 * (meshes - mesh - 1) * latency)

    def precedes(first: Unit, second: Unit) -> bool:
        entry = warm_up(first.meshes, first.mesh)
        delay = warm_up(first.meshes, first.meshes - first.mesh - 1)
        ahead = first.counter - second.counter
        if not first.is_backward and second.is_backward:
            is_early = first.counter < entry
            return is_early or (second.is_input_gradient and ahead == entry - 1)
        if first.is_input_gradient and not second.is_backward:
            return second.counter >= entry and -ahead == entry
        if first.is_input_gradient and second.is_weights:
            return ahead == delay - 1
        return first.is_weights and second.is_input_gradient and -ahead == delay

    return precedes


def _parallel_with_wrap_around(first: Unit, second: Unit) -> bool:
    if first.is_backward or second.is_backward or first.counter == second.counter:
        return False
    found = re.search(r"\d+", first.mesh_name)
    start = int(found[0]) if found else 0
    if start in (first.counter, second.counter):
        return first.counter == start
    is_one_side = (first.counter < start) == (second.counter < start)
    return first.counter > second.counter if is_one_side else first.counter < second.counter


def _circular(*, reverse_backward: bool) -> Precedes:
    def precedes(first: Unit, second: Unit) -> bool:
        if first.stage is None or second.stage is None:
            return False
        if first.is_backward != second.is_backward:
            return second.is_backward
        if not first.is_backward:
            return _round(first) < _round(second)
        return _round(first) > _round(second) if reverse_backward else _round(first, -1) < _round(second, -1)

    return precedes


def _round(unit: Unit, sign: int = 1) -> tuple[int, int, int]:
    """The place of a unit with a stage if stages go around the meshes."""
    assert unit.stage is not None
    return unit.counter // unit.meshes, sign * unit.stage, unit.counter


SCHEDULES: Mapping[str, Precedes] = {
    "None": _never,
    "1F1B": _one_forward_one_backward,
    "GPipe": _gpipe,
    "Circular": _circular(reverse_backward=False),
    "CircularWithReversedBackward": _circular(reverse_backward=True),
    "GPipeBut1F1BForLastMesh": _one_forward_one_backward_on_last_mesh,
    "ZeroBubbleH1": _zero_bubble_h1,
    "ZeroBubbleH2ZeroTxLatency": _zero_bubble_h2(0.0),
    "ZeroBubbleH2HalfTxLatency": _zero_bubble_h2(0.5),
    "ZeroBubbleH2FullTxLatency": _zero_bubble_h2(1.0),
    "ParallelPipelinesWithWrapAround": _parallel_with_wrap_around,
}
"""The built-in schedules by the names of options."""


def schedule_named(name: str) -> Precedes:
    """The schedule of that name, in upper or lower case.

    Raises:
      ValueError: there is none.
    """
    for known, precedes in SCHEDULES.items():
        if known.lower() == name.lower():
            return precedes
    raise ValueError(f"no pipeline schedule '{name}'; there are {', '.join(SCHEDULES)}")


def needs_stages(name: str) -> bool:
    """Return whether a schedule orders units with stages only."""
    return name.lower().startswith("circular")


@dataclass(frozen=True)
class PipelineSchedulerOptions:
    """Options under upstream's names."""

    must_happen_before: str = option("GPipe", "the schedule")

    def __post_init__(self) -> None:
        """Raises `ValueError` for a schedule that there is not."""
        schedule_named(self.must_happen_before)


@pass_("mpmd-pipeline-scheduler", on=FUNCTION, options=PipelineSchedulerOptions)
def pipeline_scheduler(func: ir.Operation, options: PipelineSchedulerOptions) -> None:
    """mpmd-pipeline-scheduler: Order the forward and backward fragments of each mesh by a pipeline schedule.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 0 : ui32} ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
        %3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) {call_counter = 0 : ui32} ...
    ==> %1 = ... %3 = ... %2 = ...  // with must-happen-before=1F1B on the last mesh

    What data flow orders stays as it is.

    Spec: mpmd, 5.
    """
    topology = topology_of(func)
    if topology is None or not is_mpmd_function(func):
        return
    precedes = schedule_named(options.must_happen_before)
    order = Dependencies(func)
    by_mesh: dict[str, list[int]] = {}
    for number, op in enumerate(order.ops):
        if is_scheduling_unit(op):
            by_mesh.setdefault(mesh_name_of(op), []).append(number)
    for numbers in by_mesh.values():
        units = {number: unit_of(order.ops[number], topology) for number in numbers}
        if needs_stages(options.must_happen_before) and any(unit.stage is None for unit in units.values()):
            warn_once("stages", func, f"{options.must_happen_before} does not order fragments without stages")
        for first, unit in units.items():
            for second, other in units.items():
                if first == second or not precedes(unit, other):
                    continue
                if not order.is_before(first, second) and not order.is_before(second, first):
                    order.add(first, second)
    if not order.sort():
        warning(func, "has fragments that depend on one another in a circle")
