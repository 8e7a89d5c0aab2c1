"""How far devices reach along a dimension, against windows that are looked at one element at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from sdy.passes.partitioning.facts.halo_plan import DimPlan, needed_rows, reach, source_shards

_SIZES = st.integers(1, 17)
_CASES = st.tuples(_SIZES, _SIZES, st.sampled_from([2, 3, 4]), st.integers(-6, 6), st.integers(1, 3), st.integers(1, 3))


def _parts(size: int, shards: int) -> int:
    return -(-size // shards)


def _wanted(case: tuple[int, ...], span: int, position: int) -> list[int]:
    """The elements of the operand between the first and the last position that a part of the result looks at."""
    size, result, shards, low, dilation, stride = case
    target = _parts(result, shards)
    results = range(position * target, min((position + 1) * target, result))
    if not results:
        return []
    looked_at = range(results[0] * stride, results[-1] * stride + span)
    return [element for element in range(size) if element * dilation + low in looked_at]


@given(_CASES, st.integers(1, 4))
def test_rows_that_devices_need(case: tuple[int, ...], span: int) -> None:
    size, _, shards, *_ = case
    part = _parts(size, shards)
    left = right = 0
    for position in range(shards):
        wanted = _wanted(case, span, position)
        if wanted:
            left = max(left, position * part - wanted[0])
            right = max(right, wanted[-1] - (position + 1) * part + 1)
    assert needed_rows(*case, span) == (left, right)


@given(_CASES, st.integers(1, 4), st.booleans(), st.booleans())
def test_the_window_of_each_device_is_in_what_it_gets(
    case: tuple[int, ...], span: int, gathers: bool, tight: bool
) -> None:
    size, result, shards, low, dilation, stride = case
    part, target = _parts(size, shards), _parts(result, shards)
    left, right = needed_rows(*case, span)
    plan = DimPlan(
        0, shards, part, target, low, dilation, stride, left, right, True, span, gathers=gathers, tight=tight
    )
    operand = np.zeros(part * shards, int)
    operand[:size] = range(1, size + 1)
    for position in range(shards):
        wanted = _wanted(case, span, position)
        before, behind = (position * part, (shards - 1 - position) * part) if gathers else (left, right)
        around = np.pad(operand, (part * shards, part * shards))
        begin = part * shards + position * part
        got = around[begin - before : begin + part + behind]
        dilated = np.zeros((len(got) - 1) * dilation + 1, int)
        dilated[::dilation] = got
        padded = np.pad(dilated, plan.edges)
        start = plan.first + position * plan.per_position
        inside = min(max(start, 0), len(padded) - plan.window)
        window = padded[inside : inside + plan.window]
        if wanted:
            assert inside == start, "a slice that begins outside is moved"
        else:
            results = max(0, min(target, result - position * target))
            stretch = (results - 1) * stride + span if results else 0
            assert not window[: stretch if inside == start else None].any(), "all of it is padding"
        for element in wanted:
            assert window[element * dilation + low - position * target * stride] == element + 1


@given(_SIZES, _SIZES, st.sampled_from([2, 3, 4]), st.integers(-6, 6), st.integers(1, 3))
def test_parts_that_a_part_comes_from(size: int, result: int, shards: int, low: int, stride: int) -> None:
    part, target = _parts(size, shards), _parts(result, shards)
    found = source_shards(size, result, shards, low, 1, stride)
    for position, each in enumerate(found):
        first = position * target * stride - low
        elements = [element for element in range(first, first + (target - 1) * stride + 1) if 0 <= element < size]
        assert each == ((elements[0] // part, elements[-1] // part) if elements else None)
    left, right = reach(found)
    known = [(position, each) for position, each in enumerate(found) if each]
    assert all(position - left <= each[0] and each[1] <= position + right for position, each in known)
    assert not left or any(position - left == each[0] for position, each in known)
    assert not right or any(position + right == each[1] for position, each in known)


def test_rows_by_distance() -> None:
    plan = DimPlan(0, 4, 4, 4, 0, 1, 1, left_rows=6, right_rows=3, is_needed=True)
    assert (plan.left, plan.right) == (2, 1)
    assert [plan.rows(distance) for distance in (1, 2, -1)] == [4, 2, 3]
    assert plan.is_too_far
    assert not plan.is_costly


@given(_CASES)
def test_rows_by_distance_add_up(case: tuple[int, ...]) -> None:
    left, right = needed_rows(*case)
    assume(left >= 0 and right >= 0)
    size, result, shards, low, dilation, stride = case
    part, target = _parts(size, shards), _parts(result, shards)
    plan = DimPlan(0, shards, part, target, low, dilation, stride, left, right, True)
    assert sum(plan.rows(distance) for distance in range(1, plan.left + 1)) == left
    assert sum(plan.rows(-distance) for distance in range(1, plan.right + 1)) == right
