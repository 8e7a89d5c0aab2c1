"""The ops of small programs, which are looked at one by one in less time than it takes to compile patterns for some."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.per_context import PerContext

_FEW = 200
"""Up to how many ops it takes less time."""

_OFTEN = 8
"""How often a question may be asked in a context before it pays to compile the patterns that answer it."""


def few_ops(root: ir.Operation, question: str) -> list[ir.Operation] | None:
    """The ops below `root`, nested ones before the op that holds them.

    None where patterns pay: for many ops, and for a `question` that has been asked often, or once about many ops.
    """
    asked = _asked.of(root.context)
    times = asked.get(question, 0)
    if times >= _OFTEN:
        return None
    found = _ops_below(root)
    asked[question] = _OFTEN if found is None else times + 1
    return found


_asked: PerContext[dict[str, int]] = PerContext(dict, most=256)
"""How often each question was asked in a context."""


def _ops_below(root: ir.Operation) -> list[ir.Operation] | None:
    """The ops below `root`; None if they are many."""
    found: list[ir.Operation] = []
    advance, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op)
        return advance if len(found) <= _FEW else interrupt

    root.walk(visit, ir.WalkOrder.POST_ORDER)
    return found[:-1] if len(found) <= _FEW else None
