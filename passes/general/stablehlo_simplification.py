"""stablehlo-target-independent-optimization: Simplify StableHLO by identities, and compute with constants.

%0 = stablehlo.constant dense<0.0> : tensor<4xf32> %1 = stablehlo.add %0, %arg0 : tensor<4xf32> ==> %arg0 replaces %1

As the pass of that name of StableHLO does, except for ops of dynamic shapes, tensors without elements, and tuples:
neutral and absorbing operands, constants on the right of what commutes, ops that change nothing, arithmetic and
movement of constants, parts of joined tensors, known branches, and what loops, reductions and sorts carry in vain.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.greedy import Pattern, apply_greedily
from sdy.passes.general.simplification import identities, parts, regions
from sdy.passes.general.simplification.folding import Folder
from sdy.passes.options import option
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    fold_op_element_limit: int = option(65536, "largest number of elements of constants that are selected or converted")


@pass_("stablehlo-target-independent-optimization", options=Options)
def target_independent_optimization(module: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 6."""
    listed = (
        *identities.patterns(),
        *parts.patterns(),
        *regions.patterns(),
        *Folder(options.fold_op_element_limit).patterns(),
    )
    patterns: dict[str, list[Pattern]] = {}
    for name, pattern in listed:
        patterns.setdefault(f"stablehlo.{name}", []).append(pattern)
    apply_greedily(module, patterns, top_down=True, fold=True)
