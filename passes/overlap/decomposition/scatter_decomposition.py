"""A reduce_scatter behind a product becomes steps around a ring."""

from __future__ import annotations

from collections.abc import Callable, Container

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import byte_size
from sdy.mlir.walk import identity
from sdy.passes.overlap.decomposition.block_products import (
    DOTS,
    CutProduct,
    converted,
    cut,
    dot_dimensions,
    may_be_added,
    product,
    replayed,
    sum_element,
    with_dim,
    with_element,
)
from sdy.passes.overlap.decomposition.decomposition import (
    LEFT,
    RIGHT,
    Ring,
    RingGroups,
    Shape,
    Wait,
    counted,
    dim_before,
    dim_behind,
    has_channel,
    is_plain,
    largest_group,
    links_before,
    only_user,
    ring_groups,
)
from sdy.stablehlo import ops, views
from sdy.stablehlo.idioms.loops import combining_ops
from sdy.stablehlo.ops.regions import Value


@dataclass(frozen=True)
class BlockSum:
    """Computation and accumulation of blocks.

    `part` gives the device's own summand for the block of a number; `packed` converts a sum for sending, and `unpacked`
    converts it back.
    """

    part: Callable[[Value], Value]
    packed: Callable[[Value], Value]
    unpacked: Callable[[Value], Value]

    def added(self, arrived: Wait | None, part: Value) -> Value:
        return part if arrived is None else self.unpacked(arrived()) + part


def sum_one_direction(ring: Ring, blocks: BlockSum) -> Value:
    """Every device adds its part to the sum from the right and sends it to the left; its own block comes last."""
    total = blocks.part(ring.number(1))
    for turn in range(1, ring.size):
        wait = ring.start(blocks.packed(total), LEFT)
        total = blocks.added(wait, blocks.part(ring.number(turn + 1)))
    return total


def loop_sum_one_direction(ring: Ring, blocks: BlockSum) -> Value:
    """Sum in one direction by a loop; the first part is computed before it."""

    def body(turn: Value, total: Value) -> list[Value]:
        wait = ring.start(blocks.packed(total), LEFT)
        return [blocks.added(wait, blocks.part(ring.number(2, turn)))]

    first = blocks.part(ring.number(1))
    return counted(0, ring.size - 1, body, [first])[0]


def sum_both_directions(ring: Ring, blocks: BlockSum) -> Value:
    """Sums arrive from both sides; that from the left has made one step more if the number of devices is even."""
    last, last_left = ring.size // 2, (ring.size - 1) // 2
    wait_right: Wait | None = None
    wait_left: Wait | None = None
    for turn in range(last, 0, -1):
        part_right = blocks.part(ring.number(turn))
        part_left = blocks.part(ring.number(-turn)) if turn <= last_left else None
        right = blocks.added(wait_right, part_right)
        left = None if part_left is None else blocks.added(wait_left, part_left)
        wait_right = ring.start(blocks.packed(right), RIGHT)
        wait_left = None if left is None else ring.start(blocks.packed(left), LEFT)
    return _own(ring, blocks, wait_left, wait_right)


def loop_sum_both_directions(ring: Ring, blocks: BlockSum) -> Value:
    """Sum in both directions by a loop; the first parts are computed before it, the own one is added behind it."""
    pairs = (ring.size - 1) // 2
    wait: Wait | None = None
    if ring.size % 2 == 0:
        wait = ring.start(blocks.packed(blocks.part(ring.number(pairs + 1))), RIGHT)
    right = blocks.part(ring.number(pairs))
    left = blocks.part(ring.number(-pairs))
    right = blocks.added(wait, right)

    def body(turn: Value, right: Value, left: Value) -> list[Value]:
        wait_right, wait_left = ring.start(blocks.packed(right), RIGHT), ring.start(blocks.packed(left), LEFT)
        part_right = blocks.part(ring.number(pairs, turn, -1))
        part_left = blocks.part(ring.number(-pairs, turn))
        return [blocks.added(wait_right, part_right), blocks.added(wait_left, part_left)]

    right, left = counted(1, pairs, body, [right, left])
    return _own(ring, blocks, ring.start(blocks.packed(left), LEFT), ring.start(blocks.packed(right), RIGHT))


def _own(ring: Ring, blocks: BlockSum, left: Wait | None, right: Wait | None) -> Value:
    """Return the own part plus the sums from both sides, always in this order."""
    total = blocks.part(ring.number(0))
    for wait in (left, right):
        if wait is not None:
            total = total + blocks.unpacked(wait())
    return total


REDUCE_SCATTER = "stablehlo.reduce_scatter"
ALL_REDUCE = "stablehlo.all_reduce"


@dataclass(frozen=True)
class ScatterDecomposition:
    """A product whose result goes through the ops of `chain` into a reduce_scatter or all_reduce.

    Dimension `dim` of the summed tensor is cut into blocks; an all_reduce is followed by an all_gather along it. Sums
    are computed with elements `element`, and sent as the collective sends them.
    """

    collective: ir.Operation
    groups: RingGroups
    chain: tuple[ir.Operation, ...]
    dot: ir.Operation
    dim: int
    element: ir.Type

    @property
    def dots(self) -> tuple[ir.Operation, ...]:
        return (self.dot,)

    @property
    def sent(self) -> ir.RankedTensorType:
        type_ = self.collective.operands[0].type
        return with_dim(type_, self.dim, type_.shape[self.dim] // self.groups.size)

    @property
    def cuts(self) -> tuple[CutProduct, ...]:
        dims = dot_dimensions(self.dot).operand_dims(dim_before(self.dim, self.chain))
        return (CutProduct(self.dot, dims, self._part_element),)

    @property
    def bytes_beside(self) -> float:
        """Return the bytes of operand blocks read, of sums added, and of sums converted for sending."""
        pairs = zip(self.dot.operands, self.cuts[0].cut, strict=True)
        read = sum(2 * byte_size(operand.type) / self.groups.size for operand, dim in pairs if dim is not None)
        added = byte_size(with_element(self.sent, self.element))
        converted = 2 * (added + byte_size(self.sent)) if self.sent.element_type != self.element else 0
        return read + 3 * added + converted

    @property
    def is_gathered_again(self) -> bool:
        return self.collective.name == ALL_REDUCE

    @property
    def _part_element(self) -> ir.Type:
        """The element type of the products: no narrower than that of the sum."""
        own, wanted = self.dot.results[0].type.element_type, self.element
        if isinstance(own, ir.FloatType) and isinstance(wanted, ir.FloatType) and own.width < wanted.width:
            return wanted
        return own

    def apply(self, ring: Ring, shape: Shape) -> None:
        blocks = BlockSum(
            self._part,
            lambda value: converted(value, self.sent.element_type),
            lambda value: converted(value, self.element),
        )
        walk = shape.pick(
            sum_one_direction,
            loop_sum_one_direction,
            sum_both_directions,
            loop_sum_both_directions,
        )
        with ir.InsertionPoint(self.dot), self.dot.location:
            total = converted(walk(ring, blocks), self.sent.element_type)
            if self.is_gathered_again:
                total = self._gathered(total, ring.new_channel() if has_channel(self.collective) else None)
        self.collective.results[0].replace_all_uses_with(total)
        for op in (self.collective, *reversed(self.chain), self.dot):
            op.erase()

    def _part(self, number: Value) -> Value:
        """Return the device's summand of a block."""
        size = self.sent.shape[self.dim]
        pair = list[Value]()
        for operand, dim in zip(self.dot.operands, self.cuts[0].cut, strict=True):
            value = Value(operand)
            pair.append(value if dim is None else cut(value, dim, number, size))
        part = product(self.dot, (pair[0], pair[1]), self._part_element)
        transposes = [op for op in self.chain if op.name == "stablehlo.transpose"]
        return converted(replayed(transposes, part), self.element)

    def _gathered(self, block: Value, channel: tuple[int, int] | None) -> Value:
        attributes = self.collective.attributes
        return ops.all_gather(
            block,
            self.dim,
            attributes["replica_groups"],
            channel=channel,
            use_global_device_ids="use_global_device_ids" in attributes,
            types=[self.collective.results[0].type],
            loc=self.collective.location,
        )


def scatter_decomposition(collective: ir.Operation, eligible: Container[object]) -> ScatterDecomposition | None:
    """Return the decomposition of the product that `collective` sums up, if `eligible`; None if there is none."""
    chain = _chain(collective)
    if chain is None:
        return None
    start = chain[0].operands[0] if chain else collective.operands[0]
    dot = start.owner.operation if isinstance(start, ir.OpResult) else None
    if dot is None or dot.name not in DOTS or identity(dot) not in eligible or only_user(start) is None:
        return None
    if not all(is_plain(value.type) for value in (*dot.operands, *dot.results)) or not may_be_added(dot):
        return None
    groups = ring_groups(collective, _group_size(collective))
    if groups is None:
        return None
    dim = _dim(collective, dot, chain, groups.size)
    if dim is None:
        return None
    element = sum_element(collective.operands[0].type.element_type, dot)
    return ScatterDecomposition(collective, groups, chain, dot, dim, element)


def _group_size(collective: ir.Operation) -> int:
    """Return the number of devices of a group, from the types of a reduce_scatter or the groups of an all_reduce."""
    if collective.name == ALL_REDUCE:
        return largest_group(collective)
    scatter = views.ReduceScatter(collective)
    dim = scatter.scatter_dimension
    return scatter.operand.type.shape[dim] // max(1, scatter.result.type.shape[dim])


def _chain(collective: ir.Operation) -> tuple[ir.Operation, ...] | None:
    """Return the links before a sum of plain tensors; None for another collective, or more than one convert."""
    if len(collective.operands) != 1 or combining_ops(collective.regions[0]) != ["stablehlo.add"]:
        return None
    source, target = collective.operands[0].type, collective.results[0].type
    if not is_plain(source) or not is_plain(target) or source.element_type != target.element_type:
        return None
    if max(source.shape, default=0) >= 1 << 31 or only_user(collective.operands[0]) is None:
        return None
    chain = links_before(collective.operands[0])
    converts = [op for op in chain if op.name == "stablehlo.convert"]
    if len(converts) > 1 or any(not _is_rounding(op) for op in converts):
        return None
    return chain


def _is_rounding(convert: ir.Operation) -> bool:
    """Return whether a convert is between floating-point types, so that it may move behind the sum."""
    return all(isinstance(value.type.element_type, ir.FloatType) for value in (*convert.operands, *convert.results))


def _dim(collective: ir.Operation, dot: ir.Operation, chain: tuple[ir.Operation, ...], size: int) -> int | None:
    """Return the dimension of the sum to cut: the scattered one, or else the largest free one that divides."""
    if collective.name == REDUCE_SCATTER:
        return views.ReduceScatter(collective).scatter_dimension
    shape = dot.results[0].type.shape
    batches = len(dot_dimensions(dot).batching[0])
    dims = [dim for dim in range(batches, len(shape)) if shape[dim] % size == 0 and shape[dim] > 0]
    return dim_behind(max(dims, key=lambda dim: shape[dim]), chain) if dims else None
