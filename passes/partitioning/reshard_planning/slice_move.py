"""The first move of a reshard's search: slices along axes that are free (spec: collectives, 1.5)."""

from __future__ import annotations

import math
from collections.abc import Callable

from sdy.dialect.values.axes import AxisRef, append_or_merge, product
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllSlice
from sdy.passes.partitioning.reshard_planning.search_state import SearchState, fit


def slice_free_axes(state: SearchState) -> None:
    """Cuts dimensions by target axes that are nowhere yet, in at most one all_slice."""
    slices: list[list[AxisRef]] = [[] for _ in range(state.rank)]

    def take(dim: int, axis: AxisRef) -> None:
        append_or_merge(slices[dim], axis, state.sizes)
        append_or_merge(state.current[dim], axis, state.sizes)

    for dim in range(state.rank):
        wanted = product(state.outs[dim], state.sizes)
        state.capacity[dim] = wanted // math.gcd(product(state.ins[dim], state.sizes), wanted)
    for dim in range(state.rank):
        _slice_in_advance(state, dim, take)
    pool: list[AxisRef] = []
    for dim in range(state.rank):
        _slice_own_axes(state, dim, pool, take)
    state.distribute(False, [pool] * state.rank, take)
    state.find_targets()
    if any(slices):
        state.steps.append(AllSlice(state.axes, not state.changes_mesh, tuple(map(tuple, slices))))


def _slice_in_advance(state: SearchState, source: int, take: Callable[[int, AxisRef], None]) -> None:
    """Slices a dimension by axes that can then move on together with those it already has."""
    ins = state.ins[source]
    if not ins or state.outs[source] or state.held[source] is not None or ins[-1] not in state.where:
        return
    target, position = state.where[ins[-1]]
    outs = state.outs[target]
    if state.ins[target]:
        return
    extra: list[AxisRef] = []
    for axis in outs[position + 1 :]:
        if axis in state.in_set:
            break
        extra.append(axis)
    if not extra:
        return
    common = 0
    while common < len(ins) and common <= position and ins[-1 - common] == outs[position - common]:
        common += 1
    if any(axis in state.where and state.where[axis][0] == target for axis in ins[: len(ins) - common]):
        return
    if state.shape[source] % (product(state.current[source], state.sizes) * product(extra, state.sizes)):
        return
    state.capacity[target] //= product([*ins[len(ins) - common :], *extra], state.sizes)
    for axis in extra:
        state.add_in(source, axis, len(ins))
        take(source, axis)


def _slice_own_axes(state: SearchState, dim: int, pool: list[AxisRef], take: Callable[[int, AxisRef], None]) -> None:
    """Slices a dimension by its own target axes as far as they fit; the others go to the pool."""
    outs = state.outs[dim]
    position = 0
    while position < len(outs):
        axis = outs[position]
        if axis in state.in_set:
            position += 1
            continue
        fitted = fit(axis, state.capacity[dim], state.sizes)
        if fitted is None:
            pool.append(axis)
            position += 1
            continue
        part, rest, state.capacity[dim] = fitted
        take(dim, part)
        if not state.ins[dim] and position == 0:
            del outs[0]
        else:
            state.add_in(dim, part, len(state.ins[dim]))
            outs[position] = part
            position += 1
        if rest is not None:
            outs.insert(position, rest)
            pool.append(rest)
            position += 1
