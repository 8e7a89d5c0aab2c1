"""Concatenations and slices along a sharded dimension: devices send only the elements that change devices.

    %0 = stablehlo.slice %a [12:16] ...
    %1 = stablehlo.slice %a [0:12] ...
    %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} ...
==> %2 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%part: tensor<4xf32>, %value: tensor<f32>) {
      ...                                          // the last elements of one device become the first of the next
    }

Operands may be slices of tensors, tensors resharded for this op, and repeated numbers. All slices of one tensor are
handled at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.with_sharding import erase_unused, with_sharding
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_scalar_expansion
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, replace
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.intervals import Access, Halo
from sdy.passes.partitioning.analysis.neighbours import sliced_dims
from sdy.passes.partitioning.exchange.dim_exchange import Candidate, build_cheapest, slice_dim
from sdy.passes.partitioning.exchange.gathering import LayoutOf, was_replicated
from sdy.passes.partitioning.exchange.rearrangement import Rearrangement
from sdy.passes.partitioning.exchange.rearrangement_plan import Piece, Schedule, schedule
from sdy.passes.partitioning.reshard_planning.reshard_search import final_layout, reshard_bytes
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS, repeated_attribute
from sdy.stablehlo.idioms.dense import resized_splat
from sdy.stablehlo.ops import Builder


def exchange_concatenate(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts, comm: Communication) -> bool:
    """Exchange a concatenation along a sharded dimension if that sends less than the alternatives.

    To be called before slices in front of the op are rewritten.
    """
    dim = views.Concatenate(op).dimension
    wanted = _wanted(op, dim, layout_of, layouts)
    if len(op.operands) < 2 or wanted is None or min(wanted.layout.shape, default=0) <= 0:
        return False
    joined = _Joined(op, dim, wanted, layout_of, layouts)
    if not joined.pieces or joined.is_partial:
        return False
    moves = joined.moves
    sent = moves.rows * _row_bytes(wanted.layout, dim) + joined.brought - wanted.otherwise
    as_it_is, exchanged = Candidate(joined.otherwise), Candidate(sent, lambda: joined.exchange(moves, comm))
    if wanted.reshards:
        return build_cheapest(as_it_is, exchanged)
    return build_cheapest(as_it_is, Candidate(joined.gathered, joined.gather), exchanged)


def exchange_slices(slices: Sequence[ir.Operation], dim: int, layout_of: LayoutOf, comm: Communication) -> bool:
    """Exchange slices of one tensor along `dim` together, if that sends less than exchanging each."""
    (source, *_), targets = slices[0].operands, [layout_of(op.results[0]) for op in slices]
    layout = layout_of(source)
    if layout.mesh is None or layout.sharding is None or layout.mesh.is_maximal or layout.unreduced:
        return False
    alike = all(each.mesh == layout.mesh and each.dim_axes == layout.dim_axes for each in targets)
    empty = any(min(each.shape) <= 0 or each.unreduced for each in (layout, *targets))
    if not layout.is_sharded(dim) or not alike or empty or was_replicated(source, [dim], layout_of):
        return False
    starts = [views.Slice(op).start_indices[dim] for op in slices]
    pieces = [Piece(0, start, index, 0, targets[index].shape[dim]) for index, start in enumerate(starts)]
    by_themselves = sum(_rows_by_itself(layout, dim, piece) for piece in pieces)
    if not by_themselves:
        return False
    moves = schedule(pieces, [layout.shape[dim]], [each.shape[dim] for each in targets], layout.shards[dim])

    def build() -> None:
        made = Rearrangement([layout], targets, dim, moves).emit(Builder.before(slices[0]), [source], None, comm)
        for op, value in zip(slices, made, strict=True):
            replace(op, [value])

    return bool(moves.sent) and build_cheapest(Candidate(by_themselves), Candidate(moves.rows, build))


# Slices ------------------------------------------------------------------------------------------


def _rows_by_itself(layout: Layout, dim: int, piece: Piece) -> float:
    """Return the elements along `dim` that each device sends for a single slice."""
    size, shards = layout.shape[dim], layout.shards[dim]
    halo = Halo.of(dim, Access(size, piece.length, shards, -piece.start).needed)
    return min(halo.sent_rows, halo.gathered_rows)


def _row_bytes(layout: Layout, dim: int) -> float:
    return layout.local_bytes / layout.local_shape[dim]


# What is joined ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """Sharding needed by users of a concatenation, its reshards, and their bytes."""

    layout: Layout
    reshards: Sequence[ir.Operation]
    otherwise: float


def _wanted(op: ir.Operation, dim: int, layout_of: LayoutOf, layouts: Layouts) -> _Wanted | None:
    """The layout of the result, or the one to which it is resharded, if that is sharded along `dim`."""
    result = op.results[0]
    layout = layout_of(result)
    if layout.unreduced or (layout.mesh is not None and layout.mesh.is_maximal):
        return None
    if layout.mesh is not None and layout.is_sharded(dim):
        return _Wanted(layout, (), -_gathered_anyway(result, layout, dim, layout_of))
    target = final_layout(result, layouts)
    if target is None or target.mesh is None or target.mesh.is_maximal:
        return None
    if target.unreduced or not target.is_sharded(dim) or (layout.mesh is not None and layout.mesh != target.mesh):
        return None
    users = [use.owner.operation for use in result.uses]
    return _Wanted(target, users, reshard_bytes(layout, target))


def _gathered_anyway(result: ir.Value, layout: Layout, dim: int, layout_of: LayoutOf) -> float:
    """Return the bytes saved by a replicated dimension, where all users gather it."""
    users = [use.owner.operation for use in result.uses]
    wanted = [layout_of(user.results[0]) for user in users if user.name == "sdy.reshard"]
    if not users or len(wanted) < len(users) or any(each.is_sharded(dim) for each in wanted):
        return 0.0
    return min(reshard_bytes(layout, each) for each in wanted)


@dataclass(frozen=True)
class _Repeated:
    """A tensor that repeats one number: the scalar that is broadcast, or a constant."""

    value: ir.Value | None
    constant: ir.Operation | None

    @property
    def key(self) -> object:
        return self.value if self.constant is None else repeated_attribute(self.constant)

    def scalar(self, b: Builder) -> ir.Value | None:
        if self.constant is None:
            return self.value
        return resized_splat(b, self.constant, tensor_type((), self.constant.results[0].type.element_type))


def _repeated(value: ir.Value) -> _Repeated | None:
    op = defining_op(value)
    if op is None:
        return None
    if is_scalar_expansion(op):
        return _Repeated(op.operands[0], None)
    is_repeated = op.name in CONSTANTS and repeated_attribute(op) is not None
    return _Repeated(None, op) if is_repeated else None


class _Joined:
    """The operands of the concatenation `op` along `dim`, in order, as pieces of `sources`.

    `brought` are the bytes sent to reshard the sources to the layout of the result, `otherwise` those that the plain
    concatenation sends. An operand is a piece, or repeats the number `repeated`.
    """

    def __init__(self, op: ir.Operation, dim: int, wanted: _Wanted, layout_of: LayoutOf, layouts: Layouts) -> None:
        self.op, self.dim, self.wanted, self.layout_of, self.layouts = op, dim, wanted, layout_of, layouts
        self.layout = wanted.layout
        self.sources: list[ir.Value] = []
        self.repeated: _Repeated | None = None
        self.brought = self.otherwise = 0.0
        self.is_partial = False
        self.operands: list[Piece | ir.Value] = []
        at = 0
        for operand in op.operands:
            self._read(operand, at)
            at += operand.type.shape[dim]

    @property
    def pieces(self) -> list[Piece]:
        return [operand for operand in self.operands if isinstance(operand, Piece)]

    # What is there -------------------------------------------------------------------------------

    def _read(self, operand: ir.Value, at: int) -> None:
        """Read the operand whose elements start at `at`."""
        size, have, before = operand.type.shape[self.dim], self.layout_of(operand), _before_reshards(operand)
        whole = self.layout_of(before)
        self.is_partial |= bool(have.unreduced or whole.unreduced)
        repeated = _repeated(before)
        if repeated is not None and (self.repeated is None or self.repeated.key == repeated.key):
            self.repeated = repeated
            self.operands.append(before)
        elif size:
            self.otherwise += reshard_bytes(whole, have)
            if not self.wanted.reshards and have.is_sharded(self.dim):
                self.otherwise += moved_bytes("all_gather", have.shards[self.dim], have.local_bytes)
            source, start = self._sliced(before, size) or (self._brought(before, operand), 0)
            if source not in self.sources:
                self.sources.append(source)
            self.operands.append(Piece(self.sources.index(source), start, 0, at, size))

    def _sliced(self, value: ir.Value, size: int) -> tuple[ir.Value, int] | None:
        """Return the source and the start of a slice along the dimension; None if the layouts differ."""
        cut = views.Slice.defining(value)
        if cut is None or sliced_dims(cut.op) != [self.dim]:
            return None
        source, start = cut.operand, cut.start_indices[self.dim]
        if not self._is_in_place(source):
            return None
        whole = self.layout_of(source)
        self.otherwise += _rows_by_itself(whole, self.dim, Piece(0, start, 0, 0, size)) * _row_bytes(whole, self.dim)
        return source, start

    def _brought(self, before: ir.Value, operand: ir.Value) -> ir.Value:
        """An operand before or behind its reshards, whichever is nearer to the layout of the result."""
        if self._is_in_place(before):
            return before
        costs = [reshard_bytes(self.layout_of(value), self._like(value)) for value in (before, operand)]
        self.brought += min(costs)
        return before if costs[0] <= costs[1] else operand

    def _like(self, value: ir.Value) -> Layout:
        return self.layouts.of(value.type, self.layout.sharding)

    def _is_in_place(self, value: ir.Value) -> bool:
        layout = self.layout_of(value)
        return layout.placement == self._like(value).placement and not layout.unreduced and 0 not in layout.shape

    # Exchanged -----------------------------------------------------------------------------------

    @property
    def moves(self) -> Schedule:
        """Return the moves of the pieces."""
        sizes = [source.type.shape[self.dim] for source in self.sources]
        return schedule(self.pieces, sizes, [self.layout.shape[self.dim]], self.layout.shards[self.dim])

    def exchange(self, moves: Schedule, comm: Communication) -> None:
        """Puts the rearranged sources in the place of the result."""
        b = Builder.before(self.op)
        targets = [self._like(source) for source in self.sources]
        values = [
            source if self.layout_of(source).placement == target.placement else _reshard(b, source, target.sharding)
            for source, target in zip(self.sources, targets, strict=True)
        ]
        padding = None if self.repeated is None else self.repeated.scalar(b)
        (made,) = Rearrangement(targets, [self.layout], self.dim, moves).emit(b, values, padding, comm)
        self._replace(made)

    # Gathered ------------------------------------------------------------------------------------

    @property
    def gathered(self) -> float:
        """Bytes that are sent if every source is gathered along the dimension, once."""
        return sum(
            reshard_bytes(self.layout_of(_before_reshards(source)), self.layouts.of(source.type, self._unsharded))
            for source in self.sources
        )

    @property
    def _unsharded(self) -> TensorSharding:
        """Return the shardings of the tensors without the dimension."""
        assert self.layout.sharding is not None
        return self.layout.sharding.replicated_along([self.dim])

    def gather(self) -> None:
        """Puts the joined pieces of gathered sources in the place of the result."""
        b, sharding = Builder.before(self.op), self._unsharded
        sources = [_reshard(b, _before_reshards(source), sharding) for source in self.sources]
        joined: list[ir.Value] = []
        for operand in self.operands:
            if not isinstance(operand, Piece):
                joined.append(_reshard(b, _before_reshards(operand), sharding))
                continue
            source, limit = sources[operand.source], operand.start + operand.length
            if operand.length != source.type.shape[self.dim]:
                source = with_sharding(slice_dim(b, source, self.dim, operand.start, limit), sharding)
            joined.append(source)
        made = with_sharding(b.concatenate(joined, self.dim), sharding)
        self._replace(_reshard(b, made, self.layout.sharding))

    def _replace(self, value: ir.Value) -> None:
        """Replace the result, or its reshards, by `value`; erase unused ops."""
        for user in self.wanted.reshards:
            replace(user, [value])
        self.op.results[0].replace_all_uses_with(value)
        operands = list(self.op.operands)
        self.op.erase()
        erase_unused(operands)


def _reshard(b: Builder, value: ir.Value, sharding: TensorSharding | None) -> ir.Value:
    assert sharding is not None
    return sdy_ops.reshard(value, sharding, loc=b.location, ip=b.ip)


def _before_reshards(value: ir.Value) -> ir.Value:
    while (op := defining_op(value)) is not None and op.name == "sdy.reshard":
        value = op.operands[0]
    return value
