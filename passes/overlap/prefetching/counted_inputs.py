"""Values of a loop's body that follow from the number of the round (spec: async, 16)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sdy.dialect.op_properties import is_constant, is_pure
from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.stablehlo.idioms.loop_variables import loop_body, unchanged_variables
from sdy.stablehlo.idioms.trip_count import Counting

_WITHOUT_EFFECTS = frozenset(
    f"stablehlo.{name}"
    for name in ("dynamic_slice", "transpose", "concatenate", "pad", "reverse", "divide", "remainder")
)
"""Ops besides the pure ones: they run as often and on the same numbers as before, only earlier."""


@dataclass(frozen=True)
class CountedInput:
    """How `value`, in the body of `loop`, is computed by `chain` from the counter and from what no round changes."""

    loop: ir.Operation
    counting: Counting
    value: ir.Value
    chain: tuple[ir.Operation, ...]

    def computed(self, counter: ir.Value, where: ir.InsertionPoint) -> ir.Value:
        """The value in the round that has that counter; inside of the body, or before the loop if it is its start."""
        body = loop_body(self.loop)
        known: dict[ir.Value, ir.Value] = {}
        if where.block != body:
            known.update(zip(body.arguments, self.loop.operands, strict=True))
        known[body.arguments[self.counting.number]] = counter
        for op in self.chain:
            copy = op.clone(ip=where).operation
            for number, operand in enumerate(op.operands):
                copy.operands[number] = known.get(operand, operand)
            known.update(zip(op.results, copy.results, strict=True))
        return known.get(self.value, self.value)


def counted_input(value: ir.Value, loop: ir.Operation, counting: Counting) -> CountedInput | None:
    """None if the value depends on anything else that a round changes, or on an op that may have effects."""
    body = loop_body(loop)
    steady = {*unchanged_variables(loop), body.arguments[counting.number]}
    chain: dict[object, ir.Operation] = {}
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.BlockArgument):
            if each.owner == body and each not in steady:
                return None
            continue
        op = each.owner.operation
        if op.block != body or identity(op) in chain:
            continue
        if not _may_run_early(op):
            return None
        chain[identity(op)] = op
        pending += op.operands
    return CountedInput(loop, counting, value, tuple(_in_order(chain.values())))


def _may_run_early(op: ir.Operation) -> bool:
    return not len(op.regions) and (op.name in _WITHOUT_EFFECTS or is_pure(op) or is_constant(op))


def _in_order(ops: Iterable[ir.Operation]) -> list[ir.Operation]:
    listed = list(ops)
    return sorted(listed, key=lambda op: sum(other.is_before_in_block(op) for other in listed))
