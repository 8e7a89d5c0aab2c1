"""sdy-hlo-async-to-stablehlo: writes asynchronous operations with the ops that StableHLO has for them.

    %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      ...
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []> -> tensor<16xf32>
==> %f = "stablehlo.async_start"(%a) ({
      ...
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>

StableHLO starts collectives with one operand and one result, and slices. It has no updates and no threads. Operations
that it cannot say are errors, or left as they are. Contexts and names of computations, which say nothing of what is
computed, are not kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.hlo_async.chains import chains
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.passes.options import option
from sdy.passes.overlap.stablehlo_pairs import FROM_STABLEHLO, obstacle_of, to_stablehlo
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION


@dataclass(frozen=True)
class Options:
    """Options of sdy-hlo-async-to-stablehlo."""

    keep_others: bool = option(False, "leave operations that StableHLO cannot start as they are")
    only_marked: bool = option(False, "leave operations that were not ones of StableHLO (see there: mark)")


@pass_("sdy-hlo-async-to-stablehlo", on=FUNCTION, options=Options)
def hlo_async_to_stablehlo(func: ir.Operation, options: Options) -> object:
    asked = [chain for chain in chains(func) if not options.only_marked or FROM_STABLEHLO in chain.start.attributes]
    found = [(chain, obstacle_of(chain)) for chain in asked]
    if not options.keep_others:
        with Faults() as faults:
            for chain, obstacle in found:
                with faults.one():
                    if obstacle is not None:
                        raise DiagnosticError(chain.start, f"{obstacle}; 'keep-others' leaves it as it is")
    possible = [chain for chain, obstacle in found if obstacle is None]
    for chain in possible:
        to_stablehlo(chain)
    return None if possible else UNCHANGED
