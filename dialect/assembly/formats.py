"""The declarative assembly formats of the ops, compiled to elements that both directions of the engine follow.

The language is that of ODS's `assemblyFormat`: literals in backticks (an empty one joins its neighbours), ``$name``,
``attr-dict``, ``type($name)``, ``functional-type($operands, $results)``, ``mapping-type($operand, $results)``,
``region($name)`` and optional groups ``(... $anchor^ ...)?``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sdy.dialect.builders import Flowing, Shaped
from sdy.dialect.context import OPS
from sdy.dialect.definition.attributes import ShardingPerValueAttr
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ext, ir
from sdy.mlir.declared_dialects import is_one_of


@dataclass(frozen=True, slots=True)
class Literal:
    """Fixed text; empty to join its neighbours."""

    text: str


@dataclass(frozen=True, slots=True)
class Operands:
    """Operand, or a comma-separated list of any number of operands."""

    name: str
    variadic: bool


@dataclass(frozen=True, slots=True)
class Attribute:
    """An inherent attribute in its stripped form; `kind` says which."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An inherent i32 attribute, written as a keyword; a present default prints nothing and may be left out."""

    name: str
    keywords: tuple[str, ...]
    has_default: bool


@dataclass(frozen=True, slots=True)
class AttributeDictionary:
    """The discardable attributes."""


@dataclass(frozen=True, slots=True)
class Types:
    """The type of one operand or result, or of a list of them; `kind` is "any" or one of `foreign.check_kind`."""

    name: str
    variadic: bool
    kind: str


@dataclass(frozen=True, slots=True)
class FunctionalType:
    """``(operand types) -> result types``."""


@dataclass(frozen=True, slots=True)
class MappingType:
    """``operand type -> result types``."""


@dataclass(frozen=True, slots=True)
class Region:
    """``(%arg: type, ...) { ops }``."""


@dataclass(frozen=True, slots=True)
class Optional:
    """Elements that are there if the anchor is: an attribute, or a list of operands that is not empty."""

    elements: tuple[Element, ...]
    anchor: str


Element = (
    Literal
    | Operands
    | Attribute
    | Enumeration
    | AttributeDictionary
    | Types
    | FunctionalType
    | MappingType
    | Region
    | Optional
)


@dataclass(frozen=True, slots=True)
class Format:
    """Syntax of one op.

    `inherent` names the attributes that the format or the generic form's properties hold; all others are discardable.
    `results` tells how the result types follow from what is written: "same" as the operand's, "none", "value" (the
    type of the constant), or "functional". `defaults` has the inherent attributes that may be left out, as text.
    """

    op_name: str
    elements: tuple[Element, ...]
    inherent: frozenset[str]
    results: str
    defaults: Mapping[str, str]
    in_dictionary: frozenset[str] = frozenset()
    """The inherent attributes that are written in the dictionary."""


_TOKEN = re.compile(
    r"\s*(?:`(?P<literal>[^`]*)`|\$(?P<name>\w+)(?P<anchor>\^?)|(?P<open>\()|(?P<close>\)\?)|"
    r"functional-type\([^)]*\)(?P<functional>)|mapping-type\([^)]*\)(?P<mapping>)|type\(\$(?P<type>\w+)\)|region\(\$(?P<region>\w+)\)|"
    r"attr-dict(?P<dict>))"
)

_KINDS = {ir.StringAttr: "string", ir.IntegerAttr: "i64", Any: "any"}


COPY = Format(
    "mhlo.copy",
    (Operands("operand", False), AttributeDictionary(), Literal(":"), Types("result", False, "any")),
    inherent=frozenset(),
    results="same",
    defaults={},
)
"""The one op of mhlo that modules of StableHLO have: XLA says with it how a value is sharded behind propagation."""


def format_of(op_name: str) -> Format | None:
    """Return the format of an op; None if the op has none."""
    return _compile(op_name) if op_name in OPS else COPY if op_name == COPY.op_name else None


@cache
def _compile(op_name: str) -> Format:
    op: Any = OPS[op_name]
    fields = {each.name: each for each in op._fields}
    stored = {name: each.constraint for name, each in fields.items() if isinstance(each, ext.AttributeDef)}
    stored |= getattr(op, "optional_attributes", {})
    grammars: Mapping[str, str] = getattr(op, "grammars", {})
    kinds = {name: grammars.get(name) or _kind(name, constraint) for name, constraint in stored.items()}
    enums: dict[str, Sequence[str]] = getattr(op, "enums", {})
    variadic = {name for name, each in fields.items() if each.variadicity is ext.Variadicity.variadic}
    operands = {name for name, each in fields.items() if isinstance(each, ext.OperandDef)}
    types = {
        name: _type_kind(each.constraint) for name, each in fields.items() if not isinstance(each, ext.AttributeDef)
    }
    stack: list[list[Element]] = [[]]
    anchor = ""
    position, text = 0, op.assembly_format
    while position < len(text.rstrip()):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError(f"{op_name}: bad assembly format at {text[position:]!r}")
        position = token.end()
        if token["open"]:
            stack.append([])
        elif token["close"]:
            group = Optional(tuple(stack.pop()), anchor)
            stack[-1].append(group)
        else:
            anchor = token["name"] if token["anchor"] else anchor
            stack[-1].append(_element(token, kinds, enums, operands, types, variadic))
    inherent = frozenset(kinds) | frozenset(enums)
    elements = tuple(stack[0])
    defaults = {each.name: "0 : i32" for each in elements if isinstance(each, Enumeration) and each.has_default}
    defaults |= getattr(op, "defaults", {})
    written = frozenset(re.findall(r"\$(\w+)", text))
    return Format(op_name, elements, inherent, _results(op_name, fields, text), defaults, inherent - written)


def _element(
    token: re.Match[str],
    kinds: Mapping[str, str],
    enums: Mapping[str, Sequence[str]],
    operands: set[str],
    types: Mapping[str, str],
    variadic: set[str],
) -> Element:
    if token["literal"] is not None:
        return Literal(token["literal"])
    if token["type"]:
        return Types(token["type"], token["type"] in variadic, types[token["type"]])
    if token["region"]:
        return Region()
    if token["functional"] is not None:
        return FunctionalType()
    if token["mapping"] is not None:
        return MappingType()
    if token["dict"] is not None:
        return AttributeDictionary()
    name = token["name"]
    if name in operands:
        return Operands(name, name in variadic)
    if name in enums:
        return Enumeration(name, tuple(enums[name]), has_default=name == "reduction_op")
    return Attribute(name, kinds[name])


def _kind(name: str, constraint: Any) -> str:
    """Return the name of the grammar that reads the attribute."""
    if name == "sym_name":
        return "symbol"
    if constraint is ShardingPerValueAttr:
        return "stripped_shardings"
    if name == "mesh":
        return "mesh"
    if is_one_of(constraint, ir.IntegerAttr):
        return _KINDS[ir.IntegerAttr]
    return _KINDS.get(constraint) or constraint._name


def _type_kind(constraint: Any) -> str:
    if constraint is Flowing:
        return "flowing"
    bound = getattr(constraint, "__bound__", constraint)
    if bound is ir.RankedTensorType:
        return "ranked"
    return "shaped" if bound is Shaped.__bound__ else "any"


def _results(op_name: str, fields: Mapping[str, Any], text: str) -> str:
    if "functional-type" in text or "mapping-type" in text:
        return "functional"
    if op_name == "sdy.constant":
        return "value"
    return "same" if any(isinstance(each, ext.ResultDef) for each in fields.values()) else "none"
