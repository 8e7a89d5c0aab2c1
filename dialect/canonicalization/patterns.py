"""What a canonicalization pattern is, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.mlir import ir, rewrite

_PLACEHOLDER = "builtin.unrealized_conversion_cast"

Rewrite = Callable[[ir.Operation, rewrite.PatternRewriter], bool]
"""Changes the program at an op, or returns False and leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rewrite of ops called `root`. Higher benefits are tried first, then what was registered first."""

    root: str
    label: str | None
    benefit: int
    rewrite: Rewrite


PATTERNS: list[Pattern] = []
"""All patterns in the order in which they are tried."""


def canonicalization(root: str, *, label: str | None = None, benefit: int = 1) -> Callable[[Rewrite], Rewrite]:
    """Registers the decorated function as a pattern on ops called `root`.

    With a `label` the pattern is one of those that ``enable-patterns=label`` selects.
    """

    def register(function: Rewrite) -> Rewrite:
        PATTERNS.append(Pattern(root, label, benefit, function))
        return function

    return register


def visit(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> None:
    """Puts a new op in the line of ops that the driver visits next, as it does with those that C++ patterns create.

    Of ops that are created here it does not know, but it visits ops whose operands it has replaced.
    """
    if not len(op.operands):
        return
    operand = op.operands[0]
    placeholder = ir.Operation.create(
        _PLACEHOLDER, results=[operand.type], operands=[operand], loc=op.location, ip=ir.InsertionPoint(op)
    )
    op.operands[0] = placeholder.results[0]
    rewriter.replace_op(placeholder, [operand])
