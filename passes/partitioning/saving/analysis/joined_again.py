"""What is joined with rows of neighbours is joined once more behind the peak, where only the rows are kept for that.

A convolution and the gradient of its kernel need the same rows of neighbours, joined with those of the device. The rows
are few, and what they are joined with is often at hand on the way back, or is computed from what is, as an activation
is from what its own gradient needs. The joined tensor would be one more at the peak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.ir_builders.operand_slots import OperandSlot, use_instead, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.mlir import address, ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.saving.analysis.live_bytes import LiveBytes
from sdy.stablehlo.ops import Builder

_JOIN = "stablehlo.concatenate"
_VIEW = "stablehlo.reshape"
_REPEATED = "stablehlo.broadcast_in_dim"

_PASSED_ON = {"stablehlo.select": 1, "stablehlo.slice": 0, "stablehlo.reshape": 0}
"""Ops between what is sent and what is joined, and which of their operands that is."""


def join_again(func: ir.Operation) -> None:
    """Of each concatenate with what a collective sent that is used on both sides of the peak, if that saves memory."""
    joins = [op for op in ops_named(func, _JOIN) if len(op.operands) > 1 and any(map(_is_sent, op.operands))]
    if not joins:
        return
    live = LiveBytes(func, Layouts(of_module(MeshTable, func)))
    block = func.regions[0].blocks[0]
    peak = live.peak_at(block)
    for join in joins:
        if join.block != block or live.number(join, block) >= peak:
            continue
        slots = uses_of(join.results[0])
        late = [slot for slot in slots if slot.user.block == block and live.number(slot.user, block) > peak]
        if 0 < len(late) < len(slots) and _JoinAcrossPeak(join, live, peak).saved > 0:
            late.sort(key=lambda slot: live.number(slot.user, block))
            _join_once_more(join, late)


def _is_sent(value: ir.Value) -> bool:
    """Whether a value is what a neighbour sent, or what devices without a neighbour have instead."""
    op = defining_op(value)
    while op is not None and op.name in _PASSED_ON:
        op = defining_op(op.operands[_PASSED_ON[op.name]])
    return op is not None and op.name == "stablehlo.collective_permute"


@dataclass(frozen=True)
class _JoinAcrossPeak:
    """A concatenate in front of the peak, the result of which is used behind it, too."""

    op: ir.Operation
    live: LiveBytes
    peak: int

    @property
    def saved(self) -> float:
        """Bytes that are held less at the peak if the concatenate is done once more behind it."""
        large = _largest(self.op)
        rows = sum(self.live.size(value) for value in self.op.operands if value != large)
        return self._saved_beside(self.live.size(self.op.results[0]) - rows, large)

    def _saved_beside(self, saved: float, value: ir.Value) -> float:
        """What is left of `saved` if a value is computed once more, and what for that has to be held is held."""
        pending, seen = [value], {address(value)}
        while pending and saved > 0:
            value = pending.pop()
            op = defining_op(value)
            if op is None or is_constant(op) or self._is_held(op):
                continue
            if op.name in (_VIEW, _REPEATED) or is_elementwise(op):
                found = [operand for operand in op.operands if address(operand) not in seen]
                seen.update(map(address, found))
                pending += found
            else:
                saved -= self.live.size(value)
        return saved

    def _is_held(self, op: ir.Operation) -> bool:
        """Whether others use a result behind the peak; a reshape only names what it is given."""
        return op.name != _VIEW and self.live.last_use(list(op.results), op.block) > self.peak


def _largest(join: ir.Operation) -> ir.Value:
    dim = join.attributes["dimension"].value
    return max(join.operands, key=lambda value: value.type.shape[dim])


def _join_once_more(join: ir.Operation, late: Sequence[OperandSlot]) -> None:
    """For users behind the peak. Nobody takes this for what is in front of it, since the rows are behind a barrier."""
    build = Builder.before(late[0].user)
    large = _largest(join)
    rows = [value for value in join.operands if value != large]
    kept = dict(zip(map(address, rows), build.optimization_barrier(rows), strict=True))
    operands = [kept.get(address(value), value) for value in join.operands]
    use_instead(late, build.concatenate(operands, join.attributes["dimension"].value))
