"""Relations between quantized element types (H11, H12, H14)."""

from __future__ import annotations

from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.elements import Element, Quantized, is_per_axis, is_per_tensor
from sdy.stablehlo.types.value_types import Tensor


def any_quantized(*types: Tensor) -> bool:
    return Quantized in [type(each.element) for each in types]


def equal_parameters(first: Element | None, second: Element | None) -> bool:
    """H12: equal scales and zero points, if both are per tensor or both per axis."""
    if not isinstance(first, Quantized) or not isinstance(second, Quantized):
        return True
    if (first.axis is None) != (second.axis is None):
        return True
    if first.axis is None:
        return first == second
    return first.parameters == second.parameters


def check_quantized_binary(op: OpFacts, lhs: Element, rhs: Element, result: Element) -> None:
    """H11, with the labels of `add`: c2 all quantized, c3 storage, c4 expressed, c5 to c7 granularity and axis."""
    if not (isinstance(lhs, Quantized) and isinstance(rhs, Quantized) and isinstance(result, Quantized)):
        raise op.error("c2", "operands and result must be quantized together")
    if (
        not lhs.storage.type == rhs.storage.type == result.storage.type
        or len({lhs.storage.is_signed, rhs.storage.is_signed, result.storage.is_signed}) != 1
    ):
        raise op.error("c3", "storage types differ")
    if not lhs.expressed == rhs.expressed == result.expressed:
        raise op.error("c4", "expressed types differ")
    per_axis = [each for each in (lhs, rhs) if each.axis is not None]
    if bool(per_axis) != (result.axis is not None):
        raise op.error("c5", "the result is per axis if and only if an operand is")
    if lhs.axis is not None and lhs.axis != result.axis:
        raise op.error("c6", "quantization axes of lhs and result differ")
    if rhs.axis is not None and rhs.axis != result.axis:
        raise op.error("c7", "quantization axes of rhs and result differ")


_TOGETHER = "rhs must be quantized, and lhs if and only if the result is"
_HYBRID = "lhs and result must be of the expressed type of rhs"


def check_quantized_factors(op: OpFacts, labels: tuple[str, str, str, str]) -> None:
    """Check H14 for the operands of a dot product or convolution, one of which is quantized.

    Args:
      op: operands lhs and rhs.
      labels: constraints about who is quantized, storage, expressed types, and a lhs that is not.
    """
    lhs, rhs = op.tensor(0).known_element, op.tensor(1).known_element
    together, storage, expressed, hybrid = labels
    if not isinstance(rhs, Quantized):
        raise op.error(together, _TOGETHER)
    if not isinstance(lhs, Quantized):
        if lhs != rhs.expressed:
            raise op.error(hybrid, _HYBRID)
        return
    if (lhs.storage.type, lhs.storage.is_signed) != (rhs.storage.type, rhs.storage.is_signed):
        raise op.error(storage, "storage types of lhs and rhs differ")
    if lhs.expressed != rhs.expressed:
        raise op.error(expressed, "expressed types differ")


def check_quantized_product(op: OpFacts, labels: tuple[str, str, str, str]) -> None:
    """Check H14 on the declared result of a dot product or convolution, if anything is quantized.

    Args:
      op: operands lhs and rhs, one result.
      labels: constraints about who is quantized, expressed types, granularity, and a lhs that is not.
    """
    lhs, rhs, result = (type_.known_element for type_ in (op.tensor(0), op.tensor(1), op.result(0)))
    together, expressed, granularity, hybrid = labels
    if not isinstance(rhs, Quantized) or isinstance(lhs, Quantized) != isinstance(result, Quantized):
        raise op.error(together, _TOGETHER)
    if not isinstance(result, Quantized):
        if rhs.expressed != result:
            raise op.error(hybrid, _HYBRID)
        return
    if rhs.expressed != result.expressed:
        raise op.error(expressed, "expressed types differ")
    if is_per_tensor(rhs) and is_per_axis(result):
        raise op.error(granularity, "the result is per axis, but rhs per tensor")
