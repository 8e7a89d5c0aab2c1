"""Ops of StableHLO and CHLO that the registered dialect has not verified, and what our verifiers say about them.

The registered dialect verifies ops where they are parsed. Texts of ops in generic form are parsed as ops of dialects
that nobody has registered, with names of the same length, so that positions stay; then they become the ops they stand
for, which verifies nothing.
"""

from __future__ import annotations

import re

from sdy.dialect.assembly import parse_module
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.stablehlo import InferenceError, registry
from sdy.stablehlo.verification import facts_of, verify_all_facts

_STAND_INS = {"stablehlo": "unchecked", "chlo": "uchk"}
_DIALECTS = {stand_in: dialect for dialect, stand_in in _STAND_INS.items()}


def parse_unverified(text: str, context: ir.Context) -> ir.Module:
    """Parses a module whose ops of StableHLO and CHLO in generic form, without properties, are not verified."""
    allowed = context.allow_unregistered_dialects
    context.allow_unregistered_dialects = True
    try:
        renamed = re.sub(r'"(stablehlo|chlo)\.(?=[\w-]+"\()', lambda found: f'"{_STAND_INS[found[1]]}.', text)
        module = parse_module(renamed, context)
    finally:
        context.allow_unregistered_dialects = allowed
    restore(module)
    return module


def restore(module: ir.Module) -> None:
    """Replaces the stand-ins by the ops that they stand for, innermost ones first."""
    for op in reversed(pre_order(module.operation)):
        dialect, _, name = op.name.partition(".")
        if dialect in _DIALECTS:
            _replace(op, f"{_DIALECTS[dialect]}.{name}")


def _replace(op: ir.Operation, name: str) -> None:
    made = ir.Operation.create(
        name,
        results=[result.type for result in op.results],
        operands=list(op.operands),
        attributes={name: op.attributes[name] for name in op.attributes},
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for source, target in zip(op.regions, made.regions, strict=True):
        for block in list(source.blocks):
            block.append_to(target)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def refusals(root: ir.Operation | ir.Module) -> list[tuple[ir.Operation, InferenceError]]:
    """The first error of our verifiers about each op below `root`, with its op; declarations are checked, too."""
    found: list[tuple[ir.Operation, InferenceError]] = []
    for op in pre_order(root.operation):
        if registry.find(op.name) is not None:
            try:
                verify_all_facts(facts_of(op))
            except InferenceError as error:
                found.append((op, error))
    return found
