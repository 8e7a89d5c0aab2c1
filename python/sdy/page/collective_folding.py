"""Equal collectives of very large programs as one, which says of how many places it is."""

from __future__ import annotations

import re
from collections.abc import Hashable

from sdy.page.schema import Data

MOST_COLLECTIVES = 50_000
"""From more than these on equal ones are folded."""

_DIGITS = re.compile(r"\d+")
_KEY = ("kind", "axes", "operand_bytes", "times", "is_conditional", "is_in_loop", "serves", "reshard")


def folded(collectives: list[Data]) -> tuple[list[Data], list[int]]:
    """Those that are left, and for each that was given the number of the one that it is a part of.

    Equal are those of one kind, size and reshard over the same axes whose locations differ in digits only. One that
    stands for several has the sums of their bytes and times, and else what the first of them has.
    """
    found: dict[Hashable, int] = {}
    left: list[Data] = []
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
        first["times"] = None if one["times"] is None else first["times"] + one["times"]
    return left, numbers
