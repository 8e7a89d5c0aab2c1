"""sdy-close-shardings: closes every dimension of every sharding and drops replicated axes.

After propagation a sharding is final: nothing may extend it any more, and the axes that it kept free have done their
duty. Axes, priorities and unreduced axes stay.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}], replicated={"y"}>]>}
==> %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
"""

from __future__ import annotations

from sdy.dialect.shardings.sharding_survey import Survey, occurs
from sdy.dialect.shardings.sharding_walk import transform_shardings, transform_special_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.registry import pass_

_SAMPLE = 30
"""How many ops show whether shardings have been closed before."""


@pass_("sdy-close-shardings")
def close_shardings(module: ir.Operation) -> None:
    """Closes all shardings of functions, ops and computations (spec: export-passes, 3.1)."""
    if _begins_open(module) or occurs(module, _is_open):
        transform_shardings(module, TensorSharding.close)
    else:
        transform_special_shardings(module, TensorSharding.close)


def _begins_open(module: ir.Operation) -> bool:
    """Whether one of the first ops has an open sharding."""
    first: list[ir.Operation] = []
    go_on, stop = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT

    def visit(op: ir.Operation) -> ir.WalkResult:
        first.append(op)
        return go_on if len(first) < _SAMPLE else stop

    module.walk(visit, ir.WalkOrder.PRE_ORDER)
    return any(_is_open(sharding) for op in first for sharding in _shardings(op))


def _shardings(op: ir.Operation) -> list[TensorSharding]:
    survey = Survey()
    survey.note(op)
    return survey.shardings()


def _is_open(sharding: TensorSharding) -> bool:
    return not sharding.is_fully_closed or bool(sharding.replicated)
