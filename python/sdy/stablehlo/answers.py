"""Cache of inferred types: ops of one name with equal types and attributes have the same results.

Types and attributes are identified by their address. Entries do not refer to them, so they do not keep their context
alive.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext
from sdy.stablehlo import registry
from sdy.stablehlo.attribute_readers import read_channel_handle
from sdy.stablehlo.declarations import AttributeDeclaration, declaration_of
from sdy.stablehlo.op_facts import Attributes, Interface
from sdy.stablehlo.types.value_types import Tensor, ValueType, write_type

Answer = tuple[int | Tensor, ...]
"""Each result: the number of the operand whose type it has, or the value of its type."""

Answers = dict[tuple[Hashable, ...], Answer]

Question = tuple[ir.Context, tuple[Hashable, ...], Answers]
"""A context, what the answer depends on, and what was answered in that context."""

_MOST = 1 << 14

kept_answers: PerContext[Answers] = PerContext(dict)

LOOK_AT_CONSTANTS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape "
        "real_dynamic_slice rng set_dimension_size"
    ).split()
)
"""Ops about which operands that are constants say more than their types."""

_LOOK_AT_OPERANDS = LOOK_AT_CONSTANTS | {"stablehlo.async_start", "stablehlo.composite"}
_LOOK_AT_MESHES = frozenset({"stablehlo.all_gather", "stablehlo.reduce_scatter"})
"""Collectives of which the size of the groups counts; others leave it open how many processes take part."""


_WITH_INTERFACES = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_reduce case collective_reduce if map reduce reduce_scatter reduce_window scatter select_and_scatter sort"
    ).split()
) | {"chlo.scan"}


LOOK_AROUND = _LOOK_AT_OPERANDS | _LOOK_AT_MESHES
"""Ops about which more may count than types and attributes."""


def looks_around(name: str, attributes: Attributes | None) -> bool:
    """Return whether inference may read more than types and attributes: operands' constants, regions or symbols."""
    if name not in _LOOK_AT_MESHES:
        return name in _LOOK_AT_OPERANDS
    return not isinstance((attributes or {}).get("replica_groups"), ir.DenseElementsAttr)


def sees_interfaces_only(name: str) -> bool:
    """Return whether the shape function of an op reads only argument and result types of its regions."""
    return name in _WITH_INTERFACES


def question(
    name: str,
    types: Sequence[ir.Type],
    attributes: Attributes | None,
    interfaces: Sequence[Interface],
    constants: Sequence[ir.Attribute | None] | None = None,
    *,
    made: Sequence[Hashable] | None = None,
    context: ir.Context | None = None,
) -> Question | None:
    """Return the cache key of inferred result types; None if they depend on more than the arguments.

    Args:
      name: full name of the op.
      types: types of its operands in the bindings.
      attributes: attributes of the op by name.
      interfaces: interfaces of its regions.
      constants: attributes of operands that are constants, if they count.
      made: further arguments of an op that is being made; a cached answer then also says that it is valid.
      context: the bindings' context, needed without operands.
    """
    declaration, known = declaration_of(name), registry.find(name)
    if declaration is None or known is None or (known.infer is None and made is None) or not known.is_own:
        return None
    context = types[0].context if types else context
    if context is None or (constants is None and name in LOOK_AROUND and looks_around(name, attributes)):
        return None
    key: list[Hashable] = [name]
    if made is not None:
        key.append(tuple(made))
    key += map(address, types)
    if constants is not None:
        key += map(address, constants)
    if attributes:
        for each in declaration.attributes:
            attribute = attributes.get(each.name)
            if attribute is None:
                key.append(None)
            else:
                key.append(_what_counts(each, attribute) if each.kind in _PARTLY else address(attribute))
    for blocks, _, taken, returned in interfaces:
        key += (blocks, tuple(map(address, taken)), tuple(map(address, returned)))
    return context, tuple(key), kept_answers.of(context)


_PARTLY = frozenset(("elements", "channel"))
"""Kinds of attributes of which not all counts."""


def _what_counts(declared: AttributeDeclaration, attribute: ir.Attribute) -> Hashable:
    """Return the key of an attribute for types: the type of elements, the kind of a channel."""
    if declared.kind == "elements" and isinstance(attribute, ir.DenseElementsAttr):
        return address(attribute.type)
    if declared.kind == "channel":
        channel = read_channel_handle(attribute)
        if channel is not None:
            return channel.handle > 0, channel.channel_type
    return address(attribute)


def answer(asked: Question) -> Answer | None:
    """Return the cached answer; None if there is none."""
    return asked[2].get(asked[1])


def known_type(asked: Question, types: Sequence[ir.Type], kept: int | Tensor) -> ir.Type:
    """Return the type of the bindings for an answer; `types` are those of the operands."""
    return write_type(kept, asked[0]) if isinstance(kept, Tensor) else types[kept]


def remember(asked: Question, operands: Sequence[ValueType], results: Sequence[ValueType]) -> None:
    """Keeps an answer, unless it refers to attributes or types."""
    kept: list[int | Tensor] = []
    for result in results:
        position = _position(operands, result)
        if position >= 0:
            kept.append(position)
        elif isinstance(result, Tensor) and result.encoding is None:
            kept.append(result if result.type is None else Tensor(result.dims, result.element, result.bounds))
        else:
            return
    _, key, known = asked
    if len(known) >= _MOST:
        known.clear()
    known[key] = tuple(kept)


def _position(operands: Sequence[ValueType], result: ValueType) -> int:
    """Return the number of the first operand with the type of a result; -1 if there is none."""
    if type(result) is not Tensor:
        return next((number for number, operand in enumerate(operands) if operand is result), -1)
    element = result.element
    for number, operand in enumerate(operands):
        if operand is result:
            return number
        # Comparing the elements first leaves nearly nothing to compare of tensors that differ.
        if type(operand) is Tensor and operand.element is element and operand == result and result.encoding is None:
            return number
    return -1
