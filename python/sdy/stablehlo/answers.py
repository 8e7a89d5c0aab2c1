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
from sdy.stablehlo.attribute_readers import read_channel_handle
from sdy.stablehlo.declarations import AttributeDeclaration, declaration_of
from sdy.stablehlo.value_types import Tensor, ValueType, write_type

Answer = tuple[int | Tensor, ...]
"""Each result: the number of the operand whose type it has, or the value of its type."""

Question = tuple[Any, tuple[Hashable, ...]]
"""A context, and what the answer depends on."""

_MOST = 1 << 14

_answers: PerContext[dict[tuple[Hashable, ...], Answer]] = PerContext(dict)

_LOOK_AT_OPERANDS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "async_start composite dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad "
        "dynamic_reshape real_dynamic_slice rng set_dimension_size"
    ).split()
)
_LOOK_AT_MESHES = frozenset(
    f"stablehlo.{name}" for name in "all_gather all_reduce all_to_all collective_reduce reduce_scatter".split()
)


def looks_around(name: str, attributes: Mapping[str, Any] | None) -> bool:
    """Whether more counts than types and attributes: what defines operands, what is in regions, or symbols."""
    if name in _LOOK_AT_MESHES:
        return attributes is None or not isinstance(attributes.get("replica_groups"), ir.DenseElementsAttr)
    return name in _LOOK_AT_OPERANDS


def question(
    name: str, operands: Sequence[Any], attributes: Mapping[str, Any] | None, regions: Sequence[Any]
) -> Question | None:
    """What the types of the results follow from; None if that takes more, or if something is no value or attribute."""
    declaration, known = declaration_of(name), registry.find(name)
    if declaration is None or known is None or known.infer is None or not known.is_own or len(regions):
        return None
    if not operands or looks_around(name, attributes):
        return None
    key: list[Hashable] = [name]
    type_: Any = None
    for operand in operands:
        type_ = operand.type if isinstance(operand, ir.Value) else operand
        if not isinstance(type_, ir.Type):
            return None
        key.append(hash(type_))
    if attributes:
        for each in declaration.attributes:
            attribute = attributes.get(each.name)
            key.append(None if attribute is None else what_counts(each, attribute))
    return type_.context, tuple(key)


def what_counts(declared: AttributeDeclaration, attribute: Any) -> Hashable:
    """What tells attributes apart whose values count for types: not which elements, nor which channel."""
    if declared.kind == "elements" and isinstance(attribute, ir.DenseElementsAttr):
        return hash(attribute.type)
    if declared.kind == "channel":
        channel = read_channel_handle(attribute)
        if channel is not None:
            return channel.handle > 0, channel.channel_type
    return hash(attribute)


def answer(asked: Question) -> Answer | None:
    """The answer, if it is known."""
    context, key = asked
    return _answers.of(context).get(key)


def known_type(asked: Question, operands: Sequence[Any], kept: int | Tensor) -> Any:
    """A type of the bindings from an answer."""
    if isinstance(kept, Tensor):
        return write_type(kept, asked[0])
    operand = operands[kept]
    return operand.type if isinstance(operand, ir.Value) else operand


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
