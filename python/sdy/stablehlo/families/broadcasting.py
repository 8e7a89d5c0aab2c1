"""Types of ops that rearrange, copy or reinterpret elements."""

from __future__ import annotations

import math

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import baseline_elements, equal_parameters, same_elements
from sdy.stablehlo.types.elements import Kind, Quantized
from sdy.stablehlo.types.sizes import DYNAMIC, are_dimensions, compatible_shapes, is_static, is_unique
from sdy.stablehlo.types.value_types import Tensor

declare("broadcast", "operand:Any", "Any+", "broadcast_sizes:i64s", traits=[same_elements("c1")])
declare(
    "broadcast_in_dim", "operand:Any+", "bounded/Any+", "broadcast_dimensions:i64s", traits=[baseline_elements("c1")]
)
declare("reshape", "operand:Any+", "bounded/Any+", traits=[baseline_elements("c1")])
declare("reverse", "operand:Any", "Any", "dimensions:i64s", traits=[same_elements("c1")])
declare("transpose", "operand:Any+", "Any+", "permutation:i64s", traits=[baseline_elements("c1")])


@infers("broadcast", "c2")
def infer_broadcast(op: OpFacts) -> list[Tensor]:
    operand, sizes = op.tensor(0), op.ints("broadcast_sizes")
    if any(size < 0 for size in sizes):
        raise op.error("c1", f"broadcast_sizes {list(sizes)} must not be negative")
    return [Tensor((*sizes, *operand.dims), operand.element)]


# broadcast_in_dim ----------------------------------------------------------------------------------------------------


@verifies("broadcast_in_dim")
def verify_broadcast_in_dim(op: OpFacts) -> None:
    operand, result, dims = op.tensor(0), op.result(0), op.ints("broadcast_dimensions")
    if not equal_parameters(per_tensor(operand), per_tensor(result)):
        raise op.error("c1", f"quantization of {operand} and {result} differs")
    check_broadcast_dimensions(op, operand, result, dims)
    for number, (size, dim) in enumerate(zip(operand.dims, dims, strict=True)):
        # The sizes of the result say what the op does, so a size that is known has to be the same there.
        if size not in (DYNAMIC, 1) and size != result.dims[dim]:
            raise op.error("c5", f"size {size} of dimension {number} is neither 1 nor that of the result")
    check_broadcast_quantization(op, operand, result, dims)


def per_tensor(type_: Tensor) -> Quantized | None:
    """Return the element type if it is quantized per tensor; else None."""
    element = type_.element
    return element if isinstance(element, Quantized) and element.axis is None else None


def check_broadcast_dimensions(op: OpFacts, operand: Tensor, result: Tensor, dims: tuple[int, ...]) -> None:
    """Check that each operand dimension maps to a result dimension of its own."""
    if len(dims) != operand.rank:
        raise op.error("c2", f"broadcast_dimensions {list(dims)} do not fit {operand}")
    if not is_unique(dims):
        raise op.error("c4", f"broadcast_dimensions {list(dims)} are not all different")
    if not are_dimensions(dims, result.rank):
        raise op.error("c3", f"broadcast_dimensions {list(dims)} are not dimensions of {result}")


def check_broadcast_quantization(op: OpFacts, operand: Tensor, result: Tensor, dims: tuple[int, ...]) -> None:
    """Check that a per-axis result is quantized along the dimension of the operand's axis."""
    source, target = operand.element, result.element
    if not isinstance(target, Quantized) or target.axis is None:
        return
    if not isinstance(source, Quantized) or source.axis is None or source.axis >= len(dims):
        raise op.error("c6", f"{result} is quantized per axis, but {operand} is not")
    if target.axis != dims[source.axis]:
        raise op.error("c6", f"the quantization axis {source.axis} goes to {dims[source.axis]}, not to {target.axis}")
    if operand.dims[source.axis] == 1:
        scale, point = source.scales[0], source.zero_points[0]
        if any(each != scale for each in target.scales) or any(each != point for each in target.zero_points):
            raise op.error("c6", "a repeated scale must be the same everywhere")


# reshape -------------------------------------------------------------------------------------------------------------


@verifies("reshape")
def verify_reshape(op: OpFacts) -> None:
    operand, result = op.tensor(0), op.result(0)
    if not (is_static(operand.dims) and is_static(result.dims)):
        return
    if math.prod(operand.dims) != math.prod(result.dims):
        raise op.error("c2", f"{operand} and {result} have different numbers of elements")
    if not equal_parameters(operand.element, result.element):
        raise op.error("c1", f"quantization of {operand} and {result} differs")
    check_reshaped_axis(op, operand, result)


def check_reshaped_axis(op: OpFacts, operand: Tensor, result: Tensor) -> None:
    """Check that reshaping keeps the size of the quantization axis and the elements before it."""
    source, target = operand.element, result.element
    if not isinstance(source, Quantized) or not isinstance(target, Quantized):
        return
    if source.axis is None or target.axis is None:
        return
    sizes = operand.dims[source.axis], result.dims[target.axis]
    if DYNAMIC not in sizes and sizes[0] != sizes[1]:
        raise op.error("c3", "the quantization axis changes its size")
    before = operand.dims[: source.axis], result.dims[: target.axis]
    if is_static(before[0]) and is_static(before[1]) and math.prod(before[0]) != math.prod(before[1]):
        raise op.error("c3", "the quantization axis moves")


# transpose, reverse --------------------------------------------------------------------------------------------------


@infers("transpose", "c3")
def infer_transpose(op: OpFacts) -> list[Tensor]:
    """Sizes and bounds in the new order; a quantization axis moves along."""
    operand, permutation = op.tensor(0), op.ints("permutation")
    if sorted(permutation) != list(range(operand.rank)):
        raise op.error("c2", f"{list(permutation)} is not a permutation of the dimensions of {operand}")
    moved = operand.with_dimensions([operand.dimension(dim) for dim in permutation], keeps_bounds=bool(operand.bounds))
    return [_with_moved_axis(moved, permutation)]


def _with_moved_axis(type_: Tensor, permutation: tuple[int, ...]) -> Tensor:
    element = type_.element
    if not isinstance(element, Quantized) or element.axis not in permutation:
        return type_
    return type_.with_element(element.with_axis(permutation.index(element.axis)))


@verifies("transpose")
def verify_transpose(op: OpFacts) -> None:
    operand, result, permutation = op.tensor(0), op.result(0), op.ints("permutation")
    source, target = operand.element, result.element
    if not equal_parameters(source, target):
        raise op.error("c1", f"quantization of {operand} and {result} differs")
    if not isinstance(source, Quantized) or not isinstance(target, Quantized):
        return
    if source.axis is None or target.axis is None:
        return
    if target.axis >= len(permutation) or source.axis != permutation[target.axis]:
        raise op.error("c4", f"quantization axis {source.axis} does not go to {target.axis}")


@infers("reverse", "c1")
def infer_reverse(op: OpFacts) -> list[Tensor]:
    operand, dims = op.tensor(0), op.ints("dimensions")
    if not is_unique(dims):
        raise op.error("c2", f"dimensions {list(dims)} are not all different")
    if not are_dimensions(dims, operand.rank):
        raise op.error("c3", f"dimensions {list(dims)} are not dimensions of {operand}")
    return [operand]


declare("bitcast_convert", "operand:Any+", "Any+")


@verifies("bitcast_convert")
def verify_bitcast_convert(op: OpFacts) -> None:
    """Check the ranks: narrower elements add an innermost dimension, wider ones remove it."""
    operand, result = op.tensor(0), op.result(0)
    source, target = operand.known_element, result.known_element
    if (source.kind is Kind.COMPLEX) != (target.kind is Kind.COMPLEX):
        raise op.error("c2", f"{operand} and {result} must be both complex or both not")
    if source.bits == target.bits:
        if not compatible_shapes(operand.dims, result.dims):
            raise op.error("c1", f"shapes of {operand} and {result} differ")
    elif source.bits > target.bits:
        _check_split(op, operand, result)
    else:
        _check_split(op, result, operand)


def _check_split(op: OpFacts, wide: Tensor, narrow: Tensor) -> None:
    if narrow.rank != wide.rank + 1:
        raise op.error("c1", f"{narrow} must have one dimension more than {wide}")
    innermost = narrow.dims[-1]
    if innermost != DYNAMIC and innermost * narrow.known_element.bits != wide.known_element.bits:
        raise op.error("c1", f"the innermost dimension of {narrow} does not make up {wide.element}")
    if not compatible_shapes(wide.dims, narrow.dims[:-1]):
        raise op.error("c1", f"shapes of {wide} and {narrow} differ")
