"""Equal collectives of very large programs as one, which says of how many places it is."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

from sdy.page.data_types import CollectiveData

MOST_COLLECTIVES = 50_000
"""From more than these on equal ones are folded."""

_DIGITS = re.compile(r"\d+")
_KEY: Final = ("kind", "axes", "operand_bytes", "times", "is_conditional", "is_in_loop", "serves", "reshard")


def folded(collectives: list[CollectiveData]) -> tuple[list[CollectiveData], list[int]]:
    """Those that are left, and for each that was given the number of the one that it is a part of.

    Equal are those of one kind, size and reshard over the same axes whose locations differ in digits only. One that
    stands for several has the sums of their bytes and times, and else what the first of them has.
    """
    found: dict[Hashable, int] = {}
    left: list[CollectiveData] = []
    numbers = []
    for one in collectives:
        key = (*(str(one[name]) for name in _KEY), _DIGITS.sub("#", one["location"]))
        number = found.setdefault(key, len(left))
        numbers.append(number)
        if number == len(left):
            left.append({**one})
            continue
        first = left[number]
        first["places"] += 1
        first["bytes_sent"] += one["bytes_sent"]
        if one["times"] is None or first["times"] is None:  # equal ones have equal numbers, or none
            first["times"] = None
        else:
            first["times"] += one["times"]
    return left, numbers
