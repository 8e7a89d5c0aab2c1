"""Relations between the types of operands and results that ops declare (letter T).

Each function makes a check that is labelled with a constraint. Without positions it compares all operands and results;
with them these operands only, and the results unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.stablehlo.declarations import Trait
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.compatibility import compatible_types, element_of
from sdy.stablehlo.types.elements import same_baseline
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import Tensor, ValueType


def _listed(op: OpFacts, positions: Sequence[int], with_results: bool) -> list[ValueType]:
    """The types of tensors, ranked or not."""
    operands = [op.operands[position] for position in positions] if positions else op.operands
    listed = [*operands, *(op.results if with_results else ())]
    return [type_ for type_ in listed if element_of(type_) is not None]


def _compared(op: OpFacts, positions: Sequence[int], with_results: bool) -> list[Tensor]:
    return [type_ for type_ in _listed(op, positions, with_results) if isinstance(type_, Tensor)]


def same_shapes(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Equal ranks, and all sizes of a dimension that are known are the same."""

    def check(op: OpFacts) -> None:
        types = _compared(op, positions, with_results)
        if len({type_.rank for type_ in types}) > 1 or any(
            map(_differ, zip(*(type_.dims for type_ in types), strict=True))
        ):
            raise op.error(constraint, f"shapes of {', '.join(map(str, types))} differ")

    return check


def _differ(sizes: Sequence[int]) -> bool:
    return len(set(sizes) - {DYNAMIC}) > 1


def all_ranked_or_none(constraint: str) -> Trait:
    """Operands and results have known ranks, or none has."""

    def check(op: OpFacts) -> None:
        types = _listed(op, (), with_results=True)
        if len({isinstance(type_, Tensor) for type_ in types}) > 1:
            raise op.error(constraint, f"types {', '.join(map(str, types))} are ranked and unranked")

    return check


def same_types(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Types compatible with that of the first (H2)."""
    return _as_the_first(constraint, positions, with_results, compatible_types, "types {} and {} are not compatible")


def same_elements(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Element types equal to that of the first."""

    def are_equal(first: ValueType, other: ValueType) -> bool:
        return element_of(first) == element_of(other)

    return _as_the_first(constraint, positions, with_results, are_equal, "element types of {} and {} differ")


def baseline_elements(constraint: str, *positions: int, with_results: bool = True) -> Trait:
    """Element types compatible with that of the first (H2)."""

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
    """Each type fits the first; `fault` has a place for either."""

    def check(op: OpFacts) -> None:
        types = _listed(op, positions, with_results)
        for type_ in types[1:]:
            if not fit(types[0], type_):
                raise op.error(constraint, fault.format(types[0], type_))

    return check


def equal_types(constraint: str, *positions: int) -> Trait:
    """These operands have one type."""

    def check(op: OpFacts) -> None:
        types = [op.operands[position] for position in positions]
        if any(type_ != types[0] for type_ in types[1:]):
            raise op.error(constraint, f"operands {list(positions)} must be of one type")

    return check


def same_rank(constraint: str, position: int) -> Trait:
    """An operand and the result have one rank."""

    def check(op: OpFacts) -> None:
        operand, result = op.tensor(position), op.result(0)
        if operand.rank != result.rank:
            raise op.error(constraint, f"ranks of {operand} and {result} differ")

    return check


def equal_lengths(constraint: str, *names: str) -> Trait:
    """These array attributes are equally long."""

    def check(op: OpFacts) -> None:
        if len({len(op.ints(name)) for name in names}) != 1:
            raise op.error(constraint, f"{', '.join(names)} must be equally long")

    return check


def some_operands(constraint: str) -> Trait:
    """There is an operand."""

    def check(op: OpFacts) -> None:
        if not op.operands:
            raise op.error(constraint, "needs an operand")

    return check


def same_elements_pairwise(constraint: str) -> Trait:
    """Each result has the element type of the operand with its number."""

    def check(op: OpFacts) -> None:
        for operand, result in zip(op.tensors(), op.result_tensors(), strict=False):
            if operand.element != result.element:
                raise op.error(constraint, f"element types of {operand} and {result} differ")

    return check


def equal_types_pairwise(constraint: str) -> Trait:
    """Each result has the type of the operand with its number."""

    def check(op: OpFacts) -> None:
        if list(op.operands) != list(op.results):
            raise op.error(constraint, "types of operands and results must be equal")

    return check


def same_count(constraint: str) -> Trait:
    """As many results as operands."""

    def check(op: OpFacts) -> None:
        if len(op.operands) != len(op.results):
            raise op.error(constraint, f"has {len(op.operands)} operands and {len(op.results)} results")

    return check
