"""Gathers a value where it is smallest, or computes it on every device if that needs no gather.

    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
    %2 = stablehlo.convert %1 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %3 = sdy.all_gather [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
==> %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xbf16>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
    %3 = stablehlo.convert %2 : (tensor<4x8xbf16>) -> tensor<4x8xf32>

A gather moves in front of transposes, where it may equal another one, and of conversions from smaller elements. It
moves behind conversions to smaller elements if all users are such. Sliced values are taken from before the slice.
Values that depend on constants and replicated values alone, by ops on elements and shapes, are recomputed with the
gathered sharding. Cost model: bytes never grow; the only work that is repeated on several devices is a conversion,
transpose, constant, or pointwise op.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import erase_unused, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import clone_with, defining_op, replace
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import bits
from sdy.passes.partitioning.analysis.memory_budget import (
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    small_or_affordable,
)
from sdy.passes.partitioning.collectives.sum_patterns import sent_bytes
from sdy.passes.partitioning.reshard_planning.reshard_search import reshard_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern

_TRANSPOSE = "stablehlo.transpose"
_CONVERT = "stablehlo.convert"
_REMADE = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.iota", _TRANSPOSE})
_MAX_REMADE = 8
"""Number of ops that may be recreated to save a gather."""


@function_pattern("place-all-gathers", "sdy.all_gather")
def place_all_gathers(func: ir.Operation, _: Rewriter) -> bool:
    """Move gathers to their smallest operand, or compute the value on every device."""
    for gather in ops_named(func, "sdy.all_gather"):
        if not _was_there(gather) and not _remake(gather):
            _move_behind(_move_to_front(gather))
    return True


def _was_there(gather: ir.Operation) -> bool:
    """Replace a gather of slices of a replicated value; return False for other gathers."""
    slice_ = defining_op(gather.operands[0])
    if slice_ is None or slice_.name != "sdy.all_slice":
        return False
    out, had = attributes.get(gather, "out_sharding"), get_sharding(slice_.operands[0])
    if had is None or had.mesh_or_ref != out.mesh_or_ref or had.dim_axes != out.dim_axes or had.unreduced:
        return False
    replace(gather, [slice_.operands[0]])
    erase_unused([slice_.results[0]])
    return True


# Gathering from another gather ---------------------------------------------------------------------


@dataclass(frozen=True)
class _Chained:
    """A gather, or a gather of a slice, for which `base` is a gather of the same value that has all it needs."""

    gather: ir.Operation
    base: ir.Operation
    is_slice: bool

    def candidate(self, live: LiveBytes, layouts: Layouts) -> Candidate[_Chained]:
        """The base is held until it is used here."""
        block, base = self.gather.block, self.base.results[0]
        ends = [live.number(self.base, block), live.last_use([base], block)]
        at = live.number(self.gather, block)
        span = Span(block, min(at, ends[1]), max(at, ends[0]), live.size(base))
        sent = 0.0 if self.is_slice else reshard_bytes(*map(layouts.of_value, (base, self.gather.results[0])))
        return Candidate(self, sent_bytes(self.gather, layouts) - sent, (span,))

    def run(self) -> None:
        """Take the base in place of the value that both gather."""
        gather, base = self.gather, self.base.results[0]
        if gather.is_before_in_block(self.base):
            self.base.move_before(gather)
        out: TensorSharding = attributes.get(gather, "out_sharding")
        have = attributes.get(self.base, "out_sharding").dim_axes
        more, fewer = (out.dim_axes, have) if self.is_slice else (have, out.dim_axes)
        axes = [many[len(few) :] for many, few in zip(more, fewer, strict=True)]
        build = builders.all_slice if self.is_slice else builders.all_gather
        old = gather.operands[0]
        replace(gather, [build(base, axes, out, loc=gather.location, ip=ir.InsertionPoint(gather))])
        erase_unused([old])


@function_pattern("chain-all-gathers", "sdy.all_gather")
def chain_all_gathers(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Gather from a value that is gathered in part already, as far as memory allows.

    %1 = sdy.all_gather [{"y"}, {}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %2 = sdy.all_gather [{"y"}, {"x"}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    ==>  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>

    A gather of a slice is a slice of the gathered value.
    """
    by_value: dict[tuple[ir.Value, ir.Block], list[ir.Operation]] = {}
    gathers = ops_named(func, "sdy.all_gather")
    for gather in gathers:
        by_value.setdefault((gather.operands[0], gather.block), []).append(gather)
    found = [each for gather in gathers if (each := _chained(gather, by_value)) is not None]
    if not found:
        return False
    live = LiveBytes(func, rewriter.layouts)
    candidates = [each.candidate(live, rewriter.layouts) for each in found]
    chosen = small_or_affordable(rewriter, candidates, live)
    # A gather is replaced after those that take it as their base: slices, and gathers of larger results.
    for each in sorted(chosen, key=lambda each: (not each.is_slice, -live.size(each.gather.results[0]))):
        each.run()
    return bool(chosen)


def _chained(gather: ir.Operation, by_value: dict[tuple[ir.Value, ir.Block], list[ir.Operation]]) -> _Chained | None:
    """Return the gather with the most gathered value that is a part of this one, or whole where this one is a part."""
    value, block, out = gather.operands[0], gather.block, attributes.get(gather, "out_sharding")
    between = [each for each in by_value[value, block] if _is_part(out, attributes.get(each, "out_sharding"))]
    if between:
        return _Chained(gather, min(between, key=_shards), False)
    slice_ = defining_op(value)
    if slice_ is None or slice_.name != "sdy.all_slice":
        return None
    whole = by_value.get((slice_.operands[0], block), ())
    base = next((each for each in whole if _is_part(attributes.get(each, "out_sharding"), out)), None)
    return None if base is None else _Chained(gather, base, True)


def _is_part(whole: TensorSharding, part: TensorSharding) -> bool:
    """Return whether devices have a part of what they have with sharding `whole`, by a slice alone."""
    if whole.mesh_or_ref != part.mesh_or_ref or whole.dim_axes == part.dim_axes:
        return False
    return all(some[: len(axes)] == axes for axes, some in zip(whole.dim_axes, part.dim_axes, strict=True))


def _shards(gather: ir.Operation) -> int:
    """Return the number of axes that the result of a gather is sharded along."""
    return sum(map(len, attributes.get(gather, "out_sharding").dim_axes))


# Making the value again ------------------------------------------------------------------------------


def _remake(gather: ir.Operation) -> bool:
    """Replace a gather of a value that every device can compute; return False for other gathers."""
    value = gather.operands[0]
    chain: list[ir.Operation] = []
    if not _collect(value, chain) or not chain:
        return False
    where = ir.InsertionPoint(gather)
    whole: dict[ir.Value, ir.Value] = {}
    for op in chain:
        copy = clone_with(op, whole, where)
        whole[op.results[0]] = copy.results[0]
        sharding = get_sharding(copy.results[0])
        if sharding is not None:
            set_sharding(copy.results[0], TensorSharding.closed(sharding.mesh_or_ref, sharding.rank))
    out: TensorSharding = attributes.get(gather, "out_sharding")
    made = whole[value]
    if not out.is_fully_replicated:
        made = builders.all_slice(made, out.dim_axes, out, loc=gather.location, ip=where)
    replace(gather, [made])
    erase_unused([value])
    return True


def _collect(value: ir.Value, chain: list[ir.Operation]) -> bool:
    """Add to `chain` the ops that compute all of `value` from replicated values, in order.

    Returns False if that is impossible.
    """
    sharding = get_sharding(value)
    if sharding is None or (sharding.is_fully_replicated and not sharding.unreduced):
        return True
    if sharding.unreduced or not isinstance(value, ir.OpResult):
        return False
    op = value.owner.operation
    if op in chain:
        return True
    if len(chain) >= _MAX_REMADE or not _may_be_remade(op):
        return False
    if not all(_collect(operand, chain) for operand in op.operands):
        return False
    chain.append(op)
    return True


def _may_be_remade(op: ir.Operation) -> bool:
    if len(op.results) != 1 or len(op.regions):
        return False
    if is_constant(op) or op.name in _REMADE:
        return True
    return is_elementwise(op) and not op.name.startswith("sdy.")


# Moving the gather -----------------------------------------------------------------------------------


def _move_to_front(gather: ir.Operation) -> ir.Operation:
    """Move a gather in front of transposes and widening conversions; return the new gather."""
    while True:
        before = gather.operands[0].owner
        if isinstance(before, ir.Block) or not _may_follow(before.operation):
            return gather
        op = before.operation
        permutation = list(op.attributes["permutation"]) if op.name == _TRANSPOSE else None
        out: TensorSharding = attributes.get(gather, "out_sharding")
        axes = attributes.get(gather, "gathering_axes").lists
        value, where = op.operands[0], ir.InsertionPoint(gather)
        source_out = out if permutation is None else out.with_dims(_inverse(out.dims, permutation))
        source_axes = axes if permutation is None else _inverse(axes, permutation)
        moved = builders.all_gather(value, source_axes, source_out, loc=gather.location, ip=where)
        copy = op.clone(ip=where).operation
        copy.operands[0] = moved
        set_sharding(copy.results[0], out)
        replace(gather, [copy.results[0]])
        erase_unused(list(op.results))
        gather = moved.owner.operation


def _may_follow(op: ir.Operation) -> bool:
    """Return whether the operand can be gathered instead of the result."""
    if op.name == _CONVERT and _width(op.operands[0]) > _width(op.results[0]):
        return False
    return op.name in (_TRANSPOSE, _CONVERT) and get_sharding(op.operands[0]) is not None


def _inverse(listed: Sequence, permutation: Sequence[int]) -> list:
    """Reorder a list by result dimension to operand dimensions, given the permutation of a transpose."""
    found = list(listed)
    for result_dim, dim in enumerate(permutation):
        found[dim] = listed[result_dim]
    return found


def _move_behind(gather: ir.Operation) -> None:
    """Moves a gather behind the conversion that all its users are."""
    users = [slot.user for slot in uses_of(gather.results[0])]
    if not users or any(user.name != _CONVERT or user.results[0].type != users[0].results[0].type for user in users):
        return
    first = users[-1]
    if _width(first.results[0]) >= _width(gather.results[0]):
        return
    value, where = gather.operands[0], ir.InsertionPoint(gather)
    sharding = get_sharding(value)
    assert sharding is not None
    converted = first.clone(ip=where).operation
    converted.operands[0] = value
    set_sharding(converted.results[0], sharding)
    axes, out = attributes.get(gather, "gathering_axes").lists, attributes.get(gather, "out_sharding")
    moved = builders.all_gather(converted.results[0], axes, out, loc=gather.location, ip=where)
    for user in users:
        replace(user, [moved])
    gather.erase()


def _width(value: ir.Value) -> int:
    return bits(value.type.element_type)
