"""sdy-idle-ops: a choice between a value and itself is the value, and so is what is reversed along one element.

    %1 = stablehlo.select %p, %0, %0 : tensor<8xi1>, tensor<8xf32>
    %2 = stablehlo.reverse %1, dims = [1] : tensor<8x1xf32>

==> %0 is used in their place.

Branches under `jax.vmap` are choices, of which many are between equals; devices would gather what each of them gives.
XLA does the same before it propagates. An op with a sharding stays. Cost model: less of everything.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.passes.registry import pass_
from sdy.stablehlo import views


@pass_("sdy-idle-ops", on="func.func")
def idle_ops(func: ir.Operation) -> None:
    for select in views.Select.all_in(func):
        if select.on_true == select.on_false:
            _replace(select.op, select.on_true)
    for reverse in views.Reverse.all_in(func):
        if all(reverse.operand.type.shape[dim] == 1 for dim in reverse.dimensions):
            _replace(reverse.op, reverse.operand)


def _replace(op: ir.Operation, value: ir.Value) -> None:
    """Replaces the result of an op without a sharding by a value of its type."""
    if SHARDING not in op.attributes and value.type == op.results[0].type:
        op.results[0].replace_all_uses_with(value)
        op.erase()
