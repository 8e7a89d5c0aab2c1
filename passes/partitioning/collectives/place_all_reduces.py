"""Adds up the devices' parts of a sum where that sends the fewest bytes.

    %1 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = sdy.all_reduce {"x"} %b out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8xf32>
==> %1 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<8xf32>

Here %a and %b are unreduced along "x". Linear ops (sums, slices, transposes, multiplication by a constant, ...) may be
applied to the parts, loops may carry them, and a slice along axes of the sum becomes a reduce_scatter. A whole value
that is added to parts counts on the first device only, by a replicated_to_unreduced. An all_reduce of an all_reduce is
one over the axes of both.

Cost model: all sums over the same axes are vertices of a graph, weighted with the bytes that an all_reduce there sends
(a reduce_scatter half of that) in all rounds of a loop, 16 if their number is not known. The cheapest vertex cut
between the partial values and the users of sums is chosen; among equals fewer ops, then the earliest. A loop that
carries parts takes memory, since the parts and the sum are both live behind it: 65,536 bytes on each device count as
one op, so that large gradients of scanned layers are summed in each round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import OperandSlot, use_instead, uses_of
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, any_overlap, difference, product, slice_
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AxisRefList
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_no_use, terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import bits
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.minimum_cut import UNLIMITED, FlowNetwork
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.constants import constant_number, is_zero
from sdy.stablehlo.idioms.loops import WHILE, combining_ops, rounds_of
from sdy.stablehlo.op_table import Linear, ops_of

_FIRST = ops_of(linear=Linear.FIRST) | {"sdy.all_slice"}
_FIRST_TWO = ops_of(linear=Linear.FIRST_TWO)
_ALL = ops_of(linear=Linear.ALL)

_LINEAR = _FIRST | _FIRST_TWO | _ALL | ops_of(linear=Linear.SOMETIMES)


def summed_operands(op: ir.Operation, index: int) -> tuple[int, ...] | None:
    """Return the operands, including `index`, that `op` may take as parts of sums together.

    The sum of the devices' results is then the result of the op on the sums. None if this does not hold for operand
    `index`. A product counts only with a finite constant: an infinite factor times a part of 0 is not a number.
    """
    name = op.name
    if name not in _LINEAR or not _is_number(op.operands[index].type):
        return None
    if name in _FIRST:
        return (0,) if index == 0 else None
    if name in _ALL:
        return tuple(range(len(op.operands)))
    if name in _FIRST_TWO:
        return (0, 1) if index < 2 else None
    if name == "stablehlo.select":
        return (1, 2) if index else None
    if name == "stablehlo.multiply":
        return (index,) if _keeps_finite(op.operands[1 - index]) else None
    if name == "stablehlo.divide":
        return (0,) if index == 0 and _is_divisor(op.operands[1]) else None
    if name == "stablehlo.reduce":
        return (0,) if index == 0 and _sums_one_tensor(op) else None
    return None


def _is_number(type_: ir.Type) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return False
    element = type_.element_type
    if isinstance(element, ir.IntegerType):
        return element.width >= 8
    return isinstance(element, (ir.FloatType, ir.ComplexType))


def _keeps_finite(factor: ir.Value) -> bool:
    if isinstance(factor.type.element_type, ir.IntegerType):
        return True
    number = constant_number(factor)
    return number is not None and math.isfinite(number)


def _is_divisor(value: ir.Value) -> bool:
    if isinstance(value.type.element_type, ir.IntegerType):
        return False
    return bool(constant_number(value))


def _sums_one_tensor(op: ir.Operation) -> bool:
    """Return whether one tensor is summed, starting from 0."""
    return len(op.results) == 1 and combining_ops(op.regions[0]) == ["stablehlo.add"] and is_zero(op.operands[1])


_BYTE = 1 << 20
"""Weight of one byte; that of one op is 1, so that among equal bytes fewer ops win."""

KEPT_PER_OP = 1 << 16
"""Number of extra bytes that a device may hold to save one op."""


@dataclass(eq=False)
class PartialSum:
    """A value that may be left in parts.

    `slots` are the operands that have to be parts for `value` to be one; none for a value that starts as parts.
    `weight` is the cost of summing here. `needs_whole` tells that some user cannot take parts. A slice along axes of
    the sum is `scattered`: a reduce_scatter makes it from parts, but it cannot remain in parts. `last` is the last
    value of a loop variable, which is in parts if the variable is; then `kept` is the extra cost, since the parts and
    the sum are both live when it is summed at once.
    """

    number: int
    value: ir.Value
    weight: int
    slots: tuple[OperandSlot, ...] = ()
    needs_whole: bool = False
    scattered: bool = False
    users: list[PartialSum] = field(default_factory=list)
    last: PartialSum | None = None
    kept: int = 0


class PartialSums:
    """All sums over `axes` of the mesh called `ref`, starting from the given all_reduces."""

    def __init__(self, ref: MeshRef, mesh: Mesh, axes: AxisList, all_reduces: Sequence[ir.Operation]) -> None:
        self.ref = ref
        self.mesh = mesh
        self.axes = axes
        self.sums: list[PartialSum] = []
        self.of: dict[ir.Value, PartialSum] = {}
        self._costs = _SumCosts(mesh, axes)
        for op in all_reduces:
            self._add(op.results[0], ())
        self.count_of_sources = len(self.sums)
        for each in self.sums:  # which grows meanwhile
            if not each.scattered:
                uses = [self._use(each, slot) for slot in uses_of(each.value)]
                each.needs_whole |= not all(uses)

    def _add(self, value: ir.Value, slots: tuple[OperandSlot, ...]) -> PartialSum:
        scattered = self._scattered(value)
        weight = self._costs.weight(value, scattered)
        is_scattered = scattered is not None
        found = PartialSum(len(self.sums), value, weight, slots, is_scattered, is_scattered)
        self.sums.append(found)
        self.of[value] = found
        return found

    # Following a sum to its users ----------------------------------------------------------------

    def _use(self, each: PartialSum, slot: OperandSlot) -> bool:
        """Record a use of a sum by `slot`; return False if it needs the whole sum."""
        loop = _loop_of(slot)
        made = self._computed(slot) if loop is None else self._carried(loop, slot.number)
        if made is None:
            return False
        value, slots = made
        known = self.of.get(value)
        if known is None:
            known = self._add(value, slots)
            if isinstance(value, ir.BlockArgument):  # with a loop variable its last value is in parts
                known.last = self._add(value.owner.owner.operation.results[value.arg_number], ())
                known.kept = self._costs.bytes(value) // KEPT_PER_OP
        elif slot not in known.slots:
            return False
        each.users.append(known)
        return True

    def _computed(self, slot: OperandSlot) -> tuple[ir.Value, tuple[OperandSlot, ...]] | None:
        """Return the result of an op, and all operands that have to be in parts for it.

        Returns None if it cannot be in parts.
        """
        op = slot.user
        numbers = summed_operands(op, slot.number)
        if numbers is None or not self._may_be_in_parts(op.results[0]):
            return None
        return op.results[0], tuple(OperandSlot(op, number) for number in numbers)

    def _carried(self, loop: ir.Operation, number: int) -> tuple[ir.Value, tuple[OperandSlot, ...]] | None:
        """Return the argument of the body for a loop variable that only the body reads, and its operand slots."""
        condition, body = (region.blocks[0] for region in loop.regions)
        if not has_no_use(condition.arguments[number]) or not self._may_be_in_parts(loop.results[number]):
            return None
        return body.arguments[number], (OperandSlot(loop, number), OperandSlot(terminator(body), number))

    def _may_be_in_parts(self, value: ir.Value) -> bool:
        sharding = get_sharding(value)
        if sharding is None:
            return True
        if sharding.mesh_or_ref != self.ref or (sharding.unreduced and sharding.reduction is not Reduction.SUM):
            return False
        if any(any_overlap(axes, self.axes) for axes in sharding.dim_axes):
            return self._scattered(value) is not None
        return not any_overlap(sharding.unreduced, self.axes)

    def _scattered(self, value: ir.Value) -> list[AxisList] | None:
        """The axes of the sum per dimension that an all_slice slices along; None if other axes come before them."""
        op = defining_op(value)
        if op is None or op.name != "sdy.all_slice":
            return None
        return scattered_axes(attributes.get(op, "slicing_axes").lists, self.axes)


class _SumCosts:
    """Costs of a reduction over `axes`, times the devices of a group."""

    def __init__(self, mesh: Mesh, axes: AxisList) -> None:
        self._sizes = mesh.axis_sizes
        self._devices = product(axes, self._sizes)
        self._rounds: dict[ir.Block, int] = {}
        self._bytes: dict[tuple[ir.Type, TensorSharding | None], int] = {}

    def weight(self, value: ir.Value, scattered: Sequence[AxisList] | None) -> int:
        """The bytes that a group sends for a value, and the number of ops; `scattered` are axes of a reduce_scatter."""
        sent, ops = moved_bytes("all_reduce", self._devices, self.bytes(value)), 1
        if scattered is not None:
            operand = value.owner.operation.operands[0]
            along = product([axis for axes in scattered for axis in axes], self._sizes)
            rest, whole = self._devices // along, self.bytes(operand) * self._padded(operand, scattered)
            sent = moved_bytes("reduce_scatter", along, whole) + moved_bytes("all_reduce", rest, whole / along)
            ops = 1 if rest == 1 else 2
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        if block not in self._rounds:
            self._rounds[block] = rounds_of(block)
        return (round(self._devices * sent) * _BYTE + ops) * self._rounds[block]

    def bytes(self, value: ir.Value) -> int:
        """Bytes of a value on a device."""
        type_, sharding = value.type, get_sharding(value)
        known = self._bytes.get((type_, sharding))
        if known is None:
            known = max(1, math.prod(self._local(value)) * bits(type_.element_type) // 8)
            self._bytes[type_, sharding] = known
        return known

    def _local(self, value: ir.Value) -> Sequence[int]:
        shape, sharding = tuple(value.type.shape), get_sharding(value)
        return shape if sharding is None else sharding.local_shape(shape, self._sizes)

    def _padded(self, operand: ir.Value, scattered: Sequence[AxisList]) -> float:
        """Elements of `operand` with the padding that makes its parts along `scattered` equal, per element without."""
        sizes = zip(self._local(operand), (product(axes, self._sizes) for axes in scattered), strict=True)
        return math.prod(-(-size // count) * count / size for size, count in sizes if size)


def scattered_axes(lists: Sequence[AxisList], axes: AxisList) -> list[AxisList] | None:
    """Per dimension the first of the sliced axes that are among `axes`; None if there are none or `axes` come later."""
    scattered: list[AxisList] = []
    for sliced in lists:
        count = 0
        while count < len(sliced) and sliced[count] in axes:
            count += 1
        if any_overlap(sliced[count:], axes):
            return None
        scattered.append(tuple(sliced[:count]))
    return scattered if any(scattered) else None


def in_parts(sharding: TensorSharding | None, value: ir.Value, sums: PartialSums) -> TensorSharding:
    """Return the sharding of the devices' parts of `value`, given its own sharding."""
    whole = sharding or TensorSharding.closed(sums.ref, len(value.type.shape))
    return whole.with_unreduced(sums.mesh.sort_and_merge((*whole.unreduced, *sums.axes)), Reduction.SUM)


def _loop_of(slot: OperandSlot) -> ir.Operation | None:
    """The loop that `slot` hands a loop variable to."""
    if slot.user.name == WHILE:
        return slot.user
    if slot.user.name != "stablehlo.return":
        return None
    parent = slot.user.parent.operation
    return parent if parent.name == WHILE else None


class VertexCut:
    """A directed graph with weights on its vertices, which are numbered from 0."""

    def __init__(self, weights: Sequence[int]) -> None:
        self._network = FlowNetwork()
        self._vertices = [(self._network.add_node(), self._network.add_node()) for _ in weights]
        for (front, back), weight in zip(self._vertices, weights, strict=True):
            self._network.add_edge(front, back, weight)

    def edge(self, start: int, end: int) -> None:
        self._network.add_edge(self._vertices[start][1], self._vertices[end][0], UNLIMITED)

    def follows(self, start: int, end: int) -> None:
        """An edge that a cut at `start` leaves: `end` is reached whenever `start` is."""
        self._network.add_edge(self._vertices[start][0], self._vertices[end][0], UNLIMITED)

    def source(self, vertex: int) -> None:
        self._network.add_edge(FlowNetwork.SOURCE, self._vertices[vertex][0], UNLIMITED)

    def sink(self, vertex: int) -> None:
        self._network.add_edge(self._vertices[vertex][1], FlowNetwork.SINK, UNLIMITED)

    def solve(self) -> tuple[set[int], set[int]]:
        """Return the vertices that a source reaches, including the cut; and the cut.

        Of several cheapest cuts it is the one closest to the sources, so the order of added edges does not matter.
        """
        nodes = self._network.minimum_cut()
        reached = {vertex for vertex, (front, _) in enumerate(self._vertices) if front in nodes}
        return reached, {vertex for vertex in reached if self._vertices[vertex][1] not in nodes}


_Key = tuple[MeshRef, Mesh, AxisList]
"""Key of all_reduces that may be moved together: mesh and axes."""


@function_pattern("place-all-reduces", "sdy.all_reduce")
def place_all_reduces(func: ir.Operation, _: Rewriter) -> bool:
    """Move all-reduces past linear ops to the cheapest cut."""
    meshes = of_module(MeshTable, func)
    done: set[_Key] = set()
    while new := {key: found for key, found in _groups(func, meshes).items() if key not in done}:
        done.update(new)
        for (ref, mesh, axes), found in new.items():
            done.difference_update((ref, mesh, left) for left in _place(ref, mesh, axes, found))
    for op in ops_named(func, "sdy.all_reduce"):
        _join(op, meshes)
    return True


def _groups(func: ir.Operation, meshes: MeshTable) -> dict[_Key, list[ir.Operation]]:
    """Group the all_reduces of sums by their axes. Moving some may leave others over fewer axes."""
    groups: dict[_Key, list[ir.Operation]] = {}
    for op in ops_named(func, "sdy.all_reduce"):
        sharding = attributes.get(op, "out_sharding")
        mesh = meshes.of(sharding)
        axes = attributes.get(op, "reduction_axes").axes
        if _is_sum(op) and mesh is not None and axes and not difference(axes, _unreduced(op), mesh.axis_sizes):
            groups.setdefault((sharding.mesh_or_ref, mesh, axes), []).append(op)
    return groups


def _is_sum(op: ir.Operation) -> bool:
    type_ = op.results[0].type
    return op.attributes["reduction_op"].value == Reduction.SUM.value and type_.has_static_shape


def _unreduced(op: ir.Operation) -> AxisList:
    sharding = get_sharding(op.operands[0])
    return () if sharding is None else sharding.unreduced


def _join(op: ir.Operation, meshes: MeshTable) -> None:
    """Combine two all_reduces in a row, if the first result has no other user."""
    value = op.operands[0]
    inner = value.owner.operation if isinstance(value, ir.OpResult) else None
    if inner is None or inner.name != op.name or len(uses_of(value)) != 1:
        return
    out: TensorSharding = attributes.get(op, "out_sharding")
    mesh = meshes.of(out)
    if mesh is None or attributes.get(inner, "out_sharding").mesh_or_ref != out.mesh_or_ref:
        return
    if op.attributes["reduction_op"] != inner.attributes["reduction_op"]:
        return
    both = mesh.sort_and_merge(axis for each in (inner, op) for axis in attributes.get(each, "reduction_axes").axes)
    attributes.put(op, "reduction_axes", AxisRefList(both))
    op.operands[0] = inner.operands[0]
    inner.erase()


def _place(ref: MeshRef, mesh: Mesh, axes: AxisList, all_reduces: list[ir.Operation]) -> list[AxisList]:
    """Move the all_reduces over `axes` to where they are cheapest; return the fewer axes over which some remain."""
    sums = PartialSums(ref, mesh, axes, all_reduces)
    if len(sums.sums) == sums.count_of_sources:
        return []
    kept = [each for each in sums.sums if each.kept]
    cut = VertexCut([*(each.weight for each in sums.sums), *(each.kept for each in kept)])
    for number, each in enumerate(kept, len(sums.sums)):
        cut.follows(each.number, number)
        cut.sink(number)
    for each in sums.sums:
        if each.number < sums.count_of_sources:
            cut.source(each.number)
        if each.needs_whole:
            cut.sink(each.number)
        for user in each.users:
            cut.edge(each.number, user.number)
        if each.last is not None:
            cut.follows(each.number, each.last.number)
    reached, added_up = ({n for n in found if n < len(sums.sums)} for found in cut.solve())
    if len(reached) == sums.count_of_sources and reached == added_up:
        return []
    move = _Move(sums, [sums.sums[n] for n in sorted(reached)], {sums.sums[n] for n in added_up})
    move.run()
    return move.left


class _Move:
    """Leaves the `reached` sums in parts, and adds them up at `added_up`.

    `left` are the axes of all_reduces behind a reduce_scatter.
    """

    def __init__(self, sums: PartialSums, reached: list[PartialSum], added_up: set[PartialSum]) -> None:
        self._sums = sums
        self._reached = reached
        self._added_up = added_up
        self.left: list[AxisList] = []
        self._parts: dict[ir.Value, ir.Value] = {
            each.value: self._source_parts(each) if each.number < sums.count_of_sources else each.value
            for each in reached
        }

    @staticmethod
    def _source_parts(each: PartialSum) -> ir.Value:
        return each.value.owner.operation.operands[0]

    def run(self) -> None:
        taken = {slot for each in self._reached for slot in each.slots}
        whole = {each: [slot for slot in uses_of(each.value) if slot not in taken] for each in self._reached}
        moved = [each for each in self._reached if each.number >= self._sums.count_of_sources]
        sources = [each.value.owner.operation for each in self._reached if each not in moved]
        shardings = {each: get_sharding(each.value) for each in moved}
        for slot in [slot for each in moved for slot in each.slots]:
            slot.user.operands[slot.number] = self._part(slot)
        for each in moved:
            if not each.scattered:
                set_sharding(each.value, in_parts(shardings[each], each.value, self._sums))
        for each in moved:
            if each in self._added_up:
                self._add_up(each, shardings[each], whole[each])
        for op in sources:
            if next(iter(op.results[0].uses), None) is None:
                op.erase()

    def _part(self, slot: OperandSlot) -> ir.Value:
        """Return the summand for `slot`: parts, or a whole value on the first device only."""
        value = slot.user.operands[slot.number]
        if value in self._parts:
            return self._parts[value]
        if is_zero(value):
            return value
        sharding = get_sharding(value)
        if sharding is None:
            set_sharding(value, in_parts(None, value, self._sums).with_unreduced(()))
            sharding = get_sharding(value)
        parts = in_parts(sharding, value, self._sums)
        where = {"loc": slot.user.location, "ip": ir.InsertionPoint(slot.user)}
        return builders.replicated_to_unreduced(value, self._sums.axes, parts, **where)

    def _add_up(self, each: PartialSum, sharding: TensorSharding | None, users: list[OperandSlot]) -> None:
        """Make a sum from its parts, for all users that need it."""
        value = each.value
        owner = value.owner
        if isinstance(value, ir.BlockArgument):
            block = value.owner
            where = {"loc": block.owner.operation.location, "ip": ir.InsertionPoint.at_block_begin(block)}
        else:
            where = {"loc": owner.operation.location, "ip": ir.InsertionPoint.after(owner.operation)}
        if each.scattered:
            use_instead(users, self._scatter(owner.operation))
            owner.operation.erase()
            return
        whole = sharding or in_parts(None, value, self._sums).with_unreduced(())
        use_instead(users, builders.all_reduce(value, self._sums.axes, whole, Reduction.SUM, **where))

    def _scatter(self, op: ir.Operation) -> ir.Value:
        """Make a slice of a sum from parts: a reduce_scatter, an all_reduce and a slice, along their axes."""
        sums, sizes = self._sums, self._sums.mesh.axis_sizes
        where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        lists = attributes.get(op, "slicing_axes").lists
        scattered = scattered_axes(lists, sums.axes)
        assert scattered is not None
        value = op.operands[0]
        parts = get_sharding(value)
        assert parts is not None
        rest = [axes[len(taken) :] for axes, taken in zip(lists, scattered, strict=True)]
        left = difference(sums.axes, [axis for axes in scattered for axis in axes], sizes)
        dims = [slice_(axes, taken, sizes) for axes, taken in zip(parts.dim_axes, scattered, strict=True)]
        out = attributes.get(op, "out_sharding")
        whole = TensorSharding.from_axes(out.mesh_or_ref, dims, out.unreduced)
        unsliced = whole.with_unreduced(sums.mesh.sort_and_merge((*out.unreduced, *left)))
        value = builders.reduce_scatter(value, scattered, unsliced, Reduction.SUM, **where)
        if left:
            self.left.append(left)
            value = builders.all_reduce(value, left, whole, Reduction.SUM, **where)
        return builders.all_slice(value, rest, out, **where) if any(rest) else value
