"""Canonicalization of collectives that do nothing, undo others or continue them (spec: dialect, 11)."""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
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
