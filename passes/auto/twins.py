"""Ops of a program that do what another one does already: the partitioner keeps one if they are sharded alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.passes.auto.search.exchanges import NOT_OF_OP, text_of_op
from sdy.passes.propagation.engine.snapshot import Snapshot

_VALUE = "value"


def twins(snapshot: Snapshot) -> dict[int, int]:
    """By op an earlier one of the same block that has the same operands, or such as are of twins, and says the same.

    Loops and branches are none.
    """
    found: dict[int, int] = {}
    same: dict[int, int] = {}
    """By value that of the twin."""
    seen: dict[tuple[Any, ...], list[int]] = {}
    blocks = [members for regions in snapshot.regions.values() for members in regions]
    block_of = {op: number for number, members in enumerate(blocks) for op in members}
    for op, view in enumerate(snapshot.ops):
        results = snapshot.results[op]
        if not len(results) or op in snapshot.data_flow_ops or snapshot.names[op] == "func.call":
            continue
        operands = tuple(same.get(value, value) for value in snapshot.operands[op])
        types = tuple(snapshot.types[value] for value in results)
        constant = None if operands else view.attributes.get(_VALUE)
        earlier = seen.setdefault((block_of.get(op), snapshot.names[op], operands, types, constant), [])
        twin = next((other for other in earlier if _say_the_same(view, snapshot.ops[other])), None)
        if twin is None:
            earlier.append(op)
            continue
        found[op] = twin
        same.update(zip(results, snapshot.results[twin], strict=True))
    return found


def _say_the_same(one: ir.Operation, other: ir.Operation) -> bool:
    if len(one.regions):
        return is_effect_free(one) and text_of_op(one) == text_of_op(other)
    return _said(one) == _said(other) and is_effect_free(one)


def _said(op: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: attribute for name, attribute in op.attributes.items() if name not in NOT_OF_OP}


def spared(snapshot: Snapshot, twin_of: Mapping[int, int], does: Mapping[int, object]) -> set[int]:
    """The twins that are spared where `does` says what ops do: both do the same, with operands that are the same.

    What is made of constants alone is there as often as it is needed, and not in `does`.
    """
    found: set[int] = set()
    for op, twin in twin_of.items():
        pairs: Sequence[tuple[int, int]] = list(zip(snapshot.operands[op], snapshot.operands[twin], strict=True))
        made = ((snapshot.definers[value], value, other) for value, other in pairs)
        if does.get(op) == does.get(twin) and all(value == other or definer in found for definer, value, other in made):
            found.add(op)
    return found
