"""A product and its collective in steps, what a step takes, and how steps are kept in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import Collective, collective
from sdy.passes.costs.simulation import Done, Start, Step, Work, simulate
from sdy.passes.overlap.decomposition.block_products import CutProduct
from sdy.passes.overlap.decomposition.ring_moves import Ring, RingGroups, own_position
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import Execution
from sdy.stablehlo.ops.values import Value

_LINKS = ("stablehlo.convert", "stablehlo.transpose")


def is_link(op: ir.Operation) -> bool:
    """Whether a block of what `op` makes follows from that block of its operand."""
    return op.name in _LINKS


def users(value: ir.Value) -> list[tuple[ir.Operation, int]]:
    """The ops that use a value, in no order, each as often as it does, with the number of the operand."""
    return [(use.owner.operation, use.operand_number) for use in value.uses]


def only_user(value: ir.Value) -> tuple[ir.Operation, int] | None:
    """The op that uses a value and the number of the operand, if that is its only use and in the same block."""
    found = users(value)
    if len(found) != 1 or not isinstance(value.owner, ir.Operation | ir.OpView):
        return None
    return found[0] if found[0][0].block == value.owner.operation.block else None


def links_behind(value: ir.Value) -> tuple[ir.Operation, ...]:
    """The links that nobody else uses the operand of, one behind the other."""
    found: list[ir.Operation] = []
    while (user := only_user(value)) is not None and is_link(user[0]):
        found.append(user[0])
        value = user[0].results[0]
    return tuple(found)


def links_before(value: ir.Value) -> tuple[ir.Operation, ...]:
    """The links that `value` comes from, of which nobody else uses anything, first one first."""
    found: list[ir.Operation] = []
    while isinstance(value.owner, ir.Operation | ir.OpView) and only_user(value) is not None:
        op = value.owner.operation
        if not is_link(op):
            break
        found.insert(0, op)
        value = op.operands[0]
    return tuple(found)


def dim_behind(dim: int, chain: Iterable[ir.Operation]) -> int:
    """What becomes of dimension `dim` in a chain."""
    for op in chain:
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation.index(dim)
    return dim


def dim_before(dim: int, chain: tuple[ir.Operation, ...]) -> int:
    """What dimension `dim` of the end of a chain is at its start."""
    for op in reversed(chain):
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation[dim]
    return dim


def is_plain(type_: ir.Type) -> bool:
    """Whether a type is one of tensors of static shape whose elements can be added and multiplied."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape or type_.encoding is not None:
        return False
    element = type_.element_type
    if isinstance(element, ir.IntegerType):
        return element.width > 1
    return isinstance(element, ir.FloatType | ir.ComplexType)


T = TypeVar("T")


@dataclass(frozen=True)
class Shape:
    """The form of the steps: tensors go around the ring one way or both ways, in a loop or not."""

    both: bool
    loop: bool

    def pick(self, one_way: T, one_way_loop: T, both_ways: T, both_ways_loop: T) -> T:
        """The one of this shape."""
        forms = (both_ways, both_ways_loop) if self.both else (one_way, one_way_loop)
        return forms[self.loop]


class Decomposition(Protocol):
    """Products, `dots`, that can be cut into as many steps as the ring of their `collective` has devices.

    Tensors of type `sent` are passed on. `cuts` say how the products are cut; `bytes_beside` are what a step reads and
    writes besides them. `is_gathered_again` says that an all_gather of what the steps make follows.
    """

    @property
    def groups(self) -> RingGroups: ...

    @property
    def dots(self) -> tuple[ir.Operation, ...]: ...

    @property
    def cuts(self) -> tuple[CutProduct, ...]: ...

    @property
    def bytes_beside(self) -> float: ...

    @property
    def is_gathered_again(self) -> bool: ...

    @property
    def collective(self) -> ir.Operation: ...

    @property
    def sent(self) -> ir.Type: ...

    def apply(self, ring: Ring, shape: Shape) -> None:
        """Puts the steps in the place of the collective and the products."""
        ...


class Rings:
    """The rings of a module: each permute has a channel of its own, each block one position for each kind of groups."""

    def __init__(self, channels: Iterator[int], *, asynchronous: bool) -> None:
        self._channels = channels
        self._asynchronous = asynchronous
        self._positions: dict[tuple[ir.Block, RingGroups], Value] = {}

    def ring(self, groups: RingGroups, block: ir.Block, sent_at: ir.Location) -> Ring:
        """One whose position is computed where `block` begins."""
        position = self._positions.get((block, groups))
        if position is None:
            with ir.InsertionPoint.at_block_begin(block), sent_at:
                position = self._positions[block, groups] = own_position(groups)
        return Ring(groups, position, self._channels, sent_at, asynchronous=self._asynchronous)


_PERMUTE = "collective_permute"


@dataclass(frozen=True)
class Estimate:
    """Seconds of a product and its collective: one after the other, or in steps that send in one direction, or both."""

    together: float
    one: float
    both: float


def estimate(each: Decomposition, mesh: Mesh, machine: Machine, wait: float | None = None) -> Estimate:
    """By the model of the machine; the program runs on `mesh`.

    `wait` are the seconds that are waited for the collective, if that is not as long as it takes.
    """
    what = collective(Execution(each.collective), mesh)
    axes = [axis.name for axis in what.axes or ()]
    size = each.groups.size
    dot = sum(_product_seconds(one, size, machine) for one in each.cuts)
    dot += each.bytes_beside / machine.memory_bandwidth
    permute = machine.collective_seconds(_PERMUTE, 2, byte_size(each.sent), axes)
    if wait is None:
        wait = machine.collective_seconds(what.kind, size, what.operand_bytes, axes)
    together = wait + sum(_product_seconds(one, 1, machine) - machine.overhead for one in each.cuts)
    gather = machine.collective_seconds("all_gather", size, byte_size(each.sent), axes) * each.is_gathered_again
    one = (size - 1) * max(dot, permute) + dot
    return Estimate(together, one + gather, _both(size, dot, permute, _ways(what, machine)) + gather)


def _product_seconds(one: CutProduct, parts: int, machine: Machine) -> float:
    """Of one of `parts` blocks of a product."""
    return machine.product_seconds(one.operations(parts, machine.tile), one.bytes_touched(parts), one.element)


def _ways(what: Collective, machine: Machine) -> tuple[Hashable, Hashable]:
    """The channels of the two directions; one if they hinder one another."""
    return ("left", "right") if machine.channels == "axes" and what.axes is not None else ("all", "all")


def _both(size: int, dot: float, permute: float, ways: tuple[Hashable, Hashable]) -> float:
    """Of steps in both directions: with a gathered operand as they are, with a scattered result the other way round."""
    return simulate(_steps(size, dot, permute, ways)).total


def _steps(size: int, dot: float, permute: float, ways: tuple[Hashable, Hashable]) -> Iterator[Step]:
    left, right = ways
    last, last_left = size // 2, (size - 1) // 2
    for turn in range(last + 1):
        if turn < last:
            yield Start(2 * turn, permute, (right,))
        if turn < last_left:
            yield Start(2 * turn + 1, permute, (left,))
        yield Work(dot)
        if 0 < turn <= last_left:
            yield Work(dot)
        if turn < last:
            yield Done(2 * turn)
        if turn < last_left:
            yield Done(2 * turn + 1)
