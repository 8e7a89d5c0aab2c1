"""StableHLO's asynchronous operations: a start with an op in it, and a done (spec: async, 4.1)."""

from __future__ import annotations

from typing import Any

from sdy.dialect.diagnostics import DiagnosticError

START, DONE, RETURN = "stablehlo.async_start", "stablehlo.async_done", "stablehlo.return"

MOVES = frozenset(f"stablehlo.{name}" for name in ("slice", "dynamic_slice", "dynamic_update_slice"))
"""The ops that may be started with several operands."""

COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute")
) | {"stablehlo.reduce_scatter"}
"""The ops that may be started with one operand."""


def held_op(start: Any) -> Any:
    """The op that a start holds."""
    return start.regions[0].blocks[0].operations[0].operation


def done_of(start: Any) -> Any:
    """The done of a start.

    Raises:
      DiagnosticError: there is none, or several, or it is in another block.
    """
    users = [use.owner.operation for use in start.results[0].uses]
    if not users:
        raise DiagnosticError(start, f"is never done; end it with a '{DONE}'")
    if len(users) > 1:
        raise DiagnosticError(start, f"has {len(users)} uses, expected one, by '{DONE}'")
    if users[0].name != DONE:
        raise DiagnosticError(start, f"is used by '{users[0].name}', expected '{DONE}'")
    if users[0].block != start.block:
        raise DiagnosticError(start, "is done in another block")
    return users[0]
