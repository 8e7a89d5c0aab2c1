"""Recognising ops that are alike, without a call to Python for each of them.

A large program has few different ops: the thousands of layers' ops agree in attributes and types with a hundred others.
Who has found out what to do about one of them writes its signature into a pattern, which the driver of rewrite patterns
compares with all other ops.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import ir

NOTHING = "%nothing = pdl.type : i1"
"""The rewrite of a pattern that only keeps those of lower benefit from matching; a rewrite must not be empty."""


def calling(function: str) -> str:
    """The rewrite that hands the op to a native function."""
    return f'pdl.apply_native_rewrite "{function}"(%op : !pdl.operation)'


@dataclass(frozen=True)
class Source:
    """The attribute `name` of the op that defines an operand as result number `result`."""

    name: str
    attribute: ir.Attribute
    result: int


@dataclass(frozen=True)
class Operand:
    """The type of an operand and, where it matters, where the operand comes from."""

    type: ir.Type
    source: Source | None = None


NamedAttributes = tuple[tuple[str, ir.Attribute | None], ...]


@dataclass(frozen=True)
class Signature:
    """What ops have in common; what is None may be anything, and so may all attributes that are not mentioned."""

    name: str | None = None
    attributes: NamedAttributes = ()
    operands: tuple[Operand, ...] | None = None
    results: tuple[ir.Type, ...] | None = None


class PatternText:
    """The text of PDL patterns that recognise ops by their signature.

    Attributes and types are written once, as aliases: to parse an attribute of this dialect takes 15 us.
    """

    def __init__(self) -> None:
        self._attributes: dict[ir.Attribute, str] = {}
        self._types: dict[ir.Type, str] = {}
        self._patterns: list[str] = []

    def __str__(self) -> str:
        aliases = (f"{alias} = {each}" for names in (self._attributes, self._types) for each, alias in names.items())
        return "\n".join([*aliases, *self._patterns])

    def add(self, signature: Signature, benefit: int, rewrite: str) -> None:
        """Adds a pattern; of those that match an op the one of greatest benefit is applied."""
        lines: list[str] = []
        attributes = self._attribute_constraints(signature.attributes, lines)
        operands = self._operand_constraints(signature.operands, lines)
        results = self._result_constraints(signature.results, lines)
        name = "" if signature.name is None else f'"{signature.name}"'
        lines.append(f"%op = pdl.operation {name} {operands} {attributes} {results}")
        lines.append(f"pdl.rewrite %op {{ {rewrite} }}")
        body = "\n  ".join(lines)
        self._patterns.append(f"pdl.pattern : benefit({benefit}) {{\n  {body}\n}}")

    def _attribute_constraints(self, attributes: NamedAttributes, lines: list[str]) -> str:
        for index, (_, attribute) in enumerate(attributes):
            given = "" if attribute is None else f" = {self._attribute(attribute)}"
            lines.append(f"%a{index} = pdl.attribute{given}")
        named = ", ".join(f'"{name}" = %a{index}' for index, (name, _) in enumerate(attributes))
        return f"{{{named}}}" if named else ""

    def _operand_constraints(self, operands: tuple[Operand, ...] | None, lines: list[str]) -> str:
        if operands is None:
            lines.append("%operands = pdl.operands")
            return "(%operands : !pdl.range<value>)"
        for index, operand in enumerate(operands):
            lines.append(f"%t{index} = pdl.type : {self._type(operand.type)}")
            lines += self._source(operand.source, index) if operand.source else [f"%v{index} = pdl.operand : %t{index}"]
        return _listed("%v", "!pdl.value", len(operands))

    def _source(self, source: Source, index: int) -> list[str]:
        """Operand number `index` is a result of an op of any kind that has the attribute."""
        return [
            f"%sa{index} = pdl.attribute = {self._attribute(source.attribute)}",
            f"%so{index} = pdl.operands",
            f"%st{index} = pdl.types",
            f'%s{index} = pdl.operation (%so{index} : !pdl.range<value>) {{"{source.name}" = %sa{index}}}'
            f" -> (%st{index} : !pdl.range<type>)",
            f"%v{index} = pdl.result {source.result} of %s{index}",
        ]

    def _result_constraints(self, results: tuple[ir.Type, ...] | None, lines: list[str]) -> str:
        if results is None:
            lines.append("%types = pdl.types")
            return "-> (%types : !pdl.range<type>)"
        lines += [f"%r{index} = pdl.type : {self._type(type_)}" for index, type_ in enumerate(results)]
        listed = _listed("%r", "!pdl.type", len(results))
        return f"-> {listed}" if listed else ""

    def _attribute(self, attribute: ir.Attribute) -> str:
        return self._attributes.setdefault(attribute, f"#a{len(self._attributes)}")

    def _type(self, type_: ir.Type) -> str:
        return self._types.setdefault(type_, f"!t{len(self._types)}")


def _listed(prefix: str, type_: str, count: int) -> str:
    """`(%v0, %v1 : !pdl.value, !pdl.value)`; empty for none."""
    if not count:
        return ""
    return f"({', '.join(f'{prefix}{index}' for index in range(count))} : {', '.join([type_] * count)})"
