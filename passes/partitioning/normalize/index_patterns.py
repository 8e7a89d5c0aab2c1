"""Gathers and scatters by known indices, or of single elements, stay on the device of the row."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.with_sharding import erase_unused, may_be_erased, with_sharding
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.idioms.counting import counted_dim
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
