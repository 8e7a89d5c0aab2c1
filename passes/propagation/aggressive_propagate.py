"""sdy-aggressive-propagate: as sdy-basic-propagate, but decides between tensors that disagree.

    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]      // x is 16x8 and [{"a", ?}, {?}],
        : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>        // y is 8x4 and [{?}, {"a", ?}]
==> %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
        : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>

Each tensor takes what fits it; where two factors want the same axis, the one that comes from the larger tensor gets it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import ir
from sdy.passes.options import option
from sdy.passes.propagation.engine.session import PropagationOptions, Session
from sdy.passes.propagation.strategies.strategy import PropagationStrategy
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class AggressivePropagateOptions(PropagationOptions):
    propagation_strategy: PropagationStrategy = option(
        PropagationStrategy.AGGRESSIVE, "how conflicts between the tensors of an op are resolved"
    )


@pass_("sdy-aggressive-propagate", on="builtin.module", options=AggressivePropagateOptions)
def aggressive_propagate(module: ir.Operation, options: AggressivePropagateOptions) -> None:
    """Spec: propagation, 1. Raises `DiagnosticError` for a module that `Session` refuses."""
    session = Session(module, options)
    session.propagate(options.propagation_strategy)
    session.finish()
