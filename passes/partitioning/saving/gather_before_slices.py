"""sdy-gather-before-slices: gathers a tensor once whose slices are gathered one by one.

    %1 = stablehlo.slice %0 [0:1] {... [{"x"}]} : (tensor<8xf32>) -> tensor<1xf32>
    %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<1xf32>
    %3 = stablehlo.slice %0 [1:2] {... [{"x"}]} : (tensor<8xf32>) -> tensor<1xf32>
    %4 = sdy.reshard %3 <@mesh, [{}]> : tensor<1xf32>
==> %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.slice %1 [0:1] {... [{}]} : (tensor<8xf32>) -> tensor<1xf32>
    %4 = stablehlo.slice %1 [1:2] {... [{}]} : (tensor<8xf32>) -> tensor<1xf32>

A slice with fewer elements than devices still takes an element of each. So it is with recurrences that are written out,
as those of a tridiagonal solver. Slices of slices are slices of the tensor; a reshard that gathers the tensor itself is
one of those that count. Cost model: the tensor is gathered if that sends fewer bytes than all these reshards. One of
more than a mebibyte, which is kept from the first to the last of them, has to fit into the budget of all passes that
keep something; the slices of a smaller one take about as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from sdy.dialect import builders
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.passes.partitioning.saving.analysis.kept_bytes import (
    SMALL,
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    affordable,
)
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class _Gathered:
    """A reshard that gathers the elements of a tensor from `starts` on."""

    reshard: ir.Operation
    starts: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.reshard.results[0].type.shape)


@dataclass(frozen=True)
class _Tensor:
    """A tensor, what it is like when gathered, and the reshards of its slices, in textual order."""

    value: ir.Value
    whole: Layout
    slices: Sequence[_Gathered]


@pass_("sdy-gather-before-slices", on="func.func", options=KeptBytesOptions)
def gather_before_slices(func: ir.Operation, options: KeptBytesOptions) -> None:
    reshards = [op for op in ops_named(func, "sdy.reshard") if _slice_of(op.operands[0]) is not None]
    if not reshards:
        return
    layouts = Layouts(of_module(MeshTable, func))
    worthwhile = list(_worthwhile(_tensors(reshards, layouts), layouts))
    if not worthwhile:
        return
    large = [each for each in worthwhile if each[0].whole.local_bytes > SMALL]
    chosen = [tensor for tensor, _ in worthwhile if tensor.whole.local_bytes <= SMALL]
    if large:
        live = LiveBytes(func, layouts)
        candidates = [Candidate(tensor, saved, (_span(tensor, live),)) for tensor, saved in large]
        chosen += affordable(func, candidates, live, options)
    for tensor in chosen:
        _gather_once(tensor)


# What is worth it ------------------------------------------------------------------------------------


def _tensors(reshards: Sequence[ir.Operation], layouts: Layouts) -> list[_Tensor]:
    """The tensors whose slices are gathered along the same dimensions, those that others are slices of first."""
    found: dict[tuple[ir.Value, ir.Block, tuple[object, ...]], list[_Gathered]] = {}
    depths: dict[ir.Value, int] = {}
    for reshard in reshards:
        want = layouts.of_value(reshard.results[0])
        chain = list(_sliced(reshard.operands[0]))
        for depth, (value, starts) in enumerate(reversed(chain)):
            if _gathers(layouts.of_value(value), want):
                depths[value] = depth
                found.setdefault((value, reshard.block, want.dim_axes), []).append(_Gathered(reshard, starts))
    tensors = [
        _Tensor(
            value,
            layouts.of(value.type, layouts.of_value(slices[0].reshard.results[0]).sharding),
            _in_order([*slices, *_of_all(value, block, axes, layouts)]),
        )
        for (value, block, axes), slices in found.items()
    ]
    return sorted(tensors, key=lambda tensor: depths[tensor.value])


def _of_all(value: ir.Value, block: ir.Block, axes: tuple[object, ...], layouts: Layouts) -> list[_Gathered]:
    """Reshards in `block` that gather all of a tensor, so that it has these `axes`."""
    users = [use.owner.operation for use in value.uses]
    return [
        _Gathered(user, (0,) * value.type.rank)
        for user in users
        if user.name == "sdy.reshard" and user.block == block and layouts.of_value(user.results[0]).dim_axes == axes
    ]


def _in_order(reshards: list[_Gathered]) -> list[_Gathered]:
    """In textual order."""

    def order(one: _Gathered, other: _Gathered) -> int:
        return -1 if one.reshard.is_before_in_block(other.reshard) else 1

    return sorted(reshards, key=cmp_to_key(order))


def _worthwhile(tensors: Sequence[_Tensor], layouts: Layouts) -> Iterator[tuple[_Tensor, float]]:
    """Tensors to gather, each with the bytes that this saves; no reshard is that of a slice of two of them.

    Of equal reshards only one is left in the end.
    """
    taken: set[ir.Value] = set()
    for tensor in tensors:
        left = [each for each in tensor.slices if each.reshard.results[0] not in taken]
        sent = sum(
            reshard_bytes(layouts.of_value(reshard.operands[0]), layouts.of_value(reshard.results[0]))
            for reshard in {(each.starts, each.shape): each.reshard for each in left}.values()
        )
        saved = sent - reshard_bytes(layouts.of_value(tensor.value), tensor.whole)
        if len(left) > 1 and saved > 0:
            taken.update(each.reshard.results[0] for each in left)
            yield _Tensor(tensor.value, tensor.whole, left), saved


def _sliced(value: ir.Value) -> Iterator[tuple[ir.Value, tuple[int, ...]]]:
    """The tensors that a value is a slice of, the nearest first, and where it begins in each."""
    starts = (0,) * value.type.rank
    while (cut := _slice_of(value)) is not None:
        value = cut.operands[0]
        starts = tuple(a + b for a, b in zip(starts, cut.attributes["start_indices"], strict=True))
        yield value, starts


def _slice_of(value: ir.Value) -> ir.Operation | None:
    """The op that makes a slice without elements left out in between."""
    op = defining_op(value)
    if op is None or op.name != "stablehlo.slice" or any(step != 1 for step in op.attributes["strides"]):
        return None
    return op


def _gathers(have: Layout, want: Layout) -> bool:
    """Whether some dimensions are sharded no longer, and nothing else differs."""
    if have.mesh is None or have.mesh != want.mesh or have.mesh.is_maximal or have.unreduced or want.unreduced:
        return False
    pairs = list(zip(have.dim_axes, want.dim_axes, strict=True))
    return have.dim_axes != want.dim_axes and all(not after or before == after for before, after in pairs)


def _span(tensor: _Tensor, live: LiveBytes) -> Span:
    block = tensor.slices[0].reshard.block
    at = [live.number(each.reshard, block) for each in tensor.slices]
    return Span(block, min(at), max(at), tensor.whole.local_bytes)


# Gathering the tensor --------------------------------------------------------------------------------


def _gather_once(tensor: _Tensor) -> None:
    sharding = tensor.whole.sharding
    assert sharding is not None
    first = Builder.before(tensor.slices[0].reshard)
    whole = builders.reshard(tensor.value, sharding, loc=first.location, ip=first.ip)
    for each in tensor.slices:
        reshard, part = each.reshard, each.reshard.operands[0]
        limits = [start + size for start, size in zip(each.starts, each.shape, strict=True)]
        is_all = each.shape == tuple(whole.type.shape)
        made = whole if is_all else marked(Builder.before(reshard).slice(whole, each.starts, limits), sharding)
        reshard.results[0].replace_all_uses_with(made)
        reshard.erase()
        erase_unused([part])
