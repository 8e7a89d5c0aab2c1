"""Warnings about asynchronous operations that nobody can run (spec: async, 12). Upstream allows them."""

from __future__ import annotations

from sdy.dialect.asynchronous_pairs import STABLEHLO, problem_of_start
from sdy.dialect.verification.registry import invariants_of
from sdy.dialect.verification.scope import Scope
from sdy.mlir import ir
from sdy.mlir.warn_once import warn_once


@invariants_of(STABLEHLO.start)
def started(op: ir.Operation, scope: Scope) -> None:
    problem = problem_of_start(op)
    if problem is not None:
        warn_once(f"{problem} {op.location}", op, problem)
