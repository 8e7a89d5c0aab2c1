"""Gathers, scatters and updates of one window at a known position: slices and pads, whose rows cross few borders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from sdy.dialect.definition.attributes import ANY_PADDING, SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.communication import index_type
from sdy.dialect.ir_builders.init_values import identity_of_op
from sdy.dialect.ir_builders.with_sharding import erase_unused, may_be_erased, with_sharding
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import CLOSED
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting import has_one_use, terminator
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.partitioning.analysis.intervals import Access, Halo
from sdy.passes.partitioning.reshard_planning.reshard_search import halo_bytes, reshard_bytes
from sdy.passes.pattern_sets import Rewriter, keep_sharding, pattern
from sdy.stablehlo import views
from sdy.stablehlo.idioms.dense import counted_dim, known_integers
from sdy.stablehlo.idioms.loops import combining_ops
from sdy.stablehlo.ops import Builder


@pattern("iota-indices", "stablehlo.gather", "stablehlo.scatter")
def iota_indices_to_batching_dims(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Turn iota indices of gather and scatter into batching dimensions.

    So `scores[jnp.arange(n), labels]`, its gradient and `cache.at[jnp.arange(n), lengths].set(...)` are computed where
    the rows are.

    %1 = stablehlo.concatenate %iota, %i, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %2 = "stablehlo.gather"(%a, %1) <{collapsed_slice_dims = [0, 1], start_index_map = [0, 1], ...}>
    ==>  %2 = "stablehlo.gather"(%a, %i) <{collapsed_slice_dims = [1], start_index_map = [1],
                operand_batching_dims = [0], start_indices_batching_dims = [0], ...}>
    """
    if SHARDING_RULE in op.attributes:
        return rewriter.no_match(op, "it has a sharding rule")
    indexing = gather_indexing(op) if op.name == "stablehlo.gather" else scatter_indexing(op)
    at = len(op.operands) // 2
    indices = op.operands[at]
    batches = _batches(op.operands[0], indices, indexing)
    if not batches:
        return rewriter.no_match(op, "no index is an iota along a batch dimension")
    op.operands[at] = _without(op, indices, indexing, batches)
    _write(op, indexing, batches)
    erase_unused([indices], _may_be_erased)
    return True


def _may_be_erased(op: ir.Operation) -> bool:
    return op.name == "stablehlo.concatenate" or may_be_erased(op)


@dataclass(frozen=True)
class IndexVectors:
    """Operand dimensions of the entries of index vectors: `mapped`, one for each entry.

    `dropped` are its dimensions that slices lack, `batches` pairs of dimensions of operand and indices. `window` are
    those of the slices in the result, or in the updates.
    """

    window: list[int]
    dropped: list[int]
    batches: list[tuple[int, int]]
    mapped: list[int]
    vector_dim: int


def gather_indexing(op: ir.Operation) -> IndexVectors:
    given = views.Gather(op).dimension_numbers
    return IndexVectors(
        [*given.offset_dims],
        [*given.collapsed_slice_dims],
        [*zip(given.operand_batching_dims, given.start_indices_batching_dims, strict=True)],
        [*given.start_index_map],
        given.index_vector_dim,
    )


def scatter_indexing(op: ir.Operation) -> IndexVectors:
    given = views.Scatter(op).scatter_dimension_numbers
    return IndexVectors(
        [*given.update_window_dims],
        [*given.inserted_window_dims],
        [*zip(given.input_batching_dims, given.scatter_indices_batching_dims, strict=True)],
        [*given.scattered_dims_to_operand_dims],
        given.index_vector_dim,
    )


def _batches(operand: ir.Value, indices: ir.Value, indexing: IndexVectors) -> dict[int, tuple[int, int]]:
    """Return the counting entries of index vectors, each with its dimension of the operand and that of the indices.

    The last entry stays, whatever it is.
    """
    joined, found = views.Concatenate.defining(indices), {}
    if joined is None or joined.dimension != indexing.vector_dim or len(joined.inputs) != len(indexing.mapped):
        return {}
    if not operand.type.has_static_shape:
        return {}
    taken = {dim for _, dim in indexing.batches}
    for entry, (dim, values) in enumerate(zip(indexing.mapped, joined.inputs, strict=True)):
        counted = counted_dim(values) if dim in indexing.dropped and len(found) + 1 < len(indexing.mapped) else None
        if counted is None or counted in taken or operand.type.shape[dim] != indices.type.shape[counted]:
            continue
        taken.add(counted)
        found[entry] = (dim, counted)
    return found


def _without(
    op: ir.Operation, indices: ir.Value, indexing: IndexVectors, entries: dict[int, tuple[int, int]]
) -> ir.Value:
    """The index vectors without some of their entries."""
    left = [values for entry, values in enumerate(indices.owner.operation.operands) if entry not in entries]
    if len(left) == 1:
        return left[0]
    return with_sharding(Builder.before(op).concatenate(left, indexing.vector_dim), get_sharding(indices))


def _write(op: ir.Operation, indexing: IndexVectors, entries: dict[int, tuple[int, int]]) -> None:
    batches = sorted([*indexing.batches, *entries.values()])
    of_operand: Sequence[int] = [dim for dim, _ in batches]
    of_indices: Sequence[int] = [dim for _, dim in batches]
    dropped = [dim for dim in indexing.dropped if dim not in of_operand]
    mapped = [dim for dim in indexing.mapped if dim not in of_operand]
    is_gather = op.name == "stablehlo.gather"
    kind = stablehlo.GatherDimensionNumbers if is_gather else stablehlo.ScatterDimensionNumbers
    numbers = kind.get(indexing.window, dropped, of_operand, of_indices, mapped, indexing.vector_dim)
    op.attributes["dimension_numbers" if is_gather else "scatter_dimension_numbers"] = numbers
    op.attributes["indices_are_sorted"] = ir.BoolAttr.get(False)


@pattern("inserted-windows", views.Scatter)
def unit_windows_to_inserted(scatter: views.Scatter, rewriter: Rewriter) -> bool:
    """Turn unit window dimensions of scatter updates into inserted ones.

    A window may lie across parts, so a device would need all of them; a single element lies in one. So writing one
    token per sequence to a sharded cache, at different positions, needs no gather.

    %1 = "stablehlo.scatter"(%0, %i, %u) <{update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1], ...}> ...
         : (tensor<4x64x8xf32>, tensor<4x1xi32>, tensor<4x1x8xf32>) -> tensor<4x64x8xf32>
    ==>  %v = stablehlo.reshape %u : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
         %1 = "stablehlo.scatter"(%0, %i, %v) <{update_window_dims = [1], inserted_window_dims = [1], ...}> ...
    """
    if SHARDING in scatter.op.attributes or SHARDING_RULE in scatter.op.attributes:
        return rewriter.no_match(scatter.op, "it has a sharding")
    single = _single_elements(scatter)
    if not single:
        return rewriter.no_match(scatter.op, "no indexed window dimension of its updates has size 1")
    _insert(scatter, single)
    return True


def _single_elements(scatter: views.Scatter) -> dict[int, int]:
    """Return the dimensions of the updates with single elements, for indexed longer dimensions of the inputs."""
    given, inputs, updates = scatter.scatter_dimension_numbers, scatter.inputs[0].type, scatter.updates[0].type
    if not inputs.has_static_shape or not updates.has_static_shape:
        return {}
    without = {*given.inserted_window_dims, *given.input_batching_dims}
    windows = zip((dim for dim in range(inputs.rank) if dim not in without), given.update_window_dims, strict=True)
    indexed = set(given.scattered_dims_to_operand_dims)
    return {
        dim: input_dim
        for input_dim, dim in windows
        if input_dim in indexed and updates.shape[dim] == 1 < inputs.shape[input_dim]
    }


def _insert(scatter: views.Scatter, single: dict[int, int]) -> None:
    op, given = scatter.op, scatter.scatter_dimension_numbers
    for index, updates in enumerate(scatter.updates, len(scatter.inputs) + 1):
        shape = [size for dim, size in enumerate(updates.type.shape) if dim not in single]
        op.operands[index] = Builder.before(op).reshape(updates, shape)
    windows = [dim - sum(gone < dim for gone in single) for dim in given.update_window_dims if dim not in single]
    inserted = sorted([*given.inserted_window_dims, *single.values()])
    op.attributes["scatter_dimension_numbers"] = stablehlo.ScatterDimensionNumbers.get(
        *given._replace(update_window_dims=tuple(windows), inserted_window_dims=tuple(inserted))
    )


_UNKNOWN = "there are several windows, an index is not known, or a shape is dynamic"


@pattern("known-windows", views.Gather)
def gather_to_slice(gather: views.Gather, rewriter: Rewriter) -> bool:
    """Write a gather of one window at known indices as a slice, along whose dimensions shardings travel.

    The gradient of `x.at[1:-1].add(...)` is one, in loops, too. A window that would not fit moves until it does.

    %1 = "stablehlo.gather"(%0, %c1) <{offset_dims = [0, 1], start_index_map = [0], slice_sizes = [30, 8], ...}>
         : (tensor<32x8xf32>, tensor<1xi32>) -> tensor<30x8xf32>
    ==>  %1 = stablehlo.slice %0 [1:31, 0:8] : (tensor<32x8xf32>) -> tensor<30x8xf32>
    """
    slices = gather.result.type
    window = _window(gather.op, gather_indexing(gather.op), gather.start_indices, slices)
    if window is None:
        return rewriter.no_match(gather.op, _UNKNOWN)
    window, b = window.moved_inside(gather.operand.type), Builder.before(gather.op)
    cut = b.slice(gather.operand, window.starts.tolist(), window.limits.tolist())
    return rewriter.replace(gather.op, keep_sharding(gather.op, window.as_slices(b, cut, slices)))


@pattern("known-windows", views.DynamicUpdateSlice, views.Scatter)
def update_to_pad(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Write an update at a known position as a pad, which exchanges border rows, where the update would be gathered.

    So updates of inner points of a grid stay local, `u.at[1:-1].set(...)`, and sums, `u.at[1:-1].add(...)`.

    %1 = stablehlo.dynamic_update_slice %0, %u, %c2 : (tensor<16xf32>, tensor<12xf32>, tensor<i32>) -> tensor<16xf32>
    ==>  %2 = stablehlo.pad %u, %zero, low = [2], high = [2], interior = [0] : ... -> tensor<16xf32>
         ...                                         // the places 2 to 13
         %1 = stablehlo.select %places, %2, %0 : tensor<16xi1>, tensor<16xf32>
    """
    if len(op.results) > 1 or SHARDING_RULE in op.attributes:
        return rewriter.no_match(op, "it has several results, or a sharding rule")
    update = op.operands[1 if op.name == "stablehlo.dynamic_update_slice" else 2]
    into, given, before = (rewriter.layouts.of_value(value) for value in (op.results[0], update, op.operands[0]))
    if not _is_in_parts(into, given) or any(each.unreduced for each in (into, given, before)):
        return rewriter.no_match(op, "result and update are not sharded on the same mesh, or have partial values")
    if into.rank == given.rank and not any(into.shape[dim] != given.shape[dim] for dim in into.sharded_dims):
        return rewriter.no_match(op, "the update covers the sharded dimensions")
    window = _updated_window(op, update)
    if window is None or not _writes(op):
        return rewriter.no_match(op, f"{_UNKNOWN}, or the body is not a reduction")
    assert into.sharding is not None and given.sharding is not None
    sharding = into.sharding.with_dims(CLOSED if at is None else given.sharding.dims[at] for at in window.places)
    written = rewriter.layouts.of(tensor_type(window.sizes, into.type.element_type), sharding)
    if not _sends_less(window, written, into, rewriter.layouts):
        return rewriter.no_match(op, "as much would cross borders as if the update were gathered")
    operands = list(op.operands)
    rewriter.replace(op, _Update(op, window, written, into).made(update))
    erase_unused(operands)
    return True


@pattern("pads-of-slices", views.Pad)
def pad_of_slice(pad: views.Pad, rewriter: Rewriter) -> bool:
    """Replace the padding of a slice by a smaller pad or slice, so that rows cross borders once or not at all.

    %1 = stablehlo.slice %0 [1:31] : (tensor<32xf32>) -> tensor<30xf32>
    %2 = stablehlo.pad %1, %value, low = [1], high = [1], interior = [0] : ... -> tensor<32xf32>
    ==>  ...                                         // the places 1 to 30
         %2 = stablehlo.select %places, %0, %repeated : tensor<32xi1>, tensor<32xf32>
    """
    cut = views.Slice.defining(pad.operand)
    if cut is None or not has_one_use(cut.result) or not set(cut.strides) <= {1} or any(pad.interior_padding):
        return rewriter.no_match(pad.op, "its operand is not a slice with one user, or there are gaps")
    have, part, want = (rewriter.layouts.of_value(value) for value in (cut.operand, cut.result, pad.result))
    starts, limits, lows, highs = (
        np.array(each) for each in (cut.start_indices, cut.limit_indices, pad.edge_padding_low, pad.edge_padding_high)
    )
    if not _is_in_parts(want, have) or not have.dim_axes == part.dim_axes == want.dim_axes or have.unreduced:
        return rewriter.no_match(pad.op, "the tensor and the padded slice are not sharded alike")
    otherwise = _border_bytes(have, part.shape, -starts) + _border_bytes(part, want.shape, lows)
    if _border_bytes(have, want.shape, lows - starts) >= otherwise:
        return rewriter.no_match(pad.op, "as many rows would cross borders")
    rest, b, made = np.subtract(have.shape, limits), Builder.before(pad.op), cut.operand
    if any(lows - starts) or any(highs - rest):
        made = b.pad(made, pad.padding_value, (lows - starts).tolist(), (highs - rest).tolist())
        made = with_sharding(made, want.sharding)
    first, last = np.where(starts > 0, lows, 0), np.where(rest > 0, np.subtract(want.shape, highs), want.shape)
    places = _places(b, want, first.tolist(), last.tolist())
    if places is not None:
        value = with_sharding(b.broadcast_in_dim(pad.padding_value, want.shape), want.sharding)
        made = with_sharding(b.select(places, made, value), want.sharding)
    rewriter.replace(pad.op, made)
    cut.op.erase()
    return True


# Windows -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Window:
    """The only window of a tensor that slices are read from or written to.

    It begins at `starts` and has `sizes`; `dims` maps dimensions of slices to its own, None for one that the tensor
    lacks.
    """

    starts: np.ndarray
    sizes: tuple[int, ...]
    dims: tuple[int | None, ...]

    @property
    def limits(self) -> np.ndarray:
        return self.starts + self.sizes

    @property
    def places(self) -> list[int | None]:
        """Return the dimension of the slices by that of the tensor; None for one that they lack."""
        return [self.dims.index(dim) if dim in self.dims else None for dim in range(len(self.sizes))]

    def moved_inside(self, tensor: ir.RankedTensorType) -> _Window:
        """Return the window moved until it fits into the tensor."""
        starts = np.clip(self.starts, 0, np.subtract(tensor.shape, self.sizes))
        return _Window(starts, self.sizes, self.dims)

    def is_written_by(self, update: ir.RankedTensorType, tensor: ir.RankedTensorType) -> bool:
        """Return whether the window is inside of a tensor, and an update holds it once, in order."""
        dims = [dim for dim in self.dims if dim is not None]
        is_inside = min(self.starts, default=0) >= 0 and bool((self.limits <= tensor.shape).all())
        return is_inside and dims == sorted(dims) and not self.is_repeated(update)

    def is_repeated(self, slices: ir.RankedTensorType) -> bool:
        """Return whether the slices hold the window more than once."""
        return any(dim is None and size > 1 for dim, size in zip(self.dims, slices.shape, strict=True))

    def as_slices(self, b: Builder, window: ir.Value, slices: ir.RankedTensorType) -> ir.Value:
        """Return the slices that a window is."""
        kept = [dim for dim in self.dims if dim is not None]
        order = [sorted(kept).index(dim) for dim in kept]
        made = _reshaped(b, window, [self.sizes[dim] for dim in sorted(kept)])
        if order != sorted(order):
            made = b.transpose(made, order)
        if self.is_repeated(slices):
            return b.broadcast_in_dim(made, slices, [at for at, dim in enumerate(self.dims) if dim is not None])
        return _reshaped(b, made, slices.shape)


def _reshaped(b: Builder, value: ir.Value, shape: Sequence[int]) -> ir.Value:
    return value if list(value.type.shape) == list(shape) else b.reshape(value, shape)


def _window(op: ir.Operation, indexing: IndexVectors, indices: ir.Value, slices: ir.RankedTensorType) -> _Window | None:
    """Return the window that all index vectors of a gather or scatter name; None if there may be several."""
    tensor = op.operands[0].type
    values = known_integers(indices) if SHARDING_RULE not in op.attributes else None
    if values is None or not values.size or not tensor.has_static_shape or not slices.has_static_shape:
        return None
    if indexing.vector_dim == values.ndim:
        values = values[..., None]
    vectors = np.moveaxis(values, indexing.vector_dim, -1).reshape(-1, len(indexing.mapped)).astype(np.int64)
    if (vectors != vectors[0]).any():
        return None
    starts = np.zeros(tensor.rank, np.int64)
    starts[indexing.mapped] = vectors[0]
    batched = {at: dim for dim, at in indexing.batches}
    kept = (dim for dim in range(tensor.rank) if dim not in indexing.dropped and dim not in batched.values())
    batches = (dim for dim in range(values.ndim) if dim != indexing.vector_dim)
    dims = tuple(next(kept) if at in indexing.window else batched.get(next(batches)) for at in range(slices.rank))
    found = dict(zip(dims, slices.shape, strict=True))
    return _Window(starts, tuple(found.get(dim, 1) for dim in range(tensor.rank)), dims)


# Updates -----------------------------------------------------------------------------------------


def _is_in_parts(into: Layout, update: Layout) -> bool:
    """Return whether result and update are sharded on the same mesh."""
    is_plain = into.mesh is not None and not into.mesh.is_maximal and update.mesh == into.mesh
    return is_plain and bool(into.sharded_dims) and bool(update.sharded_dims)


def _updated_window(op: ir.Operation, update: ir.Value) -> _Window | None:
    """Return the window that a scatter or update of a slice writes; None if it is unknown, or not completely inside."""
    tensor = op.operands[0].type
    if op.name == "stablehlo.scatter":
        found = _window(op, scatter_indexing(op), op.operands[1], update.type)
        return found if found is not None and found.is_written_by(update.type, tensor) else None
    starts: list[int] = []
    for index in views.DynamicUpdateSlice(op).start_indices:
        known = known_integers(index)
        if known is None:
            return None
        starts.append(int(known))
    if not starts or not tensor.has_static_shape or not update.type.has_static_shape:
        return None
    return _Window(np.array(starts), tuple(update.type.shape), tuple(range(len(starts)))).moved_inside(tensor)


def _combining_op(op: ir.Operation) -> str | None:
    """Return the op by which a scatter combines numbers; None if the update replaces the old elements."""
    names = combining_ops(op.regions[0]) if len(op.regions) else None
    return None if names is None else names[0]


def _writes(op: ir.Operation) -> bool:
    """Return whether an op writes the update, or combines it with the old elements by one op."""
    if not len(op.regions) or combining_ops(op.regions[0]) is not None:
        return True
    block = op.regions[0].blocks[0]
    return list(terminator(block).operands) == [block.arguments[1]]


def _border_bytes(source: Layout, made: Sequence[int], lows: np.ndarray, dims: Sequence[int] | None = None) -> float:
    """Return the bytes that a device sends when a tensor becomes `made` elements, its first one at `lows`."""
    sent = 0.0
    for dim in source.sharded_dims if dims is None else dims:
        access = Access(source.shape[dim], made[dim], source.shards[dim], int(lows[dim]))
        sent += halo_bytes(Halo.of(dim, access.needed), source)
    return sent


def _moved_dims(window: _Window, into: Layout) -> list[int]:
    return [dim for dim, size in enumerate(window.sizes) if size != into.shape[dim]]


def _sends_less(window: _Window, written: Layout, into: Layout, layouts: Layouts) -> bool:
    """Return whether exchanging borders sends less than gathering an update that is `written` to parts of `into`."""
    assert written.sharding is not None
    axes = {dim: (written.dim_axes[dim], into.dim_axes[dim]) for dim in _moved_dims(window, into)}
    exchanged = [dim for dim, (mine, others) in axes.items() if mine and mine == others]
    if not exchanged or any(mine and mine != others for mine, others in axes.values()):
        return False
    sent = _border_bytes(written, into.shape, window.starts, exchanged)
    whole = written.sharding.replicated_along(exchanged)
    return sent < reshard_bytes(written, layouts.of(written.type, whole))


@dataclass(frozen=True)
class _Update:
    """An op that writes a window with the layout `written` into a value with the layout `into`."""

    op: ir.Operation
    window: _Window
    written: Layout
    into: Layout

    def made(self, update: ir.Value) -> ir.Value:
        """Return the replacement of the result."""
        b, combine, (old, *_) = Builder.before(self.op), _combining_op(self.op), self.op.operands
        element = self.written.type.element_type
        if update.type != self.written.type:
            update = with_sharding(b.reshape(update, self.written.type), self.written.sharding)
        filler = 0 if combine is None else identity_of_op(combine, element, exact=True)
        highs = np.subtract(self.into.shape, self.window.limits)
        padded = b.pad(update, b.constant(filler, element), self.window.starts.tolist(), highs.tolist())
        new = with_sharding(padded, self.into.sharding)
        if combine is None:
            new.owner.attributes[ANY_PADDING] = ir.UnitAttr.get()
            places = _places(b, self.into, self.window.starts.tolist(), self.window.limits.tolist())
            made = new if places is None else b.select(places, new, old)
        else:
            made = b.create(combine, [old, new], [old.type]).results[0]
        return with_sharding(made, self.into.sharding)


# Places ------------------------------------------------------------------------------------------


def _places(b: Builder, layout: Layout, starts: Sequence[int], limits: Sequence[int]) -> ir.Value | None:
    """Return, for each position of a tensor, whether it lies between `starts` and `limits`.

    Returns None if all positions do.
    """
    along: list[ir.Value] = []
    for dim in range(layout.rank):
        inside = _places_along(b, layout, dim, int(starts[dim]), int(limits[dim]))
        if inside is not None:
            along.append(with_sharding(b.broadcast_in_dim(inside, layout.shape, [dim]), layout.sharding))
    return reduce(lambda one, other: with_sharding(b.and_(one, other), layout.sharding), along) if along else None


def _places_along(b: Builder, layout: Layout, dim: int, start: int, limit: int) -> ir.Value | None:
    assert layout.sharding is not None
    size, sharding = layout.shape[dim], layout.sharding.with_dims([layout.sharding.dims[dim]])
    bounds = [(number, way) for number, way in ((start, "GE"), (limit, "LT")) if 0 < number < size]
    if not bounds:
        return None
    place = with_sharding(b.iota(tensor_type([size], index_type(size)), 0), sharding)
    inside = [
        with_sharding(b.compare(place, with_sharding(b.constant(number, place.type), sharding), way), sharding)
        for number, way in bounds
    ]
    return reduce(lambda one, other: with_sharding(b.and_(one, other), sharding), inside)
