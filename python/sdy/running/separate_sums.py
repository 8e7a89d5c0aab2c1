"""All_reduces of several tensors, as one for each of them for XLA, which takes no other in a manual region.

Those that are near each other XLA makes one again.
"""

from __future__ import annotations

import re

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

_SEVERAL = re.compile(r'"stablehlo\.all_reduce"\(%[\w#]+,')
_CHANNEL = re.compile(r"channel_handle<handle = (\d+)")


def separate_sums(module: ir.Module, text: str) -> None:
    """Replaces what all_reduces of several tensors `module` has; `text` is what it has been parsed from."""
    if not _SEVERAL.search(text):
        return
    channel = max(map(int, _CHANNEL.findall(text)), default=0)
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "stablehlo.async_start":
            return ir.WalkResult.SKIP
        if op.name == "stablehlo.all_reduce" and len(op.operands) > 1:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    for op in found:
        channel = _separate(op, channel)


def _separate(op: ir.Operation, channel: int) -> int:
    """An all_reduce for each operand, the first on the channel of `op`, others behind `channel`; the last one taken."""
    for number, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        attributes = dict(op.attributes.items())
        if number and "channel_handle" in attributes:
            channel += 1
            kind = stablehlo.ChannelHandle(attributes["channel_handle"]).channel_type
            attributes["channel_handle"] = stablehlo.ChannelHandle.get(channel, kind)
        where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        one = ir.Operation.create(op.name, [result.type], [operand], attributes, regions=1, **where)
        op.clone(ip=False).operation.regions[0].blocks[0].append_to(one.regions[0])
        result.replace_all_uses_with(one.results[0])
    op.erase()
    return channel
