"""Canonicalization of collectives that do nothing, undo others or continue them (spec: dialect, 11)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.shardings.value_shardings import get_sharding, sharding_or_open
from sdy.dialect.values.axes import AxisList, AxisRef, slice_
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting.uses import defining_op, has_no_use, has_one_use, users

LABEL = "sdy-collective"


def _operand_op(op: ir.Operation, name: str) -> ir.Operation | None:
    """The op that defines the operand, if it is called `name`."""
    inner = defining_op(op.operands[0])
    return inner if inner is not None and inner.name == name else None


def _forward(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    rewriter.replace_op(op, [op.operands[0]])
    return True


@canonicalization("sdy.all_slice", label=LABEL, benefit=2)
def slice_of_gather(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Slicing along what has just been gathered gives what there was before."""
    return _undoes(op, "slicing_axes", "sdy.all_gather", "gathering_axes", rewriter)


@canonicalization("sdy.all_reduce", label=LABEL, benefit=2)
def reduce_of_replicated_to_unreduced(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Reducing along the axes that a tensor was made unreduced on gives the tensor."""
    return _undoes(op, "reduction_axes", "sdy.replicated_to_unreduced", "axes", rewriter)


def _undoes(op: ir.Operation, axes: str, name: str, its_axes: str, rewriter: rewrite.PatternRewriter) -> bool:
    """Uses what the op called `name` in front of `op` was given, if both have the same axes."""
    undone = _operand_op(op, name)
    if undone is None or op.attributes[axes] != undone.attributes[its_axes]:
        return False
    rewriter.replace_op(op, [undone.operands[0]])
    return True


@canonicalization("sdy.all_to_all", label=LABEL, benefit=2)
def all_to_all_of_all_to_all(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Moves between dimensions that have nothing to do with each other are one exchange."""
    inner = _operand_op(op, "sdy.all_to_all")
    if inner is None or not has_one_use(op.operands[0]):
        return False
    params = [*attributes.get(inner, "params"), *attributes.get(op, "params")]
    dims = [dim for param in params for dim in (param.src_dim, param.tgt_dim)]
    if len(set(dims)) < len(dims):
        return False
    params.sort(key=lambda param: param.src_dim)
    out_sharding = attributes.get(op, "out_sharding")
    new = builders.all_to_all(inner.operands[0], params, out_sharding, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    rewriter.replace_op(op, [new])
    rewriter.erase_op(inner)
    return True


@canonicalization("sdy.all_gather", label=LABEL)
def gather_of_nothing(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """No axes in any dimension: the operand."""
    return not any(attributes.get(op, "gathering_axes")) and _forward(op, rewriter)


@canonicalization("sdy.all_slice", label=LABEL)
def slice_of_nothing(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """No axes in any dimension: the operand."""
    return not any(attributes.get(op, "slicing_axes")) and _forward(op, rewriter)


@canonicalization("sdy.all_reduce", label=LABEL)
def reduce_of_nothing(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """No axes: the operand."""
    return not attributes.get(op, "reduction_axes").axes and _forward(op, rewriter)


@canonicalization("sdy.all_reduce", label=LABEL)
def reduce_of_sharded_to_unreduced(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Reducing along the axes that a tensor was made unreduced on, having been sharded on them, gathers it."""
    made = _operand_op(op, "sdy.sharded_to_unreduced")
    if made is None:
        return False
    out_sharding = attributes.get(op, "out_sharding")
    mesh = mesh_of(out_sharding.mesh_or_ref, op)
    if mesh is None:
        return False
    lists = attributes.get(made, "axes").lists
    if (
        mesh.sort_and_merge(axis for axis_list in lists for axis in axis_list)
        != attributes.get(op, "reduction_axes").axes
    ):
        return False
    new = builders.all_gather(made.operands[0], lists, out_sharding, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    rewriter.replace_op(op, [new])
    return True


@canonicalization("sdy.all_to_all", label=LABEL)
def unused_all_to_all(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Nobody waits for the result."""
    return has_no_use(op.results[0]) and _forward(op, rewriter)


@canonicalization("sdy.collective_permute", label=LABEL)
def permute_to_the_same(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """The operand is sharded like the result."""
    source, target = get_sharding(op.operands[0]), attributes.get(op, "out_sharding")
    return target.is_equivalent(source) and not _ties_mesh(op, source, target) and _forward(op, rewriter)


def _ties_mesh(op: ir.Operation, source: TensorSharding | None, target: TensorSharding) -> bool:
    """Whether a permute of replicated data is there for a collective that needs its operand on the mesh of `target`."""
    if source is None or source.mesh_or_ref == target.mesh_or_ref:
        return False
    if mesh_of(source.mesh_or_ref, op) == mesh_of(target.mesh_or_ref, op):
        return False
    return any(user.name in builders.COLLECTIVES and user.name != op.name for user in users(op.results[0]))


@canonicalization("sdy.reduce_scatter", label=LABEL)
def reduce_scatter_of_nothing(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """No axes in any dimension: the operand."""
    return not any(attributes.get(op, "reduce_scatter_axes")) and _forward(op, rewriter)


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
