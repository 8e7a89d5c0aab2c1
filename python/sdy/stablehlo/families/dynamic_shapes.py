"""Ops whose shape is an operand, and queries of sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.stablehlo.constants import given_shape, known_integer, known_value
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.broadcasting import (
    check_broadcast_dimensions,
    check_broadcast_quantization,
    check_reshaped_axis,
    per_tensor,
)
from sdy.stablehlo.families.slicing import padded_size
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import equal_parameters
from sdy.stablehlo.types.elements import I32, Quantized, same_baseline
from sdy.stablehlo.types.sizes import DYNAMIC, RuntimeSize, compatible_sizes, is_static
from sdy.stablehlo.types.value_types import (
    Tensor,
    compatible_bounded_shape_lists,
    compatible_shape_lists,
    scalar,
)

_SHAPE = "static/1D/Dim"

declare(
    "dynamic_broadcast_in_dim",
    f"operand:Any+ output_dimensions:{_SHAPE}",
    "Any+",
    "broadcast_dimensions:i64s known_expanding_dimensions?:i64s known_nonexpanding_dimensions?:i64s",
)
declare("dynamic_iota", f"output_shape:{_SHAPE}", "Any", "iota_dimension:i64>=0")
declare("dynamic_reshape", f"operand:Any+ output_shape:{_SHAPE}", "Any+")
declare("get_dimension_size", "operand:Any+", "i32", "dimension:i64>=0")
declare("set_dimension_size", "operand:Any size:i32", "Any", "dimension:i64>=0")


def _shaped(operand: Tensor, dims: Sequence[int]) -> Tensor:
    """Return another shape of the operand's elements; quantized along an axis, their type stays open."""
    element = operand.element
    is_per_axis = isinstance(element, Quantized) and element.axis is not None
    return Tensor(tuple(dims), None if is_per_axis else element)


def _check_elements(op: OpFacts, operand: Tensor, result: Tensor) -> None:
    """Check that element types are equal; per-axis quantized ones may differ in axis, scales and zero points."""
    if not same_baseline(operand.known_element, result.known_element):
        raise op.error("c1", f"element types of {operand} and {result} differ")


# dynamic_broadcast_in_dim --------------------------------------------------------------------------------------------


@infers("dynamic_broadcast_in_dim", "c7", partial=True, compared=compatible_bounded_shape_lists)
def infer_dynamic_broadcast_in_dim(op: OpFacts) -> list[Tensor]:
    """Return the given shape, with unknown sizes left open."""
    operand, dims = op.tensor(0), op.ints("broadcast_dimensions")
    result = _shaped(operand, given_shape(op, 1, "c7"))
    if result.rank < operand.rank:
        raise op.error("c2", f"{result} has fewer dimensions than {operand}")
    check_broadcast_dimensions(op, operand, result, dims)
    _check_sizes(op, operand, result, dims)
    _check_hints(op, operand)
    return [result]


@verifies("dynamic_broadcast_in_dim")
def verify_dynamic_broadcast_in_dim(op: OpFacts) -> None:
    """Rank, element type and sizes of the declared result."""
    operand, result, dims = op.tensor(0), op.result(0), op.ints("broadcast_dimensions")
    if not compatible_sizes(op.tensor(1).dims[0], result.rank):
        raise op.error("c7", f"output_dimensions must have {result.rank} entries")
    _check_elements(op, operand, result)
    if not equal_parameters(per_tensor(operand), per_tensor(result)):
        raise op.error("c1", f"quantization of {operand} and {result} differs")
    _check_sizes(op, operand, result, dims)
    check_broadcast_quantization(op, operand, result, dims)


def _check_sizes(op: OpFacts, operand: Tensor, result: Tensor, dims: Sequence[int]) -> None:
    for size, dim in zip(operand.dims, dims, strict=False):
        is_known = size not in (DYNAMIC, 1) and 0 <= dim < result.rank
        if is_known and not compatible_sizes(size, result.dims[dim]):
            raise op.error("c5", f"size {size} is neither 1 nor that of dimension {dim} of {result}")


def _check_hints(op: OpFacts, operand: Tensor) -> None:
    expanding = op.optional_ints("known_expanding_dimensions") or ()
    others = op.optional_ints("known_nonexpanding_dimensions") or ()
    if len({*expanding, *others}) != len(expanding) + len(others):
        raise op.error("c8", "a dimension occurs twice in the hints")
    for label, dims in (("c9", expanding), ("c10", others)):
        if any(not 0 <= dim < operand.rank for dim in dims):
            raise op.error(label, f"hints {list(dims)} are not dimensions of {operand}")


# dynamic_iota, dynamic_reshape ---------------------------------------------------------------------------------------


@infers("dynamic_iota", "c2", partial=True, compared=compatible_bounded_shape_lists)
def infer_dynamic_iota(op: OpFacts) -> list[Tensor]:
    """Return the given shape, with unknown sizes left open; the element type stays open."""
    dims, dim = given_shape(op, 0, "c2"), op.integer("iota_dimension")
    if not 0 <= dim < len(dims):
        raise op.error("c1", f"iota_dimension {dim} is not a dimension of {len(dims)}")
    return [Tensor(dims, None)]


@infers("dynamic_reshape", "c4", partial=True, compared=compatible_bounded_shape_lists)
def infer_dynamic_reshape(op: OpFacts) -> list[Tensor]:
    """Return the given shape, with unknown sizes left open."""
    operand, dims = op.tensor(0), given_shape(op, 1, "c4")
    if is_static(operand.dims) and is_static(dims) and math.prod(operand.dims) != math.prod(dims):
        raise op.error("c2", f"{operand} has not as many elements as the shape {list(dims)}")
    return [_shaped(operand, dims)]


@verifies("dynamic_reshape")
def verify_dynamic_reshape(op: OpFacts) -> None:
    """Element type and number of elements of the declared result."""
    operand, result = op.tensor(0), op.result(0)
    _check_elements(op, operand, result)
    are_static = is_static(operand.dims) and is_static(result.dims)
    if are_static and math.prod(operand.dims) != math.prod(result.dims):
        raise op.error("c2", f"{operand} and {result} have different numbers of elements")
    if not equal_parameters(operand.element, result.element):
        raise op.error("c1", f"quantization of {operand} and {result} differs")
    check_reshaped_axis(op, operand, result)


# dynamic_pad ---------------------------------------------------------------------------------------------------------


@infers("dynamic_pad", "c4", partial=True, compared=compatible_shape_lists)
def infer_dynamic_pad(op: OpFacts) -> list[Tensor]:
    """The padded sizes, if the paddings are known."""
    operand = op.tensor(0)
    for index in (2, 3, 4):
        if op.tensor(index).dims != (operand.rank,):
            raise op.error("c2", f"operand {index} must have {operand.rank} entries")
    low, high, interior = (known_value(op, index) for index in (2, 3, 4))
    if interior is not None and any(each < 0 for each in interior.values):
        raise op.error("c3", "interior padding must not be negative")
    if low is None or high is None or interior is None:
        return [Tensor((DYNAMIC,) * operand.rank, operand.element)]
    paddings = zip(operand.dims, low.values, high.values, interior.values, strict=True)
    dims = tuple([padded_size(*each) for each in paddings])
    if any(size < 0 and size != DYNAMIC for size in dims):
        raise op.error("c4", f"the padded sizes {list(dims)} must not be negative")
    return [Tensor(dims, operand.element)]


# Sizes ---------------------------------------------------------------------------------------------------------------


def _dimension(op: OpFacts) -> int:
    operand, dim = op.tensor(0), op.integer("dimension")
    if not 0 <= dim < operand.rank:
        raise op.error("c1", f"dimension {dim} is not a dimension of {operand}")
    return dim


@infers("get_dimension_size", "c2")
def infer_get_dimension_size(op: OpFacts) -> list[Tensor]:
    _dimension(op)
    return [scalar(I32)]


@infers("set_dimension_size", "c3")
def infer_set_dimension_size(op: OpFacts) -> list[Tensor]:
    """Bound the dimension by its old size; it is static if the new size is known to equal that."""
    operand, dim = op.tensor(0), _dimension(op)
    if op.tensor(1).dims:
        raise op.error("c2", f"size must be a scalar, not {op.tensor(1)}")
    dimensions = operand.dimensions()
    size, bound = dimensions[dim]
    limit = size if size != DYNAMIC else bound
    given = known_integer(op, 1)
    if not isinstance(given, RuntimeSize):
        given = limit if given == limit else DYNAMIC
    dimensions[dim] = given, DYNAMIC if given != DYNAMIC else limit
    return [operand.with_dimensions(dimensions)]
