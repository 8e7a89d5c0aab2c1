"""Giving new ops shardings."""

from __future__ import annotations

from sdy.dialect.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.sharding import TensorSharding
from sdy.mlir import ir


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Sets `sdy.sharding` of the op whose only result is `value`."""
    value.owner.operation.attributes[SHARDING] = attr_of(ShardingPerValue((sharding,)))
