"""Gathers the operands of ops that a single device executes only for their effect.

    custom_call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()
==> %whole = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
    custom_call @f(%whole) {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()

sdy-insert-explicit-reshards handles ops with results, by the placement of the results.
"""

from __future__ import annotations

from sdy.dialect import builders as sdy_ops
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_survey import occurs
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.pattern_sets import Rewriter, function_pattern


@function_pattern("gather-for-effects")
def gather_for_effects(func: ir.Operation, _: Rewriter) -> bool:
    """Gather the operands of ops without results that run on a single device."""
    meshes = of_module(MeshTable, func)
    world = meshes.global_mesh()
    if world is None or not occurs(func, meshes.is_on_single_device):
        return False
    for op in pre_order(func):
        shardings = () if len(op.results) else op_shardings(op) or ()
        if any(map(meshes.is_on_single_device, shardings)):
            _gather_operands(op, world[0])
    return True


def _gather_operands(op: ir.Operation, mesh: str) -> None:
    for number, operand in enumerate(op.operands):
        sharding = get_sharding(operand)
        is_whole = sharding is None or (sharding.is_fully_replicated and not sharding.unreduced)
        if isinstance(operand.type, ir.RankedTensorType) and not is_whole:
            whole = TensorSharding.closed(mesh, operand.type.rank)
            op.operands[number] = sdy_ops.reshard(operand, whole, loc=op.location, ip=ir.InsertionPoint(op))
