"""The steps that merge inferred fragments, which run during import or after scheduling."""

from __future__ import annotations

from sdy.passes.registry import step
from sdy.passes.steps import Step


def steps_merging_inferred(absorb_on_entry_point: bool) -> list[Step]:
    """Return steps that merge inferred fragments into user fragments, then into each other."""
    return [
        step("mpmd-absorb-inferred-fragments", on_func=True, absorb_on_entry_point_function=absorb_on_entry_point),
        step("mpmd-merge-inferred-fragments", on_func=True, merge_any_consumer=True),
        step("mpmd-merge-inferred-fragments", on_func=True, merge_sideways=True),
    ]
