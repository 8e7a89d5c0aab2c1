"""Schedules by rules: fragments of each mesh as values, their order, and those to merge.

The predicates of registered schedules use the stage of a fragment; the built-in ones use the index of its mesh.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from functools import partial
from math import floor
from typing import TypeAlias

from sdy.lazy_dataclass import dataclass


class SplitFragmentType(Enum):
    """Half of a split backward fragment."""

    KEEP_TRANSFERRED = "kKeepTransferred"
    DROP_TRANSFERRED = "kDropTransferred"


@dataclass(frozen=True, slots=True)
class FragmentOrigin:
    """Name of a computation, and how often it was transposed."""

    computation_name: str
    transpose_count: int = 0

    def __str__(self) -> str:
        return f'"{self.computation_name}"' + (f"({self.transpose_count})" if self.transpose_count else "")


@dataclass(frozen=True, slots=True)
class FragmentInfo:
    """Identity of a fragment; all fields count."""

    origins: tuple[FragmentOrigin, ...]
    stage_id: int | None = None
    call_counter: int | None = None
    split_type: SplitFragmentType | None = None
    mesh_name: str = ""

    @property
    def transpose_count(self) -> int | None:
        """Return the transpose count of all origins; None without origins or if they differ."""
        counts = {origin.transpose_count for origin in self.origins}
        return counts.pop() if len(counts) == 1 else None

    @property
    def is_forward(self) -> bool:
        """Return whether none of its computations was transposed."""
        return self.transpose_count == 0

    @property
    def is_backward(self) -> bool:
        """Return whether each of its computations was transposed once."""
        return self.transpose_count == 1

    @property
    def drops_transferred(self) -> bool:
        """Return whether it is the half of a split backward fragment with the gradients of parameters."""
        return self.split_type is SplitFragmentType.DROP_TRANSFERRED

    def __str__(self) -> str:
        parts = [f"origins=[{','.join(map(str, self.origins))}]"]
        if self.stage_id is not None:
            parts.append(f"stage={self.stage_id}")
        if self.call_counter is not None:
            parts.append(f"call_counter={self.call_counter}")
        if self.split_type is not None:
            parts.append(f"split_type={self.split_type.value}")
        return f'FragmentInfo({",".join(parts)},mesh_name="{self.mesh_name}")'


@dataclass(frozen=True, slots=True)
class FragmentScheduleRule:
    """Fragments of one mesh in execution order."""

    ordered_fragments: tuple[FragmentInfo, ...]

    def __str__(self) -> str:
        return f"FragmentScheduleRule(ordered_fragments=[{'->'.join(map(str, self.ordered_fragments))}])"


@dataclass(frozen=True, slots=True)
class FragmentMergeRule:
    """Fragments to merge, and the name of the result."""

    sources: tuple[FragmentInfo, ...]
    target: FragmentInfo

    def __str__(self) -> str:
        return f"FragmentMergeRule(sources=[{','.join(map(str, self.sources))}],target={self.target})"


@dataclass(frozen=True, slots=True)
class PipelineContext:
    """Further inputs of rules, besides fragments.

    Attributes:
      num_meshes: meshes that are not on hosts.
      mesh_names: their names, in the order of the pipeline.
      dependencies: by fragment: those that it depends on, directly or not. Rules of such pairs are needless.
    """

    num_meshes: int
    mesh_names: tuple[str, ...] = ()
    dependencies: Mapping[FragmentInfo, tuple[FragmentInfo, ...]] = field(default_factory=dict)

    def needs(self, fragment: FragmentInfo) -> tuple[FragmentInfo, ...]:
        """Return the fragments that one depends on, in program order."""
        return self.dependencies.get(fragment, ())


Rules: TypeAlias = "tuple[Sequence[FragmentScheduleRule], Sequence[FragmentMergeRule]]"
Builder: TypeAlias = "Callable[[Sequence[FragmentInfo], PipelineContext], Rules]"
"""Gets the fragments of a mesh, and gives rules that order and merge them."""

Predicate: TypeAlias = "Callable[[FragmentInfo, FragmentInfo, PipelineContext], bool]"
"""Return whether the first fragment has to run before the second one."""


@dataclass(frozen=True)
class PipelineSchedule:
    """A schedule: builders of rules, and the options of passes that it needs."""

    rule_builders: tuple[Builder, ...]
    required_options: Mapping[str, bool | str] = field(default_factory=dict)

    def rules(self, fragments: Iterable[FragmentInfo], context: PipelineContext) -> Rules:
        """The rules for all meshes, in order of the first fragment of each."""
        by_mesh: dict[str, list[FragmentInfo]] = {}
        for fragment in fragments:
            by_mesh.setdefault(fragment.mesh_name, []).append(fragment)
        order: list[FragmentScheduleRule] = []
        merge: list[FragmentMergeRule] = []
        for own, build in itertools.product(by_mesh.values(), self.rule_builders):
            scheduled, merged = build(own, context)
            order += scheduled
            merge += merged
        return order, merge


def build_schedule_rules_from_predicate(
    fragments: Sequence[FragmentInfo], context: PipelineContext, must_happen_before: Predicate
) -> list[FragmentScheduleRule]:
    """Make one rule for each ordered pair of scheduling units that the predicate accepts."""
    units = [each for each in fragments if each.call_counter is not None and each.transpose_count in (0, 1)]
    pairs = itertools.permutations(units, 2)
    return [FragmentScheduleRule(pair) for pair in pairs if must_happen_before(*pair, context)]


def build_merge_rules_from_predicate(
    fragments: Sequence[FragmentInfo], context: PipelineContext, should_merge: Predicate
) -> list[FragmentMergeRule]:
    """Make one rule for each pair of fragments that the predicate accepts; the target has the origins of both."""
    return [
        FragmentMergeRule((first, second), _joined(first, second))
        for first, second in itertools.combinations(fragments, 2)
        if should_merge(first, second, context)
    ]


def _joined(first: FragmentInfo, second: FragmentInfo) -> FragmentInfo:
    stage = first.stage_id if first.stage_id == second.stage_id else None
    counter = first.call_counter if first.call_counter == second.call_counter else None
    return FragmentInfo(first.origins + second.origins, stage, counter, None, first.mesh_name)


# Predicates of the registered schedules ---------------------------------------------------------------


def _stage(fragment: FragmentInfo) -> int:
    if fragment.stage_id is None:
        raise ValueError(f"the schedule needs stages, but {fragment} has none; see name_to_stage_assignment")
    return fragment.stage_id


def _counter(fragment: FragmentInfo) -> int:
    assert fragment.call_counter is not None, "a scheduling unit has a call counter"
    return fragment.call_counter


def gpipe(first: FragmentInfo, second: FragmentInfo, _: PipelineContext) -> bool:
    """Forward before backward; both in the order of microbatches."""
    return (first.transpose_count, _counter(first)) < (second.transpose_count, _counter(second))


def one_fwd_one_bwd(first: FragmentInfo, second: FragmentInfo, context: PipelineContext) -> bool:
    """Forward and backward take turns once the pipeline is full."""
    i, j, ahead = _counter(first), _counter(second), context.num_meshes - _stage(first)
    if first.transpose_count == second.transpose_count:
        return i < j
    return i == j - ahead if first.is_backward else i == j + ahead - 1


def gpipe_but_1f1b_for_last_mesh(first: FragmentInfo, second: FragmentInfo, context: PipelineContext) -> bool:
    """1F1B on the last mesh, GPipe on the others."""
    is_last = _stage(first) == context.num_meshes - 1
    return (one_fwd_one_bwd if is_last else gpipe)(first, second, context)


def zero_bubble_h1(first: FragmentInfo, second: FragmentInfo, context: PipelineContext) -> bool:
    """1F1B with gradients of parameters put off into the bubbles."""
    i, j, stage = _counter(first), _counter(second), _stage(first)
    ahead = context.num_meshes - stage
    keeps, drops = (lambda f: f.is_backward and not f.drops_transferred), (lambda f: f.drops_transferred)
    if keeps(first) and second.is_forward and i == j - ahead:
        return True
    if first.is_forward and keeps(second):
        return i == j + ahead - 1
    if (drops(first) or (first.is_backward and stage == 0)) and second.is_forward:
        return j - i == context.num_meshes
    if keeps(first) and drops(second):
        return i - j == stage
    return drops(first) and keeps(second) and j - i == stage + 1


def zero_bubble_h2(first: FragmentInfo, second: FragmentInfo, context: PipelineContext, *, latency: float) -> bool:
    """More forward microbatches in flight than in ZB-H1; transfers take `latency` of a fragment's time."""

    def in_flight(mesh: int) -> int:
        left = context.num_meshes - mesh
        return floor(2 * left - 1 + 2 * (left - 1) * latency)

    i, j, stage = _counter(first), _counter(second), _stage(first)
    ahead, behind = in_flight(stage), in_flight(context.num_meshes - stage - 1)
    if first.is_forward and second.is_backward and i < ahead:
        return True
    if first.is_backward and not first.drops_transferred:
        if second.is_forward and j >= ahead:
            return j - i == ahead
        return second.drops_transferred and i - j == behind - 1
    if second.is_backward and not second.drops_transferred:
        return i - j == ahead - 1 if first.is_forward and i >= ahead else first.drops_transferred and j - i == behind
    return False


def parallel_pipelines_with_wrap_around(first: FragmentInfo, second: FragmentInfo, context: PipelineContext) -> bool:
    """Forward only: each mesh starts with the microbatch of its own number."""
    del context
    own, i, j = _stage(first), _counter(first), _counter(second)
    if own in (i, j):
        return i == own != j
    return i > j if (i < own) == (j < own) else i < j


def circular(
    first: FragmentInfo, second: FragmentInfo, context: PipelineContext, *, reversed_backward: bool = False
) -> bool:
    """Several stages per mesh: microbatches circulate in groups of one per mesh."""
    if first.transpose_count != second.transpose_count:
        return first.is_forward
    sign = -1 if first.is_backward and not reversed_backward else 1
    keys = [(_counter(each) // context.num_meshes, sign * _stage(each), _counter(each)) for each in (first, second)]
    return keys[0] > keys[1] if first.is_backward and reversed_backward else keys[0] < keys[1]


def schedule_by(before: Predicate, required_options: Mapping[str, bool | str] | None = None) -> PipelineSchedule:
    """Make a schedule from a function that tells which of two fragments of a mesh runs first.

    Args:
      before: gets two scheduling units of a mesh and the `PipelineContext`.
      required_options: options of the passes that the schedule needs.
    """

    def build(fragments: Sequence[FragmentInfo], context: PipelineContext) -> Rules:
        return build_schedule_rules_from_predicate(fragments, context, before), ()

    return PipelineSchedule((build,), required_options or {})


def _registered(before: Predicate, option: str) -> PipelineSchedule:
    return schedule_by(before, {"mpmd_pipeline_schedule": option})


PREDICATES = {
    "ONE_FWD_ONE_BWD": _registered(one_fwd_one_bwd, "1F1B"),
    "GPIPE": _registered(gpipe, "GPipe"),
    "GPIPE_BUT_1F1B_FOR_LAST_MESH": _registered(gpipe_but_1f1b_for_last_mesh, "GPipeBut1F1BForLastMesh"),
    "ZERO_BUBBLE_H1": _registered(zero_bubble_h1, "ZeroBubbleH1"),
    "ZERO_BUBBLE_H2_ZERO_TX_LATENCY": _registered(partial(zero_bubble_h2, latency=0.0), "ZeroBubbleH2ZeroTxLatency"),
    "ZERO_BUBBLE_H2_HALF_TX_LATENCY": _registered(partial(zero_bubble_h2, latency=0.5), "ZeroBubbleH2HalfTxLatency"),
    "ZERO_BUBBLE_H2_FULL_TX_LATENCY": _registered(partial(zero_bubble_h2, latency=1.0), "ZeroBubbleH2FullTxLatency"),
    "PARALLEL_PIPELINES_WITH_WRAP_AROUND": _registered(
        parallel_pipelines_with_wrap_around, "ParallelPipelinesWithWrapAround"
    ),
    "CIRCULAR": _registered(circular, "Circular"),
    "CIRCULAR_WITH_REVERSED_BACKWARD": _registered(
        partial(circular, reversed_backward=True), "CircularWithReversedBackward"
    ),
}
