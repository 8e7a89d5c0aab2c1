"""sdy-inserted-windows: along what a scatter writes one element of, its updates have no dimension.

    %1 = "stablehlo.scatter"(%0, %i, %u) <{update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1], ...}> ...
         : (tensor<4x64x8xf32>, tensor<4x1xi32>, tensor<4x1x8xf32>) -> tensor<4x64x8xf32>
==> %v = stablehlo.reshape %u : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.scatter"(%0, %i, %v) <{update_window_dims = [1], inserted_window_dims = [1], ...}> ...
         : (tensor<4x64x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<4x64x8xf32>

A window may lie across parts, so that a device would need all of them; a single element lies in one. So a cache whose
sequences are split, and to each of which a token is added at another place (`jax.vmap` of a dynamic_update_slice), is
written where it is. Cost model: none, a reshape is free.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.mlir import ir, stablehlo
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-inserted-windows", on="func.func")
def inserted_windows(func: ir.Operation) -> None:
    for scatter in views.Scatter.all_in(func):
        is_given = SHARDING in scatter.op.attributes or SHARDING_RULE in scatter.op.attributes
        single = {} if is_given else _single_elements(scatter)
        if single:
            _insert(scatter, single)


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
