"""The order of instructions in HLO and of ops in a scheduled module, and placing by wishes as far as operands allow."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Hashable, Mapping, Sequence

from sdy.hlo_text import Computation, HloModule
from sdy.mlir import ir
from sdy.mlir.walk import identity, pre_order


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


_SCHEDULED = ("is_scheduled", "true")


def spread(module: HloModule, home: str, links: Sequence[str]) -> HloModule:
    """Move a chain's start and updates directly behind its operands, and its done before the first user."""
    computation = module.by_name[home]
    *first, done = (computation.by_name[name] for name in links)
    left = [each for each in computation.instructions if each.name not in links]
    operands = set(first[0].operands)
    start = max((at + 1 for at, each in enumerate(left) if each.name in operands), default=0)
    users = [at for at, each in enumerate(left) if done.name in each.operands]
    end = min(users, default=len(left))
    instructions = (*left[:start], *first, *left[start:end], done, *left[end:])
    return module.with_computations({home: dataclasses.replace(computation, instructions=instructions)})


def in_order(module: HloModule, places: Mapping[tuple[str, str], int]) -> HloModule:
    """Return a scheduled module: each computation has its instructions in the order of their positions.

    Operands always come before users. Instructions added by conversion have no position: they follow their last
    operand, or, if they have none, precede their first user.
    """
    computations = {each.name: _ordered(each, places) for each in module.computations}
    attributes = tuple(each for each in module.attributes if each[0] != _SCHEDULED[0])
    return dataclasses.replace(module.with_computations(computations), attributes=(_SCHEDULED, *attributes))


def _ordered(computation: Computation, places: Mapping[tuple[str, str], int]) -> Computation:
    instructions = computation.instructions
    numbers = {each.name: number for number, each in enumerate(instructions)}
    order = ordered(
        [[numbers[operand] for operand in each.operands] for each in instructions],
        [places.get((computation.name, each.name)) for each in instructions],
        [each.opcode == "parameter" for each in instructions],
    )
    return dataclasses.replace(computation, instructions=tuple(instructions[number] for number in order))


def reorder(module: ir.Operation, places: Mapping[Hashable, int]) -> None:
    """Order the ops of each block by `places`, given by `identity`; operands come first."""
    blocks = [block for op in pre_order(module) for region in op.regions for block in region.blocks]
    for block in blocks:
        ops = [op.operation for op in block.operations]
        if len(ops) > 2 and any(identity(op) in places for op in ops):
            _reorder_block(ops, places)


def _reorder_block(ops: list[ir.Operation], places: Mapping[Hashable, int]) -> None:
    *movable, terminator = ops
    numbers: dict[ir.Value, int] = {result: number for number, op in enumerate(movable) for result in op.results}
    operands = [sorted({numbers[value] for value in _used(op) if value in numbers}) for op in movable]
    wished = [places.get(identity(op)) for op in movable]
    for number in ordered(operands, wished, [False] * len(movable)):
        movable[number].move_before(terminator)


def _used(op: ir.Operation) -> list[ir.Value]:
    """The values that an op and the ops in it use."""
    return [value for each in pre_order(op) for value in each.operands]
