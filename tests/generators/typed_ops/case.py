"""Instances of StableHLO and CHLO ops for type inference and verification, built op by op: they need not be valid.

    with case.parts(context) as (operands, attributes, module):
        op = case.create(operands, attributes, module)

Types and attributes are text; what defines an operand is an op of no dialect, or a constant where its value is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from sdy.mlir import ir

Signature = tuple[tuple[str, ...], tuple[str, ...]]
"""Types that a region takes and returns."""


class Unwritten(ValueError):
    """An attribute or type that the parser does not admit, so that no op can have it."""


def _parsed(cls: Any, text: str) -> Any:
    try:
        return cls.parse(text)
    except ir.MLIRError as error:
        raise Unwritten(str(error)) from None


@dataclass(frozen=True)
class Case:
    """An op: its name, operand types, attributes, regions (None for an empty one) and result types.

    `results` is None where they are to be those that are inferred. `known` holds values of operands by their number.
    `inner` is the op in the region, if it matters.
    """

    name: str
    operands: tuple[str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    bodies: tuple[Signature | None, ...] = ()
    results: tuple[str, ...] | None = None
    known: dict[int, str] = field(default_factory=dict)
    inner: str = "test.body"

    @contextmanager
    def parts(self, context: ir.Context) -> Iterator[tuple[list[Any], dict[str, Any], ir.Module]]:
        """Operands and attributes in a new module."""
        with context, ir.Location.unknown():
            module = ir.Module.create()
            with ir.InsertionPoint(module.body):
                operands = [self._operand(number, text) for number, text in enumerate(self.operands)]
            attributes = {name: _parsed(ir.Attribute, text) for name, text in self.attributes.items()}
            yield operands, attributes, module

    def _operand(self, number: int, text: str) -> ir.Value:
        if number in self.known:
            value = _parsed(ir.Attribute, self.known[number])
            return ir.Operation.create("arith.constant", results=[value.type], attributes={"value": value}).results[0]
        return ir.Operation.create("test.source", results=[_parsed(ir.Type, text)]).results[0]

    def create(self, operands: list[Any], attributes: dict[str, Any], module: ir.Module) -> ir.Operation:
        """The op, with its declared results and its regions."""
        results = [_parsed(ir.Type, text) for text in self.results or ()]
        op = ir.Operation.create(
            self.name,
            results=results,
            operands=operands,
            attributes=attributes,
            regions=len(self.bodies),
            ip=ir.InsertionPoint(module.body),
        )
        for region, signature in zip(op.regions, self.bodies, strict=True):
            if signature is not None:
                self._fill(region, signature)
        return op

    def _fill(self, region: Any, signature: Signature) -> None:
        arguments, results = ([_parsed(ir.Type, text) for text in texts] for texts in signature)
        block = region.blocks.append(*arguments, arg_locs=[ir.Location.unknown()] * len(arguments))
        with ir.InsertionPoint(block):
            body = ir.Operation.create(self.inner, results=results, operands=list(block.arguments))
            ir.Operation.create("stablehlo.return", operands=list(body.results))

    def __str__(self) -> str:
        attributes = ", ".join(f"{name} = {text}" for name, text in self.attributes.items())
        results = "inferred" if self.results is None else f"({', '.join(self.results)})"
        bodies = "".join(f" {{{body}}}" for body in self.bodies)
        known = f" known {self.known}" if self.known else ""
        return f'"{self.name}" {{{attributes}}}{bodies} : ({", ".join(self.operands)}) -> {results}{known}'

    def with_results(self, results: tuple[str, ...]) -> Case:
        return replace(self, results=results)


CaseGenerator = Callable[[Random, str], Case]

CASE_GENERATORS: dict[str, CaseGenerator] = {}
"""By full name of the op."""


def cases(names: str) -> Callable[[CaseGenerator], CaseGenerator]:
    """Declares the decorated function to draw valid instances of these ops; names without a dialect: of StableHLO."""

    def register(function: CaseGenerator) -> CaseGenerator:
        for name in names.split():
            CASE_GENERATORS[name if "." in name else f"stablehlo.{name}"] = function
        return function

    return register
