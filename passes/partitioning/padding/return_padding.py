"""What functions and regions return (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.mlir.functions import symbol_name
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads


@pads("func.return", "stablehlo.return")
def returned(op: PadOp) -> None:
    """Values are returned as they are, or gathered where the result says nothing of how it is sharded.

    So it is behind a propagation barrier without a sharding, which hands on its operand.
    """
    results = _results(op)
    if len(results) != len(op.operand_layouts):
        return  # of the condition of a loop, and of bodies that take single elements
    for index, (layout, result) in enumerate(zip(op.operand_layouts, results, strict=True)):
        if result.sharding is None and layout.sharding is not None and layout.padded_shape != layout.shape:
            set_sharding(op.op.operands[index], layout.sharding)  # of what is gathered
            op.shrink(index, layout)


def _results(op: PadOp) -> tuple[Layout, ...]:
    """How the results are laid out that become what is returned."""
    parent = op.op.parent.operation
    if op.op.name == "func.return":
        return op.progress.functions[symbol_name(parent)].results
    return tuple(op.progress.layouts.of(value.type, get_sharding(value)) for value in parent.results)
