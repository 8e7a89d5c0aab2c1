"""The decomposition of a product and its collective into steps around a ring: transfers and durations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np

from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.shardings.meshes import enclosing_module, mesh_of
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import Collective, collective
from sdy.passes.costs.simulation import Done, Start, Step, Work, simulate
from sdy.passes.overlap.decomposition.block_products import CutProduct
from sdy.stablehlo import ops, views
from sdy.stablehlo.idioms.loops import Execution
from sdy.stablehlo.ops.regions import Value

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class RingGroups:
    """Groups of devices of equal size, each in the order of its positions.

    `by_replica` tells that the numbers are replicas instead of partitions.
    """

    rows: Rows
    by_replica: bool

    @property
    def size(self) -> int:
        return len(self.rows[0])

    def pairs(self, distance: int) -> list[tuple[int, int]]:
        """Return senders and receivers of a shift by `distance` positions around the ring."""
        return [(row[q], row[(q + distance) % self.size]) for row in self.rows for q in range(self.size)]

    def positions(self) -> np.ndarray:
        """The position of each device in its group; 0 for numbers that are in no group."""
        table = np.zeros(max(map(max, self.rows)) + 1, dtype=np.int32)
        for row in self.rows:
            table[list(row)] = np.arange(self.size)
        return table

    def stride(self) -> int | None:
        """The s with which the position of device d is `d / s % size`; None if there is none."""
        stride = self.rows[0][1] - self.rows[0][0]
        if stride <= 0:
            return None
        devices = np.arange(len(self.positions()))
        is_regular = np.array_equal(devices // stride % self.size, self.positions())
        return stride if is_regular and len(devices) == len(self.rows) * self.size else None


def ring_groups(op: ir.Operation, group_size: int) -> RingGroups | None:
    """Return the replica groups of an op; None if they are not of `group_size` devices each, or cannot be read.

    Programs of several replicas and several partitions at once have groups that a permute cannot name.
    """
    rows = _rows(op, group_size)
    by_replica = _is_by_replica(op)
    if rows is None or by_replica is None or group_size < 2:
        return None
    devices = [device for row in rows for device in row]
    if any(len(row) != group_size for row in rows) or len(set(devices)) != len(devices):
        return None
    return RingGroups(rows, by_replica)


def largest_group(op: ir.Operation) -> int:
    """The number of devices of the largest group; 0 if the groups do not say."""
    rows = _rows(op, 0)
    return 0 if rows is None else max(map(len, rows))


def _rows(op: ir.Operation, group_size: int) -> Rows | None:
    groups = views.of(op).replica_groups
    if not isinstance(groups, tuple):
        named = mesh_axes(groups)
        mesh = None if named is None else mesh_of(named[0], op)
        return None if named is None or mesh is None else tuple(map(tuple, mesh.replica_groups(named[1]).tolist()))
    if not groups:
        return (tuple(range(group_size)),)  # all devices are one group
    return tuple(tuple(device for device in row if device >= 0) for row in groups)


def _is_by_replica(op: ir.Operation) -> bool | None:
    """Return whether groups hold replicas; None if they hold neither replicas nor partitions."""
    module = enclosing_module(op)
    replicas, partitions = (_count(module, name) for name in ("mhlo.num_replicas", "mhlo.num_partitions"))
    if not has_channel(op):
        return True
    if "use_global_device_ids" not in op.attributes:
        return True if partitions == 1 else None
    if replicas is None or replicas == 1:
        return False
    return True if partitions is None or partitions == 1 else None


def _count(module: ir.Operation, name: str) -> int | None:
    attribute = module.attributes.get(name)
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def has_channel(op: ir.Operation) -> bool:
    """Return whether a collective is between the devices of a program, not its replicas only."""
    channel = views.of(op).channel_handle
    return channel is not None and channel.handle > 0


LEFT = -1
"""To the device one position before."""
RIGHT = 1
"""To the device one position behind."""

Wait = Callable[[], Value]
"""Gives what has been sent for, where it is needed."""


class Ring:
    """Makes ops at the current insertion point, for the devices of `groups` at `position`, an i32 scalar.

    Sends get the location `sent_at`; if `asynchronous`, each starts at once and ends at its first use.
    """

    def __init__(
        self,
        groups: RingGroups,
        position: Value,
        channels: Iterator[int],
        sent_at: ir.Location,
        *,
        asynchronous: bool,
    ) -> None:
        self.size = groups.size
        self._groups = groups
        self._position = position
        self._channels = channels
        self._sent_at = sent_at
        self._asynchronous = asynchronous

    def start(self, tensor: Value, direction: int) -> Wait:
        """Send `tensor` on, `LEFT` or `RIGHT`; receive from the other side."""
        pairs = self._groups.pairs(direction)
        channel = None if self._groups.by_replica else self.new_channel()

        def permute(value: Value) -> Value:
            return ops.collective_permute(value, pairs, channel=channel, loc=self._sent_at)

        if not self._asynchronous:
            moved = permute(tensor)
            return lambda: moved
        future = ops.async_start([tensor], permute, loc=self._sent_at)
        return lambda: ops.async_done(future, loc=self._sent_at)

    def new_channel(self) -> tuple[int, int]:
        """Return a new channel between devices."""
        return next(self._channels), 1

    def number(self, distance: int, turn: Value | None = None, sign: int = 1) -> Value:
        """Return the ring position at `distance` (plus `turn`, or minus for a negative `sign`) from the device's."""
        least = distance % self.size
        position = self._position
        if turn is not None:
            position = position + turn if sign > 0 else position - turn
            least += 0 if sign > 0 else self.size  # never negative, of which remainders are negative
        elif least == 0:
            return position
        return (position + least if least else position) % self.size


def own_position(groups: RingGroups) -> Value:
    """The position of the executing device in its group, computed from its id."""
    device = ops.convert(ops.replica_id() if groups.by_replica else ops.partition_id(), "i32")
    stride = groups.stride()
    if stride is not None:
        position = device / stride if stride > 1 else device
        return position % groups.size if len(groups.rows) * groups.size > stride * groups.size else position
    table = ops.constant(groups.positions(), "i32")
    return ops.reshape(ops.dynamic_slice(table, [device], [1]), [])


def counted(start: int, end: int, body: Callable[..., list[Value]], first: Sequence[Value]) -> Sequence[Value]:
    """Build a counted loop from `start` to before `end`; `body` takes the iteration and the values."""

    def next_turn(turn: Value, *values: Value) -> list[Value]:
        return [turn + 1, *body(turn, *values)]

    return ops.while_([ops.constant(start, "i32"), *first], lambda turn, *_: turn < end, next_turn)[1:]


_LINKS = ("stablehlo.convert", "stablehlo.transpose")


def is_link(op: ir.Operation) -> bool:
    """Return whether a block of the result of `op` depends only on that block of its operand."""
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
    """Return the links whose operand has no other user, in order."""
    found: list[ir.Operation] = []
    while (user := only_user(value)) is not None and is_link(user[0]):
        found.append(user[0])
        value = user[0].results[0]
    return tuple(found)


def links_before(value: ir.Value) -> tuple[ir.Operation, ...]:
    """Return the links that `value` comes from whose values have no other user, first one first."""
    found: list[ir.Operation] = []
    while isinstance(value.owner, ir.Operation | ir.OpView) and only_user(value) is not None:
        op = value.owner.operation
        if not is_link(op):
            break
        found.insert(0, op)
        value = op.operands[0]
    return tuple(found)


def dim_behind(dim: int, chain: Iterable[ir.Operation]) -> int:
    """Return the dimension at the end of a chain that `dim` at its start becomes."""
    for op in chain:
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation.index(dim)
    return dim


def dim_before(dim: int, chain: tuple[ir.Operation, ...]) -> int:
    """Return the dimension at the start of a chain that becomes `dim` at its end."""
    for op in reversed(chain):
        if (transpose := views.Transpose.match(op)) is not None:
            dim = transpose.permutation[dim]
    return dim


def is_plain(type_: ir.Type) -> bool:
    """Return whether a type is a tensor type of static shape with elements that can be added and multiplied."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape or type_.encoding is not None:
        return False
    element = type_.element_type
    if isinstance(element, ir.IntegerType):
        return element.width > 1
    return isinstance(element, ir.FloatType | ir.ComplexType)


T = TypeVar("T")


@dataclass(frozen=True)
class Shape:
    """The form of the steps: sends in one direction or both, in a loop or unrolled."""

    both: bool
    loop: bool

    def pick(self, one_way: T, one_way_loop: T, both_ways: T, both_ways_loop: T) -> T:
        """Return the one with this shape."""
        forms = (both_ways, both_ways_loop) if self.both else (one_way, one_way_loop)
        return forms[self.loop]


class Decomposition(Protocol):
    """Products, `dots`, that can be cut into as many steps as the ring of their `collective` has devices.

    Tensors of type `sent` are sent. `cuts` are the cuts of the products; `bytes_beside` are bytes that a step reads and
    writes in addition. `is_gathered_again` tells that an all_gather of the steps' results follows.
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
    """The rings of a module: each permute has its own channel, each block one position for each kind of groups."""

    def __init__(self, channels: Iterator[int], *, asynchronous: bool) -> None:
        self._channels = channels
        self._asynchronous = asynchronous
        self._positions: dict[tuple[ir.Block, RingGroups], Value] = {}

    def ring(self, groups: RingGroups, block: ir.Block, sent_at: ir.Location) -> Ring:
        """Return a ring whose position is computed at the begin of `block`."""
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

    `wait` are the seconds spent waiting for the collective, if they differ from its duration.
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
    """Return the seconds of one of `parts` blocks of a product."""
    return machine.product_seconds(one.operations(parts, machine.tile), one.bytes_touched(parts), one.element)


def _ways(what: Collective, machine: Machine) -> tuple[Hashable, Hashable]:
    """Return the channels of the two directions; one if they share a link."""
    return ("left", "right") if machine.channels == "axes" and what.axes is not None else ("all", "all")


def _both(size: int, dot: float, permute: float, ways: tuple[Hashable, Hashable]) -> float:
    """Return the seconds of steps in both directions; a scattered result reverses those of a gathered operand."""
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
