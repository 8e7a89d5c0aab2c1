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
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-inserted-windows", on="func.func")
def inserted_windows(func: ir.Operation) -> None:
    for op in ops_named(func, "stablehlo.scatter"):
        given = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
        is_given = SHARDING in op.attributes or SHARDING_RULE in op.attributes
        single = {} if is_given else _single_elements(op, given)
        if single:
            _insert(op, given, single)


def _single_elements(op: ir.Operation, given: stablehlo.ScatterDimensionNumbers) -> dict[int, int]:
    """Dimensions of the updates with one element at an index of a longer dimension of the inputs, which is given."""
    count = len(op.results)
    inputs, updates = op.operands[0].type, op.operands[count + 1].type
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


def _insert(op: ir.Operation, given: stablehlo.ScatterDimensionNumbers, single: dict[int, int]) -> None:
    b, count = Builder.before(op), len(op.results)
    for index in range(count + 1, 2 * count + 1):
        updates = op.operands[index]
        shape = [size for dim, size in enumerate(updates.type.shape) if dim not in single]
        op.operands[index] = b.reshape(updates, shape)
    windows = [dim - sum(gone < dim for gone in single) for dim in given.update_window_dims if dim not in single]
    op.attributes["scatter_dimension_numbers"] = stablehlo.ScatterDimensionNumbers.get(
        windows,
        sorted([*given.inserted_window_dims, *single.values()]),
        [*given.input_batching_dims],
        [*given.scatter_indices_batching_dims],
        [*given.scattered_dims_to_operand_dims],
        given.index_vector_dim,
    )
