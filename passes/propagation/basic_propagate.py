"""sdy-basic-propagate: shards all tensors of an op alike, through the whole module, as far as none objects.

    func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %y: tensor<8x8xf32>) {
      %0 = stablehlo.add %x, %y : tensor<8x8xf32>
==> func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
                 %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) {
      %0 = stablehlo.add %x, %y
          {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>

Axes move along the factors of each op's sharding rule, forward and backward. Where tensors disagree, their common
prefix is taken.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.propagation.engine.session import PropagationOptions, Session
from sdy.passes.propagation.strategies.strategy import PropagationStrategy
from sdy.passes.registry import pass_


@pass_("sdy-basic-propagate", on="builtin.module", options=PropagationOptions)
def basic_propagate(module: ir.Operation, options: PropagationOptions) -> None:
    """Spec: propagation, 1. Raises `DiagnosticError` for a module that `Session` refuses."""
    session = Session(module, options)
    session.propagate(PropagationStrategy.BASIC)
    session.finish()
