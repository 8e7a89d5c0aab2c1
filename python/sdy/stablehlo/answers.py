"""Types that were inferred before: ops of one name with equal types and attributes have the same results.

Types and attributes are told apart by their address, which is their hash. What is kept refers to neither, so that it
does not keep their context alive.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sdy.mlir import ir
from sdy.per_context import PerContext
from sdy.stablehlo import registry
from sdy.stablehlo.declarations import declaration_of
from sdy.stablehlo.value_types import Tensor, ValueType

Answer = tuple[int | Tensor, ...]
"""Each result: the number of the operand whose type it has, or the value of its type."""

Question = tuple[Any, tuple[Hashable, ...]]
"""A context, and what the answer depends on."""

_MOST = 1 << 14

_answers: PerContext[dict[tuple[Hashable, ...], Answer]] = PerContext(dict)

LOOKS_AROUND = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather all_reduce all_to_all collective_reduce composite dynamic_broadcast_in_dim dynamic_conv "
        "dynamic_gather dynamic_iota dynamic_pad dynamic_reshape reduce_scatter rng set_dimension_size"
    ).split()
)
"""Ops about which more counts than types and attributes: what defines their operands, or symbols."""


def question(
    name: str, operands: Sequence[Any], attributes: Mapping[str, Any] | None, regions: Sequence[Any]
) -> Question | None:
    """What the types of the results follow from; None if that takes more, or if something is no value or attribute."""
    declaration, known = declaration_of(name), registry.find(name)
    if declaration is None or known is None or known.infer is None or name in LOOKS_AROUND or len(regions):
        return None
    if not operands or not known.infer.__module__.startswith(registry.FAMILIES):
        return None
    key: list[Hashable] = [known.infer, name]
    type_: Any = None
    for operand in operands:
        type_ = operand.type if isinstance(operand, ir.Value) else operand
        if not isinstance(type_, ir.Type):
            return None
        key.append(hash(type_))
    if attributes:
        for each in declaration.attributes:
            attribute = attributes.get(each.name)
            key.append(None if attribute is None else hash(attribute))
    return type_.context, tuple(key)


def answer(asked: Question) -> Answer | None:
    """The answer, if it is known."""
    context, key = asked
    return _answers.of(context).get(key)


def remember(asked: Question, operands: Sequence[ValueType], results: Sequence[ValueType]) -> None:
    """Keeps an answer, unless it refers to attributes or types."""
    kept: list[int | Tensor] = []
    for result in results:
        position = next((number for number, operand in enumerate(operands) if operand is result), None)
        if position is not None:
            kept.append(position)
        elif isinstance(result, Tensor) and result.encoding is None:
            kept.append(replace(result, type=None))
        else:
            return
    context, key = asked
    known = _answers.of(context)
    if len(known) >= _MOST:
        known.clear()
    known[key] = tuple(kept)


def forget() -> None:
    """Forgets all answers, in all contexts."""
    _answers.clear()
