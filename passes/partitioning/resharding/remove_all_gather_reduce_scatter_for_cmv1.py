"""sdy-remove-all-gather-reduce-scatter-for-cmv1: Drop all-gathers in front of dots and reduce-scatters behind them.

For backends that fuse these collectives into the dot. The resulting program is not equivalent: the shardings around the
dot are inconsistent.

    %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %2 = stablehlo.dot %1, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
==> %2 = stablehlo.dot %0, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.mlir.walk import post_order
from sdy.passes.registry import pass_


@pass_("sdy-remove-all-gather-reduce-scatter-for-cmv1", on="func.func")
def remove_all_gather_reduce_scatter(func: ir.Operation) -> None:
    dropped: list[ir.Operation] = []
    for dot in post_order(func):
        if dot.name in ("stablehlo.dot", "stablehlo.dot_general"):
            dropped += _gathers(dot) or _scatter(dot)
    for op in dropped:
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()


def _gathers(dot: ir.Operation) -> list[ir.Operation]:
    """The gathers whose only use is `dot`."""
    gathers = []
    for operand in dot.operands:
        if isinstance(operand, ir.OpResult) and operand.owner.name == "sdy.all_gather" and _only_user(operand):
            gathers.append(operand.owner.operation)
    return gathers


def _scatter(dot: ir.Operation) -> list[ir.Operation]:
    """Return the reduce-scatter that is the only use of `dot`; the dot takes its sharding."""
    result = dot.results[0]
    user = _only_user(result)
    if user is None or user.name != "sdy.reduce_scatter":
        return []
    sharding = get_sharding(result)
    if sharding is not None and sharding.unreduced:
        return []
    set_op_shardings(dot, [attributes.get(user, "out_sharding")])
    return [user]


def _only_user(value: ir.Value) -> ir.Operation | None:
    """The op that uses `value` once; None if there are more uses or none."""
    uses = list(value.uses)
    return uses[0].owner.operation if len(uses) == 1 else None
