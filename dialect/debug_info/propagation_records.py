"""How axes travelled across ops, step by step, for debugging (spec: propagation, 15.2; import-passes, 4.8)."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.debug_info.axis_movements import AxisMovement
from sdy.dialect.definition import attributes
from sdy.dialect.values.propagation_edges import (
    AxisToPropagationDetails,
    EdgeNode,
    EdgeValueRef,
    PropagationEdges,
    PropagationOneStep,
)
from sdy.mlir import address, ir
from sdy.mlir.function_entries import set_entry
from sdy.mlir.walk import pre_order

EDGES = "sdy.propagation_edges"


class PropagationRecords:
    """The movements of each op by step. Steps count on from those that the module already holds."""

    def __init__(self, module: ir.Operation) -> None:
        found = (attributes.get(op, EDGES) for op in pre_order(module))
        self._step = 1 + max((step.step_index for edges in found if edges is not None for step in edges), default=-1)
        self._records: dict[int, tuple[ir.Operation, dict[tuple[AxisMovement, int], int]]] = {}

    def record(self, op: ir.Operation, movements: Iterable[AxisMovement], num_operands: int) -> None:
        """One step: what moved across `op`, which has `num_operands` tensors as operands. It counts even if empty."""
        _, records = self._records.setdefault(_identity(op), (op, {}))
        for movement in movements:
            records.setdefault((movement, num_operands), self._step)
        self._step += 1

    def forget(self, ops: Iterable[ir.Operation]) -> None:
        """Drops what is known about ops that are about to be erased."""
        for op in ops:
            self._records.pop(_identity(op), None)

    def write(self) -> None:
        """Attaches the records as `sdy.propagation_edges`, in place of older ones.

        Those of a function are about what it returns; its first result carries them.
        """
        for op, records in self._records.values():
            if records and op.name == "func.func":
                set_entry(op, "res_attrs", 0, EDGES, attributes.attr_of(_edges(records)))
            elif records:
                attributes.put(op, EDGES, _edges(records))


def _identity(op: ir.Operation) -> int:
    """A number of an op that stays when its attributes change, which its own hash does not."""
    return address(op.results[0] if len(op.results) else op.attributes["sym_name"])


def _edges(records: dict[tuple[AxisMovement, int], int]) -> PropagationEdges:
    by_step: dict[int, dict[tuple, list[EdgeValueRef]]] = {}
    for (movement, num_operands), step in records.items():
        source = _reference(movement.source, num_operands)
        targets = by_step.setdefault(step, {}).setdefault((movement.axis, source), [])
        targets.append(_reference(movement.target, num_operands))
    return PropagationEdges(tuple(PropagationOneStep(step, _entries(by_step[step])) for step in sorted(by_step)))


def _entries(moved: dict[tuple, list[EdgeValueRef]]) -> tuple[AxisToPropagationDetails, ...]:
    entries = [
        AxisToPropagationDetails(axis, source, tuple(sorted(targets, key=_position)))
        for (axis, source), targets in moved.items()
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.axis.name_key, _position(entry.source))))


def _reference(tensor: int, num_operands: int) -> EdgeValueRef:
    if tensor < num_operands:
        return EdgeValueRef(EdgeNode.OPERAND, tensor)
    return EdgeValueRef(EdgeNode.RESULT, tensor - num_operands)


def _position(reference: EdgeValueRef) -> tuple[int, int]:
    return (reference.node.value, reference.index)
