"""Reshapes and sorts of padded tensors (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.mlir.tensor_types import num_elements
from sdy.passes.partitioning.facts.reshape_groups import moves_no_data
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads


@pads("stablehlo.reshape")
def reshape(op: PadOp) -> None:
    """Only padded dimensions that the reshape passes through stay padded."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    same_size = num_elements(op.op.operands[0].type.shape) == num_elements(target.padded_shape)
    if same_size and moves_no_data(source, target):
        op.grow()
    else:
        op.compute_unpadded()


@pads("stablehlo.sort")
def sort(op: PadOp) -> None:
    """Padding must not get between the sorted elements."""
    attributes = op.op.attributes
    dim = attributes["dimension"].value if "dimension" in attributes else -1
    sorted_dim = dim % op.result_layouts[0].rank
    if any(sorted_dim in op.grown_dims(index) for index in range(len(op.operand_layouts))):
        op.compute_unpadded()
    else:
        op.grow()
