"""sdy-spread-windows: where each window meets the only element of a padded dimension, that element is repeated.

    %1 = stablehlo.pad %0, %zero, low = [0, 7], high = [0, 7] : tensor<4x1xf32> -> tensor<4x15xf32>
    %2 = stablehlo.reduce_window %1, %zero, add, window_dimensions = [1, 8] : tensor<4x15xf32> -> tensor<4x8xf32>
==> %1 = stablehlo.add %zeros, %0 : tensor<4x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>

As in the gradient of global pooling. Devices that have the element need nothing else to repeat it, whatever their part
of the result is; windows over the padding would go from one to the next. Cost model: none, repeating is the cheaper op.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.init_values import identity_of_op, repeated
from sdy.dialect.ops.model import Window, windows_of
from sdy.dialect.shardings.value_shardings import get_sharding, set_op_shardings
from sdy.mlir import ir
from sdy.mlir.rewriting import has_no_use
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder


@pass_("sdy-spread-windows", on="func.func")
def spread_windows(func: ir.Operation) -> None:
    for windows in views.ReduceWindow.all_in(func):
        pad = _padded(windows)
        if pad is None or not _meets_element_only(windows.op, pad):
            continue
        names = combining_ops(windows.op.regions[0])
        if names and all(_is_neutral(names[0], value) for value in (windows.init_values[0], pad.padding_value)):
            _rewrite(windows, pad, names[0])


def _padded(windows: views.ReduceWindow) -> views.Pad | None:
    """The padding of the only operand, if there is one and nobody has a say in sharding."""
    pad = views.Pad.defining(windows.inputs[0]) if len(windows.inputs) == 1 else None
    if pad is None or any(SHARDING_RULE in each.op.attributes for each in (windows, pad)):
        return None
    types = (pad.operand.type, windows.results[0].type)
    is_static = all(type_.has_static_shape for type_ in types)
    return pad if is_static and types[0].element_type == types[1].element_type else None


def _meets_element_only(op: ir.Operation, pad: views.Pad) -> bool:
    """Whether each window has one element of what is padded: its own, or the only one of the dimension."""
    shape, found = pad.operand.type.shape, False
    for window in windows_of(op):
        dim = window.index
        added = (pad.edge_padding_low[dim], pad.edge_padding_high[dim], pad.interior_padding[dim])
        if window.is_trivial and added == (0, 0, 0) and window.made == shape[dim]:
            continue
        if shape[dim] != 1 or not _all_meet(window, added[0]):
            return False
        found = True
    return found


def _all_meet(window: Window, place: int) -> bool:
    """Whether all windows cover the element at `place`."""
    if (window.source_dilation, window.window_dilation) != (1, 1):
        return False
    first, last = -window.low, (window.made - 1) * window.stride - window.low
    return last <= place < first + window.size


def _is_neutral(name: str, value: ir.Value) -> bool:
    number = splat_number(repeated(value))
    return number is not None and number == identity_of_op(name, value.type.element_type)


def _rewrite(windows: views.ReduceWindow, pad: views.Pad, name: str) -> None:
    op, element, result = windows.op, pad.operand, windows.results[0]
    builder = Builder.before(op)
    # The init value turns -0.0 into 0.0.
    inits = builder.broadcast_in_dim(windows.init_values[0], element.type.shape)
    combined = builder.one(name, (inits, element))
    if (sharding := get_sharding(element)) is not None:
        for value in (inits, combined):
            set_op_shardings(value.owner.operation, [sharding])
    made = builder.broadcast_in_dim(combined, result.type.shape, range(result.type.rank))
    if SHARDING in op.attributes:
        made.owner.operation.attributes[SHARDING] = op.attributes[SHARDING]
    result.replace_all_uses_with(made)
    op.erase()
    if has_no_use(pad.result):
        pad.op.erase()
