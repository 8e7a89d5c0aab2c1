"""An order that follows wished places as far as operands come before their users."""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def ordered(operands: Sequence[Sequence[int]], places: Sequence[int | None], is_first: Sequence[bool]) -> list[int]:
    """The numbers of nodes in an order, by place.

    Args:
      operands: which nodes a node uses; they have smaller numbers.
      places: where a node is to be. One without a place, which conversion has added, goes behind its last operand, or,
        if it has none, before its first user.
      is_first: whether a node without operands and place comes before all others.
    """
    keys = _keys(operands, places, is_first)
    users: list[list[int]] = [[] for _ in operands]
    for node, used in enumerate(operands):
        for operand in set(used):
            users[operand].append(node)
    waiting = [len(set(used)) for used in operands]
    heap = [(keys[node], node) for node, count in enumerate(waiting) if not count]
    heapq.heapify(heap)
    order: list[int] = []
    while heap:
        _, node = heapq.heappop(heap)
        order.append(node)
        for user in users[node]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(heap, (keys[user], user))
    return order


def _keys(operands: Sequence[Sequence[int]], places: Sequence[int | None], is_first: Sequence[bool]) -> list[int]:
    keys: list[int] = []
    for used, place in zip(operands, places, strict=True):
        keys.append(max((keys[operand] for operand in used), default=-1) if place is None else place)
    first_user = [min(keys, default=0) - 1] * len(keys)
    for node in reversed(range(len(keys))):
        if not operands[node] and places[node] is None and not is_first[node]:
            found = [keys[user] for user in range(node + 1, len(keys)) if node in operands[user]]
            keys[node] = min(found, default=first_user[node])
    return keys
