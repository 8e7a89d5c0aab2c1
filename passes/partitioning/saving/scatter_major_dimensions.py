"""sdy-scatter-major-dimensions: scatters the transpose of a product instead of transposing what was scattered.

    %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
         : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 1, ...}> ({ ... }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
==> %1 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0]
         : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0, ...}> ({ ... }) : (tensor<6x4xf32>) -> tensor<3x4xf32>

What goes to one device then lies together in memory, and need not be copied for it. In between what was scattered may
be all_reduced over other devices. Works on local programs. Cost model: the same bytes are sent and the same products
computed, without a copy and a transpose.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.ir_builders.operand_slots import uses_of
from sdy.mlir import ir, stablehlo
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder

_DIMENSION = "scatter_dimension"
_NUMBERS = "dot_dimension_numbers"
_PRECISION = "precision_config"


@pass_("sdy-scatter-major-dimensions", on="func.func")
def scatter_major_dimensions(func: ir.Operation) -> None:
    for op in ops_named(func, "stablehlo.reduce_scatter"):
        if op.attributes[_DIMENSION].value != 1:
            continue
        product, sums = _product(op), _sums(op)
        if product is not None and sums is not None:
            _add_up(sums, _swapped(product))
            product.erase()


def _product(op: ir.Operation) -> ir.Operation | None:
    """The product of two matrices that `op`, and nobody else, gets; any number of dimensions is summed over."""
    value = op.operands[0]
    found = value.owner.operation if isinstance(value, ir.OpResult) else None
    if found is None or found.name != "stablehlo.dot_general" or len(uses_of(value)) != 1:
        return None
    numbers = stablehlo.DotDimensionNumbers(found.attributes[_NUMBERS])
    lhs, rhs = (operand.type.rank for operand in found.operands)
    free = lhs - len(numbers.lhs_contracting_dimensions), rhs - len(numbers.rhs_contracting_dimensions)
    is_plain = free == (1, 1) and not numbers.lhs_batching_dimensions and "algorithm" not in found.attributes
    return found if is_plain else None


def _sums(op: ir.Operation) -> list[ir.Operation] | None:
    """`op` and the all_reduces of its result that nobody else uses; None unless the last one is only transposed."""
    sums = [op]
    while True:
        users = uses_of(sums[-1].results[0])
        if len(users) != 1:
            return None
        user = users[0].user
        if user.name == "stablehlo.transpose":
            return sums if list(user.attributes["permutation"]) == [1, 0] else None
        if user.name != "stablehlo.all_reduce" or len(user.operands) != 1:
            return None
        sums.append(user)


def _swapped(product: ir.Operation) -> ir.Value:
    """The transpose of a product: that of its factors in the other order."""
    lhs, rhs = product.operands
    numbers = stablehlo.DotDimensionNumbers(product.attributes[_NUMBERS])
    attributes = without_sharding(product)
    attributes[_NUMBERS] = stablehlo.DotDimensionNumbers.get(
        lhs_batching_dimensions=[],
        rhs_batching_dimensions=[],
        lhs_contracting_dimensions=numbers.rhs_contracting_dimensions,
        rhs_contracting_dimensions=numbers.lhs_contracting_dimensions,
    )
    if _PRECISION in attributes:
        attributes[_PRECISION] = ir.ArrayAttr.get(list(reversed(list(attributes[_PRECISION]))))
    b = Builder.before(product)
    return b.create(product.name, (rhs, lhs), (_transposed(product.results[0].type),), attributes).results[0]


def _add_up(sums: list[ir.Operation], value: ir.Value) -> None:
    """Does to `value`, which is transposed, what `sums` did, and drops the transpose behind them."""
    transpose = uses_of(sums[-1].results[0])[0].user
    for op in sums:
        attributes = without_sharding(op)
        if _DIMENSION in attributes:
            attributes[_DIMENSION] = ir.IntegerAttr.get(attributes[_DIMENSION].type, 0)
        b = Builder.before(op)
        added = b.create(op.name, (value,), (_transposed(op.results[0].type),), attributes, regions=1)
        op.regions[0].blocks[0].append_to(added.regions[0])
        value = added.results[0]
    transpose.results[0].replace_all_uses_with(value)
    for op in (transpose, *reversed(sums)):
        op.erase()


def _transposed(type_: ir.RankedTensorType) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(reversed(type_.shape)), type_.element_type)
