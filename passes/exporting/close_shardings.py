"""sdy-close-shardings: closes every dimension of every sharding and drops replicated axes.

After propagation a sharding is final: nothing may extend it any more, and the axes that it kept free have done their
duty. Axes, priorities and unreduced axes stay.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}], replicated={"y"}>]>}
==> %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
"""

from __future__ import annotations

from sdy.dialect.shardings.frequent_shardings import occurs
from sdy.dialect.shardings.sharding_survey import Survey
from sdy.dialect.shardings.sharding_walk import transform_shardings, transform_special_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.registry import pass_

_SAMPLE = 100
"""How many ops show whether shardings have been closed before."""


@pass_("sdy-close-shardings")
def close_shardings(module: ir.Operation) -> None:
    """Closes all shardings of functions, ops and computations (spec: export-passes, 3.1)."""
    survey = Survey()
    survey.take_first(module, _SAMPLE)
    if any(map(_is_open, survey.shardings())) or occurs(module, _is_open):
        transform_shardings(module, TensorSharding.close)
    else:
        transform_special_shardings(module, TensorSharding.close)


def _is_open(sharding: TensorSharding) -> bool:
    return not sharding.is_fully_closed or bool(sharding.replicated)
