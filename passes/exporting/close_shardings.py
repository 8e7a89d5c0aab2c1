"""sdy-close-shardings: closes every dimension of every sharding and drops replicated axes.

After propagation a sharding is final: nothing may extend it any more, and the axes that it kept free have done their
duty. Axes, priorities and unreduced axes stay.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}], replicated={"y"}>]>}
==> %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
"""

from __future__ import annotations

from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.registry import pass_


@pass_("sdy-close-shardings")
def close_shardings(module: ir.Operation) -> None:
    """Closes all shardings of functions, ops and computations (spec: export-passes, 3.1)."""
    transform_shardings(module, TensorSharding.close)
