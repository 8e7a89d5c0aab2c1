"""sdy-sharding-group-import: validates sharding groups, merges those that share a value, numbers them 0, 1, ...

    sdy.sharding_group %0 group_id=10 : tensor<8xf32>
    sdy.sharding_group %1 group_id=7 : tensor<8xf32>
    sdy.sharding_group %0 group_id=7 : tensor<8xf32>
==> sdy.sharding_group %0 group_id=0 : tensor<8xf32>
    sdy.sharding_group %1 group_id=0 : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.op_properties import shape_of
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, callee_name, symbol_name
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_

_MANUAL = "sdy.manual_computation"


@pass_("sdy-sharding-group-import", on="builtin.module")
def sharding_group_import(module: ir.Operation) -> None:
    """Spec: import-passes, 4.9.

    Raises `DiagnosticError` at a group op whose value has another shape than the first member of the group, or stands
    in another manual computation.
    """
    groups = ops_named(module, "sdy.sharding_group")
    if groups:
        _validate(groups, _ManualComputations(module))
    by_value: dict[ir.Value, list[ir.Operation]] = {}
    for op in groups:
        by_value.setdefault(op.operands[0], []).append(op)
    classes = _Classes()
    for members in by_value.values():
        for op in members:
            classes.unite(_group_id(members[0]), _group_id(op))
    number = classes.numbers()
    i64 = ir.IntegerType.get_signless(64)
    for members in by_value.values():
        seen: set[int] = set()
        for op in members:
            new = number[_group_id(op)]
            if new in seen:
                op.erase()
            else:
                seen.add(new)
                op.attributes["group_id"] = ir.IntegerAttr.get(i64, new)


def _group_id(op: ir.Operation) -> int:
    return ir.IntegerAttr(op.attributes["group_id"]).value


def _validate(groups: Iterable[ir.Operation], computations: _ManualComputations) -> None:
    first: dict[int, tuple[ir.Operation | None, tuple[int, ...] | None]] = {}
    for op in groups:
        group, computation, shape = _group_id(op), computations.around(op), shape_of(op.operands[0])
        first_computation, first_shape = first.setdefault(group, (computation, shape))
        if not _same(computation, first_computation):
            raise DiagnosticError(op, f"is in group {group}, of which other values are in another manual computation")
        if shape != first_shape:
            raise DiagnosticError(op, f"is in group {group}, of which other values have another shape")


def _same(first: ir.Operation | None, second: ir.Operation | None) -> bool:
    return second is None if first is None else second is not None and first == second


class _ManualComputations:
    """Which manual computation an op is in. A function is in the one around the last of its calls.

    Callers come before callees, and calls of a function in textual order.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._of_function: dict[str, ir.Operation | None] = {}
        if not ops_named(module, _MANUAL):
            return
        graph = CallGraph(module)
        for func in graph.caller_first:
            for call in graph.calls[symbol_name(func)]:
                self._of_function[callee_name(call)] = self.around(call)

    def around(self, op: ir.Operation) -> ir.Operation | None:
        """The innermost manual computation around `op`."""
        parent = op.parent
        while parent is not None and parent.operation.name not in (_MANUAL, "func.func"):
            parent = parent.operation.parent
        if parent is None or parent.operation.name == _MANUAL:
            return None if parent is None else parent.operation
        return self._of_function.get(symbol_name(parent.operation))


class _Classes:
    """Sets of group ids; the leader of a set is that of the first of the two sets it was made from."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def unite(self, first: int, second: int) -> None:
        leader = self._leader(first)
        self._above[self._leader(second)] = leader

    def numbers(self) -> dict[int, int]:
        """The number of each id's set: leaders count in the order in which the ids were first seen."""
        leaders = [group for group, above in self._above.items() if group == above]
        position = {leader: index for index, leader in enumerate(leaders)}
        return {group: position[self._leader(group)] for group in self._above}

    def _leader(self, group: int) -> int:
        path = []
        above = self._above.setdefault(group, group)
        while above != group:
            path.append(group)
            group, above = above, self._above[above]
        for passed in path:
            self._above[passed] = group
        return group
