"""Canonicalization: the patterns of this dialect together with upstream's (spec: dialect, 11; export-passes, 2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.canonicalization import (  # noqa: F401  (each registers its patterns, in this order)
    collectives,
    manual_computation,
    reduce_scatter,
    reshard,
    reshard_reuse,
)
from sdy.dialect.canonicalization.patterns import PATTERNS, Pattern
from sdy.mlir import PassManager, ir, rewrite

__all__ = ["canonicalize"]

_REGION_LEVELS = {
    "disabled": rewrite.GreedySimplifyRegionLevel.DISABLED,
    "normal": rewrite.GreedySimplifyRegionLevel.NORMAL,
    "aggressive": rewrite.GreedySimplifyRegionLevel.AGGRESSIVE,
}

_MAX_ROUNDS = 10
"""How often upstream's patterns and ours take turns before what there is counts as canonical."""


def canonicalize(
    op: ir.Operation,
    enable_patterns: Sequence[str] = (),
    *,
    top_down: bool = True,
    region_simplify: str = "normal",
) -> None:
    """Rewrites `op`, a module or a function, to canonical form.

    Dead ops without effects go, equal constants of upstream dialects become one, and patterns are applied until none
    applies. `enable_patterns` are labels: only patterns with one of these run then, which leaves out all of upstream's.

    The defaults of `top_down` and `region_simplify` (`disabled`, `normal`, `aggressive`) are those of the pass on the
    command line; the steps of the export pipeline go bottom up and simplify aggressively.
    """
    if enable_patterns:
        chosen = [pattern for pattern in PATTERNS if pattern.label in enable_patterns]
        _apply(op, chosen, top_down, region_simplify)
        return
    flags = f"top-down={str(top_down).lower()} region-simplify={region_simplify}"
    upstream = PassManager.parse(f"{op.name}(canonicalize{{{flags}}})", op.context)
    upstream.enable_verifier(False)
    # Ours come first: theirs would remove dead ops that ours still look at.
    _apply(op, PATTERNS, top_down, region_simplify)
    for _ in range(_MAX_ROUNDS):
        upstream.run(op)
        if not _apply(op, PATTERNS, top_down, region_simplify):
            return


def _apply(op: ir.Operation, patterns: Sequence[Pattern], top_down: bool, region_simplify: str) -> bool:
    """Applies patterns with upstream's greedy driver; returns whether any did something."""
    fired: list[Pattern] = []
    with op.context:
        chosen = rewrite.RewritePatternSet(op.context)
        for pattern in patterns:
            chosen.add(pattern.root, _callback(pattern, fired), pattern.benefit)
        config = rewrite.GreedyRewriteConfig()
        config.use_top_down_traversal = top_down
        config.region_simplification_level = _REGION_LEVELS[region_simplify]
        rewrite.apply_patterns_and_fold_greedily(op, chosen.freeze(), config)
    return bool(fired)


def _callback(pattern: Pattern, fired: list[Pattern]):
    """The pattern as upstream calls it: a true result means failure."""

    def run(op, rewriter) -> bool:
        if not pattern.rewrite(op.operation, rewriter):
            return True
        fired.append(pattern)
        return False

    return run
