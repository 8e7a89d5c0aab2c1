"""Giving new ops shardings."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.stablehlo.ops import Builder


def cut_at_ends(b: Builder, x: ir.Value, shape: Sequence[int]) -> ir.Value:
    """`first_elements`, but `x` itself if that is all of it."""
    return x if list(x.type.shape) == list(shape) else first_elements(b, x, shape)


def first_elements(b: Builder, x: ir.Value, shape: Sequence[int]) -> ir.Value:
    """The first elements of every dimension.

    Raises `DiagnosticError` if a size is dynamic: a slice has no way to say that a dimension stays whole.
    """
    if any(size < 0 for size in shape):
        raise DiagnosticError(b.location, f"a value of type {x.type}, of dynamic size, cannot be cut")
    return b.slice(x, [0] * len(shape), shape)


def pad_at_ends(b: Builder, x: ir.Value, shape: Sequence[int], value: ir.Value | None = None) -> ir.Value:
    """`x` extended with `value`, or zeros; `x` itself if it has that shape."""
    old = list(x.type.shape)
    if old == list(shape):
        return x
    filler = value if value is not None else b.constant(0, x.type.element_type)
    return b.pad(x, filler, [0] * len(old), [new - n for n, new in zip(old, shape, strict=True)])


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
