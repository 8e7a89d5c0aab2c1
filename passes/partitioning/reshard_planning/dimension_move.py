"""The third move of a reshard's search: axes move from one dimension to another (spec: collectives, 1.7)."""

from __future__ import annotations

from sdy.dialect.values.axes import append_or_merge, merged
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllToAll
from sdy.passes.partitioning.reshard_planning.search_state import SearchState


def move_to_other_dimensions(state: SearchState, in_order: bool) -> None:
    """All_to_alls of axes that end a dimension and are wanted in another one; `in_order`: only as its next ones."""
    for source in range(state.rank):
        while _move_suffix(state, source, in_order):
            pass


def _move_suffix(state: SearchState, source: int, in_order: bool) -> bool:
    """Moves the last axes of a dimension that share a target dimension; False if there is nothing to move."""
    ins = state.ins[source]
    count, target = 0, source
    for axis in reversed(ins):
        goal = state.where.get(axis)
        if goal is None or goal[0] == source or (count and goal[0] != target):
            break
        target = goal[0]
        count += 1
    if not count or (state.held[source] is not None and count < len(ins)):
        return False
    moved = ins[len(ins) - count :]
    if in_order and moved != state.outs[target][:count]:
        return False
    state.gather(source, moved)
    del ins[len(ins) - count :]
    for axis in moved:
        append_or_merge(state.current[target], axis, state.sizes)
        state.in_set.pop(axis, None)
        if not state.ins[target] and state.outs[target][:1] == [axis]:
            del state.outs[target][0]
        else:
            state.add_in(target, axis, len(state.ins[target]))
    axis_list = merged(moved, state.sizes)
    state.steps.append(AllToAll(state.axes, not state.changes_mesh, axis_list, source, target))
    state.release()
    return True
