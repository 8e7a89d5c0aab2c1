"""mpmd-simplify-program: Remove operands and results of fragments that are unused, equal or passed through.

    %1:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0, %0) (%a: T, %b: T) { mpmd.return %a, %b : T, T }
==> %0 stands for %1#0 and %1#1

Dead ops go, and constants move to the start of their fragment, each once.
"""

from __future__ import annotations

from sdy.mlir import ir, rewrite
from sdy.mlir.greedy import apply_greedily
from sdy.passes.mpmd.facts.fragments import FRAGMENT
from sdy.passes.mpmd.facts.simplification import simplify_at_boundary
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

_NAMED = "mpmd.named_computation"


@pass_("mpmd-simplify-program", on=FUNCTION)
def simplify_program(func: ir.Operation) -> None:
    """Spec: mpmd, 6."""
    _gather_constants(func)
    apply_greedily(func, {name: [simplify_at_boundary] for name in (_NAMED, FRAGMENT)})


def _gather_constants(func: ir.Operation) -> None:
    """Remove dead ops, and make equal constants of a region one at its start, as folding by upstream's driver does."""
    no_patterns = rewrite.RewritePatternSet(func.context).freeze()
    rewrite.apply_patterns_and_fold_greedily(func, no_patterns, rewrite.GreedyRewriteConfig())
