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
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_shape
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder

_NUMBERS = "scatter_dimension_numbers"


@pass_("sdy-explicit-scatter-indices")
def explicit_scatter_indices(module: ir.Operation) -> object:
    changed = False
    for op in ops_named(module, "stablehlo.scatter"):
        numbers = stablehlo.ScatterDimensionNumbers(op.attributes[_NUMBERS])
        inserted = list(numbers.inserted_window_dims)
        indices = op.operands[len(op.results)]
        if inserted and not list(numbers.scattered_dims_to_operand_dims) and indices.type.has_static_shape:
            _index(op, numbers, inserted)
            changed = True
    return None if changed else UNCHANGED


def _index(op: ir.Operation, numbers: stablehlo.ScatterDimensionNumbers, dims: list[int]) -> None:
    place = len(op.results)
    shape = list(op.operands[place].type.shape)
    shape[numbers.index_vector_dim] = len(dims)
    op.operands[place] = Builder.before(op).constant(0, with_shape(op.operands[place].type, shape))
    op.attributes[_NUMBERS] = stablehlo.ScatterDimensionNumbers.get(
        list(numbers.update_window_dims),
        dims,
        list(numbers.input_batching_dims),
        list(numbers.scatter_indices_batching_dims),
        dims,
        numbers.index_vector_dim,
    )
