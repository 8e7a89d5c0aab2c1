"""Asynchronous pairs made of single ops, and single ops made of pairs (spec: async, 12)."""

from __future__ import annotations

from typing import Any

from sdy.dialect.asynchronous_pairs import (
    HLO_ASYNC,
    STABLEHLO,
    families,
    is_start,
    problem_of_done,
    problem_of_start,
    unwrap_pair,
)
from sdy.dialect.hlo_async.chains import chain_of, unwrap
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from sdy.mlir.search import ops_named

_KEPT_ATTRIBUTES = ("mhlo.frontend_attributes",)
"""What start and done are told as well as the op."""


def checked_starts(root: ir.Operation) -> list[ir.Operation]:
    """The starts below `root`, inner ones first.

    Raises `DiagnosticErrors` at starts without exactly one done in their block, and at dones without a start.
    """
    names = [name for family in families() for name in (family.start, family.update, family.done) if name is not None]
    found = ops_named(root, *names)
    problems = [(op, problem_of_start(op) if is_start(op) else problem_of_done(op)) for op in found]
    errors = [DiagnosticError(op, problem) for op, problem in problems if problem is not None]
    if errors:
        raise DiagnosticErrors([diagnostic for error in errors for diagnostic in error.diagnostics])
    return [op for op in found if is_start(op)]


def has_elements(op: ir.Operation) -> bool:
    """Whether no tensor of a collective is empty: XLA makes those constants first, which a start cannot hold."""
    types = [value.type for value in (*op.operands, *op.results)]
    return not any(isinstance(type_, ir.RankedTensorType) and 0 in type_.shape for type_ in types)


def make_asynchronous(op: ir.Operation) -> tuple[ir.Operation, ir.Operation]:
    """Puts an op with one result into a start, with its done right behind; returns both.

    The op itself moves, so that nothing that holds it loses it: builders, who make what a body holds, cannot do that.
    """
    attributes = {name: op.attributes[name] for name in _KEPT_ATTRIBUTES if name in op.attributes}
    result = op.results[0]
    handle = ir.Type.parse(f"!stablehlo.future<{result.type}>", op.context)
    here: dict[str, Any] = {"attributes": attributes, "loc": op.location, "ip": ir.InsertionPoint(op)}
    start = ir.Operation.create(STABLEHLO.start, [handle], list(op.operands), regions=1, **here)
    done = ir.Operation.create(STABLEHLO.done, [result.type], [start.results[0]], **here)
    result.replace_all_uses_with(done.results[0])
    types = [operand.type for operand in op.operands]
    block = start.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    block.append(op)
    for number, argument in enumerate(block.arguments):
        op.operands[number] = argument
    ir.Operation.create(STABLEHLO.terminator, [], [op.results[0]], loc=op.location, ip=ir.InsertionPoint(block))
    return start, done


def make_synchronous(start: ir.Operation) -> ir.Operation:
    """Puts the op that a start holds in the place of the start, and does without its done; returns the op."""
    if start.name == HLO_ASYNC.start:
        return unwrap(chain_of(start))
    return unwrap_pair(start)
