"""Which intervals devices need of a dimension, against windows that are looked at one element at a time."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdy.passes.partitioning.analysis.intervals import Access, DimPlan, Halo, Intervals, cut_parts

_SIZES = st.integers(1, 17)
_SHARDS = st.sampled_from([2, 3, 4])
_STEPS = st.integers(1, 3)
_ACCESSES = st.builds(Access, _SIZES, _SIZES, _SHARDS, st.integers(-6, 6), _STEPS, _STEPS, st.integers(1, 4))


def _wanted(access: Access, position: int) -> list[int]:
    """The elements of the operand between the first and the last position that a part of the result looks at."""
    results = range(position * access.target, min((position + 1) * access.target, access.made))
    if not results:
        return []
    looked_at = range(results[0] * access.stride, results[-1] * access.stride + access.span)
    return [element for element in range(access.size) if element * access.dilation + access.low in looked_at]


def _plan(access: Access, **flags: bool) -> DimPlan:
    return DimPlan(0, access.shards, access.part, *access.needed.halo, access=access, **flags)


def _check_needed(access: Access) -> None:
    needed, left, right, others = access.needed, 0, 0, 0
    for position in range(access.shards):
        wanted = _wanted(access, position)
        assert needed.is_needed[position] == bool(wanted)
        if wanted:
            assert (needed.begin[position], needed.end[position]) == (wanted[0], wanted[-1] + 1)
            left = max(left, position * access.part - wanted[0])
            right = max(right, wanted[-1] - (position + 1) * access.part + 1)
            others = max(others, sum(each // access.part != position for each in wanted))
    assert needed.halo == (left, right)
    assert needed.most_of_others == others or access.stride > access.span


@given(_ACCESSES)
def test_elements_that_devices_need(access: Access) -> None:
    _check_needed(access)


def test_elements_that_devices_need_of_all_small_dimensions() -> None:
    for sizes in product(range(1, 6), range(1, 6), (2, 3), range(-2, 3), (1, 2), (1, 2), (1, 3)):
        _check_needed(Access(*sizes))


@given(_ACCESSES, st.booleans(), st.booleans())
def test_the_window_of_each_device_is_in_what_it_gets(access: Access, gathers: bool, minimal_padding: bool) -> None:
    part, target, dilation, stride = access.part, access.target, access.dilation, access.stride
    plan = _plan(access, gathers=gathers, minimal_padding=minimal_padding)
    shards, window_size = access.shards, access.window
    operand = np.zeros(part * shards, int)
    operand[: access.size] = range(1, access.size + 1)
    for position in range(shards):
        wanted = _wanted(access, position)
        whole = position * part, (shards - 1 - position) * part
        before, behind = whole if gathers else (plan.left_rows, plan.right_rows)
        around = np.pad(operand, (part * shards, part * shards))
        begin = part * shards + position * part
        got = around[begin - before : begin + part + behind]
        dilated = np.zeros((len(got) - 1) * dilation + 1, int)
        dilated[::dilation] = got
        assert gathers or len(dilated) == plan.got
        padded = np.pad(dilated, plan.edges)
        start = plan.first + position * plan.per_position
        inside = min(max(start, 0), len(padded) - window_size)
        window = padded[inside : inside + window_size]
        if wanted:
            assert inside == start, "a slice that begins outside is moved"
        else:
            results = max(0, min(target, access.made - position * target))
            stretch = (results - 1) * stride + access.span if results else 0
            assert not window[: stretch if inside == start else None].any(), "all of it is padding"
        for element in wanted:
            assert window[element * dilation + access.low - position * target * stride] == element + 1


@given(_SIZES, _SIZES, _SHARDS, st.integers(-6, 6), _STEPS)
def test_elements_that_the_reference_fetches(size: int, result: int, shards: int, low: int, stride: int) -> None:
    access = Access(size, result, shards, low, 1, stride)
    part, target, needed = access.part, access.target, access.needed_by_reference
    reached = []
    for position in range(shards):
        first = position * target * stride - low
        elements = [element for element in range(first, first + (target - 1) * stride + 1) if 0 <= element < size]
        found = needed.begin[position], needed.end[position]
        assert found == (elements[0], elements[-1] + 1) if elements else not needed.is_needed[position]
        reached += [(position, element // part) for element in elements]
    left = max((position - other for position, other in reached), default=0)
    right = max((other - position for position, other in reached), default=0)
    assert needed.halo_of_parts == (max(0, left) * part, max(0, right) * part)
    assert needed.is_local == all(position == other for position, other in reached)
    own = [(position, position) for position in range(shards)]
    assert needed.is_own == (sorted(set(reached)) == own)


def test_an_empty_dimension_is_needed_by_nobody() -> None:
    needed = Access(0, 4, 2, 2).needed_by_reference
    assert (needed.is_local, needed.is_own, needed.halo_of_parts) == (True, False, (0, 0))


def test_rows_by_distance() -> None:
    halo = Halo(0, 4, 4, left_rows=6, right_rows=3)
    assert (halo.left, halo.right) == (2, 1)
    assert halo.distances == [2, 1, -1]
    assert [halo.rows(distance) for distance in (1, 2, -1)] == [4, 2, 3]
    assert halo.is_too_far
    assert not halo.is_costly


@given(_ACCESSES)
def test_rows_by_distance_add_up(access: Access) -> None:
    halo = Halo.of(0, access.needed)
    left, right = access.needed.halo
    assert sum(halo.rows(distance) for distance in halo.distances if distance > 0) == left
    assert sum(halo.rows(distance) for distance in halo.distances if distance < 0) == right


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=4), st.integers(1, 4))
def test_halo_of_any_intervals(ends: list[tuple[int, int]], part: int) -> None:
    begins, limits = np.array(ends).T
    needed = Intervals(begins, limits, part)
    left, right = needed.halo
    for position, (begin, end) in enumerate(ends):
        for element in range(begin, end):
            assert position * part - left <= element < (position + 1) * part + right
    assert needed.is_local == ((left, right) == (0, 0))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(-7, 20), _STEPS, st.integers(0, 9))
def test_cuts_of_parts(lengths: list[int], start: int, step: int, count: int) -> None:
    low, cuts, high = cut_parts(lengths, start, step, count)
    ends = np.cumsum([0, *lengths])
    found = [int(ends[part]) + at for part, first, limit, by in cuts for at in range(first, limit, by)]
    wanted = range(start, start + count * step, step)
    assert found == [at for at in wanted if 0 <= at < ends[-1]]
    assert low == sum(at < 0 for at in wanted)
    assert high == sum(at >= ends[-1] for at in wanted)
