"""canonicalize: rewrites ops to their canonical form, those of the dialect together with upstream's.

    %1 = sdy.reshard %0 <@mesh, [{"a"}]> : tensor<8xf32>
    %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sdy.dialect.canonicalization import LABELS, canonicalize
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import ANY


class RegionSimplification(Enum):
    """How far regions are simplified; the values are upstream's."""

    DISABLED = "disabled"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True)
class Options:
    """Those of upstream's pass."""

    enable_patterns: tuple[str, ...] = option(
        (), f"only patterns with one of these labels: {', '.join(LABELS)}, or upstream's"
    )
    disable_patterns: tuple[str, ...] = option((), "no patterns with one of these labels")
    top_down: bool = option(True, "visit ops in textual order first")
    region_simplify: RegionSimplification = option(RegionSimplification.NORMAL, "how far regions are simplified")
    max_iterations: int = option(10, "sweeps over the module before it is left; -1: any")
    max_num_rewrites: int = option(-1, "applications of patterns, of this dialect or upstream's, in one sweep; -1: any")
    test_convergence: bool = option(False, "fail if patterns still apply after that many sweeps")


@pass_("canonicalize", on=ANY, options=Options)
def run(op: ir.Operation, options: Options) -> None:
    converged = canonicalize(
        op,
        options.enable_patterns,
        options.disable_patterns,
        top_down=options.top_down,
        region_simplify=options.region_simplify.value,
        max_iterations=options.max_iterations,
        max_num_rewrites=options.max_num_rewrites,
    )
    if options.test_convergence and not converged:
        raise DiagnosticError(op, f"patterns still apply after {options.max_iterations} sweeps")
