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
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-idle-ops", on="func.func")
def idle_ops(func: ir.Operation) -> None:
    for name, given in (("stablehlo.select", _of_equals), ("stablehlo.reverse", _of_single_elements)):
        for op in ops_named(func, name):
            value = None if SHARDING in op.attributes else given(op)
            if value is not None:
                op.results[0].replace_all_uses_with(value)
                op.erase()


def _of_equals(select: ir.Operation) -> ir.Value | None:
    """What the op gives in any case, if there is such a value."""
    _, on_true, on_false = select.operands
    return on_true if on_true == on_false and on_true.type == select.results[0].type else None


def _of_single_elements(reverse: ir.Operation) -> ir.Value | None:
    """The operand if nothing in it changes its place."""
    (value,) = reverse.operands
    is_idle = all(value.type.shape[dim] == 1 for dim in reverse.attributes["dimensions"])
    return value if is_idle and value.type == reverse.results[0].type else None
