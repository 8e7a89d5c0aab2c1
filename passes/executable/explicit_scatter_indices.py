"""sdy-explicit-scatter-indices: scatters by empty index vectors get indices of zero.

    %0 = "stablehlo.scatter"(%x, %empty, %updates) <{... inserted_window_dims = [0], index_vector_dim = 1}>
             : (tensor<8xf32>, tensor<8x0xi32>, tensor<8xf32>) -> tensor<8xf32>
==> %c = stablehlo.constant dense<0> : tensor<8x1xi32>
    %0 = "stablehlo.scatter"(%x, %c, %updates) <{... scatter_dims_to_operand_dims = [0] ...}>

All updates go to the first element of a dimension that is not indexed. XLA takes updates of the shape of the input for
one update of all of it.
"""

from __future__ import annotations

from sdy.mlir import ir, stablehlo
from sdy.mlir.tensor_types import with_shape
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-explicit-scatter-indices")
def explicit_scatter_indices(module: ir.Operation) -> object:
    changed = False
    for scatter in views.Scatter.all_in(module):
        numbers, indices = scatter.scatter_dimension_numbers, scatter.scatter_indices
        dims = numbers.inserted_window_dims
        if not dims or numbers.scattered_dims_to_operand_dims or not indices.type.has_static_shape:
            continue
        shape = list(indices.type.shape)
        shape[numbers.index_vector_dim] = len(dims)
        op, changed = scatter.op, True
        op.operands[len(scatter.inputs)] = Builder.before(op).constant(0, with_shape(indices.type, shape))
        op.attributes["scatter_dimension_numbers"] = stablehlo.ScatterDimensionNumbers.get(
            *numbers._replace(scattered_dims_to_operand_dims=dims)
        )
    return None if changed else UNCHANGED
