"""Types of CHLO's ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import RaggedDims, read_ragged_dimensions, read_segments
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.dot import (
    ProductDimensions,
    check_precisions,
    check_product_dimensions,
    product_dimensions,
    product_type,
)
from sdy.stablehlo.families.sources import infer_constant
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import (
    all_ranked_or_none,
    baseline_elements,
    same_elements,
    same_shapes,
    same_types,
)
from sdy.stablehlo.types.elements import BOOL, I32, complex_element, read_element, same_baseline
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    Dimension,
    RuntimeSize,
    SizeConflict,
    compatible_shapes,
    compatible_sizes,
    is_unknown,
    most_specific,
)
from sdy.stablehlo.types.value_types import (
    Tensor,
    ValueType,
    compatible_lists,
    compatible_shape_lists,
    compatible_types,
    merged,
    unranked,
    with_any_rank,
)


def _chlo(names: str) -> str:
    return " ".join(f"chlo.{name}" for name in names.split())


_FLOAT_OR_COMPLEX = _chlo("acos acosh asin asinh atan atanh conj cosh sinh square tan")
_FLOAT = _chlo("bessel_i1e digamma erf erf_inv erfc lgamma")
_TESTS = _chlo("is_inf is_neg_inf is_pos_inf")
_FLOAT_PAIRS = _chlo("next_after polygamma zeta")

_SAME = [same_types("c1"), all_ranked_or_none("c1")]

_Infers = Callable[[OpFacts], list[Tensor]]


def _infers(names: str, constraint: str) -> Callable[[_Infers], _Infers]:
    """Register a shape function for ranked operands; with an unranked one all results are unranked."""

    def register(function: _Infers) -> _Infers:
        def infer(op: OpFacts) -> Sequence[ValueType]:
            ranked = list(map(with_any_rank, op.operands))
            if all(map(is_, ranked, op.operands)):
                return function(op)
            attributes = {name: op.attributes[name] for name in op.attributes if name != "broadcast_dimensions"}
            return [unranked(each.known_element) for each in function(OpFacts(op.name, ranked, attributes))]

        infers(names, constraint)(infer)
        return function

    return register


declare(_FLOAT_OR_COMPLEX, "operand:F|C|unranked", "F|C|unranked", traits=_SAME)
declare("chlo._asin_acos_kernel", "operand:C|unranked", "C|unranked", traits=_SAME)
declare(_FLOAT, "operand:F|unranked", "F|unranked", traits=_SAME)
declare(_TESTS, "operand:F|unranked", "Pred|unranked", traits=[same_shapes("c1"), all_ranked_or_none("c1")])
declare(_FLOAT_PAIRS, "lhs:F|unranked rhs:F|unranked", "F|unranked", traits=[same_types("c1")])
declare("chlo.mulhi", "lhs:I rhs:I", "I", traits=[same_types("c1")])


@_infers(f"{_FLOAT_OR_COMPLEX} {_FLOAT} chlo._asin_acos_kernel", "c1")
def infer_unary(op: OpFacts) -> list[Tensor]:
    return [op.tensor(0)]


@_infers(_TESTS, "c1")
def infer_test(op: OpFacts) -> list[Tensor]:
    return [op.tensor(0).with_element(BOOL)]


@infers(f"{_FLOAT_PAIRS} chlo.mulhi", "c1")
def infer_binary(op: OpFacts) -> Sequence[ValueType]:
    """The shape of the operands that have a known rank."""
    ranked = [type_ for type_ in op.operands if isinstance(type_, Tensor)]
    return [merged(ranked) if ranked else op.operands[0]]


# Broadcasting ops ----------------------------------------------------------------------------------------------------

_DIMS = "broadcast_dimensions?:i64s"
_ARITHMETIC = _chlo(
    "broadcast_atan2 broadcast_divide broadcast_multiply broadcast_next_after broadcast_polygamma broadcast_power "
    "broadcast_remainder broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical "
    "broadcast_subtract"
)
_REQUANTIZING = _chlo("broadcast_add broadcast_maximum broadcast_minimum")
"""Ops whose quantized operands and results may have scales of their own."""
_LOGIC = _chlo("broadcast_and broadcast_or broadcast_xor")

_ANY = "Any+|unranked"
_PAIR = f"lhs:{_ANY} rhs:{_ANY}"

declare(_ARITHMETIC, _PAIR, _ANY, _DIMS, traits=[same_elements("c1")])
declare(_REQUANTIZING, _PAIR, _ANY, _DIMS, traits=[baseline_elements("c1")])
declare(_LOGIC, "lhs:Pred|I|unranked rhs:Pred|I|unranked", "Pred|I|unranked", _DIMS)
declare("chlo.broadcast_zeta", "lhs:F|unranked rhs:F|unranked", "F|unranked", _DIMS)
declare("chlo.broadcast_complex", "lhs:f32|f64|unranked rhs:f32|f64|unranked", "C|unranked", _DIMS)
declare("chlo.broadcast_compare", _PAIR, "Pred|unranked", f"{_DIMS} comparison_direction:any compare_type?:any")
declare("chlo.broadcast_select", f"pred:Pred|unranked on_true:{_ANY} on_false:{_ANY}", _ANY)


@_infers(f"{_ARITHMETIC} {_REQUANTIZING} {_LOGIC} chlo.broadcast_zeta", "c2")
def infer_broadcasting(op: OpFacts) -> list[Tensor]:
    """The shape that both operands are broadcast to."""
    return [_broadcast_pair(op)]


@_infers("chlo.broadcast_complex", "c2")
def infer_broadcast_complex(op: OpFacts) -> list[Tensor]:
    return [_broadcast_pair(op).with_element(complex_element(op.tensor(0).known_element))]


@_infers("chlo.broadcast_compare", "c2")
def infer_broadcast_compare(op: OpFacts) -> list[Tensor]:
    if not str(op.attributes.get("comparison_direction")).startswith("#chlo<comparison_direction"):
        raise op.error("i4", "needs a comparison direction of CHLO's")
    return [_broadcast_pair(op).with_element(BOOL)]


@_infers("chlo.broadcast_select", "c2")
def infer_broadcast_select(op: OpFacts) -> list[Tensor]:
    """The shape that all three operands are broadcast to."""
    pred, on_true, on_false = op.tensor(0), op.tensor(1), op.tensor(2)
    if on_true.element != on_false.element:
        raise op.error("c1", f"element types of {on_true} and {on_false} differ")
    return [_broadcast(op, [pred, on_true, on_false]).with_element(on_true.element)]


def _broadcast_pair(op: OpFacts) -> Tensor:
    lhs, rhs = op.tensor(0), op.tensor(1)
    if not same_baseline(lhs.known_element, rhs.known_element):
        raise op.error("c1", f"element types of {lhs} and {rhs} differ")
    dims = op.optional_ints("broadcast_dimensions")
    if dims is None:
        return _broadcast(op, [lhs, rhs])
    narrow, wide = (lhs, rhs) if lhs.rank <= rhs.rank else (rhs, lhs)
    _check_dims(op, dims, narrow, wide)
    return _aligned(op, wide.rank, [(lhs, dims if lhs is narrow else None), (rhs, dims if rhs is narrow else None)])


def _check_dims(op: OpFacts, dims: Sequence[int], narrow: Tensor, wide: Tensor) -> None:
    """Check the result dimensions of the operand of lower rank."""
    if len(dims) != narrow.rank or len(set(dims)) != len(dims) or any(not 0 <= dim < wide.rank for dim in dims):
        raise op.error("c2", f"broadcast_dimensions {list(dims)} do not fit {narrow} and {wide}")
    if narrow.rank == wide.rank and list(dims) != list(range(wide.rank)):
        raise op.error("c2", f"broadcast_dimensions {list(dims)} must keep the order of equally many dimensions")


def _broadcast(op: OpFacts, types: Sequence[Tensor]) -> Tensor:
    """Types aligned at their last dimensions."""
    return _aligned(op, max(type_.rank for type_ in types), [(type_, None) for type_ in types])


def _aligned(op: OpFacts, rank: int, types: Sequence[tuple[Tensor, Sequence[int] | None]]) -> Tensor:
    dimensions: list[Dimension] = [(1, DYNAMIC)] * rank
    for type_, given in types:
        places = given if given is not None else range(rank - type_.rank, rank)
        for place, dimension in zip(places, type_.dimensions(), strict=True):
            dimensions[place] = _common(op, dimensions[place], dimension)
    first = types[0][0]
    return Tensor((), first.element).with_dimensions(dimensions)


def _common(op: OpFacts, first: Dimension, second: Dimension) -> Dimension:
    """Return the dimension that both are broadcast to; size 1 becomes any other."""
    (size, bound), (other, other_bound) = first, second
    if size == 1:
        return second
    if other == 1:
        return first
    if size == DYNAMIC and other == DYNAMIC:
        common = DYNAMIC if is_unknown(size) or is_unknown(other) else RuntimeSize("unless_one", size, other)
        return common, DYNAMIC if DYNAMIC in (bound, other_bound) else max(bound, other_bound)
    if size == other:
        return first
    if DYNAMIC in (size, other):
        return other if size == DYNAMIC else size, DYNAMIC
    raise op.error("c2", f"sizes {size} and {other} cannot be broadcast to one another")


# Others --------------------------------------------------------------------------------------------------------------

declare("chlo.top_k", "operand:Any|unranked", "values:Any|unranked indices:Any|unranked", "k:i64")
declare("chlo.constant", "", "static/Any", "value:elements")
declare("chlo.constant_like", f"operand:{_ANY}", "Any|unranked", "value:any")


@_infers("chlo.top_k", "c3")
def infer_top_k(op: OpFacts) -> list[Tensor]:
    """Values and their places, `k` in the last dimension."""
    operand, count = op.tensor(0), op.integer("k")
    if operand.rank < 1:
        raise op.error("c1", f"{operand} must have a dimension")
    last = operand.dims[-1]
    if count < 0 or (last != DYNAMIC and last < count):
        raise op.error("c2", f"cannot take {count} of the last dimension of {operand}")
    values = operand.with_dimensions([*operand.dimensions()[:-1], (count, DYNAMIC)], keeps_bounds=bool(operand.bounds))
    return [values, values.with_element(I32)]


infers("chlo.constant", "c1")(infer_constant)


@_infers("chlo.constant_like", "c1")
def infer_constant_like(op: OpFacts) -> list[Tensor]:
    """The shape of the operand with the type of the number."""
    return [op.tensor(0).with_element(read_element(_number_type(op)))]


def _number_type(op: OpFacts) -> ir.Type:
    attribute = op.attributes.get("value")
    numbers = (ir.BoolAttr, ir.IntegerAttr, ir.FloatAttr)
    if isinstance(attribute, numbers) or (attribute is not None and str(attribute).startswith("#complex.number")):
        return attribute.type
    raise op.error("i2", f"value must be a number, not {attribute}")


declare(
    "chlo.ragged_dot",
    "lhs:Any rhs:Any group_sizes:I",
    "Any",
    "ragged_dot_dimension_numbers:ragged_dimensions precision_config?:precisions",
)


def _ragged(op: OpFacts) -> RaggedDims:
    lists = op.attribute("ragged_dot_dimension_numbers", read_ragged_dimensions, "ragged dot dimension numbers")
    ragged = lists.get("lhs_ragged_dimensions", ())
    if len(ragged) != 1 or not 0 <= ragged[0] < op.tensor(0).rank:
        raise op.error("c11", f"lhs must have one ragged dimension, not {list(ragged)}")
    return RaggedDims.of_lists(lists)


def _product(numbers: RaggedDims) -> ProductDimensions:
    contracting = numbers.lhs_contracting, numbers.rhs_contracting
    return ProductDimensions(numbers.lhs_batching, numbers.rhs_batching, *contracting, numbers.rhs_group)


@infers("chlo.ragged_dot", "c16", partial=True, compared=compatible_shape_lists)
def infer_ragged_dot(op: OpFacts) -> list[Tensor]:
    """Return the shape of the product; where the ragged dimension is contracted, one product for each group."""
    lhs, rhs, sizes = op.tensor(0), op.tensor(1), op.tensor(2)
    check_precisions(op, "i5")
    numbers = _ragged(op)
    check_product_dimensions(op, lhs, rhs, _product(numbers))
    _check_group(op, rhs, numbers)
    _check_group_sizes(op, lhs, sizes, numbers)
    dimensions = product_dimensions(lhs, rhs, _product(numbers))
    if numbers.contracts_groups:
        dimensions.insert(0, sizes.dimension(sizes.rank - 1))
    return [product_type(lhs, rhs, dimensions)]


def _check_group(op: OpFacts, rhs: Tensor, numbers: RaggedDims) -> None:
    """Check that rhs has a group dimension exactly if the ragged dimension is free."""
    group = numbers.rhs_group
    is_free = numbers.ragged not in (*numbers.lhs_batching, *numbers.lhs_contracting)
    if len(group) != is_free:
        raise op.error("c12", f"rhs must have {int(is_free)} group dimensions, not {list(group)}")
    if any(not 0 <= dim < rhs.rank for dim in group):
        raise op.error("c13", f"group dimensions {list(group)} are not among those of {rhs}")
    if any(dim in (*numbers.rhs_batching, *numbers.rhs_contracting) for dim in group):
        raise op.error("c14", f"group dimensions {list(group)} are batching or contracting ones")


def _check_group_sizes(op: OpFacts, lhs: Tensor, sizes: Tensor, numbers: RaggedDims) -> None:
    """Check for a size for each group, optionally for each index of the dimensions before the ragged one."""
    before = tuple(lhs.dims[dim] for dim in numbers.prefix(lhs.rank))
    if sizes.rank < 1 or (sizes.rank > 1 and not compatible_shapes(sizes.dims[:-1], before)):
        raise op.error("c15", f"group_sizes {sizes} do not fit {lhs}")
    for dim in numbers.rhs_group:
        if not compatible_sizes(op.tensor(1).dims[dim], sizes.dims[-1]):
            raise op.error("c15", f"group_sizes {sizes} do not fit the group dimension of {op.tensor(1)}")


declare(
    "chlo.scan",
    "operands*:Any+",
    "results*:Any+",
    "dimension:i64>=0=i3 is_reverse?:bool=i4 is_associative?:bool=i5 scan_dim_size?:i64>=0=i6 "
    "operandSegmentSizes:segments=i7 resultSegmentSizes?:segments=i8",
    regions=1,
)


@dataclass(frozen=True, slots=True)
class _Scan:
    """Types that a scan takes and returns: of slices and initial values, of outputs of a step and carried values."""

    inputs: list[Tensor]
    inits: list[Tensor]
    outputs: list[Tensor]
    carries: list[Tensor]


def _segments(op: OpFacts, name: str, count: int) -> int:
    """Return the size of the first of two groups of `count` values."""
    sizes = op.attribute(name, read_segments, "an array of 32-bit integers")
    if len(sizes) != 2 or min(sizes) < 0 or sum(sizes) != count:
        raise op.error("segments", f"{name} {list(sizes)} must divide {count} values into two groups")
    return sizes[0]


def _read(op: OpFacts) -> _Scan:
    """Return the parts of a scan, whose region must not be empty."""
    tensors, body = op.tensors(), op.body()
    first = _segments(op, "operandSegmentSizes", len(tensors))
    inputs, inits = tensors[:first], tensors[first:]
    if body.is_empty:
        raise op.error("body", "needs a region")
    returned = [type_ for type_ in body.results if isinstance(type_, Tensor)]
    outputs = len(returned) - len(inits)
    if len(returned) != len(body.results) or outputs < 0:
        raise op.error("c5", f"its body must return {len(inits)} values that are carried on, and outputs before them")
    if not inputs and not outputs:
        raise op.error("c1", "needs an input or an output")
    return _Scan(inputs, inits, returned[:outputs], returned[outputs:])


@infers("chlo.scan", "c6")
def infer_scan(op: OpFacts) -> list[Tensor]:
    """Infer the outputs stacked along the dimension, then the carried values of the last step."""
    scan, dim = _read(op), op.integer("dimension")
    size = _size(op, scan.inputs, dim)
    _check_body(op, scan, dim)
    for output in scan.outputs:
        if dim > output.rank:
            raise op.error("c6", f"dimension {dim} cannot be put among those of {output}")
    return [_inserted(output, dim, size) for output in scan.outputs] + scan.carries


def _size(op: OpFacts, inputs: list[Tensor], dim: int) -> Dimension:
    """Return the number of steps by the inputs and the attribute."""
    size = op.optional_integer("scan_dim_size", DYNAMIC), DYNAMIC
    for input_ in inputs:
        if not 0 <= dim < input_.rank:
            raise op.error("c2", f"dimension {dim} is not a dimension of {input_}")
        try:
            size = most_specific(size, input_.dimension(dim))
        except SizeConflict as conflict:
            raise op.error("c3", f"dimension {dim} of {input_}: {conflict}") from None
    return size


def _inserted(output: Tensor, dim: int, size: Dimension) -> Tensor:
    if not output.bounds and size[1] == DYNAMIC:
        return Tensor((*output.dims[:dim], size[0], *output.dims[dim:]), output.element, (), output.encoding)
    dimensions = output.dimensions()
    dimensions.insert(dim, size)
    return output.with_dimensions(dimensions)


def _slice(input_: Tensor, dim: int) -> Tensor:
    if not input_.bounds:
        return Tensor(input_.dims[:dim] + input_.dims[dim + 1 :], input_.element, (), input_.encoding)
    dimensions = input_.dimensions()
    del dimensions[dim]
    return input_.with_dimensions(dimensions)


def _check_body(op: OpFacts, scan: _Scan, dim: int) -> None:
    """Check the body: it takes a slice of each input and the carried values, and returns values to carry on."""
    taken = [*(_slice(input_, dim) for input_ in scan.inputs), *scan.inits]
    if not compatible_lists(taken, op.body().arguments):
        raise op.error("c4", f"its body must take {', '.join(map(str, taken))}")
    for init, carry in zip(scan.inits, scan.carries, strict=True):
        if not compatible_types(init, carry):
            raise op.error("c5", f"its body takes {init}, but carries {carry} on")


@verifies("chlo.scan")
def verify_scan(op: OpFacts) -> None:
    """Check that the results divide into outputs and carried values as in the body."""
    if op.has("resultSegmentSizes") and _segments(op, "resultSegmentSizes", len(op.results)) != len(_read(op).outputs):
        raise op.error("c6", f"has {len(_read(op).outputs)} outputs, unlike resultSegmentSizes")
