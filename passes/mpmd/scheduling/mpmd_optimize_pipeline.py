"""mpmd-optimize-pipeline: Order the fragments of each mesh by a schedule or by rules, and merge them by rules.

    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 0 : ui32} ...
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
    %3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) {call_counter = 0 : ui32} ...
==> %1 = ... %3 = ... %2 = ...  // with pipeline-schedule=1F1B on the last mesh

Rules, if given, replace the schedule.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes.mpmd.common.merging_steps import steps_merging_inferred
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class Options:
    """The reference takes these from code only."""

    pipeline_schedule: str = option("GPipe", "built-in schedule, for programs without rules")
    schedule_rules: str = option("", "rules of mpmd-rule-based-schedule")
    merge_rules: str = option("", "rules of mpmd-rule-based-merge")
    remat_fragments: bool = option(False, "rematerialize forward fragments in front of backward ones")
    merge_remat_fragments: bool = option(False, "merge rematerialized fragments into the backward fragment")
    merge_after_scheduling: bool = option(False, "merge inferred fragments now, not during import")
    absorb_on_entry_point_function: bool = option(False, "absorb inferred fragments of entry points, too")
    merge_forward_with_backward: bool = option(False, "merge forward fragments with backward ones that follow")


@pipeline("mpmd-optimize-pipeline", options=Options)
def mpmd_optimize_pipeline(options: Options) -> list[Step]:
    """Spec: mpmd, 5."""
    steps = [step("mpmd-pipeline-scheduler", on_func=True, must_happen_before=options.pipeline_schedule)]
    if options.schedule_rules:
        is_last = not options.merge_rules
        rules = options.schedule_rules
        steps = [step("mpmd-rule-based-schedule", on_func=True, rules=rules, remove_control_dependencies=is_last)]
    if options.merge_rules:
        steps.append(step("mpmd-rule-based-merge", on_func=True, rules=options.merge_rules))
    if options.remat_fragments:
        steps.append(step("mpmd-remat-fragment", on_func=True, merge_remat_fragments=options.merge_remat_fragments))
    steps.append(step("mpmd-verify-stage-merging", on_func=True))
    if options.merge_after_scheduling:
        steps += steps_merging_inferred(options.absorb_on_entry_point_function)
    if options.merge_forward_with_backward:
        steps.append(step("mpmd-merge-forward-with-backward", on_func=True))
    return steps
