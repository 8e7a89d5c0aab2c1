"""The registry of canonicalization patterns, and those of this dialect (spec: dialect, 11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeGuard

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue, get, value_of
from sdy.dialect.mpmd.values import ReductionKind
from sdy.dialect.shardings.meshes import MeshTable, mesh_of, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, sharding_or_open
from sdy.dialect.values.axes import AxisList, AxisRef, slice_
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting import defining_op, has_no_use, has_one_use, move_out, remade, replace, users
from sdy.stablehlo import ops

_PLACEHOLDER = "builtin.unrealized_conversion_cast"

Rewrite = Callable[[ir.Operation, rewrite.PatternRewriter], bool]
"""Changes the program at an op, or returns False and leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rewrite of ops called `root`. Patterns with a higher benefit come first, then those registered first."""

    root: str
    label: str | None
    benefit: int
    rewrite: Rewrite


PATTERNS: list[Pattern] = []
"""All patterns in the order in which they are tried."""


def canonicalization(root: str, *, label: str | None = None, benefit: int = 1) -> Callable[[Rewrite], Rewrite]:
    """Registers the decorated function as a pattern on ops called `root`.

    ``enable-patterns=label`` selects the patterns with that `label`.
    """

    def register(function: Rewrite) -> Rewrite:
        PATTERNS.append(Pattern(root, label, benefit, function))
        return function

    return register


def visit(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> None:
    """Makes the driver visit a new op next, as C++ drivers do with ops that patterns create.

    The driver does not know ops created here, but it visits ops with replaced operands.
    """
    if not len(op.operands):
        return
    operand = op.operands[0]
    placeholder = ir.Operation.create(
        _PLACEHOLDER, results=[operand.type], operands=[operand], loc=op.location, ip=ir.InsertionPoint(op)
    )
    op.operands[0] = placeholder.results[0]
    rewriter.replace_op(placeholder, [operand])


LABEL = "sdy-collective"


def _operand_op(op: ir.Operation, name: str) -> ir.Operation | None:
    """The op that defines the operand, if it is called `name`."""
    inner = defining_op(op.operands[0])
    return inner if inner is not None and inner.name == name else None


def _replace(op: ir.Operation, value: ir.Value, rewriter: rewrite.PatternRewriter) -> bool:
    rewriter.replace_op(op, [value])
    return True


@canonicalization("sdy.all_slice", label=LABEL, benefit=2)
def slice_of_gather(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a slice along just gathered axes by the operand of the gather."""
    return _undoes(op, "slicing_axes", "sdy.all_gather", "gathering_axes", rewriter)


@canonicalization("sdy.all_reduce", label=LABEL, benefit=2)
def reduce_of_replicated_to_unreduced(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Reducing along the axes of a replicated-to-unreduced op gives its operand."""
    return _undoes(op, "reduction_axes", "sdy.replicated_to_unreduced", "axes", rewriter)


def _undoes(op: ir.Operation, axes: str, name: str, its_axes: str, rewriter: rewrite.PatternRewriter) -> bool:
    """Replaces an op by the operand of the op called `name` in front of it, if both have the same axes."""
    undone = _operand_op(op, name)
    if undone is None or op.attributes[axes] != undone.attributes[its_axes]:
        return False
    return _replace(op, undone.operands[0], rewriter)


@canonicalization("sdy.all_to_all", label=LABEL, benefit=2)
def all_to_all_of_all_to_all(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Merge exchanges between unrelated dimensions."""
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


_AXES = {
    "sdy.all_gather": "gathering_axes",
    "sdy.all_slice": "slicing_axes",
    "sdy.all_reduce": "reduction_axes",
    "sdy.reduce_scatter": "reduce_scatter_axes",
}


def collective_of_nothing(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a collective without axes by its operand."""
    return not any(attributes.get(op, _AXES[op.name])) and _replace(op, op.operands[0], rewriter)


for _name in _AXES:
    canonicalization(_name, label=LABEL)(collective_of_nothing)


@canonicalization("sdy.all_reduce", label=LABEL)
def reduce_of_sharded_to_unreduced(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a reduction along the axes of a sharded-to-unreduced op by a gather."""
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
    return _replace(op, new, rewriter)


@canonicalization("sdy.all_to_all", label=LABEL)
def unused_all_to_all(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Nobody waits for the result."""
    return has_no_use(op.results[0]) and _replace(op, op.operands[0], rewriter)


@canonicalization("sdy.collective_permute", label=LABEL)
def permute_to_the_same(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """The operand is sharded like the result."""
    source, target = get_sharding(op.operands[0]), attributes.get(op, "out_sharding")
    return (
        target.is_equivalent(source) and not _ties_mesh(op, source, target) and _replace(op, op.operands[0], rewriter)
    )


def _ties_mesh(op: ir.Operation, source: TensorSharding | None, target: TensorSharding) -> bool:
    """Return whether a permute of replicated data only brings an operand to the mesh of `target`."""
    if source is None or source.mesh_or_ref == target.mesh_or_ref:
        return False
    if mesh_of(source.mesh_or_ref, op) == mesh_of(target.mesh_or_ref, op):
        return False
    return any(user.name in builders.COLLECTIVES and user.name != op.name for user in users(op.results[0]))


@canonicalization("sdy.all_slice", label=LABEL)
def slice_of_reduce(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Reduce and scatter where all users keep the same part of the reduced tensor."""
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
    """Return whether all are slices along the axes of `first`, and `first` is the earliest."""
    axes = first.attributes["slicing_axes"]
    for user in slices:
        if user.name != "sdy.all_slice" or user.attributes["slicing_axes"] != axes:
            return False
        if user.block != first.block or (user != first and user.is_before_in_block(first)):
            return False
    return True


def _taken(sliced: Sequence[AxisList], reduced: AxisList) -> list[AxisList] | None:
    """Return the leading axes of each dimension that are reduced as well; None unless these are all reduced axes."""
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


@canonicalization("sdy.manual_computation")
def drop_unused_arguments(op: ir.Operation, _: rewrite.PatternRewriter) -> bool:
    """Operands that the body does not use are no operands.

    The driver is not notified, as for a change in place: it visits the op again in the next sweep, which decides the
    order of constants.
    """
    block = op.regions[0].blocks[0]
    used = [next(iter(argument.uses), None) is not None for argument in block.arguments]
    if all(used):
        return False
    for index in reversed(range(len(used))):
        if not used[index]:
            block.erase_argument(index)
    in_shardings = attributes.get(op, "in_shardings").shardings
    kept = ShardingPerValue(_selected(in_shardings, used))
    given = {**_attributes(op), "in_shardings": attributes.attr_of(kept)}
    new = remade(op, _selected(list(op.operands), used), op.results.types, given, with_blocks=True)
    replace(op, list(new.results))
    return True


@canonicalization("sdy.manual_computation")
def erase_empty(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Erase a computation without operands, results and body."""
    if any(_shardings(op)) or op.regions[0].blocks[0].operations[0].operation.name != "sdy.return":
        return False
    rewriter.erase_op(op)
    return True


@canonicalization("sdy.manual_computation")
def inline_single_device(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a computation on manual axes of total size 1 by its body; local tensors are the global ones.

    The body is copied: the driver visits the copies in the next sweep, which decides the order of constants.
    """
    in_shardings, out_shardings = _shardings(op)
    if (in_shardings or out_shardings) and not _is_single_device(op, [*in_shardings, *out_shardings]):
        return False
    copy = op.clone(ip=ir.InsertionPoint(op)).operation
    values = move_out(copy.regions[0].blocks[0], list(op.operands), op)
    copy.erase()
    rewriter.replace_op(op, values)
    return True


def _is_single_device(op: ir.Operation, shardings: Sequence[TensorSharding]) -> bool:
    meshes = of_module(MeshTable, op)
    common = meshes.common(shardings)
    mesh = None if common is None else meshes.resolve(common)
    if mesh is None:
        return False
    return math.prod(mesh.axis_sizes[name] for name in attributes.get(op, "manual_axes")) == 1


def _shardings(op: ir.Operation) -> tuple[tuple[TensorSharding, ...], tuple[TensorSharding, ...]]:
    return attributes.get(op, "in_shardings").shardings, attributes.get(op, "out_shardings").shardings


def _attributes(op: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: op.attributes[name] for name in op.attributes}


def _selected(values: Sequence, chosen: Sequence[bool]) -> tuple:
    return tuple(value for value, keep in zip(values, chosen, strict=True) if keep)


@canonicalization("sdy.reshard", label="sdy-reshard", benefit=2)
def reshard_of_reshard(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Drop a reshard whose only use is a reshard."""
    inner = defining_op(op.operands[0])
    if inner is None or inner.name != "sdy.reshard" or not has_one_use(op.operands[0]):
        return False
    sharding = attributes.get(op, "sharding")
    new = builders.reshard(inner.operands[0], sharding, loc=op.location, ip=ir.InsertionPoint(op))
    visit(new.owner.operation, rewriter)
    return _replace(op, new, rewriter)


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
    return _replace(op, value, rewriter)


def _chain(value: ir.Value) -> list[ir.Operation]:
    """The reshapes and transposes that lead to `value`, last first."""
    chain: list[ir.Operation] = []
    while (op := defining_op(value)) is not None and op.name in (RESHAPE, TRANSPOSE):
        chain.append(op)
        value = op.operands[0]
    return chain


def _at_root(sharding: TensorSharding, chain: Sequence[ir.Operation]) -> TensorSharding:
    """Translate `sharding` from the end of `chain` to its root, as long as ranks stay the same.

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
    """Return whether the result of `candidate` is distributed like a `target` sharded tensor of `type_`."""
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
    """Return whether `type_` is a ranked tensor without an encoding and of static shape."""
    return isinstance(type_, ir.RankedTensorType) and type_.encoding is None and type_.has_static_shape


@canonicalization("mpmd.transfer", benefit=2)
def transfer_to_the_same_type(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a transfer between equal types by its operand."""
    if op.operands[0].type != op.results[0].type:
        return False
    return _replace(op, op.operands[0], rewriter)


@canonicalization("mpmd.transfer")
def transfer_of_transfer(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Merge two transfers in a row that stay on one mesh."""
    inner = _operand_op(op, op.name)
    if inner is None:
        return False
    passed = (inner.operands[0].type, inner.results[0].type, op.results[0].type)
    if len({value_of(type_).mesh_name for type_ in passed}) > 1:
        return False
    types, ip = [op.results[0].type], ir.InsertionPoint(op)
    new = ir.Operation.create(op.name, types, [inner.operands[0]], loc=op.location, ip=ip)
    visit(new, rewriter)
    return _replace(op, new.results[0], rewriter)


@canonicalization("mpmd.broadcast")
def broadcast_of_broadcast(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a broadcast of a broadcast by the inner one."""
    if _operand_op(op, op.name) is None:
        return False
    return _replace(op, op.operands[0], rewriter)


@canonicalization("mpmd.reduce")
def reduce_of_reduce(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Replace a reduction of one tensor by the inner one, which is of the same kind."""
    inner = _operand_op(op, op.name)
    if inner is None:
        return False
    kind = get(op, "reduction").kind
    if kind not in (ReductionKind.NONE, get(inner, "reduction").kind):
        return False
    return _replace(op, op.operands[0], rewriter)


@canonicalization("mpmd.fragment")
def use_what_passes_through(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Uses of a result that is an argument of the body are uses of the operand; result and argument stay."""
    changed = False
    for argument, operand in zip(op.regions[0].blocks[0].arguments, op.operands, strict=True):
        returned = next((use for use in argument.uses if use.owner.operation.name == "mpmd.return"), None)
        if returned is None:
            continue
        result = op.results[returned.operand_number]
        if result.type == operand.type and next(iter(result.uses), None) is not None:
            result.replace_all_uses_with(operand)
            changed = True
    return changed
