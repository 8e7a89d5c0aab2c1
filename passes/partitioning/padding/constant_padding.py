"""Constants of padded types (spec: partitioner, 4)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.padding.pad_op import PadOp
from sdy.passes.partitioning.padding.registry import pads
from sdy.stablehlo.idioms.dense import is_splat, resized_text


@pads("sdy.constant", "stablehlo.constant")
def constant(op: PadOp) -> None:
    """A splat becomes larger; other constants are extended with zeros."""
    layout, old = op.result_layouts[0], op.op
    type_ = with_shape(layout.type, layout.padded_shape)
    known_zero = not is_splat(old)
    text = f'"{old.name}"() {{value = {resized_text(old, type_)}}} : () -> {type_}'
    new = ir.Operation.parse(text).operation
    op.b.ip.insert(new)
    new.location = old.location
    for name in [name for name in old.attributes if name != "value"]:
        new.attributes[name] = old.attributes[name]
    old.results[0].replace_all_uses_with(new.results[0])
    old.erase()
    if known_zero:
        op.progress.zero_padded.add(new.results[0])
