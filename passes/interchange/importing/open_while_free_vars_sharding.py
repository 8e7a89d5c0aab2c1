"""xla-sdy-open-while-free-vars-sharding: what a loop takes from outside with a sharding may be sharded otherwise in it.

    %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
    stablehlo.while(...) do { ... stablehlo.add %arg, %0 ... }
==> %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}]> : tensor<8xf32>
    stablehlo.while(...) do { ... stablehlo.add %arg, %1 ... }

A value that an open constraint makes needs no other one, so that a module that goes out and comes in again is the same.
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION


@pass_("xla-sdy-open-while-free-vars-sharding", on=FUNCTION)
def open_while_free_vars_sharding(func: ir.Operation) -> object:
    """Spec: interchange, 6.1."""
    changed = False
    for loop in ops_named(func, "stablehlo.while"):
        changed |= _open(loop)
    return None if changed else UNCHANGED


def _open(loop: ir.Operation) -> bool:
    """Gives what the regions of `loop` take from outside, and has a sharding, an open one; whether there was any."""
    opened: dict[ir.Value, ir.Value] = {}
    nested = [op for op in pre_order(loop) if op != loop]
    inside = {result for op in nested for result in op.results}
    inside |= {a for op in (loop, *nested) for region in op.regions for block in region.blocks for a in block.arguments}
    for op in nested:
        for number, value in enumerate(op.operands):
            if value in inside:
                continue
            sharding = get_sharding(value)
            if sharding is None:
                continue
            anything = TensorSharding.open(sharding.mesh_or_ref, sharding.rank)
            if sharding == anything and _is_constraint(value):
                continue
            if value not in opened:
                opened[value] = builders.sharding_constraint(
                    value, anything, loc=loop.location, ip=ir.InsertionPoint(loop)
                )
            op.operands[number] = opened[value]
    return bool(opened)


def _is_constraint(value: ir.Value) -> bool:
    return isinstance(value, ir.OpResult) and value.owner.operation.name == "sdy.sharding_constraint"
