"""Slices of padded tensors: elements that are sliced off are not padded first."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.op_properties import is_elementwise
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import is_unused, remade, replace
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_shape
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo import views
from sdy.stablehlo.idioms.dense import is_splat, resized_splat
from sdy.stablehlo.ops import Builder

_SLICES = ("stablehlo.slice", "stablehlo.pad")


@function_pattern("slices-of-pads", "stablehlo.pad")
def slices_of_pads(func: ir.Operation, _: Rewriter) -> bool:
    """Pad only the part that a slice keeps, so that a shifted sequence keeps its length and the size of its parts.

    After padding, parts would have another size, and distant devices would send more. A sum of padded tensors, as in
    the gradient of several shifts, is sliced before it is summed; a pad by negative numbers counts as a slice. Only
    tensors without other readers of the whole are sliced.

    %1 = stablehlo.pad %0, %zero, low = [3], high = [0], interior = [0] : ... -> tensor<19xf32>
    %2 = stablehlo.slice %1 [2:18] : (tensor<19xf32>) -> tensor<16xf32>
    ==>  %2 = stablehlo.pad %0, %zero, low = [1], high = [-1], interior = [0] : ... -> tensor<16xf32>
    """
    has_changed = False
    for op in ops_named(func, *_SLICES):
        window = _window(op)
        made_by = None if window is None else _made_by(op.operands[0], window)
        if window is not None and made_by is not None:
            _slice(op, window, made_by)
            has_changed = True
    return has_changed


@dataclass(frozen=True)
class _Window:
    """The read range of a tensor along each dimension, smaller than the whole."""

    starts: tuple[int, ...]
    limits: tuple[int, ...]


def _window(op: ir.Operation) -> _Window | None:
    """Return the window of the operand that a slice without strides, or a negative pad, keeps."""
    if op.name not in _SLICES:
        return None
    source = op.operands[0].type
    if not source.has_static_shape or SHARDING in op.attributes:
        return None
    if (cut := views.Slice.match(op)) is not None:
        if any(stride != 1 for stride in cut.strides):
            return None
        starts, limits = cut.start_indices, cut.limit_indices
    else:
        pad = views.Pad(op)
        if any(pad.interior_padding) or max((*pad.edge_padding_low, *pad.edge_padding_high), default=0) > 0:
            return None
        starts = tuple(-low for low in pad.edge_padding_low)
        limits = tuple(size + high for size, high in zip(source.shape, pad.edge_padding_high, strict=True))
    is_all = not any(starts) and limits == tuple(source.shape)
    return None if is_all or any(a >= b for a, b in zip(starts, limits, strict=True)) else _Window(starts, limits)


def _made_by(value: ir.Value, window: _Window) -> list[ir.Operation] | None:
    """Return the ops behind `value` that only that window needs, operands last; None if others need more."""
    found: list[ir.Operation] = []
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one.owner, ir.Block) or SHARDING in one.owner.attributes:
            return None
        op = one.owner.operation
        found.append(op)
        if (pad := views.Pad.match(op)) is not None:
            users = [use.owner.operation for use in one.uses]
            if not _is_shifted(pad, window) or not (len(users) == 1 or all(map(_window, users))):
                return None
        elif not _is_repeated(op):
            if not _is_whole(op) or len([*one.uses]) != 1:
                return None
            pending += op.operands
    return found


def _is_shifted(pad: views.Pad, window: _Window) -> bool:
    """Return whether the window of a padded tensor is as large as the tensor before padding.

    Only whole dimensions may have holes.
    """
    source, padded = pad.operand.type, pad.result.type
    if not source.has_static_shape:
        return False
    parts = zip(source.shape, padded.shape, pad.interior_padding, window.starts, window.limits, strict=True)
    return all(limit - start == (size if not interior else whole) for size, whole, interior, start, limit in parts)


def _is_repeated(op: ir.Operation) -> bool:
    """Return whether an op repeats one number in a tensor."""
    if op.name == "stablehlo.broadcast_in_dim":
        return not op.operands[0].type.shape
    return op.name == "stablehlo.constant" and is_splat(op)


def _is_whole(op: ir.Operation) -> bool:
    """Return whether an op on single elements has operands of the shape of its only result."""
    if not op.name.startswith("stablehlo.") or not is_elementwise(op) or len(op.results) != 1 or not len(op.operands):
        return False
    return all(operand.type.shape == op.results[0].type.shape for operand in op.operands)


# Slicing -----------------------------------------------------------------------------------------


def _slice(op: ir.Operation, window: _Window, made_by: list[ir.Operation]) -> None:
    """Replace a slice by the sliced operand; erase unused ops."""
    parts: dict[ir.Value, ir.Value] = {}
    for each in reversed(made_by):
        if each.results[0] not in parts:
            parts[each.results[0]] = _part(each, window, parts)
    replace(op, [parts[op.operands[0]]])
    for each in {one.results[0]: one for one in made_by}.values():
        if is_unused(each):
            each.erase()


def _part(op: ir.Operation, window: _Window, parts: dict[ir.Value, ir.Value]) -> ir.Value:
    """Recreate `op` on sliced operands."""
    if (pad := views.Pad.match(op)) is not None:
        return _padded_part(pad, window)
    b = Builder.before(op)
    shape = [limit - start for start, limit in zip(window.starts, window.limits, strict=True)]
    type_ = with_shape(op.results[0].type, shape)
    if op.name == "stablehlo.constant":
        repeated = resized_splat(b, op, type_)
        assert repeated is not None
        return repeated
    if _is_repeated(op):
        return b.broadcast_in_dim(op.operands[0], shape)
    return remade(op, [parts[operand] for operand in op.operands], [type_]).results[0]


def _padded_part(pad: views.Pad, window: _Window) -> ir.Value:
    ends = zip(pad.edge_padding_high, pad.result.type.shape, window.limits, strict=True)
    lows = [low - start for low, start in zip(pad.edge_padding_low, window.starts, strict=True)]
    highs = [high - size + limit for high, size, limit in ends]
    if not any((*lows, *highs, *pad.interior_padding)):
        return pad.operand
    return Builder.before(pad.op).pad(pad.operand, pad.padding_value, lows, highs, pad.interior_padding)
