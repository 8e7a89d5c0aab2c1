"""The fewest of some things that are enough, as far as tries go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def fewest(things: Sequence[T], is_enough: Callable[[Sequence[T]], bool], tries: int) -> list[T]:
    """What is left of `things`, which are enough, where parts are left out as long as the rest is.

    First all are left out, then halves, quarters and so on; with enough tries nothing can be left out of the result.
    """
    left, size = list(things), len(things)
    while size and left:
        at, is_smaller = 0, False
        while at < len(left) and tries > 0:
            rest = left[:at] + left[at + size :]
            tries -= 1
            if is_enough(rest):
                left, is_smaller = rest, True
            else:
                at += size
        if tries <= 0:
            break
        size = size if is_smaller and size == 1 else size // 2
    return left
