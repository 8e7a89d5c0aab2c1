"""Canonicalization of an all-reduce whose result is sliced: a reduce-scatter (spec: dialect, 11.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.canonicalization.collective_patterns import LABEL
from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.shardings.value_shardings import sharding_or_open
from sdy.dialect.values.axes import AxisList, AxisRef, slice_
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting.uses import defining_op, users


@canonicalization("sdy.all_slice", label=LABEL)
def slice_of_reduce(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """All users keep the same part of the reduced tensor, so that no device needs all of it."""
    reduce = defining_op(op.operands[0])
    if reduce is None or reduce.name != "sdy.all_reduce":
        return False
    slices = users(reduce.results[0])
    if not _all_alike(slices, op):
        return False
    sliced = attributes.get(op, "slicing_axes").lists
    taken = _taken(sliced, attributes.get(reduce, "reduction_axes").axes)
    out_sharding = _scattered_sharding(reduce, op, taken) if taken is not None else None
    if taken is None or out_sharding is None:
        return False
    where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    value = builders.reduce_scatter(reduce.operands[0], taken, out_sharding, _reduction(reduce), **where)
    visit(value.owner.operation, rewriter)
    rest = [axes[len(kept) :] for axes, kept in zip(sliced, taken, strict=True)]
    if any(rest):
        value = builders.all_slice(value, rest, attributes.get(op, "out_sharding"), **where)
        visit(value.owner.operation, rewriter)
    for user in slices:
        rewriter.replace_op(user, [value])
    rewriter.erase_op(reduce)
    return True


def _reduction(op: ir.Operation) -> Reduction:
    return Reduction(ir.IntegerAttr(op.attributes["reduction_op"]).value)


def _all_alike(slices: Sequence[ir.Operation], first: ir.Operation) -> bool:
    """Whether all are slices along the axes of `first`, and none stands before it."""
    axes = first.attributes["slicing_axes"]
    for user in slices:
        if user.name != "sdy.all_slice" or user.attributes["slicing_axes"] != axes:
            return False
        if user.block != first.block or (user != first and user.is_before_in_block(first)):
            return False
    return True


def _taken(sliced: Sequence[AxisList], reduced: AxisList) -> list[AxisList] | None:
    """Per dimension the first axes that are reduced as well; None unless these are all that are reduced."""
    left: list[AxisRef] = list(reduced)
    taken: list[AxisList] = []
    for axes in sliced:
        count = 0
        while count < len(axes) and axes[count] in left:
            left.remove(axes[count])
            count += 1
        taken.append(axes[:count])
    return None if left else taken


def _scattered_sharding(reduce: ir.Operation, op: ir.Operation, taken: Sequence[AxisList]) -> TensorSharding | None:
    """The sharding of the reduce-scatter; None if its mesh is unknown."""
    reduced: TensorSharding = attributes.get(reduce, "out_sharding")
    target: TensorSharding = attributes.get(op, "out_sharding")
    mesh = mesh_of(reduced.mesh_or_ref, op)
    if mesh is None:
        return None
    source = sharding_or_open(reduce.operands[0], reduced.mesh_or_ref)
    dims = tuple(
        DimensionSharding(slice_(axes, added, mesh.axis_sizes), True)
        for axes, added in zip(source.dim_axes, taken, strict=True)
    )
    return TensorSharding(reduced.mesh_or_ref, dims, target.replicated, target.unreduced, target.reduction)
