"""Dot products whose rows belong to groups, with a right-hand side or a result for each group (CHLO)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.stablehlo.attribute_readers import read_ragged_dimensions
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.dot import (
    ProductDimensions,
    check_precisions,
    check_product_dimensions,
    product_dimensions,
    product_type,
)
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.types.compatibility import compatible_shape_lists
from sdy.stablehlo.types.sizes import compatible_shapes, compatible_sizes
from sdy.stablehlo.types.value_types import Tensor

declare(
    "chlo.ragged_dot",
    "lhs:Any rhs:Any group_sizes:I",
    "Any",
    "ragged_dot_dimension_numbers:ragged_dimensions precision_config?:precisions",
)


@dataclass(frozen=True, slots=True)
class _Ragged:
    """The dimension numbers: those of a dot product, the ragged dimension of lhs, the group dimension of rhs."""

    product: ProductDimensions
    ragged: int
    group: int | None


def _ragged(op: OpFacts) -> _Ragged:
    lists = op.attribute("ragged_dot_dimension_numbers", read_ragged_dimensions, "ragged dot dimension numbers")

    def listed(name: str) -> tuple[int, ...]:
        return lists.get(f"{name}_dimensions", ())

    ragged, group = listed("lhs_ragged"), listed("rhs_group")
    if len(ragged) != 1 or not 0 <= ragged[0] < op.tensor(0).rank:
        raise op.error("c11", f"lhs must have one ragged dimension, not {list(ragged)}")
    product = ProductDimensions(
        listed("lhs_batching"), listed("rhs_batching"), listed("lhs_contracting"), listed("rhs_contracting"), group
    )
    return _Ragged(product, ragged[0], group[0] if len(group) == 1 else None)


@infers("chlo.ragged_dot", "c16", partial=True, compared=compatible_shape_lists)
def infer_ragged_dot(op: OpFacts) -> list[Tensor]:
    """The shape of the product; where the ragged dimension is contracted, one product for each group."""
    lhs, rhs, sizes = op.tensor(0), op.tensor(1), op.tensor(2)
    check_precisions(op, "i5")
    numbers = _ragged(op)
    check_product_dimensions(op, lhs, rhs, numbers.product)
    _check_group(op, rhs, numbers)
    _check_group_sizes(op, lhs, sizes, numbers)
    dimensions = product_dimensions(lhs, rhs, numbers.product)
    if numbers.ragged in numbers.product.lhs_contracting:
        dimensions.insert(0, sizes.dimension(sizes.rank - 1))
    return [product_type(lhs, rhs, dimensions)]


def _check_group(op: OpFacts, rhs: Tensor, numbers: _Ragged) -> None:
    """Only a ragged dimension that is free needs a right-hand side for each group."""
    product, group = numbers.product, numbers.product.rhs_group
    is_free = numbers.ragged not in (*product.lhs_batching, *product.lhs_contracting)
    if len(group) != is_free:
        raise op.error("c12", f"rhs must have {int(is_free)} group dimensions, not {list(group)}")
    if any(not 0 <= dim < rhs.rank for dim in group):
        raise op.error("c13", f"group dimensions {list(group)} are none of {rhs}")
    if any(dim in (*product.rhs_batching, *product.rhs_contracting) for dim in group):
        raise op.error("c14", f"group dimensions {list(group)} are batching or contracting ones")


def _check_group_sizes(op: OpFacts, lhs: Tensor, sizes: Tensor, numbers: _Ragged) -> None:
    """A size for each group, perhaps for each index of the dimensions before the ragged one."""
    before = [lhs.dims[dim] for dim in _dimensions_before(lhs, numbers)]
    if sizes.rank < 1 or (sizes.rank > 1 and not compatible_shapes(sizes.dims[:-1], tuple(before))):
        raise op.error("c15", f"group_sizes {sizes} do not fit {lhs}")
    if numbers.group is not None and not compatible_sizes(op.tensor(1).dims[numbers.group], sizes.dims[-1]):
        raise op.error("c15", f"group_sizes {sizes} do not fit the group dimension of {op.tensor(1)}")


def _dimensions_before(lhs: Tensor, numbers: _Ragged) -> Sequence[int]:
    product, ragged = numbers.product, numbers.ragged
    batching, contracting = list(product.lhs_batching), list(product.lhs_contracting)
    if ragged in batching:
        return batching[: batching.index(ragged)]
    if ragged in contracting:
        return batching + contracting[: contracting.index(ragged)]
    return batching + [dim for dim in range(ragged) if dim not in (*batching, *contracting)]
