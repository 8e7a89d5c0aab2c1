"""Dot products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdy.stablehlo.attribute_readers import read_algorithm, read_dot_dimensions, read_precisions
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import (
    any_quantized,
    check_quantized_factors,
    check_quantized_product,
)
from sdy.stablehlo.types.elements import Quantized
from sdy.stablehlo.types.sizes import Dimension, are_dimensions, compatible_sizes, is_unique, most_specific
from sdy.stablehlo.types.value_types import Tensor, compatible_shape_lists

declare(
    "dot_general",
    "lhs:Any rhs:Any+",
    "Any+",
    "dot_dimension_numbers:dot_dimensions precision_config?:precisions=i7 algorithm?:algorithm=i8",
)
declare("dot", "lhs:Any rhs:Any+", "Any+", "precision_config?:precisions")


def check_precisions(op: OpFacts, label: str) -> None:
    """Check that there are two precisions, one per operand, or none."""
    precisions = op.optional("precision_config", read_precisions, "an array of precisions", ())
    if len(precisions) not in (0, 2):
        raise op.error(label, f"precision_config must have two entries, not {len(precisions)}")


# dot_general ---------------------------------------------------------------------------------------------------------


class ProductDimensions(NamedTuple):
    """Batching and contracting dimensions of a dot product; `rhs_group` are not in the result either."""

    lhs_batching: Sequence[int]
    rhs_batching: Sequence[int]
    lhs_contracting: Sequence[int]
    rhs_contracting: Sequence[int]
    rhs_group: Sequence[int] = ()


def _dimensions(op: OpFacts) -> ProductDimensions:
    numbers = op.attribute("dot_dimension_numbers", read_dot_dimensions, "dot dimension numbers")
    return ProductDimensions(*numbers)


@infers("dot_general", "c12", partial=True, compared=compatible_shape_lists)
def infer_dot_general(op: OpFacts) -> list[Tensor]:
    """Return batching dimensions, then the free ones of lhs, then those of rhs; the element type stays open."""
    lhs, rhs = op.tensor(0), op.tensor(1)
    dims = _dimensions(op)
    check_precisions(op, "c11")
    check_product_dimensions(op, lhs, rhs, dims)
    _check_elements(op, lhs, rhs, dims)
    algorithm = op.optional("algorithm", read_algorithm, "an algorithm")
    if algorithm is not None:
        _check_algorithm(op, algorithm)
    return [product_type(lhs, rhs, product_dimensions(lhs, rhs, dims))]


def product_type(lhs: Tensor, rhs: Tensor, dimensions: list[Dimension]) -> Tensor:
    """Return a type with these dimensions and an open element type."""
    prototype = lhs if lhs.bounds or not rhs.bounds else rhs
    return prototype.with_dimensions(dimensions).with_element(None)


def check_product_dimensions(op: OpFacts, lhs: Tensor, rhs: Tensor, dims: ProductDimensions) -> None:
    """Constraints c1 to c10."""
    _check_lists(op, dims)
    _check_ranges(op, lhs, rhs, dims)
    _check_sizes(op, lhs, rhs, dims)


def _check_lists(op: OpFacts, dims: ProductDimensions) -> None:
    if len(dims.lhs_batching) != len(dims.rhs_batching):
        raise op.error("c1", "lhs and rhs must have equally many batching dimensions")
    if len(dims.lhs_contracting) != len(dims.rhs_contracting):
        raise op.error("c2", "lhs and rhs must have equally many contracting dimensions")
    for label, listed in (
        ("c3", [*dims.lhs_batching, *dims.lhs_contracting]),
        ("c4", [*dims.rhs_batching, *dims.rhs_contracting]),
    ):
        if not is_unique(listed):
            raise op.error(label, f"batching and contracting dimensions {listed} are not all different")


def _check_ranges(op: OpFacts, lhs: Tensor, rhs: Tensor, dims: ProductDimensions) -> None:
    for label, listed, type_ in (
        ("c5", dims.lhs_batching, lhs),
        ("c6", dims.lhs_contracting, lhs),
        ("c7", dims.rhs_batching, rhs),
        ("c8", dims.rhs_contracting, rhs),
    ):
        if not are_dimensions(listed, type_.rank):
            raise op.error(label, f"{list(listed)} are not dimensions of {type_}")


def _check_sizes(op: OpFacts, lhs: Tensor, rhs: Tensor, dims: ProductDimensions) -> None:
    for label, left, right in (
        ("c9", dims.lhs_batching, dims.rhs_batching),
        ("c10", dims.lhs_contracting, dims.rhs_contracting),
    ):
        for one, other in zip(left, right, strict=True):
            if not compatible_sizes(lhs.dims[one], rhs.dims[other]):
                raise op.error(label, f"dimension {one} of {lhs} and {other} of {rhs} differ")


def product_dimensions(lhs: Tensor, rhs: Tensor, dims: ProductDimensions) -> list[Dimension]:
    """Return batching dimensions, then the free ones of lhs, then those of rhs."""
    batching = [
        most_specific(lhs.dimension(one), rhs.dimension(other))
        for one, other in zip(dims.lhs_batching, dims.rhs_batching, strict=True)
    ]
    taken = {*dims.lhs_batching, *dims.lhs_contracting}, {*dims.rhs_batching, *dims.rhs_contracting, *dims.rhs_group}
    free = [
        type_.dimension(dim)
        for type_, used in zip((lhs, rhs), taken, strict=True)
        for dim in range(type_.rank)
        if dim not in used
    ]
    return batching + free


def _check_elements(op: OpFacts, lhs: Tensor, rhs: Tensor, dims: ProductDimensions) -> None:
    if not any_quantized(lhs, rhs):
        if lhs.element != rhs.element:
            raise op.error("c13", f"element types of {lhs} and {rhs} differ")
        return
    element = rhs.element
    if isinstance(element, Quantized):
        if any(element.zero_points):
            raise op.error("c15", f"zero points of {rhs} must be zero")
        if element.axis is not None and element.axis in dims.rhs_contracting:
            raise op.error("c16", f"the quantization axis of {rhs} is contracted")
    check_quantized_factors(op, ("c14", "c17", "c18", "c20"))


@verifies("dot_general")
def verify_dot_general(op: OpFacts) -> None:
    """Check the declared element type, which is free without quantization."""
    if any_quantized(op.tensor(0), op.tensor(1), op.result(0)):
        check_quantized_product(op, ("c14", "c18", "c19", "c20"))


def _check_algorithm(op: OpFacts, algorithm: object) -> None:
    precisions = op.optional("precision_config", read_precisions, "an array of precisions", ())
    if any(precision != "DEFAULT" for precision in precisions):
        raise op.error("c21", "an algorithm needs precision DEFAULT")
    counts = {
        "c22": algorithm.lhs_component_count,  # pyright: ignore[reportAttributeAccessIssue]
        "c23": algorithm.rhs_component_count,  # pyright: ignore[reportAttributeAccessIssue]
        "c24": algorithm.num_primitive_operations,  # pyright: ignore[reportAttributeAccessIssue]
    }
    for label, count in counts.items():
        if count < 1:
            raise op.error(label, "counts of an algorithm must be positive")
    if not is_known_algorithm(algorithm):
        raise op.error("i8", "is given an algorithm that is not known")


_ALGORITHMS = {
    ("f16", "f16", "f16"): (1,),
    ("f16", "f16", "f32"): (1,),
    ("bf16", "bf16", "bf16"): (1,),
    ("bf16", "bf16", "f32"): (1, 3, 6, 9),
    ("tf32", "tf32", "f32"): (1, 3),
    ("f32", "f32", "f32"): (1,),
    ("f64", "f64", "f64"): (1,),
}
"""Types of lhs, rhs and accumulation, and how many primitive operations there may be."""


def is_known_algorithm(algorithm: object) -> bool:
    """Return whether some hardware implements the algorithm."""
    types = [
        str(getattr(algorithm, name)) for name in ("lhs_precision_type", "rhs_precision_type", "accumulation_type")
    ]
    operations = algorithm.num_primitive_operations  # pyright: ignore[reportAttributeAccessIssue]
    imprecise = algorithm.allow_imprecise_accumulation  # pyright: ignore[reportAttributeAccessIssue]
    components = (
        algorithm.lhs_component_count,  # pyright: ignore[reportAttributeAccessIssue]
        algorithm.rhs_component_count,  # pyright: ignore[reportAttributeAccessIssue]
    )
    if components != (1, 1):
        return False
    eight_bits = all(name.startswith("f8") and name != "f8E8M0FNU" for name in types[:2])
    if eight_bits and types[2] == "f32":
        return operations == 1
    return not imprecise and operations in _ALGORITHMS.get((types[0], types[1], types[2]), ())


# dot -----------------------------------------------------------------------------------------------------------------


@infers("dot", "c1", partial=True, compared=compatible_shape_lists)
def infer_dot(op: OpFacts) -> list[Tensor]:
    """Vectors and matrices: the last dimension of lhs is contracted with the first of rhs."""
    lhs, rhs = op.tensor(0), op.tensor(1)
    if not (1 <= lhs.rank <= 2 and 1 <= rhs.rank <= 2):
        raise op.error("c1", f"takes vectors and matrices, not {lhs} and {rhs}")
    if not compatible_sizes(lhs.dims[-1], rhs.dims[0]):
        raise op.error("c1", f"contracted sizes of {lhs} and {rhs} differ")
    check_precisions(op, "i3")
    return [Tensor((*lhs.dims[:-1], *rhs.dims[1:]), None)]
