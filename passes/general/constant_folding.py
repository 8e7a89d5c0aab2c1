"""Folding of ops on constants, by the interpreter of StableHLO.

Integers are not divided by 0, functions are not computed outside of their domain, and conversions to integers only
where the number is one of the type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from sdy.mlir import ir, stablehlo
from sdy.mlir.functions import new_function
from sdy.mlir.greedy import Pattern, Rewriter
from sdy.mlir.rewriting import before, defining_op
from sdy.mlir.tensor_types import is_tensor, tensor_type, with_element_type
from sdy.stablehlo.constants import repeated
from sdy.stablehlo.ops import Builder

CONSTANT = "stablehlo.constant"

Operands = Sequence[ir.DenseElementsAttr]

Condition = Callable[[ir.Operation, Operands], bool]
"""Returns whether an op is computed, given the constants that it takes."""


def _always(op: ir.Operation, operands: Operands) -> bool:
    return True


def _of_alike(op: ir.Operation, operands: Operands) -> bool:
    return len({operand.type for operand in operands}) == 1


def _not_by_zero(op: ir.Operation, operands: Operands) -> bool:
    return not _is_integer(op.results[0].type) or bool(_numbers(operands[1]).all())


def _of_numbers(op: ir.Operation, operands: Operands) -> bool:
    return not np.isnan(_numbers(operands[0])).any()


def _above(op: ir.Operation, operands: Operands) -> bool:
    return bool((_numbers(operands[0]) > 0).all())


def _at_least(op: ir.Operation, operands: Operands) -> bool:
    return bool((_numbers(operands[0]) >= 0).all())


def _fits(op: ir.Operation, operands: Operands) -> bool:
    """Return whether floating-point numbers that become integers are some of the type, once they are cut."""
    target = ir.ShapedType(op.results[0].type).element_type
    if not isinstance(target, ir.IntegerType) or target.width == 1 or _is_integer(operands[0].type):
        return True
    low, high = (0, 1 << target.width) if target.is_unsigned else (-(1 << target.width - 1), 1 << target.width - 1)
    whole = np.trunc(_numbers(operands[0]))
    return bool(((low <= whole) & (whole < high)).all())


_NAMES = (
    "abs add and compare cosine exponential logistic maximum minimum multiply negate not or round_nearest_afz "
    "round_nearest_even sine subtract tan tanh xor"
).split()

_ELEMENTWISE: Mapping[str, Condition] = {
    **dict.fromkeys(_NAMES, _always),
    "clamp": _of_alike,
    "convert": _fits,
    "divide": _not_by_zero,
    "log": _above,
    "remainder": _not_by_zero,
    "rsqrt": _above,
    "sign": _of_numbers,
    "sqrt": _at_least,
}
"""The ops that compute each element by itself, by name."""

_MOVING = frozenset({"broadcast_in_dim", "dynamic_slice", "reshape", "reverse", "slice", "transpose"})
"""The ops whose results repeat a number if the first operand does."""

_OF_REPEATED = frozenset({"broadcast_in_dim", "dynamic_slice"})
"""Ops that are folded only if the first operand repeats a number."""

_MOST = 1 << 20
"""Elements of constants that the interpreter computes with, in about a second."""

_LIMITED = frozenset({"concatenate", "convert", "reverse"})
"""Ops that are folded up to a number of elements only."""


def folds(limit: int) -> Sequence[tuple[str, Pattern]]:
    """Return the patterns by the name of their root op, without its dialect.

    Args:
      limit: the largest number of elements of results that are converted, joined or reversed.
    """
    names = (*_ELEMENTWISE, *_MOVING, "concatenate")
    return tuple((name, partial(_fold, name, limit if name in _LIMITED else None)) for name in names)


def _fold(name: str, limit: int | None, op: ir.Operation, rewriter: Rewriter) -> bool:
    type_ = op.results[0].type
    if not is_tensor(type_) or not type_.has_static_shape or not _is_of_numbers(type_):
        return False
    if limit is not None and _size(type_) > limit:
        return False
    value = _value(name, op, type_)
    return value is not None and rewriter.replace(op, [new_constant(op, value, type_, rewriter)])


def _value(name: str, op: ir.Operation, type_: ir.RankedTensorType) -> ir.DenseElementsAttr | None:
    """Return the constant that an op computes; None if it is not to be computed."""
    given = list(map(constant_attribute, op.operands))
    if name in _MOVING and given[0] is not None and given[0].is_splat:
        return ir.DenseElementsAttr.get_splat(type_, repeated(given[0]))
    operands = [each for each in given if each is not None]
    if name in _OF_REPEATED or len(operands) < len(given):
        return None
    repeats = name in _ELEMENTWISE and all(each.is_splat for each in operands)
    if not repeats and max(map(_size, (type_, *(each.type for each in operands)))) > _MOST:
        return None
    if not _ELEMENTWISE.get(name, _always)(op, operands):
        return None
    if not repeats:
        return _evaluated(op, operands, type_)
    number = repeated(_evaluated(op, list(map(_one, operands)), _scalar(type_)))
    return ir.DenseElementsAttr.get_splat(type_, number)


def new_constant(op: ir.Operation, value: ir.Attribute, type_: ir.Type, rewriter: Rewriter) -> ir.Value:
    """Return a new constant in front of `op`."""
    new = ir.Operation.create(CONSTANT, results=[type_], attributes={"value": value}, loc=op.location, ip=before(op))
    return rewriter.created(new).results[0]


def constant_attribute(value: ir.Value) -> ir.DenseElementsAttr | None:
    """Return the attribute of a constant of integers or floating-point numbers; None for any other value."""
    op = defining_op(value)
    attribute = None if op is None or op.name != CONSTANT else op.attributes["value"]
    return attribute if isinstance(attribute, ir.DenseElementsAttr) and _is_of_numbers(attribute.type) else None


def _evaluated(op: ir.Operation, operands: Operands, type_: ir.RankedTensorType) -> ir.DenseElementsAttr:
    """Return the result of an op on constants, which is of that type.

    Functions of floating-point numbers are computed with 64 bits, as C++ does, and rounded.
    """
    element = type_.element_type
    is_wide = isinstance(element, ir.FloatType) and op.name.removeprefix("stablehlo.") in _ELEMENTWISE
    wide = ir.F64Type.get(op.context) if is_wide else element

    def compute(b: Builder, values: Sequence[ir.Value]) -> ir.Value:
        taken = [b.convert(value, wide) for value in values] if is_wide else values
        made = b.create(op.name, taken, (with_element_type(type_, wide),), dict(op.attributes.items())).results[0]
        return b.convert(made, element) if is_wide else made

    return _run(operands, type_, compute)


def _run(
    operands: Operands, type_: ir.Type, compute: Callable[[Builder, Sequence[ir.Value]], ir.Value]
) -> ir.DenseElementsAttr:
    """Return what the interpreter makes of constants, which is of that type."""
    with ir.Location.unknown(type_.context) as location, ir.InsertionPoint((module := ir.Module.create()).body):
        block = new_function("main", [], [type_]).regions[0].blocks.append()
        b = Builder.at_end(block, location)
        b.create("func.return", (compute(b, list(map(b.constant, operands))),), ())
    return stablehlo.eval_module(module, [])[0]


def _scalar(type_: ir.RankedTensorType) -> ir.RankedTensorType:
    return tensor_type((), type_.element_type)


def _one(attribute: ir.DenseElementsAttr) -> ir.DenseElementsAttr:
    """Return the number that a constant repeats, as a scalar."""
    return ir.DenseElementsAttr.get_splat(_scalar(attribute.type), repeated(attribute))


def _numbers(attribute: ir.DenseElementsAttr) -> np.ndarray:
    """Return the numbers of a constant, as one if it repeats that."""
    if attribute.is_splat:
        return np.asarray(repeated(attribute).value)
    element, context = attribute.type.element_type, attribute.context
    wide: ir.Type = ir.F64Type.get(context)
    if isinstance(element, ir.IntegerType):
        wide = (ir.IntegerType.get_unsigned if element.is_unsigned else ir.IntegerType.get_signless)(64, context)
    # NumPy does not have all types.
    type_ = with_element_type(attribute.type, wide)
    return np.asarray(_run([attribute], type_, lambda b, values: b.convert(values[0], wide)))


def _size(type_: ir.RankedTensorType) -> int:
    return math.prod(type_.shape)


def _is_integer(type_: ir.RankedTensorType) -> bool:
    return isinstance(type_.element_type, ir.IntegerType)


def _is_of_numbers(type_: ir.Type) -> bool:
    return isinstance(ir.ShapedType(type_).element_type, (ir.IntegerType, ir.FloatType))
