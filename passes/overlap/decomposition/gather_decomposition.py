"""An all_gather in front of a product becomes steps around a ring."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from sdy.dialect.op_properties import is_pure
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import first_user
from sdy.mlir.tensor_types import bits, byte_size
from sdy.mlir.walk import block_order, identity
from sdy.passes.overlap.decomposition.block_products import (
    DOTS,
    BlockProduct,
    BlockResult,
    CutProduct,
    GatheredTensor,
    may_be_added,
    replayed,
)
from sdy.passes.overlap.decomposition.decomposition import (
    LEFT,
    RIGHT,
    Ring,
    RingGroups,
    Shape,
    counted,
    dim_behind,
    is_plain,
    links_behind,
    ring_groups,
    users,
)
from sdy.stablehlo import views
from sdy.stablehlo.ops.regions import Value

_MOST = 64
"""Ops that are moved for one value."""

_MOVABLE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather",
        "concatenate",
        "constant",
        "dot_general",
        "dynamic_slice",
        "dynamic_update_slice",
        "pad",
        "reverse",
        "transpose",
    )
)


def ops_to_move(value: ir.Value, place: ir.Operation, fixed: Container[object]) -> list[ir.Operation] | None:
    """Return the ops to move in front of `place` so that `value` is available there, in a valid order.

    None if one of them has effects, or if it uses one of `fixed`, which are given by `identity`.
    """
    found: dict[object, ir.Operation] = {}
    pending = [value]
    while pending:
        each = pending.pop()
        if not isinstance(each, ir.OpResult):
            continue
        op = each.owner.operation
        if identity(op) in fixed or op == place:
            return None
        if op.block != place.block or identity(op) in found or op.is_before_in_block(place):
            continue
        if not _may_move(op) or len(found) == _MOST:
            return None
        found[identity(op)] = op
        pending += op.operands
    return sorted(found.values(), key=block_order)


def _may_move(op: ir.Operation) -> bool:
    return not len(op.regions) and (op.name in _MOVABLE or is_pure(op))


State = Sequence[Value | None]
"""Partial results so far; None before the first block, except in loops."""

Visit = Callable[[State, Value, Value], list[Value]]
"""Takes a state, the block at hand and its number; returns the next state."""


def walk_one_direction(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Every device sends its block to the left, and processes it in the meantime."""
    block = shard
    for turn in range(ring.size - 1):
        wait = ring.start(block, LEFT)
        state = visit(state, block, ring.number(turn))
        block = wait()
    return visit(state, block, ring.number(ring.size - 1))


def loop_one_direction(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Walk in one direction by a loop; the last block follows the loop."""

    def body(turn: Value, block: Value, *state: Value) -> list[Value]:
        wait = ring.start(block, LEFT)
        after = visit(state, block, ring.number(0, turn))
        return [wait(), *after]

    block, *state = counted(0, ring.size - 1, body, [shard, *_there(state)])
    return visit(state, block, ring.number(ring.size - 1))


def walk_both_directions(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Blocks arrive from both sides at once; one more from the left if their number is even."""
    last, last_left = ring.size // 2, (ring.size - 1) // 2
    right, left = shard, shard
    for turn in range(last + 1):
        wait_right = ring.start(right, RIGHT) if turn < last else None
        wait_left = ring.start(left, LEFT) if turn < last_left else None
        state = visit(state, right, ring.number(-turn))
        if 0 < turn <= last_left:
            state = visit(state, left, ring.number(turn))
        right = right if wait_right is None else wait_right()
        left = left if wait_left is None else wait_left()
    return _there(state)


def loop_both_directions(ring: Ring, shard: Value, visit: Visit, state: State) -> list[Value]:
    """Walk in both directions by a loop; the own block comes before it, the last ones behind it."""
    pairs = (ring.size - 1) // 2
    wait_right, wait_left = ring.start(shard, RIGHT), ring.start(shard, LEFT)
    state = visit(state, shard, ring.number(0))

    def body(turn: Value, right: Value, left: Value, *state: Value) -> list[Value]:
        wait_right, wait_left = ring.start(right, RIGHT), ring.start(left, LEFT)
        after = visit(state, right, ring.number(0, turn, -1))
        after = visit(after, left, ring.number(0, turn))
        return [wait_right(), wait_left(), *after]

    right, left, *state = counted(1, pairs, body, [wait_right(), wait_left(), *state])
    wait_last = ring.start(right, RIGHT) if ring.size % 2 == 0 else None
    state = visit(state, right, ring.number(-pairs))
    state = visit(state, left, ring.number(pairs))
    return state if wait_last is None else visit(state, wait_last(), ring.number(-pairs - 1))


def _there(state: State) -> list[Value]:
    """Return a state in which every result has a value."""
    found = [value for value in state if value is not None]
    assert len(found) == len(state), "a loop starts from what is there"
    return found


GATHER = "stablehlo.all_gather"


@dataclass(frozen=True)
class GatherDecomposition:
    """The products of one gathered tensor.

    `before` are the links between gather and products that apply to the shard before it is sent, `behind` those that
    apply to arriving blocks. The steps are in front of `place`, the first op that needs a block; `moved` are the ops
    that have to move in front of it.
    """

    collective: ir.Operation
    groups: RingGroups
    before: tuple[ir.Operation, ...]
    behind: tuple[ir.Operation, ...]
    products: tuple[BlockProduct, ...]
    kept: GatheredTensor | None
    place: ir.Operation
    moved: tuple[ir.Operation, ...]

    @property
    def dots(self) -> tuple[ir.Operation, ...]:
        return tuple(each.dot for each in self.products)

    @property
    def sent(self) -> ir.RankedTensorType:
        links = self.before
        element = (links[-1].results[0] if links else self.collective.operands[0]).type.element_type
        return ir.RankedTensorType.get(list(self.collective.operands[0].type.shape), element)

    @property
    def cuts(self) -> tuple[CutProduct, ...]:
        return tuple(each.cut for each in self.products)

    @property
    def bytes_beside(self) -> float:
        """Return the bytes of a step: blocks of other operands, of results, and the gathered block."""
        kept = 0 if self.kept is None else 2 * byte_size(self.kept.whole.type) / self.groups.size
        return kept + sum(each.bytes_beside(self.groups.size) for each in self.products)

    @property
    def is_gathered_again(self) -> bool:
        return False

    def apply(self, ring: Ring, shape: Shape) -> None:
        results: list[BlockResult] = [*self.products, *([] if self.kept is None else [self.kept])]
        for op in self.moved:
            op.move_before(self.place)
        with ir.InsertionPoint(self.place), self.dots[0].location:
            made = self._walk(ring, shape, results)
        for each, value in zip(results, made, strict=True):
            each.whole.replace_all_uses_with(value)
        self._erase()

    def _walk(self, ring: Ring, shape: Shape, results: Sequence[BlockResult]) -> list[Value]:
        shard = replayed(self.before, Value(self.collective.operands[0]))

        def visit(state: State, block: Value, number: Value) -> list[Value]:
            ready = replayed(self.behind, block)
            return [each.after(old, ready, number) for each, old in zip(results, state, strict=True)]

        first = [each.initial() if shape.loop else None for each in results]
        walk = shape.pick(
            walk_one_direction,
            loop_one_direction,
            walk_both_directions,
            loop_both_directions,
        )
        last = walk(ring, shard, visit, first)
        return [each.finished(value) for each, value in zip(results, last, strict=True)]

    def _erase(self) -> None:
        for each in self.products:
            each.dot.erase()
            for link in reversed(each.chain):
                link.erase()
        for op in (*reversed(self.behind), *reversed(self.before), self.collective):
            op.erase()


def gather_decomposition(gather: ir.Operation, eligible: Container[object]) -> GatherDecomposition | None:
    """Return the decomposition of the `eligible` products of a gathered tensor; None if there is none."""
    if len(gather.operands) != 1 or not is_plain(gather.results[0].type) or not is_plain(gather.operands[0].type):
        return None
    dim = views.AllGather(gather).all_gather_dim
    groups = ring_groups(gather, gather.results[0].type.shape[dim] // max(1, gather.operands[0].type.shape[dim]))
    if groups is None or max(gather.results[0].type.shape) >= 1 << 31:
        return None
    trunk = links_behind(gather.results[0])
    whole = trunk[-1].results[0] if trunk else gather.results[0]
    dim = dim_behind(dim, trunk)
    found = _products(whole, dim, eligible)
    place = first_user(whole.owner.operation)
    products, moved = _together(found, whole, place)
    is_whole_used = len(products) < len(users(whole))
    if place is None or not products:
        return None
    sent = _cheapest(trunk, gather)
    kept = GatheredTensor(whole, dim) if is_whole_used else None
    return GatherDecomposition(gather, groups, trunk[:sent], trunk[sent:], products, kept, place, moved)


def _cheapest(trunk: tuple[ir.Operation, ...], gather: ir.Operation) -> int:
    """Return the number of chain links applied before sending, without sending more bytes."""
    values = [gather.results[0], *(op.results[0] for op in trunk)]
    least = min(bits(value.type.element_type) for value in values)
    return max(number for number, value in enumerate(values) if bits(value.type.element_type) == least)


def _products(whole: ir.Value, dim: int, eligible: Container[object]) -> list[BlockProduct]:
    """Return the products that could be cut, in program order."""
    found: list[BlockProduct] = []
    block = whole.owner.operation.block
    for user, number in users(whole):
        if user.block != block:
            continue
        chain = (user, *links_behind(user.results[0])) if _is_branch(user) else ()
        end = chain[-1].results[0] if chain else None
        ends = [(user, number)] if end is None else users(end)
        if len(ends) != 1 or ends[0][0].name not in DOTS or ends[0][0].block != block:
            continue
        dot, side = ends[0]
        each = BlockProduct(dot, side, dim_behind(dim, chain), chain)
        if identity(dot) in eligible and _may_be_cut(each, whole):
            found.append(each)
    return sorted(found, key=lambda each: block_order(each.dot))


def _is_branch(op: ir.Operation) -> bool:
    return op.name in ("stablehlo.convert", "stablehlo.transpose") and is_plain(op.results[0].type)


def _may_be_cut(each: BlockProduct, whole: ir.Value) -> bool:
    """Return whether a product has plain tensors, with the gathered one only once."""
    dot = each.dot
    if not all(is_plain(value.type) for value in (*dot.operands, *dot.results)):
        return False
    if sum(user == dot for user, _ in users(whole)) > 1 or dot.operands[0] == dot.operands[1]:
        return False
    return not each.is_sum or may_be_added(dot)


def _together(
    found: Sequence[BlockProduct], whole: ir.Value, place: ir.Operation | None
) -> tuple[tuple[BlockProduct, ...], tuple[ir.Operation, ...]]:
    """Return products whose other operands are available at `place`, before `whole`, and the ops to move there."""
    products, moved = list[BlockProduct](), dict[object, ir.Operation]()
    if place is None:
        return (), ()
    fixed = {identity(whole.owner.operation), *(identity(op) for each in found for op in (each.dot, *each.chain))}
    for each in found:
        needed = ops_to_move(each.dot.operands[1 - each.side], place, fixed)
        if needed is not None:
            products.append(each)
            moved |= {identity(op): op for op in needed}
    return tuple(products), tuple(moved.values())
