"""Loops over slices, of which each device has its part (spec: partitioner, 4 and 7.14)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import PadOp
from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, PASS_THROUGH, OpSignature, RuleBuilder
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.stablehlo import views
from sdy.stablehlo.idioms.dense import local_splat


@op_model("chlo.scan")
class Scan(OpModel):
    """Model of scan: all other dimensions pass through if the body is element-wise."""

    follows_rule = True

    def extension_rule(self, op: OpSignature) -> ShardingRule | None:
        """Return a rule in which all but the scanned dimension pass through; None unless the body is elementwise."""
        region = op.operation.regions[0]
        if not computes_elements(region):
            return None
        rule, scanned = RuleBuilder(op), op.integer("dimension")
        inputs, outputs = (op.integers(name)[0] for name in ("operandSegmentSizes", "resultSegmentSizes"))
        shape = op.operand(0) if inputs else ()
        for dim, size in enumerate(shape):
            kept = dim - (dim > scanned)
            operands = {number: dim if number < inputs else kept for number in range(len(op.operands))}
            results = {number: dim if number < outputs else kept for number in range(len(op.results))}
            if dim == scanned:
                operands = dict.fromkeys(range(inputs), dim)
                results = dict.fromkeys(range(outputs), dim)
            rule.factor(size, operands, results, NEED_REPLICATION if dim == scanned else PASS_THROUGH)
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """Apply the body, which computes each element independently, to slices of the parts."""
        op.keep()
        if op.result_layouts:
            carried = op.op.results[len(op.op.results) - 1]
            give_shape(op.op.regions[0], carried.type.shape)

    def pad(self, op: PadOp) -> None:
        """Slices are padded; a dimension that is scanned is not."""
        dimension = views.ChloScan(op.op).dimension
        inputs, outputs = (op.op.attributes[name][0] for name in ("operandSegmentSizes", "resultSegmentSizes"))
        is_scanned = any(dimension in op.grown_dims(number) for number in range(inputs)) or any(
            layout.padded_shape[dimension] != layout.shape[dimension] for layout in op.result_layouts[:outputs]
        )
        if is_scanned or not computes_elements(op.op.regions[0]):
            op.compute_unpadded()
            return
        op.drop_rule()
        op.grow()
        give_shape(op.op.regions[0], op.result_layouts[-1].padded_shape)


def computes_elements(region: ir.Region) -> bool:
    """Return whether the body of a scan computes each element of its equally shaped slices independently."""
    block = region.blocks[0]
    shapes = {tuple(argument.type.shape) for argument in block.arguments}
    return len(shapes) == 1 and all(_is_local(op.operation, *shapes) for op in block.operations)


def _is_local(op: ir.Operation, shape: Sequence[int]) -> bool:
    if is_terminator(op):
        return True
    if any(tuple(result.type.shape) not in (tuple(shape), ()) for result in op.results):
        return False
    if op.name in ("stablehlo.constant", "sdy.constant"):
        return op.attributes["value"].is_splat
    repeats = op.name == "stablehlo.broadcast_in_dim" and not op.operands[0].type.shape
    return repeats or is_elementwise(op)


def give_shape(region: ir.Region, shape: Sequence[int]) -> None:
    """Changes the slices that a body takes and returns to `shape`; constants in it are splats."""
    block = region.blocks[0]
    old = list(block.arguments[0].type.shape)
    if old == list(shape):
        return
    for argument in block.arguments:
        argument.set_type(with_shape(argument.type, shape))
    for op in block.operations:
        for result in op.operation.results:
            if list(result.type.shape) != old:
                continue
            type_ = with_shape(result.type, shape)
            if "value" in op.attributes:
                value = local_splat(op.operation, type_)
                assert value is not None
                op.attributes["value"] = value
            result.set_type(type_)
