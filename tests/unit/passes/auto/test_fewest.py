"""Leaving out what is not needed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sdy.passes.auto.carrying_out import fewest


@pytest.mark.parametrize("needed", [[], [0], [3, 12], [0, 1, 2, 15], list(range(16))])
def test_what_is_needed_is_left(needed: list[int]) -> None:
    assert fewest(range(16), lambda some: set(needed) <= set(some), 1000) == needed


def test_it_ends_when_the_tries_do_and_what_is_left_is_enough() -> None:
    tried: list[int] = []

    def is_enough(some: Sequence[int]) -> bool:
        tried.append(1)
        return {3, 12} <= set(some)

    left = fewest(range(16), is_enough, 6)
    assert len(tried) == 6 and {3, 12} <= set(left) and len(left) < 16
