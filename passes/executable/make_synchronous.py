"""sdy-make-synchronous: what runs asynchronously in the dialect hlo_async, and slices, run where they start.

    %0 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) { ... stablehlo.negate %arg1 ... }
    %1 = hlo_async.done %0
==> %1 = stablehlo.negate %arg0 : tensor<8xf32>

XLA takes from StableHLO what that can start; a remark tells what it does not start.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.asynchronous_pairs import STABLEHLO, operation_of, problem_of_start, unwrap_pair
from sdy.dialect.hlo_async.chains import chains, unwrap
from sdy.mlir import ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_SLICES = frozenset({"stablehlo.slice", "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"})


@dataclass(frozen=True)
class Options:
    slices_only: bool = option(False, "only slices and their updates, which StableHLO can start and XLA does not")


@pass_("sdy-make-synchronous", options=Options)
def make_synchronous(module: ir.Operation, options: Options) -> object:
    """In textual order, what is nested first; slices of StableHLO behind the others."""
    pairs = [start for start in ops_named(module, STABLEHLO.start) if _is_slice(start)]
    found = [chain for chain in chains(module) if not options.slices_only or chain.wrapped.name in _SLICES]
    for chain in found:
        remark(chain.start, f"'{chain.wrapped.name}' is made synchronous: XLA does not start it from StableHLO")
        unwrap(chain)
    for start in pairs:
        remark(start, f"'{operation_of(start).name}' is made synchronous: XLA does not start it from StableHLO")
        unwrap_pair(start)
    return None if found or pairs else UNCHANGED


def _is_slice(start: ir.Operation) -> bool:
    return operation_of(start).name in _SLICES and problem_of_start(start) is None
