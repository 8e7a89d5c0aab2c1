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
from sdy.dialect.ir_builders.identities import identity_of_op
from sdy.dialect.ir_builders.init_values import repeated
from sdy.dialect.ops.access import Window
from sdy.dialect.ops.model import windows_of
from sdy.dialect.shardings.value_shardings import get_sharding, set_op_shardings
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder


@pass_("sdy-spread-windows", on="func.func")
def spread_windows(func: ir.Operation) -> None:
    for op in ops_named(func, "stablehlo.reduce_window"):
        pad = _padded(op)
        if pad is None or not _meets_element_only(op, pad):
            continue
        names = combining_ops(op.regions[0])
        if names is not None and _is_neutral(names[0], op.operands[1]) and _is_neutral(names[0], pad.operands[1]):
            _rewrite(op, pad, names[0])


def _padded(op: ir.Operation) -> ir.Operation | None:
    """The padding of the only operand, if there is one and nobody has a say in sharding."""
    if len(op.results) != 1 or isinstance(op.operands[0].owner, ir.Block):
        return None
    pad = op.operands[0].owner.operation
    if pad.name != "stablehlo.pad":
        return None
    values = (pad.operands[0], op.results[0])
    if not all(value.type.has_static_shape for value in values):
        return None
    is_free = not any(SHARDING_RULE in each.attributes for each in (op, pad))
    return pad if is_free and values[0].type.element_type == values[1].type.element_type else None


def _meets_element_only(op: ir.Operation, pad: ir.Operation) -> bool:
    """Whether each window has one element of what is padded: its own, or the only one of the dimension."""
    lows, highs, interiors = (
        list(pad.attributes[name]) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    shape, found = pad.operands[0].type.shape, False
    for window in windows_of(op):
        dim = window.index
        if window.is_trivial and (lows[dim], highs[dim], interiors[dim]) == (0, 0, 0) and window.made == shape[dim]:
            continue
        if shape[dim] != 1 or not _all_meet(window, lows[dim]):
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


def _rewrite(op: ir.Operation, pad: ir.Operation, name: str) -> None:
    builder, element, result = Builder.before(op), pad.operands[0], op.results[0]
    # The init value turns -0.0 into 0.0.
    inits = builder.broadcast_in_dim(op.operands[1], element.type.shape)
    combined = builder.one(name, (inits, element))
    if (sharding := get_sharding(element)) is not None:
        for value in (inits, combined):
            set_op_shardings(value.owner.operation, [sharding])
    made = builder.broadcast_in_dim(combined, result.type.shape, range(result.type.rank))
    if SHARDING in op.attributes:
        made.owner.operation.attributes[SHARDING] = op.attributes[SHARDING]
    result.replace_all_uses_with(made)
    op.erase()
    if not any(True for _ in pad.results[0].uses):
        pad.erase()
