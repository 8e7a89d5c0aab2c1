"""Ops that compute each element independently."""

from __future__ import annotations

from collections.abc import Callable

from sdy.stablehlo.attribute_readers import read_comparison_type, read_result_accuracy
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import (
    any_quantized,
    baseline_elements,
    check_quantized_binary,
    same_elements,
    same_shapes,
    same_types,
)
from sdy.stablehlo.types.elements import BOOL, Element, Kind, Quantized, complex_element, same_baseline
from sdy.stablehlo.types.sizes import compatible_shapes
from sdy.stablehlo.types.value_types import Tensor, merged

_ACCURATE = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh"

declare(_ACCURATE, "operand:F|C|QT", "F|C|QT", "result_accuracy?:accuracy", traits=[same_types("c1")])
declare("ceil floor round_nearest_afz round_nearest_even", "operand:F|QT", "F|QT", traits=[same_types("c1")])
declare("sign", "operand:SI|F|C|QT", "SI|F|C|QT", traits=[same_types("c1")])
declare("negate", "operand:I|F|C|QT", "I|F|C|QT", traits=[same_types("c1")])
declare("not", "operand:Pred|I", "Pred|I", traits=[same_types("c1")])
declare("count_leading_zeros popcnt", "operand:I", "I", traits=[same_types("c1")])
declare(
    "reduce_precision", "operand:F|QT", "F|QT", "exponent_bits:i32>0 mantissa_bits:i32>=0", traits=[same_types("c1")]
)
declare("cross-replica-sum", "operand:Any", "Any", "replica_groups:dense", traits=[same_types("c1")])

declare("add", "lhs:Any+ rhs:Any+", "Any+", traits=[same_shapes("c1")])
declare("and or xor", "lhs:Pred|I rhs:Pred|I", "Pred|I", traits=[same_types("c1")])
declare("atan2", "lhs:F|C|QT rhs:F|C|QT", "F|C|QT", traits=[same_types("c1")])
declare("divide power remainder subtract", "lhs:I|F|C|QT rhs:I|F|C|QT", "I|F|C|QT", traits=[same_types("c1")])
declare("maximum minimum multiply", "lhs:Any rhs:Any", "Any", traits=[same_types("c1")])
declare("shift_left shift_right_arithmetic shift_right_logical", "lhs:I rhs:I", "I", traits=[same_types("c1")])

declare("abs", "operand:SI|F|C|QT", "SI|F|QT", traits=[same_shapes("c1")])
declare("real imag", "operand:F|C", "F", traits=[same_shapes("c1")])
declare("is_finite", "x:F|QT", "Pred", traits=[same_shapes("c1")])
declare(
    "complex", "lhs:f32|f64 rhs:f32|f64", "C", traits=[same_elements("c1", 0, 1, with_results=False), same_shapes("c2")]
)
declare(
    "compare",
    "lhs:Any rhs:Any",
    "Pred",
    "comparison_direction:direction compare_type?:comparison",
    traits=[baseline_elements("c1", 0, 1, with_results=False), same_shapes("c2")],
)
declare("select", "pred:Pred on_true:Any on_false:Any", "Any")
declare("clamp", "min:Any operand:Any max:Any", "Any", traits=[baseline_elements("c3")])
declare("convert", "operand:F|Pred|I|C", "F|Pred|I|C", traits=[same_shapes("c1")])
declare("uniform_quantize", "operand:F|QT|QA", "QT|QA", traits=[same_shapes("c1")])
declare("uniform_dequantize", "operand:QT|QA", "F", traits=[same_shapes("c1")])

_UNARY = (
    "ceil floor round_nearest_afz round_nearest_even sign negate not count_leading_zeros popcnt "
    "reduce_precision cross-replica-sum"
)
_BINARY = (
    "and or xor atan2 divide power remainder subtract maximum minimum multiply shift_left shift_right_arithmetic "
    "shift_right_logical"
)


@infers(_UNARY, "c1")
def infer_unary(op: OpFacts) -> list[Tensor]:
    """The type of the operand."""
    return [op.tensor(0)]


@infers(f"{_BINARY} add", "c1")
def infer_binary(op: OpFacts) -> list[Tensor]:
    """Merge the shapes of both operands, with the element type of lhs."""
    return [merged((op.tensor(0), op.tensor(1)))]


@verifies("add")
def verify_add(op: OpFacts) -> None:
    """Check the element types, which no declared trait relates, because quantized ones may differ."""
    lhs, rhs, result = op.tensor(0), op.tensor(1), op.result(0)
    elements = lhs.known_element, rhs.known_element, result.known_element
    if any_quantized(lhs, rhs, result):
        check_quantized_binary(op, *elements)
    elif not elements[0] == elements[1] == elements[2]:
        raise op.error("c1", f"element types of {lhs}, {rhs} and {result} differ")


@infers(_ACCURATE, "c1")
def infer_accurate(op: OpFacts) -> list[Tensor]:
    """The type of the operand; tolerances are not negative, and given with mode TOLERANCE only."""
    accuracy = op.optional("result_accuracy", read_result_accuracy, "a result accuracy")
    if accuracy is not None:
        tolerances = accuracy[:3]
        if min(tolerances) < 0:
            raise op.error("i2", "tolerances must not be negative")
        if any(tolerances) and "TOLERANCE" not in accuracy.mode:
            raise op.error("i2", "tolerances must be zero without mode TOLERANCE")
    return [op.tensor(0)]


# Other element types -------------------------------------------------------------------------------------------------


def _part(element: Element) -> Element:
    return element.part if element.kind is Kind.COMPLEX and element.part is not None else element


def _first_with(op: OpFacts, element: Callable[[Element], Element]) -> list[Tensor]:
    """Return the type of the first operand, with its element type changed by `element`."""
    first = op.tensor(0)
    return [first.with_element(element(first.known_element))]


@infers("abs real imag", "c2")
def infer_part(op: OpFacts) -> list[Tensor]:
    """The operand's type, with the type of the parts of complex numbers."""
    return _first_with(op, _part)


@infers("is_finite", "c1")
def infer_is_finite(op: OpFacts) -> list[Tensor]:
    return [op.tensor(0).with_element(BOOL)]


@infers("compare", "c2")
def infer_compare(op: OpFacts) -> list[Tensor]:
    """Infer the shape of lhs; check that the kind of comparison fits the element type."""
    lhs = op.tensor(0)
    _check_compare_type(op, lhs.known_element)
    return [lhs.with_element(BOOL)]


def _check_compare_type(op: OpFacts, element: Element) -> None:
    kind = op.optional("compare_type", read_comparison_type, "a kind of comparison")
    if kind is None or kind == "NOTYPE" or isinstance(element, Quantized):
        return
    if kind not in _compare_types(element):
        raise op.error("c3", f"{kind} comparison of {element}")


def _compare_types(element: Element) -> tuple[str, ...]:
    kind = element.kind
    if kind is Kind.FLOAT:
        return "FLOAT", "TOTALORDER"
    if kind is Kind.COMPLEX:
        return ("FLOAT",)
    return ("UNSIGNED",) if element.name == "i1" or element.name.startswith("ui") else ("SIGNED",)


@infers("complex", "c3")
def infer_complex(op: OpFacts) -> list[Tensor]:
    """Infer the shape of lhs, to which the declaration ties rhs."""
    return _first_with(op, complex_element)


@infers("select", "c2")
def infer_select(op: OpFacts) -> list[Tensor]:
    """Merge the types of both branches; the predicate is a scalar or has their shape."""
    pred, on_true, on_false = op.tensor(0), op.tensor(1), op.tensor(2)
    if not compatible_shapes(on_true.dims, on_false.dims):
        raise op.error("c2", f"shapes of {on_true} and {on_false} differ")
    if not same_baseline(on_true.known_element, on_false.known_element):
        raise op.error("c2", f"element types of {on_true} and {on_false} differ")
    if pred.dims and not compatible_shapes(pred.dims, on_true.dims):
        raise op.error("c1", f"shapes of {pred} and {on_true} differ")
    return [merged((on_true, on_false))]


@infers("clamp", "c4")
def infer_clamp(op: OpFacts) -> list[Tensor]:
    """The operand's type without its encoding; the limits are scalars or of its shape."""
    least, operand, most = op.tensor(0), op.tensor(1), op.tensor(2)
    for limit, label in ((least, "c1"), (most, "c2")):
        if limit.dims and not compatible_shapes(limit.dims, operand.dims):
            raise op.error(label, f"shapes of {limit} and {operand} differ")
    return [Tensor(operand.dims, operand.element) if operand.bounds or operand.encoding else operand]


# Conversions ---------------------------------------------------------------------------------------------------------


@infers("convert uniform_quantize", "c1", partial=True)
def infer_converted_shape(op: OpFacts) -> list[Tensor]:
    """Infer the shape; the element type is the target of the conversion."""
    return [op.tensor(0).with_element(None)]


@infers("uniform_dequantize", "c2")
def infer_uniform_dequantize(op: OpFacts) -> list[Tensor]:
    operand = op.tensor(0)
    element = operand.element
    if not isinstance(element, Quantized):
        raise op.error("i1", f"operand must be quantized, not {operand}")
    return [Tensor(operand.dims, element.expressed)]


@verifies("uniform_quantize")
def verify_uniform_quantize(op: OpFacts) -> None:
    """Check that result and operand have the same expressed type."""
    source, target = op.tensor(0).known_element, op.result(0).known_element
    expressed = source.expressed if isinstance(source, Quantized) else source
    if not isinstance(target, Quantized) or target.expressed != expressed:
        raise op.error("c2", f"{target} does not represent numbers of type {expressed}")
