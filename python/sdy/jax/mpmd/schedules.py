"""Schedules by rules: fragments of each mesh as values, their order, and those to merge.

The registered schedules use the stage of a fragment; the built-in ones of the passes use the index of its mesh.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from sdy.lazy_dataclass import dataclass
from sdy.passes.mpmd.common.fragments import FragmentInfo
from sdy.passes.mpmd.common.rules import FragmentMergeRule, FragmentScheduleRule
from sdy.passes.mpmd.scheduling.pipeline_schedules import SCHEDULES, Unit


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


def schedule_by(before: Predicate, required_options: Mapping[str, bool | str] | None = None) -> PipelineSchedule:
    """Make a schedule from a function that tells which of two fragments of a mesh runs first.

    Args:
      before: gets two scheduling units of a mesh and the `PipelineContext`.
      required_options: options of the passes that the schedule needs.
    """

    def build(fragments: Sequence[FragmentInfo], context: PipelineContext) -> Rules:
        return build_schedule_rules_from_predicate(fragments, context, before), ()

    return PipelineSchedule((build,), required_options or {})


def _registered(option: str) -> PipelineSchedule:
    """Return the built-in schedule of that name, in which the stage of a fragment counts as the index of its mesh."""
    precedes = SCHEDULES[option]

    def unit(fragment: FragmentInfo, context: PipelineContext) -> Unit:
        stage, counter = fragment.stage_id, fragment.call_counter
        assert counter is not None, "a scheduling unit has a call counter"
        if stage is None and option != "GPipe":
            raise ValueError(f"the schedule needs stages, but {fragment} has none; see name_to_stage_assignment")
        is_weights = fragment.drops_transferred
        mesh = stage or 0
        return Unit(context.num_meshes, mesh, f"{mesh}", counter, fragment.is_backward, is_weights, stage)

    def before(first: FragmentInfo, second: FragmentInfo, context: PipelineContext) -> bool:
        return precedes(unit(first, context), unit(second, context))

    return schedule_by(before, {"mpmd_pipeline_schedule": option})


PREDICATES = {
    "ONE_FWD_ONE_BWD": _registered("1F1B"),
    "GPIPE": _registered("GPipe"),
    "GPIPE_BUT_1F1B_FOR_LAST_MESH": _registered("GPipeBut1F1BForLastMesh"),
    "ZERO_BUBBLE_H1": _registered("ZeroBubbleH1"),
    "ZERO_BUBBLE_H2_ZERO_TX_LATENCY": _registered("ZeroBubbleH2ZeroTxLatency"),
    "ZERO_BUBBLE_H2_HALF_TX_LATENCY": _registered("ZeroBubbleH2HalfTxLatency"),
    "ZERO_BUBBLE_H2_FULL_TX_LATENCY": _registered("ZeroBubbleH2FullTxLatency"),
    "PARALLEL_PIPELINES_WITH_WRAP_AROUND": _registered("ParallelPipelinesWithWrapAround"),
    "CIRCULAR": _registered("Circular"),
    "CIRCULAR_WITH_REVERSED_BACKWARD": _registered("CircularWithReversedBackward"),
}
