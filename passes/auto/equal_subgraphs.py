"""Ops of a program that compute what an earlier one does: the partitioner keeps one if they are sharded alike."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sdy.dialect.value_numbers import op_key
from sdy.mlir.effects import is_effect_free
from sdy.passes.auto.search.exchanges import NOT_OF_OP
from sdy.passes.propagation.engine.snapshot import Snapshot


def equal_subgraphs(snapshot: Snapshot) -> dict[int, int]:
    """Map ops to the first op of their block that computes the same of the same, or of equal, operands.

    Loops, branches and calls equal no other.
    """
    found: dict[int, int] = {}
    same: dict[int, int] = {}
    """By value the equal one of the first op."""
    first: dict[Hashable, int] = {}
    blocks = [members for regions in snapshot.regions.values() for members in regions]
    block_of = {op: number for number, members in enumerate(blocks) for op in members}
    for op, view in enumerate(snapshot.ops):
        if not len(snapshot.results[op]) or op in snapshot.data_flow_ops or snapshot.names[op] == "func.call":
            continue
        key = op_key(view, NOT_OF_OP, [same.get(value, value) for value in snapshot.operands[op]])
        equal = op if key is None else first.setdefault((block_of.get(op), key), op)
        if equal != op and is_effect_free(view):
            found[op] = equal
            same.update(zip(snapshot.results[op], snapshot.results[equal], strict=True))
    return found


def spared(snapshot: Snapshot, equal_to: Mapping[int, int], does: Mapping[int, object]) -> set[int]:
    """Return the ops of `equal_to` that merge where `does` says how ops are sharded: alike, with merged operands.

    What is made of constants alone is there as often as it is needed, and not in `does`.
    """
    found: set[int] = set()
    for op, equal in equal_to.items():
        pairs = zip(snapshot.operands[op], snapshot.operands[equal], strict=True)
        operands_merge = all(one == other or snapshot.definers[one] in found for one, other in pairs)
        if does.get(op) == does.get(equal) and operands_merge:
            found.add(op)
    return found
