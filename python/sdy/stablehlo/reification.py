"""Sizes of an op's results as values of the program (spec: type-inference, 4.1).

The shape function of the op runs on operands whose unknown sizes are `RuntimeSize`s; the result is written as ops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import DenseInts
from sdy.stablehlo.constants import known_value
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC, RuntimeSize, is_unknown
from sdy.stablehlo.types.value_types import Tensor, ValueType
from sdy.stablehlo.verification import facts_of

_SHAPE_OPERAND = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.rng": 2,
}
"""Ops that are given the sizes of their result."""

_SIZE_OPERANDS = {
    "stablehlo.dynamic_conv": (2,),
    "stablehlo.dynamic_gather": (2,),
    "stablehlo.dynamic_pad": (2, 3, 4),
    "stablehlo.real_dynamic_slice": (1, 2, 3),
    "stablehlo.set_dimension_size": (1,),
}
"""Operands whose elements say something about sizes."""

_WITH_OTHER_SIZES = ("stablehlo.while",)
"""Ops whose results may have other sizes than their inferred types say, if these are not known."""


def reify_return_type_shapes(
    builder: ir.InsertionPoint, op: ir.Operation, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """Return the sizes of each result of an op, as a one-dimensional tensor of `index` per result.

    Args:
      builder: an insertion point; constants, sizes of operands and computations on them are inserted there.
      op: the op.
      operands: values for its operands, possibly others of the same types.

    Raises:
      InferenceError: a result is not a tensor, or an unknown size does not follow from the operands, as for results of
        calls, branches and loops.
    """
    facts = facts_of(op)
    shapes = _shapes(facts)
    given = _SHAPE_OPERAND.get(facts.name)
    with builder, op.operation.location:
        if given is not None:
            return [_as_index_tensor(operands[given])]
        return [_written(dims, operands) for dims in shapes]


def _shapes(facts: OpFacts) -> list[tuple[int, ...]]:
    """Return the inferred sizes, or the declared ones where operands do not determine them."""
    registration = registration_of(facts)
    facts.constants = [_elements(facts, number) for number in range(len(facts.operands))]
    if facts.name not in _WITH_OTHER_SIZES:
        facts.operands = [_with_runtime_sizes(type_, number) for number, type_ in enumerate(facts.operands)]
    types = infer_checked(facts, registration) if registration.infer is not None else list(facts.results)
    shapes = [type_.dims for type_ in types if isinstance(type_, Tensor)]
    if len(shapes) != len(types):
        raise facts.error("results", "has results that are no tensors")
    if facts.name in _SHAPE_OPERAND:
        return shapes
    declared = _OF_DECLARED.get(facts.name)
    shapes = [dims if declared is None or DYNAMIC not in dims else declared(facts, dims) for dims in shapes]
    for dims in shapes:
        for dim, size in enumerate(dims):
            if is_unknown(size):
                raise facts.error("results", f"size {dim} of its result does not follow from its operands")
    return shapes


def _with_runtime_sizes(type_: ValueType, number: int) -> ValueType:
    if not isinstance(type_, Tensor) or DYNAMIC not in type_.dims:
        return type_
    sizes = [RuntimeSize("dim", number, dim) if size == DYNAMIC else size for dim, size in enumerate(type_.dims)]
    return Tensor(tuple(sizes), type_.element, type_.bounds, type_.encoding, type_.type)


def _elements(facts: OpFacts, number: int) -> DenseInts | None:
    """Return the elements of an operand that holds sizes; None for other operands."""
    if number not in _SIZE_OPERANDS.get(facts.name, ()):
        return None
    shape, known = facts.tensor(number).dims, known_value(facts, number)
    if known is not None and shape:
        return known
    places = [RuntimeSize("element", number, place) for place in range(math.prod(shape))]
    # A scalar is the size of a result whose type it does not make static.
    return DenseInts(shape, tuple(places) if known is None else (RuntimeSize("known", *known.values),))


# Ops whose declared result says what they do --------------------------------------------------------------------------


def _broadcast_in_dim(facts: OpFacts, dims: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes. A size is known only if it is a known one of the operand that is not repeated."""
    sizes = zip(facts.ints("broadcast_dimensions"), facts.tensor(0).dims, strict=True)
    sources = {dim: size for dim, size in sizes if size not in (DYNAMIC, 1)}
    return tuple([sources.get(dim, DYNAMIC) if size == DYNAMIC else size for dim, size in enumerate(dims)])


def _bitcast_convert(facts: OpFacts, dims: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes. An added or removed innermost dimension holds the bits of an element."""
    sizes = (*facts.tensor(0).dims, DYNAMIC)
    return tuple([sizes[dim] if size == DYNAMIC else size for dim, size in enumerate(dims)])


def _reshape(facts: OpFacts, dims: Sequence[int]) -> tuple[int, ...]:
    """Compute the only unknown size from the number of elements."""
    others = math.prod(size for size in dims if size != DYNAMIC)
    if dims.count(DYNAMIC) > 1 or others == 0:
        return tuple(dims)
    size = math.prod(facts.tensor(0).dims) // others
    return tuple([size if each == DYNAMIC else each for each in dims])


def _rng_bit_generator(facts: OpFacts, dims: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the state, which are the operand's; the numbers are static."""
    return facts.tensor(0).dims


_OF_DECLARED: Mapping[str, Callable[[OpFacts, Sequence[int]], tuple[int, ...]]] = {
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.broadcast_in_dim": _broadcast_in_dim,
    "stablehlo.reshape": _reshape,
    "stablehlo.rng_bit_generator": _rng_bit_generator,
}


# Ops -----------------------------------------------------------------------------------------------------------------


def _written(dims: Sequence[int], operands: Sequence[ir.Value]) -> ir.Value:
    """A tensor of these sizes."""
    if not dims:
        return _made("arith.constant", [], [0], {"value": ir.Attribute.parse("dense<> : tensor<0xindex>")})
    return _made("tensor.from_elements", [_value(size, operands) for size in dims], [len(dims)])


def _value(size: int, operands: Sequence[ir.Value]) -> ir.Value:
    """A size as a value of type `index`."""
    if not isinstance(size, RuntimeSize):
        return _made("arith.constant", [], None, {"value": ir.IntegerAttr.get(ir.IndexType.get(), int(size))})
    if size.kind == "known":
        return _value(size.parts[0], operands)
    if size.kind == "dim":
        number, dim = size.parts
        return _made("tensor.dim", [operands[number], _value(dim, operands)])
    if size.kind == "element":
        return _element(operands[size.parts[0]], size.parts[1])
    parts = [_value(part, operands) for part in size.parts]
    if size.kind == "unless_one":
        predicate = {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)}
        boolean = ir.IntegerType.get_signless(1)
        one = _value(1, operands)
        test = ir.Operation.create("arith.cmpi", [boolean], [parts[0], one], predicate).results[0]
        return _made("arith.select", [test, parts[1], parts[0]])
    return _made(f"arith.{size.kind}", parts)


def _element(operand: ir.Value, place: int) -> ir.Value:
    """The element of an integer tensor at a place in row-major order."""
    type_, indices = ir.RankedTensorType(operand.type), list[ir.Value]()
    for extent in reversed(list(type_.shape)):
        place, index = divmod(place, extent)
        indices.insert(0, _value(index, ()))
    value = ir.Operation.create("tensor.extract", [type_.element_type], [operand, *indices]).results[0]
    return value if isinstance(type_.element_type, ir.IndexType) else _made("arith.index_cast", [value])


def _as_index_tensor(value: ir.Value) -> ir.Value:
    """An integer tensor with elements of type `index`."""
    type_ = ir.RankedTensorType(value.type)
    if isinstance(type_.element_type, ir.IndexType):
        return value
    return _made("arith.index_cast", [value], list(type_.shape))


def _made(
    name: str,
    operands: Sequence[ir.Value],
    dims: Sequence[int] | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
) -> ir.Value:
    """Return the result of an op: an `index`, or a tensor of them."""
    index = ir.IndexType.get()
    type_ = index if dims is None else ir.RankedTensorType.get(list(dims), index)
    return ir.Operation.create(name, [type_], list(operands), dict(attributes or {})).results[0]
