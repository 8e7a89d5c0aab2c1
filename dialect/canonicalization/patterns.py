"""What a canonicalization pattern is, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.mlir import ir, rewrite

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
