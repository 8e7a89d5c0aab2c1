"""Relations between the types of operands and results that ops declare (letter T).

Each function makes a check that is labelled with a constraint. Without positions it compares all operands and results;
with them these operands only, and the results unless excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

from sdy.stablehlo.declarations import Trait
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.elements import Element, Quantized, is_per_axis, is_per_tensor, same_baseline
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import Tensor, ValueType, compatible_types, element_of


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


def _listed(op: OpFacts, positions: Sequence[int], with_results: bool) -> list[ValueType]:
    """The types of tensors, ranked or not."""
    operands = [op.operands[position] for position in positions] if positions else op.operands
    listed = [*operands, *(op.results if with_results else ())]
    return [type_ for type_ in listed if element_of(type_) is not None]


Check = Callable[..., str]
"""Says what is wrong with an op, of which it gets arguments of the trait behind the op; nothing if it is right."""


def _trait(check: Check) -> Callable[..., Trait]:
    """Make a trait from `check`, whose first argument is the constraint."""

    @wraps(check)
    def declared(constraint: str, *arguments: object) -> Trait:
        def checked(op: OpFacts) -> None:
            message = check(op, *arguments)
            if message:
                raise op.error(constraint, message)

        return checked

    return declared


@_trait
def same_shapes(op: OpFacts) -> str:
    """Require equal ranks and compatible sizes."""
    types = [type_ for type_ in (*op.operands, *op.results) if isinstance(type_, Tensor)]
    are_equal = len({type_.rank for type_ in types}) <= 1 and all(
        len({*sizes} - {DYNAMIC}) <= 1 for sizes in zip(*(type_.dims for type_ in types), strict=True)
    )
    return "" if are_equal else f"shapes of {', '.join(map(str, types))} differ"


@_trait
def all_ranked_or_none(op: OpFacts) -> str:
    """Check that operands and results have known ranks, or none has."""
    types = _listed(op, (), with_results=True)
    if len({isinstance(type_, Tensor) for type_ in types}) > 1:
        return f"types {', '.join(map(str, types))} are ranked and unranked"
    return ""


def same_types(constraint: str, *positions: int) -> Trait:
    """Types compatible with that of the first (H2)."""
    return _as_the_first(constraint, positions, True, compatible_types, "types {} and {} are not compatible")


def same_elements(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Require the element type of the first."""

    def are_equal(first: ValueType, other: ValueType) -> bool:
        return element_of(first) == element_of(other)

    return _as_the_first(constraint, positions, with_results, are_equal, "element types of {} and {} differ")


def baseline_elements(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Require element types compatible with that of the first (H2)."""

    def fit(first: ValueType, other: ValueType) -> bool:
        one, another = element_of(first), element_of(other)
        return one is not None and another is not None and same_baseline(one, another)

    return _as_the_first(constraint, positions, with_results, fit, "element types of {} and {} are not compatible")


def _as_the_first(
    constraint: str,
    positions: Sequence[int],
    with_results: bool,
    fit: Callable[[ValueType, ValueType], bool],
    fault: str,
) -> Trait:
    """Make a trait: each type fits the first. `fault` is the message, with a placeholder for each of the two."""

    def check(op: OpFacts) -> None:
        types = _listed(op, positions, with_results)
        for type_ in types[1:]:
            if not fit(types[0], type_):
                raise op.error(constraint, fault.format(types[0], type_))

    return check


@_trait
def equal_types(op: OpFacts, *positions: int) -> str:
    """Require equal types of these operands."""
    types = [op.operands[position] for position in positions]
    return f"operands {list(positions)} must be of one type" if any(each != types[0] for each in types) else ""


@_trait
def same_rank(op: OpFacts, position: int) -> str:
    """An operand and the result have one rank."""
    operand, result = op.tensor(position), op.result(0)
    return f"ranks of {operand} and {result} differ" if operand.rank != result.rank else ""


@_trait
def equal_lengths(op: OpFacts, *names: str) -> str:
    """Require equal lengths of these array attributes."""
    return f"{', '.join(names)} must be equally long" if len({len(op.ints(name)) for name in names}) != 1 else ""


@_trait
def some_operands(op: OpFacts) -> str:
    """Require at least one operand."""
    return "" if op.operands else "needs an operand"


@_trait
def same_elements_pairwise(op: OpFacts) -> str:
    """Require result i to have the element type of operand i."""
    pairs = zip(op.tensors(), op.result_tensors(), strict=False)
    faults = (f"element types of {one} and {other} differ" for one, other in pairs if one.element != other.element)
    return next(faults, "")


@_trait
def equal_types_pairwise(op: OpFacts) -> str:
    """Require result i to have the type of operand i."""
    return "types of operands and results must be equal" if list(op.operands) != list(op.results) else ""


@_trait
def same_count(op: OpFacts) -> str:
    """Require as many results as operands."""
    counts = len(op.operands), len(op.results)
    return "has {} operands and {} results".format(*counts) if counts[0] != counts[1] else ""
