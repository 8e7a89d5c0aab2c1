"""Order of meshes in chains of transfers (spec: mpmd, 3)."""

from __future__ import annotations

import re
from functools import cmp_to_key

_NUMBER = re.compile(r"\d+$")


def mesh_number(name: str) -> int | None:
    """The number at the end of a mesh's name, None without one."""
    found = _NUMBER.search(name)
    return None if found is None else int(found[0])


def compare_in_chain(left: str, right: str) -> int:
    """Order meshes by the numbers at the end of their names if both have one, else by text.

    Returns:
      A negative number if `left` comes first, 0 if both are equal, else a positive one.
    """
    numbers = mesh_number(left), mesh_number(right)
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0] - numbers[1]
    return (left > right) - (left < right)


chain_key = cmp_to_key(compare_in_chain)
"""Key by which meshes are sorted into a chain."""


def in_chain_order(names: list[str]) -> list[str]:
    """Return mesh names in the order of a chain; equal ones keep their order.

    A value that is used on several meshes goes from one to the next in this order.
    """
    return sorted(names, key=chain_key)
