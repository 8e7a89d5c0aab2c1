"""Groups of dimensions of a reshape that hold the same elements."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdy.dialect.ops.reshape import Group, groups_of


@st.composite
def _reshapes(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Two shapes of as many elements: neighbouring factors multiplied, one way and another."""
    factors = draw(st.lists(st.integers(1, 5), max_size=7))

    def shape() -> list[int]:
        cuts = sorted(draw(st.sets(st.integers(1, max(1, len(factors) - 1)))) & set(range(1, len(factors))))
        bounds = [0, *cuts, len(factors)]
        return [math.prod(factors[a:b]) for a, b in zip(bounds, bounds[1:], strict=False)] if factors else []

    return shape(), shape()


def _product(shape: list[int], dims: tuple[int, ...]) -> int:
    return math.prod(shape[dim] for dim in dims)


@given(_reshapes())
def test_groups_hold_the_same_elements_and_are_the_smallest(shapes: tuple[list[int], list[int]]) -> None:
    source, target = shapes
    groups = groups_of(source, target)
    assert [dim for group in groups for dim in group.source] == list(range(len(source)))
    assert [dim for group in groups for dim in group.target] == list(range(len(target)))
    for group in groups:
        assert _product(source, group.source) == _product(target, group.target)
        inner = {_product(source, group.source[:count]) for count in range(1, len(group.source))}
        assert not inner & {_product(target, group.target[:count]) for count in range(1, len(group.target))}


@pytest.mark.parametrize(
    ("source", "target", "groups"),
    [
        ([8, 6], [2, 4, 6], [((0,), (0, 1)), ((1,), (2,))]),
        ([2, 4, 6], [8, 6], [((0, 1), (0,)), ((2,), (1,))]),
        ([4, 6], [6, 4], [((0, 1), (0, 1))]),
        ([4, 1], [4], [((0,), (0,)), ((1,), ())]),
        ([], [1, 1], [((), (0,)), ((), (1,))]),
    ],
)
def test_groups(source: list[int], target: list[int], groups: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> None:
    assert groups_of(source, target) == [Group(*each) for each in groups]


def test_kinds_of_groups() -> None:
    assert Group((0, 1), (0,)).is_pass_through([1, 8], [8])
    assert not Group((0,), (0, 1)).is_pass_through([8], [2, 4])
    assert Group((0,), (0, 1)).is_split([8], [2, 4])
    assert not Group((0,), (0, 1)).is_split([8], [8, 1])
    assert not Group((0, 1), (0,)).is_split([2, 4], [8])
