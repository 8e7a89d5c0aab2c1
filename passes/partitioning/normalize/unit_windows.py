"""Scatters of single elements: along a sharded dimension each is written by the device that has its place."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.mlir import stablehlo
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pattern("inserted-windows", views.Scatter)
def unit_windows_to_inserted(scatter: views.Scatter, rewriter: Rewriter) -> bool:
    """Turn unit window dimensions of scatter updates into inserted ones.

    A window may lie across parts, so that a device would need all of them; a single element lies in one. So a cache
    with sharded sequences, to each of which a token is added at another place, is written where it is.

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
    """Dimensions of the updates with one element at an index of a longer dimension of the inputs, which is given."""
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
