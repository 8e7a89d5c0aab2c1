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

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import OperandSlot, use_instead, uses_of
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, difference, slice_
from sdy.dialect.values.lists import AxisRefList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.collectives.analysis.min_cut import VertexCut
from sdy.passes.partitioning.collectives.analysis.partial_sums import PartialSum, PartialSums, in_parts, scattered_axes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.constants import is_zero

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
