"""Giving new ops shardings."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.ir_builders.ends import cut_at_ends, pad_at_ends
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.stablehlo.ops import Builder


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Sets `sdy.sharding` of the op whose only result is `value`."""
    value.owner.operation.attributes[SHARDING] = attr_of(ShardingPerValue((sharding,)))


def marked(value: ir.Value, sharding: TensorSharding | None) -> ir.Value:
    """`value`, the only result of its op, with `sharding` if there is one."""
    if sharding is not None:
        set_sharding(value, sharding)
    return value


def high_padded(
    b: Builder, x: ir.Value, shape: Sequence[int], sharding: TensorSharding | None, filler: ir.Value | None = None
) -> ir.Value:
    """`x` extended to `shape` at the ends of its dimensions, by `filler` or zeros; `x` itself if it has that shape."""
    padded = pad_at_ends(b, x, shape, filler)
    return x if padded == x else marked(padded, sharding)


def high_cut(b: Builder, x: ir.Value, shape: Sequence[int], sharding: TensorSharding | None) -> ir.Value:
    """The first elements of `x` along every dimension, of `shape`; `x` itself if it has that shape."""
    cut = cut_at_ends(b, x, shape)
    return x if cut == x else marked(cut, sharding)
