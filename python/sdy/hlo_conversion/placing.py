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
    first_user: list[int | None] = [None] * len(keys)
    for node in reversed(range(len(keys))):
        user = first_user[node]
        if user is not None and not operands[node] and places[node] is None and not is_first[node]:
            keys[node] = user
        for operand in operands[node]:
            known = first_user[operand]
            first_user[operand] = keys[node] if known is None else min(known, keys[node])
    return keys
