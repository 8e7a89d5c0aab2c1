"""Rematerializes halo concatenations after the memory peak, where only the rows of neighbours are kept for that.

A convolution and the gradient of its kernel need the same rows of neighbours, concatenated with those of the device.
The rows are few, and the rest is often live in the backward pass, or computed from what is, as an activation is from
what its own gradient needs. The concatenated tensor would be one more at the peak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.ir_builders.with_sharding import OperandSlot, use_instead, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import address, ir
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.collectives.analysis.kept_bytes import LiveBytes
from sdy.stablehlo.ops import Builder

_JOIN = "stablehlo.concatenate"
_VIEW = "stablehlo.reshape"
_REPEATED = "stablehlo.broadcast_in_dim"

_PASSED_ON = {"stablehlo.select": 1, "stablehlo.slice": 0, "stablehlo.reshape": 0}
"""Ops between the collective and the concatenate, with the number of the operand that is passed on."""


def rematerialize_halo_concat(func: ir.Operation) -> None:
    """Rematerialize concatenations with received rows that are used on both sides of the peak, if that saves memory."""
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
            _rematerialize(join, late)


def _is_sent(value: ir.Value) -> bool:
    """Whether a value was received from a neighbour, or replaces that on devices without one."""
    op = defining_op(value)
    while op is not None and op.name in _PASSED_ON:
        op = defining_op(op.operands[_PASSED_ON[op.name]])
    return op is not None and op.name == "stablehlo.collective_permute"


@dataclass(frozen=True)
class _JoinAcrossPeak:
    """A concatenate before the peak whose result is used after it, too."""

    op: ir.Operation
    live: LiveBytes
    peak: int

    @property
    def saved(self) -> float:
        """Bytes that rematerialization takes off the peak."""
        large = _largest(self.op)
        rows = sum(self.live.size(value) for value in self.op.operands if value != large)
        return self._saved_beside(self.live.size(self.op.results[0]) - rows, large)

    def _saved_beside(self, saved: float, value: ir.Value) -> float:
        """Return `saved` less the bytes that are held to compute `value` once more."""
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
        """Whether a result has other uses after the peak; a reshape only names its operand."""
        return op.name != _VIEW and self.live.last_use(list(op.results), op.block) > self.peak


def _largest(join: ir.Operation) -> ir.Value:
    dim = join.attributes["dimension"].value
    return max(join.operands, key=lambda value: value.type.shape[dim])


def _rematerialize(join: ir.Operation, late: Sequence[OperandSlot]) -> None:
    """Rematerialize for the users after the peak; a barrier keeps CSE from merging the two."""
    build = Builder.before(late[0].user)
    large = _largest(join)
    rows = [value for value in join.operands if value != large]
    kept = dict(zip(map(address, rows), build.optimization_barrier(rows), strict=True))
    operands = [kept.get(address(value), value) for value in join.operands]
    use_instead(late, build.concatenate(operands, join.attributes["dimension"].value))
