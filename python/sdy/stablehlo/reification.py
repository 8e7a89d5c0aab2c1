"""Sizes of an op's results as values of the program (spec: type-inference 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.inference_error import InferenceError
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.sizes import DYNAMIC
from sdy.stablehlo.value_types import Tensor
from sdy.stablehlo.verification import facts_of

_SHAPE_OPERAND = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.rng": 2,
}
"""Ops that are given the sizes of their result."""


def reify_return_type_shapes(builder: Any, op: Any, operands: Sequence[Any]) -> list[Any]:
    """The sizes of each result of an op, as a one-dimensional tensor of `index` per result.

    Args:
      builder: an insertion point; constants, sizes of operands and their concatenation are inserted there.
      op: the op.
      operands: values that stand for its operands, which may be other values of the same types.

    Raises:
      InferenceError: a size that is not known is that of no operand.
    """
    facts = facts_of(op)
    given = _SHAPE_OPERAND.get(facts.name)
    with builder, op.operation.location:
        if given is not None:
            return [_as_index(operands[given])]
        return [_sizes(facts, type_, operands) for type_ in _result_types(facts)]


def _result_types(facts: OpFacts) -> list[Tensor]:
    """The inferred types, or the declared ones where they do not follow from the operands."""
    registration = registration_of(facts)
    types = infer_checked(facts, registration) if registration.infer is not None else list(facts.results)
    found = [type_ for type_ in types if isinstance(type_, Tensor)]
    if len(found) != len(types):
        raise facts.error("results", "has results that are no tensors")
    return found


def _sizes(facts: OpFacts, type_: Tensor, operands: Sequence[Any]) -> Any:
    scalars = []
    for dim, size in enumerate(type_.dims):
        if size != DYNAMIC:
            scalars.append(_constant(size))
        else:
            scalars.append(_dynamic_size(facts, dim, type_, operands))
    if not scalars:
        return _tensor_op("arith.constant", [], [0], {"value": ir.Attribute.parse("dense<> : tensor<0xindex>")})
    return _tensor_op("tensor.from_elements", scalars, [len(scalars)], {})


def _dynamic_size(facts: OpFacts, dim: int, type_: Tensor, operands: Sequence[Any]) -> Any:
    """The size of that dimension of an operand of the same shape."""
    source = _SAME_SIZES.get(facts.name.removeprefix("stablehlo."), _first_of_shape)(facts, type_, dim)
    if source is None:
        raise InferenceError(
            facts.name, f"{facts.short_name}_results", f"size {dim} of its result is that of no operand"
        )
    index, position = source
    return _index_op("tensor.dim", [operands[index], _constant(position)])


def _first_of_shape(facts: OpFacts, type_: Tensor, dim: int) -> tuple[int, int] | None:
    """For ops whose results are shaped as an operand."""
    if facts.name not in _SHAPED_AS_OPERANDS:
        return None
    for index, operand in enumerate(facts.operands):
        if isinstance(operand, Tensor) and operand.rank == type_.rank:
            return index, dim
    return None


def _transposed(facts: OpFacts, type_: Tensor, dim: int) -> tuple[int, int] | None:
    return 0, facts.ints("permutation")[dim]


def _kept(facts: OpFacts, type_: Tensor, dim: int) -> tuple[int, int] | None:
    reduced = facts.ints("dimensions")
    return 0, [each for each in range(facts.tensor(0).rank) if each not in reduced][dim]


def _appended(facts: OpFacts, type_: Tensor, dim: int) -> tuple[int, int] | None:
    return 0, dim - len(facts.ints("broadcast_sizes"))


_SAME_SIZES = {"transpose": _transposed, "reduce": _kept, "broadcast": _appended}

_SHAPED_AS_OPERANDS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs add and atan2 cbrt ceil cholesky clamp compare complex convert cosine count_leading_zeros divide "
        "dynamic_update_slice exponential exponential_minus_one floor imag is_finite log log_plus_one logistic map "
        "maximum minimum multiply negate not or popcnt power real reduce_precision remainder reverse "
        "round_nearest_afz round_nearest_even rsqrt select shift_left shift_right_arithmetic shift_right_logical sign "
        "sine sort sqrt subtract tan tanh uniform_dequantize uniform_quantize xor"
    ).split()
)


# Building ------------------------------------------------------------------------------------------------------------


def _constant(number: int) -> Any:
    attribute = ir.IntegerAttr.get(ir.IndexType.get(), number)
    return _index_op("arith.constant", [], {"value": attribute})


def _index_op(name: str, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    operation = ir.Operation.create(
        name, results=[ir.IndexType.get()], operands=list(operands), attributes=attributes or {}
    )
    return operation.results[0]


def _tensor_op(name: str, operands: Sequence[Any], dims: Sequence[int], attributes: dict[str, Any]) -> Any:
    type_ = ir.RankedTensorType.get(list(dims), ir.IndexType.get())
    return ir.Operation.create(name, results=[type_], operands=list(operands), attributes=attributes).results[0]


def _as_index(value: Any) -> Any:
    type_ = ir.RankedTensorType(value.type)
    if isinstance(type_.element_type, ir.IndexType):
        return value
    return _tensor_op("arith.index_cast", [value], list(type_.shape), {})
