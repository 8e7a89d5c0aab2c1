"""Canonicalization: the patterns of this dialect together with upstream's (spec: dialect, 11; export-passes, 2.3)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from sdy.dialect.canonicalization.patterns import PATTERNS, Pattern
from sdy.mlir import PassManager, ir, rewrite

__all__ = ["LABELS", "canonicalize"]

_REGION_LEVELS = {
    "disabled": rewrite.GreedySimplifyRegionLevel.DISABLED,
    "normal": rewrite.GreedySimplifyRegionLevel.NORMAL,
    "aggressive": rewrite.GreedySimplifyRegionLevel.AGGRESSIVE,
}

LABELS = tuple(sorted({pattern.label for pattern in PATTERNS if pattern.label is not None}))
"""Labels of this dialect's patterns for `enable_patterns` and `disable_patterns`."""


def canonicalize(
    op: ir.Operation,
    enable_patterns: Sequence[str] = (),
    disable_patterns: Sequence[str] = (),
    *,
    top_down: bool = True,
    region_simplify: str = "normal",
    max_iterations: int = 10,
    max_num_rewrites: int = -1,
) -> bool:
    """Rewrites `op`, a module or a function, to canonical form.

    Dead ops without effects are erased, equal constants of upstream dialects are merged, and patterns are applied until
    none applies. Upstream's patterns and ours take turns.

    The defaults are those of the pass on the command line; the steps of the export pipeline go bottom up and simplify
    aggressively.

    Args:
      op: a module or a function.
      enable_patterns: labels; if there are any, only patterns with one of them run.
      disable_patterns: labels of patterns that do not run.
      top_down: whether ops are visited in textual order first.
      region_simplify: `disabled`, `normal`, or `aggressive`.
      max_iterations: sweeps over `op`, and turns of both sides, before the result counts as canonical; -1: any.
      max_num_rewrites: applications of patterns, of either side, in one turn; -1: any.

    Returns:
      Whether a form was reached in which no pattern applies.
    """
    config = rewrite.GreedyRewriteConfig()
    config.use_top_down_traversal = top_down
    config.region_simplification_level = _REGION_LEVELS[region_simplify]
    config.max_iterations = max_iterations
    config.max_num_rewrites = max_num_rewrites
    ours = [
        pattern
        for pattern in PATTERNS
        if pattern.label not in disable_patterns
        and (not enable_patterns or pattern.label in enable_patterns)
        and op.context.is_dialect_loaded(pattern.root.split(".")[0])
    ]
    if enable_patterns and all(label in LABELS for label in enable_patterns):
        return _apply(op, ours, config)[1]
    flags = (
        f"top-down={str(top_down).lower()} region-simplify={region_simplify} max-iterations={max_iterations} "
        f"max-num-rewrites={max_num_rewrites} enable-patterns={{{','.join(enable_patterns)}}} "
        f"disable-patterns={{{','.join(disable_patterns)}}} test-convergence=true"
    )
    upstream = PassManager.parse(f"{op.name}(canonicalize{{{flags}}})", op.context)
    upstream.enable_verifier(False)
    # Ours come first: theirs would remove dead ops that ours still look at.
    _, converged = _apply(op, ours, config)
    for _ in itertools.count() if max_iterations < 0 else range(max_iterations):
        converged = _run(upstream, op) and converged
        fired, again = _apply(op, ours, config)
        converged = converged and again
        if not fired:
            return converged
    return max_iterations == 0  # to upstream, what has not begun has come to an end


def _run(upstream: PassManager, op: ir.Operation) -> bool:
    """Runs upstream's patterns; returns whether they came to an end."""
    try:
        upstream.run(op)
    except ir.MLIRError:
        return False
    return True


def _apply(op: ir.Operation, patterns: Sequence[Pattern], config: rewrite.GreedyRewriteConfig) -> tuple[bool, bool]:
    """Applies patterns with upstream's greedy driver; returns whether any did something, and whether it is all done."""
    fired: list[Pattern] = []
    with op.context:
        chosen = rewrite.RewritePatternSet(op.context)
        for pattern in patterns:
            chosen.add(pattern.root, _callback(pattern, fired), pattern.benefit)
        try:
            rewrite.apply_patterns_and_fold_greedily(op, chosen.freeze(), config)
        except RuntimeError as error:
            if "converge" not in str(error):
                raise
            return bool(fired), False
    return bool(fired), True


def _callback(pattern: Pattern, fired: list[Pattern]):
    """The pattern as upstream calls it: a true result means failure."""

    def run(op, rewriter) -> bool:
        if not pattern.rewrite(op.operation, rewriter):
            return True
        fired.append(pattern)
        return False

    return run
