"""Values that are computed alike, in two places."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.stablehlo.idioms.reduction_bodies import combining_ops


def computed_alike(
    one: ir.Value, other: ir.Value, equal: Mapping[ir.Value, ir.Value], but: Collection[str] = ()
) -> bool:
    """Whether the same ops compute two values, from the same values, or from those of `equal` and what they map to.

    Attributes have to be equal, `but` those of these names. Ops that have several results, or other regions than those
    that combine elements by an op, are never the same.
    """
    return _Comparison(equal, frozenset(but)).holds(one, other)


class _Comparison:
    def __init__(self, equal: Mapping[ir.Value, ir.Value], but: frozenset[str]) -> None:
        self._equal, self._but = equal, but
        self._ends = set(equal.values())
        self._compared: set[tuple[ir.Value, ir.Value]] = set()

    def holds(self, one: ir.Value, other: ir.Value) -> bool:
        if one in self._equal or other in self._ends:
            return self._equal.get(one) == other
        if one == other or (one, other) in self._compared:
            return True
        left, right = defining_op(one), defining_op(other)
        if left is None or right is None or one.type != other.type or not _are_alike(left, right, self._but):
            return False
        self._compared.add((one, other))
        return all(self.holds(mine, theirs) for mine, theirs in zip(left.operands, right.operands, strict=True))


def _are_alike(left: ir.Operation, right: ir.Operation, but: frozenset[str]) -> bool:
    """Whether two ops compute the same of equal operands."""
    if left.name != right.name or len(left.operands) != len(right.operands):
        return False
    if len(left.results) != 1 or len(left.regions) != len(right.regions):
        return False
    for mine, theirs in zip(left.regions, right.regions, strict=True):
        names = combining_ops(mine)
        if names is None or names != combining_ops(theirs):
            return False
    stored = [{name: op.attributes[name] for name in op.attributes if name not in but} for op in (left, right)]
    return stored[0] == stored[1]
