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
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import clone_with, defining_op, replace
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import bits
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
