"""Folds collectives, and merges equal ones and equal ops."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.canonicalization import canonicalize
from sdy.dialect.ir_builders.with_sharding import OperandSlot, erase_unused, use_instead, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.value_numbers import has_no_effects, merge_equal, op_key
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.rewriting import defining_op, replace, users
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import i64_attr
from sdy.mlir.walk import identity, ops_around, pre_order
from sdy.passes.manager import run_upstream
from sdy.passes.partitioning.analysis.memory_budget import LiveBytes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.idioms.loops import CONTROL_FLOW
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
    """Return whether a value was received from a neighbour, or replaces it on devices without one."""
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
        """Return `saved` less the bytes held for recomputing `value`."""
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
        """Return whether a result has other uses after the peak; a reshape is an alias of its operand."""
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


_LOCAL_COLLECTIVES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


_HOLDER = "innermost_holder"
"""The attribute by which ops in a loop or branch differ from those around it; only while ops are merged."""


@function_pattern("fold-collectives")
def fold_collectives(func: ir.Operation, _: Rewriter) -> bool:
    """Fold collectives of collectives, and those that move nothing, as the reference's export does.

    %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_slice [{"x"}] %1 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>  ==>  %0
    """
    canonicalize(func, ("sdy-collective",), top_down=False, region_simplify="aggressive")
    return True


@function_pattern("equal-collectives", *sorted(COLLECTIVES))
def merge_equal_collectives(func: ir.Operation, _: Rewriter) -> bool:
    """Merge equal collectives, and erase unused ones.

    A collective replaces all later ones with the same operand and attributes in its block and in blocks inside of it.

    %1 = sdy.all_gather [{"x"}] %0 ...
    %2 = sdy.all_gather [{"x"}] %0 ...  ==>  %1
    """
    merged = merge_equal(ops_named(func, *sorted(COLLECTIVES)))
    erase_unused(op.results[0] for op in merged[0])
    return True


@function_pattern("equal-ops")
def merge_equal_ops(func: ir.Operation, _: Rewriter) -> bool:
    """Merge ops that compute the same value; those in a loop or branch only among themselves.

    Upstream's `cse` would also use values from outside there. A device would then hold the transposed weight for the
    whole loop; inside, the transpose is usually fused into a product and takes no memory. A branch with a matrix would
    take its transpose as well.
    """
    # An op in several loops and branches gets the number of the innermost one, which comes last.
    parents = sorted(ops_named(func, *CONTROL_FLOW), key=_depth)
    inside = [(number, op) for number, parent in enumerate(parents) for op in pre_order(parent) if op != parent]
    with func.context:
        numbers = [i64_attr(number) for number in range(len(parents))]
    for number, op in inside:
        op.attributes[_HOLDER] = numbers[number]
    run_upstream("func.func(cse)", func)
    for parent in ops_named(func, *CONTROL_FLOW):
        for op in pre_order(parent):
            if _HOLDER in op.attributes:
                del op.attributes[_HOLDER]
    return True


def _depth(op: ir.Operation) -> int:
    return sum(1 for _ in ops_around(op))


@function_pattern("equal-local-collectives", *_LOCAL_COLLECTIVES)
def merge_equal_local_collectives(func: ir.Operation, _: Rewriter) -> bool:
    """Merge equal collectives in the program of one device.

    Several exchanges may need the same rows of a neighbour: an op with windows and the gradient of its kernel. Channels
    are ignored; ops that become equal are merged, and collectives behind them. A concatenate with received rows that is
    used on both sides of the memory peak is rematerialized after it, if only these rows have to be kept.
    """
    while _merge_users(merge_equal(ops_named(func, *_LOCAL_COLLECTIVES), ignoring=("channel_handle",))[1]):
        pass
    rematerialize_halo_concat(func)
    return True


def _merge_users(shared: list[ir.Value]) -> bool:
    """Merge equal users of a merged value repeatedly; return whether there are any."""
    pending, found = list(shared), False
    while pending:
        value = pending.pop()
        first: dict[Hashable, ir.Operation] = {}
        for op in {identity(user): user for user in users(value)}.values():
            if not has_no_effects(op) or len(op.regions) or len(op.results) != 1:
                continue
            earlier = first.setdefault((op_key(op), op.block), op)
            if earlier == op:
                continue
            if op.is_before_in_block(earlier):
                earlier.move_before(op)
            replace(op, [earlier.results[0]])
            pending.append(earlier.results[0])
            found = True
    return found
