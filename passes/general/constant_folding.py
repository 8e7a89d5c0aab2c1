"""Folding of ops on constants, and elements of constants as arrays.

Integers are not divided by 0, functions are not computed outside of their domain, and conversions to integers only
where the number is one of the type.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdy.dialect.op_properties import is_static_shaped
from sdy.mlir import ir
from sdy.mlir.greedy import Pattern, Rewriter
from sdy.mlir.rewriting import before, defining_op
from sdy.stablehlo.constants import repeated_attribute

Elements: TypeAlias = NDArray

Fold = Callable[..., Elements | None]
"""Computes elements of those of operands; None where nothing is computed."""


def new_constant(op: ir.Operation, value: ir.Attribute, type_: ir.Type, rewriter: Rewriter) -> ir.Value:
    """Return a new constant in front of `op`."""
    new = ir.Operation.create(CONSTANT, results=[type_], attributes={"value": value}, loc=op.location, ip=before(op))
    return rewriter.created(new).results[0]


def folded(op: ir.Operation, values: Elements | None, rewriter: Rewriter) -> bool:
    """Replace an op of one result by a constant of those elements, if they are known and of a type of numbers."""
    type_ = op.results[0].type
    if values is None or not isinstance(ir.ShapedType(type_).element_type, (ir.IntegerType, ir.FloatType)):
        return False
    value = attribute_of(np.asarray(values), ir.ShapedType(type_))
    return rewriter.replace(op, [new_constant(op, value, type_, rewriter)])


# Elementwise -------------------------------------------------------------------------------------


def _divided(left: Elements, right: Elements, integers: bool) -> Elements | None:
    if not integers:
        return left / right
    if not right.all():
        return None
    rest = np.fmod(left, right)
    return left // right + ((rest != 0) & ((left < 0) != (right < 0)))  # NumPy rounds down, here it is towards 0


def _remainder(left: Elements, right: Elements, integers: bool) -> Elements | None:
    return None if integers and not right.all() else np.fmod(left, right)


def _extreme(pick: np.ufunc, left: Elements, right: Elements, integers: bool) -> Elements:
    """Return the greater or smaller numbers; of two zeros the one with the sign that `pick` prefers."""
    chosen = pick(left, right)
    if integers:
        return chosen
    is_negative = np.signbit(left) & np.signbit(right) if pick is np.maximum else np.signbit(left) | np.signbit(right)
    return np.where((left == 0) & (right == 0), np.where(is_negative, -0.0, 0.0), chosen)


_BINARY: dict[str, Fold] = {
    "add": lambda left, right, _: left + right,
    "subtract": lambda left, right, _: left - right,
    "multiply": lambda left, right, _: left * right,
    "divide": _divided,
    "remainder": _remainder,
    "maximum": lambda left, right, integers: _extreme(np.maximum, left, right, integers),
    "minimum": lambda left, right, integers: _extreme(np.minimum, left, right, integers),
    "and": lambda left, right, _: left & right,
    "or": lambda left, right, _: left | right,
    "xor": lambda left, right, _: left ^ right,
}
"""By name of the op, of the elements of both operands, and whether they are integers."""


def _sign(values: Elements, integers: bool) -> Elements | None:
    return None if not integers and np.isnan(values).any() else np.where(values == 0, values, np.sign(values))


def _above(lowest: float, compute: Fold, *, is_open: bool) -> Fold:
    """Return a function for numbers at least `lowest`, or above it if the domain is open."""

    def run(values: Elements, integers: bool) -> Elements | None:
        is_inside = (values > lowest if is_open else values >= lowest).all()
        return None if integers or not is_inside else compute(values)

    return run


def _of_floats(compute: Fold) -> Fold:
    return lambda values, integers: None if integers else compute(values)


def _rounded_away(values: Elements) -> Elements:
    whole = np.trunc(values)
    return np.where(np.abs(values - whole) >= 0.5, whole + np.copysign(1.0, values), whole)


_UNARY: dict[str, Fold] = {
    "abs": lambda values, _: np.abs(values),
    "negate": lambda values, _: -values,
    "not": lambda values, integers: ~values if integers else None,
    "sign": _sign,
    "cosine": _of_floats(np.cos),
    "exponential": _of_floats(np.exp),
    "log": _above(0, np.log, is_open=True),
    "logistic": _of_floats(lambda values: 1 / (1 + np.exp(-values))),
    "round_nearest_afz": _of_floats(_rounded_away),
    "round_nearest_even": _of_floats(np.rint),
    "rsqrt": _above(0, lambda values: 1 / np.sqrt(values), is_open=True),
    "sine": _of_floats(np.sin),
    "sqrt": _above(0, np.sqrt, is_open=False),
    "tan": _of_floats(np.tan),
    "tanh": _of_floats(np.tanh),
}
"""By name of the op, of the elements of the operand, and whether they are integers."""

_COMPARE = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "LT": operator.lt,
    "LE": operator.le,
    "GT": operator.gt,
    "GE": operator.ge,
}


def direction_of(op: ir.Operation) -> str:
    """Return the direction of a comparison, such as LT."""
    return str(op.attributes["comparison_direction"]).rpartition(" ")[2].rstrip(">")


class Folder:
    """Computes with constants.

    Attributes:
      limit: the largest number of elements of results that are converted, joined or reversed.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def patterns(self) -> Sequence[tuple[str, Pattern]]:
        """Return the patterns by the name of their root op, without its dialect."""
        elementwise = [(name, self._elementwise(compute)) for name, compute in (*_BINARY.items(), *_UNARY.items())]
        return (
            *elementwise,
            ("broadcast_in_dim", self._splat_moved),
            ("dynamic_slice", self._splat_moved),
            ("reshape", self._moved(lambda op, values: values.reshape(_shape(op)))),
            ("transpose", self._moved(lambda op, values: values.transpose(list(op.attributes["permutation"])))),
            ("slice", self._moved(_sliced)),
            ("reverse", self._reversed),
            ("concatenate", self._joined),
            ("convert", self._converted),
            ("compare", _compared),
            ("clamp", _clamped),
        )

    def _is_small(self, op: ir.Operation) -> bool:
        return math.prod(_shape(op)) <= self._limit

    def _elementwise(self, compute: Fold) -> Pattern:
        def run(op: ir.Operation, rewriter: Rewriter) -> bool:
            operands = _known(op)
            if operands is None:
                return False
            with np.errstate(all="ignore"):
                values = compute(*operands, is_integer(op.results[0].type))
            return folded(op, values, rewriter)

        return run

    def _moved(self, move: Callable[[ir.Operation, Elements], Elements]) -> Pattern:
        def run(op: ir.Operation, rewriter: Rewriter) -> bool:
            operands = _known(op)
            return operands is not None and folded(
                op, operands[0] if operands[0].ndim == 0 else move(op, operands[0]), rewriter
            )

        return run

    @staticmethod
    def _splat_moved(op: ir.Operation, rewriter: Rewriter) -> bool:
        values = elements_of(op.operands[0])
        is_splat = values is not None and values.ndim == 0 and is_static_shaped(op.results[0].type)
        return is_splat and folded(op, values, rewriter)

    def _reversed(self, op: ir.Operation, rewriter: Rewriter) -> bool:
        operands = _known(op)
        if operands is None or operands[0].ndim == 0 or not self._is_small(op):
            return False
        return folded(op, np.flip(operands[0], tuple(int(dim) for dim in op.attributes["dimensions"])), rewriter)

    def _joined(self, op: ir.Operation, rewriter: Rewriter) -> bool:
        operands = _known(op)
        if operands is None or not self._is_small(op):
            return False
        full = [
            np.broadcast_to(each, ir.ShapedType(one.type).shape)
            for each, one in zip(operands, op.operands, strict=True)
        ]
        return folded(op, np.concatenate(full, int(ir.IntegerAttr(op.attributes["dimension"]))), rewriter)

    def _converted(self, op: ir.Operation, rewriter: Rewriter) -> bool:
        operands = _known(op)
        if operands is None or not self._is_small(op):
            return False
        return folded(op, _as_type(operands[0], op.operands[0].type, op.results[0].type), rewriter)


def _shape(op: ir.Operation) -> list[int]:
    return list(ir.ShapedType(op.results[0].type).shape)


def _known(op: ir.Operation) -> list[Elements] | None:
    """Return the elements of all operands; None unless all are constants and the result's shape is known."""
    operands = [elements_of(operand) for operand in op.operands]
    known = [each for each in operands if each is not None]
    return known if len(known) == len(operands) and is_static_shaped(op.results[0].type) else None


def _sliced(op: ir.Operation, values: Elements) -> Elements:
    bounds = zip(*(op.attributes[name] for name in ("start_indices", "limit_indices", "strides")), strict=True)
    return values[tuple(slice(*bound) for bound in bounds)]


def _compared(op: ir.Operation, rewriter: Rewriter) -> bool:
    operands = _known(op)
    return operands is not None and folded(op, _COMPARE[direction_of(op)](*operands).astype(np.uint64), rewriter)


def _clamped(op: ir.Operation, rewriter: Rewriter) -> bool:
    operands = _known(op)
    if operands is None or len({operand.type for operand in op.operands}) > 1:
        return False
    low, values, high = operands
    return folded(op, np.minimum(np.maximum(values, low), high), rewriter)


def _as_type(values: Elements, source: ir.Type, target: ir.Type) -> Elements | None:
    element = ir.ShapedType(target).element_type
    if not isinstance(element, ir.IntegerType):
        return values.astype(np.float64)
    if element.width == 1:
        return (values != 0).astype(np.uint64)
    if is_integer(source):
        return wrapped(values, element)
    low, high = (-(2 ** (element.width - 1)), 2 ** (element.width - 1)) if is_signed(element) else (0, 2**element.width)
    whole = np.trunc(values)
    if not ((whole >= low) & (whole < high)).all():
        return None
    return whole.astype(np.int64 if is_signed(element) else np.uint64)


CONSTANT = "stablehlo.constant"


_NATIVE = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def is_integer(type_: ir.Type) -> bool:
    """Return whether a type is one of integers, or of tensors of them."""
    element = type_.element_type if isinstance(type_, ir.ShapedType) else type_
    return isinstance(element, ir.IntegerType)


def is_signed(element: ir.Type) -> bool:
    """Return whether integers of a type have a sign; those of one bit have none."""
    return isinstance(element, ir.IntegerType) and not element.is_unsigned and element.width > 1


def constant_attribute(value: ir.Value) -> ir.DenseElementsAttr | None:
    """Return the attribute of a constant value; None for any other value."""
    op = defining_op(value)
    attribute = None if op is None or op.name != CONSTANT else op.attributes["value"]
    return attribute if isinstance(attribute, ir.DenseElementsAttr) else None


def elements_of(value: ir.Value) -> Elements | None:
    """Return the elements of a constant of real numbers; None for any other value, and for unreadable types."""
    attribute = constant_attribute(value)
    if attribute is None:
        return None
    element = ir.ShapedType(attribute.type).element_type
    if attribute.is_splat:
        number = repeated_attribute(value.owner.operation)
        if not isinstance(number, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)):
            return None
        return (
            wrapped(np.asarray(int(number.value) % (1 << 64), np.uint64), element)
            if is_integer(element)
            else (np.asarray(number.value, np.float64))
        )
    try:
        array = np.asarray(attribute)
    except TypeError:
        return None
    if array.dtype == object:
        return None
    if not is_integer(element):
        return array.astype(np.float64)
    return array.astype(np.int64 if is_signed(element) else np.uint64)


def wrapped(values: Elements, element: ir.Type) -> Elements:
    """Return 64-bit integers wrapped to the width of a type."""
    width = ir.IntegerType(element).width
    if not is_signed(element):
        values = values.astype(np.uint64)
        return values if width == 64 else values & np.uint64((1 << width) - 1)
    shift = np.int64(64 - width)
    return (values.astype(np.int64) << shift) >> shift


def rounded(values: Elements, element: ir.Type) -> Elements:
    """Return 64-bit numbers rounded to a floating-point type, with one form of NaN."""
    values = np.where(np.isnan(values), np.nan, values)
    native = _NATIVE.get(str(element))
    if native is not None:
        with np.errstate(over="ignore"):
            return values.astype(native).astype(np.float64)
    numbers = [ir.FloatAttr.get(element, float(number), loc=_location(element)).value for number in values.flat]
    return np.asarray(numbers, np.float64).reshape(values.shape)


def attribute_of(values: Elements, type_: ir.ShapedType) -> ir.Attribute:
    """Return the constant attribute of a type; `values` has its shape, or is one repeated number."""
    element = type_.element_type
    values = wrapped(values, element) if is_integer(element) else rounded(values, element)
    native = _NATIVE.get(str(element))
    if values.ndim == 0:
        return ir.DenseElementsAttr.get_splat(type_, _number(element, values.item()))
    if native is not None:
        with np.errstate(over="ignore"):
            return ir.DenseElementsAttr.get(np.ascontiguousarray(values.astype(native)), type=element)
    return ir.DenseElementsAttr.get([_number(element, number.item()) for number in values.flat], type_)


def _number(element: ir.Type, value: float) -> ir.Attribute:
    if is_integer(element):
        # The bindings take the bits of 64 as a signed number.
        return ir.IntegerAttr.get(element, int(value) - (1 << 64) if value >= 1 << 63 else int(value))
    return ir.FloatAttr.get(element, value, loc=_location(element))


def _location(element: ir.Type) -> ir.Location:
    return ir.Location.unknown(element.context)
