"""Reshards between numbers of parts that divide a dimension unevenly, on padded tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition.attributes import ANY_PADDING
from sdy.dialect.ir_builders.with_sharding import with_sharding
from sdy.dialect.lowering.layout import Layout
from sdy.mlir import ir
from sdy.mlir.tensor_types import MOST_ELEMENTS, with_shape
from sdy.passes.partitioning.analysis.intervals import Access, Halo
from sdy.passes.partitioning.reshard_planning.reshard_search import halo_bytes, reshard_bytes
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo.ops import Builder


@pattern("pad-uneven-reshards", "sdy.reshard")
def pad_uneven_reshard(reshard: ir.Operation, rewriter: Rewriter) -> bool:
    """Pad a tensor for a reshard that changes the parts of a dimension, if that sends fewer bytes.

    Parts of different sizes do not align, so all of them would be gathered. With padding, the dimension is evenly
    divided before and behind; the pad and the slice exchange border rows.

    %1 = sdy.reshard %0 <@mesh, [{"x"}, {"y"}]> : tensor<6x8xf32>              // of [{"x", "y"}, {}]
    ==>  %1 = stablehlo.pad %0, %zero, low = [0, 0], high = [2, 0], interior = [0, 0] {... [{"x", "y"}, {}]}
         %2 = sdy.reshard %1 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
         %3 = stablehlo.slice %2 [0:6, 0:8] {... [{"x"}, {"y"}]} : (tensor<8x8xf32>) -> tensor<6x8xf32>
    """
    (operand,), result = reshard.operands, reshard.results[0]
    have, want = rewriter.layouts.of_value(operand), rewriter.layouts.of_value(result)
    sizes = _padded_sizes(have, want)
    if not sizes:
        return rewriter.no_match(reshard, "all dimensions are divided evenly, or sizes are unknown")
    padded, moved = (rewriter.layouts.of(with_shape(have.type, sizes), each.sharding) for each in (have, want))
    exchanged = _border_bytes(have, sizes) + _border_bytes(moved, want.shape)
    if exchanged + reshard_bytes(padded, moved) >= reshard_bytes(have, want):
        return rewriter.no_match(reshard, "padded, it sends as much")
    b, none = Builder.before(reshard), [0] * have.rank
    high = [size - given for size, given in zip(sizes, have.shape, strict=True)]
    made = with_sharding(b.pad(operand, b.constant(0, have.type.element_type), none, high), have.sharding)
    made.owner.attributes[ANY_PADDING] = ir.UnitAttr.get()
    assert want.sharding is not None
    made = builders.reshard(made, want.sharding, loc=b.location, ip=b.ip)
    return rewriter.replace(reshard, with_sharding(b.slice(made, none, want.shape), want.sharding))


def _padded_sizes(have: Layout, want: Layout) -> list[int]:
    """Return the sizes that both layouts divide evenly; none if all dimensions are even, or sizes are unknown."""
    if have.mesh is None or have.mesh != want.mesh or have.mesh.is_maximal or have.unreduced or want.unreduced:
        return []
    if min(have.shape, default=0) <= 0:
        return []
    counts = map(math.lcm, have.shards, want.shards)
    sizes = [-(-size // count) * count for size, count in zip(have.shape, counts, strict=True)]
    return sizes if sizes != list(have.shape) and max(sizes) <= MOST_ELEMENTS else []


def _border_bytes(source: Layout, made: Sequence[int]) -> float:
    """Return the bytes that a device sends when a pad behind it, or a slice, changes a tensor to `made` elements."""
    sent = 0.0
    for dim in source.sharded_dims:
        if source.shape[dim] != made[dim]:
            needed = Access(source.shape[dim], made[dim], source.shards[dim]).needed
            sent += halo_bytes(Halo.of(dim, needed), source)
    return sent
