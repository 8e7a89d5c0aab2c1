"""The shape function and the verifiers of each op, by its full name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TypedDict, TypeVar, Unpack

from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext
from sdy.mlir.users_code import declared
from sdy.stablehlo import registry
from sdy.stablehlo.attribute_readers import read_channel_handle
from sdy.stablehlo.declarations import AttributeDeclaration, declaration_of
from sdy.stablehlo.families import load_all, load_family_of
from sdy.stablehlo.op_facts import Attributes, Interface, OpFacts
from sdy.stablehlo.types.value_types import ShapedTypeComponents, Tensor, ValueType, read_type, read_types, write_type

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


ShapeFunction = Callable[[OpFacts], Sequence[ValueType | ir.Type | ShapedTypeComponents]]
"""Types of the results, as values (`Tensor`, `Plain`), types of the bindings or `ShapedTypeComponents`."""

Verifier = Callable[[OpFacts], None]
"""Raises an `InferenceError` if the op is not valid."""

Compatibility = Callable[[Sequence[ValueType], Sequence[ValueType]], bool]
"""Predicate that compares inferred with declared types, both as values."""


OwnShapeFunction = TypeVar("OwnShapeFunction", bound=ShapeFunction)


@dataclass(frozen=True, slots=True)
class Registration:
    """Shape function, verifiers and constraints of an op.

    Attributes:
      infer: types of the results; raises on operands that the op does not admit, whether or not it was verified.
      verify: checks that inference does not make because they need the declared results or the regions.
      verify_region: replaces the comparison of inferred and declared types.
      is_compatible: replaces H2 in that comparison; without it nothing is compared with partial types.
      result_constraint: the constraint on the results.
      element_constraint: the constraint on their element types, if it is a different one.
      is_partial: inference leaves the element type open.
      is_own: the functions are those of this package, which depend only on declared inputs.
    """

    name: str
    infer: ShapeFunction | None = None
    verify: Verifier | None = None
    verify_region: Verifier | None = None
    is_compatible: Compatibility | None = None
    result_constraint: str = "results"
    element_constraint: str = ""
    is_partial: bool = False
    is_own: bool = False


_registrations: dict[str, Registration] = {}


def find(name: str) -> Registration | None:
    """Return the registration of the op with that full name; None if there is none."""
    load_family_of(name)
    return _registrations.get(name)


def read_types_for(name: str, types: Sequence[ir.Type]) -> list[ValueType]:
    """Convert types of the bindings to values; functions from elsewhere may get the original types from it."""
    known = find(name)
    return read_types(types) if known is not None and known.is_own else list(map(read_type, types))


def registered_ops() -> tuple[str, ...]:
    """Return the full names of all supported ops, sorted."""
    load_all()
    return tuple(sorted(_registrations))


def register_op(
    name: str,
    *,
    infer: ShapeFunction | None = None,
    infer_components: ShapeFunction | None = None,
    verify: Verifier | None = None,
    verify_region: Verifier | None = None,
    is_compatible: Compatibility | None = None,
) -> None:
    """Register the shape function and verifiers of an op; replaces an earlier registration.

    All functions take an `OpFacts` and raise an `InferenceError`, made by its method `error`.

    Args:
      name: full name, with the dialect.
      infer: the types of the results, each as `Tensor`, as `ir.Type` or as `ShapedTypeComponents`. It must check the
        operands and attributes that it uses: builders call it before anything was verified, and with empty regions.
      infer_components: the same, perhaps with open element types, to which any declared one fits. It stands for
        `infer`, which then refuses to name types that are open.
      verify: checks that need the declared results or the regions.
      verify_region: the check after the regions; else the inferred types are compared with the declared ones.
      is_compatible: whether inferred types (a list of values) fit declared ones; else they have to be compatible (H2).
    """
    functions = (infer or infer_components, verify, verify_region, is_compatible)
    load_family_of(name)  # lest it come later, and replace this
    _registrations[name] = Registration(name, *functions)
    declared("types of an op", [name], *functions)


# For the families of this package ------------------------------------------------------------------------------------


def full_name(name: str) -> str:
    return name if "." in name else f"stablehlo.{name}"


class _Changes(TypedDict, total=False):
    """Fields of a `Registration` that decorators set."""

    infer: ShapeFunction
    verify: Verifier
    is_compatible: Compatibility
    result_constraint: str
    element_constraint: str
    is_partial: bool


def _update(names: str, **changes: Unpack[_Changes]) -> None:
    for name in map(full_name, names.split()):
        _registrations[name] = replace(_registrations.get(name, Registration(name)), is_own=True, **changes)


def infers(
    names: str, result: str, *, elements: str = "", partial: bool = False, compared: Compatibility | None = None
) -> Callable[[OwnShapeFunction], OwnShapeFunction]:
    """Declares the decorated function to be the shape function of these ops.

    Args:
      names: names of ops, without a dialect those of StableHLO.
      result: the constraint on the result, such as `c5`.
      elements: the constraint on its element type, if it is a different one.
      partial: the element types of the results stay open.
      compared: how declared results are compared with partly open ones, if they are.
    """

    def register(function: OwnShapeFunction) -> OwnShapeFunction:
        changes: _Changes = {
            "infer": function,
            "result_constraint": result,
            "element_constraint": elements,
            "is_partial": partial,
        }
        if compared is not None:
            changes["is_compatible"] = compared
        _update(names, **changes)
        return function

    return register


def verifies(names: str) -> Callable[[Verifier], Verifier]:
    """Declares the decorated function to be the verifier of these ops."""

    def register(function: Verifier) -> Verifier:
        _update(names, verify=function)
        return function

    return register


def without_functions(names: str) -> None:
    """Register ops that have neither a shape function nor a verifier."""
    _update(names)
