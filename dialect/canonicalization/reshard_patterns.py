"""Canonicalization of reshards (spec: dialect, 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from sdy.dialect import builders
from sdy.dialect.canonicalization.patterns import canonicalization, visit
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding, is_equivalent_across_reshape
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting.uses import defining_op, has_one_use, users
from sdy.stablehlo import ops


@canonicalization("sdy.reshard", label="sdy-reshard", benefit=2)
def reshard_of_reshard(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """What comes in between is of no interest if nobody else looks at it."""
    inner = defining_op(op.operands[0])
    if inner is None or inner.name != "sdy.reshard" or not has_one_use(op.operands[0]):
        return False
    sharding = attributes.get(op, "sharding")
    new = builders.reshard(inner.operands[0], sharding, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    rewriter.replace_op(op, [new])
    return True


RESHAPE = "stablehlo.reshape"
TRANSPOSE = "stablehlo.transpose"


@canonicalization("sdy.reshard")
def reuse_reshard(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """An earlier reshard of the same data, looked at through reshapes, will do."""
    chain = _chain(op.operands[0])
    root = chain[-1].operands[0] if chain else op.operands[0]
    target = _at_root(attributes.get(op, "sharding"), chain)
    found = _equivalent_reshard(op, root, target)
    if found is None:
        return False
    value = found.results[0]
    if value.type != root.type:
        value = ops.reshape(value, root.type, loc=value.location, ip=ir.InsertionPoint.after(found))
        visit(value.owner, rewriter)
    for link in reversed(chain):
        clone = link.clone(ip=ir.InsertionPoint.after(value.owner.operation))
        clone.operands[0] = value
        visit(clone.operation, rewriter)
        value = clone.results[0]
    rewriter.replace_op(op, [value])
    return True


def _chain(value: ir.Value) -> list[ir.Operation]:
    """The reshapes and transposes that lead to `value`, last first."""
    chain: list[ir.Operation] = []
    while (op := defining_op(value)) is not None and op.name in (RESHAPE, TRANSPOSE):
        chain.append(op)
        value = op.operands[0]
    return chain


def _at_root(sharding: TensorSharding, chain: Sequence[ir.Operation]) -> TensorSharding:
    """`sharding` of the end of `chain` as one of its root, as far as ranks stay the same.

    A sharding to a single device, which has no dimensions, is the same everywhere.
    """
    for op in chain if sharding.dims else ():
        if op.name == TRANSPOSE:
            permutation = list(op.attributes["permutation"])
            dims = list(sharding.dims)
            for dim, source in zip(sharding.dims, permutation, strict=True):
                dims[source] = dim
            sharding = sharding.with_dims(dims)
        elif op.operands[0].type.rank != op.results[0].type.rank:
            break
    return sharding


def _equivalent_reshard(op: ir.Operation, root: ir.Value, target: TensorSharding) -> ir.Operation | None:
    """A reshard before `op` in its block that has the data of `root` distributed as `target` does."""
    type_ = op.results[0].type
    stack, visited = [root], []
    while stack:
        value = stack.pop()
        if value in visited:
            continue
        visited.append(value)
        for user in users(value):
            if user == op:
                continue
            if user.name == "sdy.reshard" and _precedes(user, op) and _same(user, target, type_):
                return user
            if user.name == RESHAPE:
                stack.append(user.results[0])
    return None


def _precedes(first: ir.Operation, second: ir.Operation) -> bool:
    return first.block == second.block and first.is_before_in_block(second)


def _same(candidate: ir.Operation, target: TensorSharding, type_: ir.Type) -> bool:
    """Whether the result of `candidate` is distributed like a `target` sharded tensor of `type_`."""
    sharding, found_type = attributes.get(candidate, "sharding"), candidate.results[0].type
    if sharding == target and found_type == type_:
        return True
    if isinstance(target.mesh_or_ref, Mesh) or not (_is_plain(type_) and _is_plain(found_type)):
        return False
    mesh = mesh_of(target.mesh_or_ref, candidate)
    return mesh is not None and is_equivalent_across_reshape(
        sharding, tuple(found_type.shape), target, tuple(type_.shape), mesh.axis_sizes
    )


def _is_plain(type_: ir.Type) -> TypeGuard[ir.RankedTensorType]:
    """Whether `type_` is a ranked tensor without an encoding and of static shape."""
    return isinstance(type_, ir.RankedTensorType) and type_.encoding is None and type_.has_static_shape
