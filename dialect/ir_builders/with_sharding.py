"""New ops with shardings, and manual computations of what one device does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.values.sharding import MeshRef, TensorSharding
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


class Entering(NamedTuple):
    """A value that a manual computation gets, as `sharding` lays it out, and the type of what each device has of it."""

    value: ir.Value
    sharding: TensorSharding
    part: ir.Type


class Leaving(NamedTuple):
    """A result of a manual computation: its type, which `sharding` divides, and the shape that is left of it."""

    type: ir.Type
    sharding: TensorSharding
    shape: Sequence[int]


Body = Callable[[Builder, list[ir.Value]], Sequence[ir.Value]]
"""What a device does with its parts of all that enters, to get its parts of all that leaves."""


def scalars(values: Sequence[ir.Value], ref: MeshRef) -> list[Entering]:
    """Scalars that enter as they are, the same on all devices of the mesh `ref`."""
    whole = TensorSharding(ref)
    return [Entering(value, whole, value.type) for value in values]


def by_hand(
    b: Builder, entering: Sequence[Entering], leaving: Sequence[Leaving], manual: Sequence[str], body: Body
) -> list[ir.Value]:
    """What leaves a computation of `body` that is manual along the axes `manual`, made where `b` inserts.

    What makes the parts of a result even, behind its end, is cut off.
    """
    computation = sdy_ops.manual_computation(
        [each.value for each in entering],
        [each.type for each in leaving],
        [each.sharding for each in entering],
        [each.sharding for each in leaving],
        manual,
        [each.part for each in entering],
        loc=b.location,
        ip=b.ip,
    )
    block = computation.regions[0].blocks[0]
    inside = Builder.at_end(block, b.location)
    sdy_ops.return_(body(inside, list(block.arguments)), loc=b.location, ip=inside.ip)
    wholes = zip(computation.results, leaving, strict=True)
    return [high_cut(b, whole, each.shape, each.sharding) for whole, each in wholes]


def replace_by_hand(
    op: ir.Operation,
    b: Builder,
    entering: Sequence[Entering],
    leaving: Sequence[Leaving],
    manual: Sequence[str],
    body: Body,
) -> None:
    """Puts what leaves the computation of `body` in the place of the results of `op`, which is gone."""
    for old, new in zip(op.results, by_hand(b, entering, leaving, manual, body), strict=True):
        old.replace_all_uses_with(new)
    op.erase()
