"""The frame of an exchange: what one device does, as a manual computation in the place of ops on sharded dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.with_sharding import high_cut
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.stablehlo.ops import Builder


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
