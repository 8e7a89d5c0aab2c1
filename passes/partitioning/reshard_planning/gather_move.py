"""The last move of a reshard's search: what nothing else has moved is gathered (spec: collectives, 1.8)."""

from __future__ import annotations

from sdy.dialect.values.axes import AxisList, merged
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllGather
from sdy.passes.partitioning.reshard_planning.search_state import SearchState


def gather_the_rest(state: SearchState) -> None:
    """One all_gather along the axes that end a dimension and are wanted nowhere."""
    gathered: list[AxisList] = []
    for dim in range(state.rank):
        ins = state.ins[dim]
        keep = len(ins)
        while keep and (state.held[dim] is not None or ins[keep - 1] not in state.where):
            keep -= 1
        removed = ins[keep:]
        del ins[keep:]
        for axis in removed:
            state.in_set.pop(axis, None)
        state.gather(dim, removed)
        gathered.append(merged(removed, state.sizes))
    if any(gathered):
        state.steps.append(AllGather(state.axes, not state.changes_mesh, tuple(gathered)))
    state.release()
