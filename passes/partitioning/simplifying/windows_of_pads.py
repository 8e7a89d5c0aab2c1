"""sdy-windows-of-pads: windows along a sharded dimension that is padded run over what is padded, with gaps and all.

    %1 = stablehlo.pad %0, %zero, low = [1], high = [1], interior = [1] : tensor<8xf32> -> tensor<17xf32>
    %2 = stablehlo.reduce_window %1, %zero, add, window_dimensions = [2] : tensor<17xf32> -> tensor<16xf32>
==> %2 = stablehlo.reduce_window %0, %zero, add, window_dimensions = [2], base_dilations = [2], padding = [[1, 1]]
         : tensor<8xf32> -> tensor<16xf32>

As in the gradient of average pooling. Devices then send elements once, and nothing where windows meet what they have;
padded, elements change places, and zeros between them do, too. The padding has to be the init value. Cost model: none,
never more is moved or computed.
"""

from __future__ import annotations

import numpy as np

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.init_values import repeated
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.ops.model import windows_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op, has_one_use
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.ops.making.attribute_writers import i64_array


@pass_("sdy-windows-of-pads", on="func.func")
def windows_of_pads(func: ir.Operation) -> None:
    layouts = Layouts(of_module(MeshTable, func))
    for op in ops_named(func, "stablehlo.reduce_window"):
        pad = _padded(op)
        if pad is None:
            continue
        lows, highs, interiors = (
            list(pad.attributes[name]) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
        )
        windows, layout = windows_of(op), layouts.of_value(pad.operands[0])
        dims = [dim for dim, numbers in enumerate(zip(lows, highs, interiors, strict=True)) if any(numbers)]
        if min((*lows, *highs)) < 0 or any(windows[dim].source_dilation > 1 for dim in dims):
            continue
        if any(layout.is_sharded(dim) for dim in dims):
            _run_over(op, pad, lows, highs, interiors)


def _padded(op: ir.Operation) -> ir.Operation | None:
    """The padding of the only operand with the init value, if there is such a padding."""
    pad = defining_op(op.operands[0]) if len(op.results) == 1 else None
    if pad is None or pad.name != "stablehlo.pad" or not has_one_use(pad.results[0]):
        return None
    if any(SHARDING_RULE in each.attributes for each in (op, pad)) or not pad.operands[0].type.has_static_shape:
        return None
    between, init = map(repeated, (pad.operands[1], op.operands[1]))
    return pad if between == init or _is_number(between, splat_number(init)) else None


def _is_number(value: ir.Value, number: float | None) -> bool:
    """Whether `value` is `number`, of the same sign if it is zero."""
    return number is not None and repr(splat_number(value)) == repr(number)


def _run_over(op: ir.Operation, pad: ir.Operation, lows: list[int], highs: list[int], interiors: list[int]) -> None:
    rank = len(lows)
    given = op.attributes["padding"] if "padding" in op.attributes else [0] * (2 * rank)
    padding = np.array(given, dtype=np.int64).reshape(rank, 2) + np.stack([lows, highs], axis=1)
    op.attributes["padding"] = ir.DenseIntElementsAttr.get(np.ascontiguousarray(padding))
    dilations = list(op.attributes["base_dilations"]) if "base_dilations" in op.attributes else [1] * rank
    op.attributes["base_dilations"] = i64_array([a * (b + 1) for a, b in zip(dilations, interiors, strict=True)])
    op.operands[0] = pad.operands[0]
    pad.erase()
