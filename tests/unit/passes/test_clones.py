"""How much of a program is clones, told from the sizes of functions and from who calls whom."""

from __future__ import annotations

import pytest

from sdy.passes.clones import ClonedShare


@pytest.mark.parametrize(("depth", "is_large"), [(1, False), (2, True), (10, True)])
def test_functions_that_call_the_next_one_twice(depth: int, is_large: bool) -> None:
    share = ClonedShare()
    share.add("f0", 3, [])
    for number in range(1, depth + 1):
        share.add(f"f{number}", 3, [f"f{number - 1}"] * 2)
    assert share.is_large == is_large


def test_small_functions_of_a_large_program() -> None:
    share = ClonedShare()
    share.add("small", 5, [])
    share.add("main", 1_000, ["small"] * 40)
    assert not share.is_large


def test_what_nobody_calls_counts_once() -> None:
    share = ClonedShare()
    share.add("other", 1_000, [])
    share.add("small", 2, [])
    share.add("main", 5, ["small"] * 10)
    assert not share.is_large
