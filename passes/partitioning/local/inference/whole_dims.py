"""Along which dimensions an op needs all elements, or those of other devices (spec: type-inference, 3.4).

Of these ops dimension d of each tensor is the same dimension, so that it is no question of factors.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdy.passes.partitioning.emit.laid_op import LaidOp
from sdy.passes.partitioning.facts.layout import Layout

WholeDims = Callable[[LaidOp], list[int]]


def of_slice(op: LaidOp) -> list[int]:
    """Not those of which the slice takes all of the operand, or every n-th element."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    starts, strides = op.integers("start_indices"), op.integers("strides")
    return [dim for dim in target.sharded_dims if not _keeps_parts(source, target, dim, starts[dim], strides[dim])]


def _keeps_parts(source: Layout, target: Layout, dim: int, start: int, stride: int) -> bool:
    """Whether each part of the result comes from the operand's part on the same device, at the same place in it."""
    count = target.shards[dim]
    if source.shape[dim] % count:
        return False
    part = source.shape[dim] // count
    return start < stride and part == target.local_shape[dim] * stride


def of_dynamic_slice(op: LaidOp) -> list[int]:
    """Those of which the slice takes a part."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    return [dim for dim in range(target.rank) if source.shape[dim] != target.shape[dim]]


def of_update(op: LaidOp) -> list[int]:
    """Those of which a dynamic_update_slice writes a part."""
    operand, update = op.operand_layouts[:2]
    return [dim for dim in range(operand.rank) if operand.shape[dim] != update.shape[dim]]


def of_concatenate(op: LaidOp) -> list[int]:
    """The dimension along which several operands are joined."""
    return [op.op.attributes["dimension"].value] if len(op.operand_layouts) > 1 else []


def of_sort(op: LaidOp) -> list[int]:
    """The sorted dimension; by default the last."""
    dim = op.op.attributes["dimension"].value if "dimension" in op.op.attributes else -1
    return [dim % op.result_layouts[0].rank]


def of_pad(op: LaidOp) -> list[int]:
    """Those along which elements move to another device."""
    low, interior = op.integers("edge_padding_low"), op.integers("interior_padding")
    source, target = op.operand_layouts[0], op.result_layouts[0]
    return [dim for dim in range(target.rank) if not _stays(source, target, dim, low[dim], interior[dim] + 1)]


def _stays(source: Layout, target: Layout, dim: int, low: int, step: int) -> bool:
    """Whether each part of the result contains elements of the operand's part on the same device only."""
    count = target.shards[dim]
    size, result_size = source.shape[dim], target.shape[dim]
    if count == 1:
        return True
    if size % count:
        return False
    part, result_part = size // count, result_size // count
    if low == 0 and step == 1 and part == result_part:
        return True
    positions = low + np.arange(size) * step
    inside = (positions >= 0) & (positions < result_size)
    return bool((np.arange(size) // part == positions // result_part)[inside].all())


def of_reduce_window(op: LaidOp) -> list[int]:
    """Those with windows that reach beyond a device's part."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    return [dim for dim in target.sharded_dims if not _holds_windows(op, source, target, dim)]


def of_select_and_scatter(op: LaidOp) -> list[int]:
    """As reduce_window, with the source in the place of the result."""
    operand, source = op.operand_layouts[:2]
    return [dim for dim in operand.sharded_dims if not _holds_windows(op, operand, source, dim)]


def _holds_windows(op: LaidOp, operand: Layout, windowed: Layout, dim: int) -> bool:
    """Whether equal parts of `operand` hold all windows of equal parts of `windowed` along `dim`."""
    window, stride = _entry(op, "window_dimensions", dim), _entry(op, "window_strides", dim)
    plain = all(_entry(op, name, dim) == 1 for name in ("base_dilations", "window_dilations"))
    padding = op.op.attributes.get("padding")
    padded = padding is not None and any(list(padding)[2 * dim : 2 * dim + 2])
    count = operand.shards[dim]
    part = operand.shape[dim] // count
    fits = window <= stride and part % stride == 0 and windowed.shape[dim] == part // stride * count
    return plain and not padded and fits and operand.shape[dim] % count == 0


def _entry(op: LaidOp, name: str, dim: int) -> int:
    """Entry `dim` of an optional array attribute of ones."""
    attributes = op.op.attributes
    return int(np.array(attributes[name])[dim]) if name in attributes else 1


def of_reverse(op: LaidOp) -> list[int]:
    """The reversed dimensions."""
    return op.integers("dimensions")


def of_one_dimension(op: LaidOp) -> list[int]:
    """The dimension whose size is asked or set."""
    return [op.op.attributes["dimension"].value]
