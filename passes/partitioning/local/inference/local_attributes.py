"""Attributes of ops as they are on one device's part (spec: type-inference, 3.3).

An op that is not here has the attributes that it had. All functions are asked about ops whose layouts fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdy.mlir import stablehlo
from sdy.passes.partitioning.emit.laid_op import LaidOp
from sdy.stablehlo.idioms.dense import local_splat
from sdy.stablehlo.ops.making.attribute_writers import i64, i64_array

Attributes = dict[str, Any]
"""Attributes that change, by name."""


def changed_attributes(op: LaidOp) -> Attributes:
    """The attributes in which the op on one device's part differs from the one on whole tensors.

    Raises:
      DiagnosticError: what the attributes say cannot be said of parts.
    """
    function = _FUNCTIONS.get(op.op.name)
    return {} if function is None else function(op)


def has_other_attributes(name: str) -> bool:
    """Whether ops of that name may have other attributes on one device's part."""
    return name in _FUNCTIONS


def of_slice(op: LaidOp) -> Attributes:
    """Along sharded dimensions up to the end of the part."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    limits = op.integers("limit_indices")
    for dim in target.sharded_dims:
        limits[dim] = source.local_shape[dim]
    return {"limit_indices": i64_array(limits)}


def of_dynamic_slice(op: LaidOp) -> Attributes:
    return {"slice_sizes": i64_array(op.result_layouts[0].local_shape)}


def of_gather(op: LaidOp) -> Attributes:
    """Whole slices become those of the part; the slices of single elements and along batching dimensions stay."""
    operand = op.operand_layouts[0]
    numbers = stablehlo.GatherDimensionNumbers(op.op.attributes["dimension_numbers"])
    sizes, batching = op.integers("slice_sizes"), list(numbers.operand_batching_dims)
    for dim in operand.sharded_dims:
        if sizes[dim] != 1 and dim not in batching:
            if sizes[dim] != operand.shape[dim]:
                op.fail(f"takes slices of {sizes[dim]} of {operand.shape[dim]} along the sharded dimension {dim}")
            sizes[dim] = operand.local_shape[dim]
    return {"slice_sizes": i64_array(sizes)}


def of_convolution(op: LaidOp) -> Attributes:
    """The groups are divided among the devices."""
    lhs, kernel = op.operand_layouts
    numbers = stablehlo.ConvDimensionNumbers(op.op.attributes["dimension_numbers"])
    return {
        **_split_groups(op, "feature_group_count", kernel.shards[numbers.kernel_output_feature_dimension]),
        **_split_groups(op, "batch_group_count", lhs.shards[numbers.input_batch_dimension]),
    }


def _split_groups(op: LaidOp, name: str, shards: int) -> Attributes:
    count = op.op.attributes[name].value
    if count == 1:
        return {}
    if count % min(count, shards):
        op.fail(f"has {count} groups ({name}) on {shards} shards")
    return {name: i64(max(1, count // shards))}


def of_broadcast(op: LaidOp) -> Attributes:
    """New leading dimensions become as small as the result's part."""
    target = op.result_layouts[0]
    count = target.rank - op.operand_layouts[0].rank
    return {"broadcast_sizes": i64_array(target.local_shape[:count])}


def of_constant(op: LaidOp) -> Attributes:
    """A splat of the local shape; a value whose parts may differ stays, and each device takes its part of it."""
    layout = op.result_layouts[0]
    value = local_splat(op.op, layout.local_type) if layout.sharded_dims else None
    return {} if value is None else {"value": value}


# Padding -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LocalPadding:
    """How a part is padded.

    Attributes:
      low, high: numbers of elements before and behind it.
      shape: the padded shape.
      starts: where each device's part of the result starts in it, per dimension; None if it is all of it.
    """

    low: list[int]
    high: list[int]
    shape: tuple[int, ...]
    starts: tuple[np.ndarray, ...] | None


def local_padding(op: LaidOp) -> LocalPadding:
    """The padding of the part; as much as any device needs, where devices need different ones."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    low, interior = op.integers("edge_padding_low"), op.integers("interior_padding")
    expanded = [n + max(n - 1, 0) * inner for n, inner in zip(source.local_shape, interior, strict=True)]
    steps = [
        part * (inner + 1) - result
        for part, inner, result in zip(source.local_shape, interior, target.local_shape, strict=True)
    ]
    if target.mesh is None or not any(steps[dim] for dim in target.sharded_dims):
        high = [size - (lo + n) for size, lo, n in zip(target.local_shape, low, expanded, strict=True)]
        return LocalPadding(low, high, target.local_shape, None)
    offsets = [
        low[dim] + target.mesh.shard_indices(axes) * steps[dim] if axes else np.array([low[dim]])
        for dim, axes in enumerate(target.dim_axes)
    ]
    most_low = [max(0, int(offset.max())) for offset in offsets]
    most_high = [
        max(0, size - int(offset.min()) - n)
        for size, offset, n in zip(target.local_shape, offsets, expanded, strict=True)
    ]
    shape = tuple(lo + n + hi for lo, n, hi in zip(most_low, expanded, most_high, strict=True))
    return LocalPadding(
        most_low, most_high, shape, tuple(lo - offset for lo, offset in zip(most_low, offsets, strict=True))
    )


def of_pad(op: LaidOp) -> Attributes:
    if not op.result_layouts[0].sharded_dims:
        return {}
    padding = local_padding(op)
    return {"edge_padding_low": i64_array(padding.low), "edge_padding_high": i64_array(padding.high)}


_FUNCTIONS: dict[str, Callable[[LaidOp], Attributes]] = {
    "sdy.constant": of_constant,
    "stablehlo.broadcast": of_broadcast,
    "stablehlo.constant": of_constant,
    "stablehlo.convolution": of_convolution,
    "stablehlo.dynamic_slice": of_dynamic_slice,
    "stablehlo.gather": of_gather,
    "stablehlo.pad": of_pad,
    "stablehlo.slice": of_slice,
}
