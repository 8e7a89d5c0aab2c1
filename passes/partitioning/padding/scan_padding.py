"""Loops over slices (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.dialect.rules.extension_rules import computes_elements
from sdy.passes.partitioning.emit.sliced_bodies import give_shape
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads


@pads("chlo.scan")
def scan(op: PadOp) -> None:
    """Slices are padded; a dimension that is scanned is not."""
    dimension = op.op.attributes["dimension"].value
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
