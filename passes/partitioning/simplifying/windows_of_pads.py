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
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.rewriting import has_one_use
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.ops.making.attribute_writers import i64_array


@pass_("sdy-windows-of-pads", on="func.func")
def windows_of_pads(func: ir.Operation) -> None:
    layouts = Layouts(of_module(MeshTable, func))
    for windows in views.ReduceWindow.all_in(func):
        pad = _padded(windows)
        if pad is None or min((*pad.edge_padding_low, *pad.edge_padding_high), default=0) < 0:
            continue
        added = zip(pad.edge_padding_low, pad.edge_padding_high, pad.interior_padding, strict=True)
        dims = [dim for dim, numbers in enumerate(added) if any(numbers)]
        layout = layouts.of_value(pad.operand)
        if all(windows.base_dilations[dim] == 1 for dim in dims) and any(layout.is_sharded(dim) for dim in dims):
            _run_over(windows, pad)


def _padded(windows: views.ReduceWindow) -> views.Pad | None:
    """The padding of the only operand with the init value, if there is such a padding."""
    pad = views.Pad.defining(windows.inputs[0]) if len(windows.inputs) == 1 else None
    if pad is None or not has_one_use(pad.result) or not pad.operand.type.has_static_shape:
        return None
    if any(SHARDING_RULE in each.op.attributes for each in (windows, pad)):
        return None
    between, init = map(repeated, (pad.padding_value, windows.init_values[0]))
    return pad if between == init or _is_number(between, splat_number(init)) else None


def _is_number(value: ir.Value, number: float | None) -> bool:
    """Whether `value` is `number`, of the same sign if it is zero."""
    return number is not None and repr(splat_number(value)) == repr(number)


def _run_over(windows: views.ReduceWindow, pad: views.Pad) -> None:
    op = windows.op
    padding = np.array(windows.padding) + np.stack([pad.edge_padding_low, pad.edge_padding_high], axis=1)
    dilations = zip(windows.base_dilations, pad.interior_padding, strict=True)
    op.attributes["padding"] = ir.DenseIntElementsAttr.get(np.ascontiguousarray(padding))
    op.attributes["base_dilations"] = i64_array([one * (other + 1) for one, other in dilations])
    op.operands[0] = pad.operand
    pad.op.erase()
