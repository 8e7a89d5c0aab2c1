"""The second move of a reshard's search: axes change places at equal numbers of shards (spec: collectives, 1.6)."""

from __future__ import annotations

from sdy.dialect.values.axes import AxisRef, append_or_merge, product
from sdy.passes.partitioning.reshard_planning.reshard_plan import CollectivePermute
from sdy.passes.partitioning.reshard_planning.search_state import SearchState, fit


def permute(state: SearchState) -> None:
    """Reorders axes, and changes the mesh, if either is wanted, in one collective_permute."""
    if all(h is None for h in state.held) and _wants_permute(state):
        _permute_axes(state)
    elif not state.changes_mesh:
        return
    state.changes_mesh = False
    state.steps.append(CollectivePermute(state.axes, True))


def _wants_permute(state: SearchState) -> bool:
    """Whether reordering axes, at equal shard counts, brings the search on."""
    lone_in: AxisRef | None = None
    lone_out: AxisRef | None = None
    for dim in range(state.rank):
        ins, outs = state.ins[dim], state.outs[dim]
        if ins and outs and _divides(state, ins[0], outs[0]):
            return True
        for axis in outs:
            if axis not in state.in_set:
                lone_out = axis
        seen: set[int] = set()
        previous: int | None = None
        previous_position = 0
        for axis in ins:
            target: int | None = None
            if axis in state.where:
                target, position = state.where[axis]
                follows = previous == target and position == previous_position + 1
                if (target == dim or target in seen) and not follows:
                    return True
                seen.add(target)
                previous_position = position
            elif previous is not None and not outs:
                return True
            else:
                lone_in = axis
            previous = target
    return lone_in is not None and lone_out is not None and _divides(state, lone_in, lone_out)


def _divides(state: SearchState, first: AxisRef, second: AxisRef) -> bool:
    a, b = first.size(state.sizes), second.size(state.sizes)
    return a % b == 0 or b % a == 0


def _permute_axes(state: SearchState) -> None:
    """Refills every dimension to its shard count: own target, other targets, own source, other sources."""
    state.in_set.clear()
    out_pool: list[AxisRef] = []
    in_pools = [_unload(state, dim, out_pool) for dim in range(state.rank)]
    state.distribute(False, [out_pool] * state.rank)
    state.distribute(True, in_pools)
    state.distribute(True, [[axis for pool in in_pools for axis in pool]] * state.rank)
    state.find_targets()
    for dim in range(state.rank):
        for axis in state.ins[dim]:
            append_or_merge(state.current[dim], axis, state.sizes)


def _unload(state: SearchState, dim: int, out_pool: list[AxisRef]) -> list[AxisRef]:
    """Takes the axes of `ins` off a dimension and fills in its final ones; returns those that may come back."""
    ins, outs = state.ins[dim], state.outs[dim]
    state.capacity[dim] = used = product(ins, state.sizes)
    state.gather(dim, ins)
    while state.capacity[dim] > 1 and outs:
        fitted = fit(outs[0], state.capacity[dim], state.sizes)
        if fitted is None:
            break
        part, rest, state.capacity[dim] = fitted
        del outs[0]
        append_or_merge(state.current[dim], part, state.sizes)
        if rest is not None:
            outs.insert(0, rest)
    out_pool += outs
    used //= state.capacity[dim]
    left = [axis for axis in ins if axis not in state.where]
    displaced: list[AxisRef] = []
    while left:
        fitted = fit(left[0], used, state.sizes)
        if fitted is None:
            break
        part, rest, used = fitted
        displaced.append(part)
        left[:1] = [] if rest is None else [rest]
    state.ins[dim] = []
    return left + displaced
