"""Cheaper collectives in place of chains: permutes in front of all-to-alls, and gathers of collective matmuls."""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting import replace
from sdy.mlir.walk import post_order
from sdy.passes.partitioning.reshard_planning.reshard_plan import Split, reordered_dim, split_by_axes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-optimize-collectives", on="func.func")
def optimize_collectives(func: ir.Operation) -> None:
    """sdy-optimize-collectives: Drop permutes that only reorder axes which an all-to-all moves away.

        %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x8xf32>
        %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
    ==> %1 = stablehlo.reshape %0 {[{"x"}, {"y"}, {}, {}]} : (tensor<8x8xf32>) -> tensor<2x2x2x8xf32>
        %2 = sdy.all_to_all [{"x"}: 0->3] %1 out_sharding=<@mesh, [{}, {"y"}, {}, {"x"}]> : tensor<2x2x2x8xf32>
        %3 = sdy.all_to_all [{"y"}: 1->0] %2 out_sharding=<@mesh, [{"y"}, {}, {}, {"x"}]> : tensor<2x2x2x8xf32>
        %4 = stablehlo.reshape %3 {[{"y"}, {"x"}]} : (tensor<2x2x2x8xf32>) -> tensor<8x8xf32>

    where %0 is sharded as [{"x", "y"}, {}]. A tensor with a dimension for each axis needs no permute.

    Upstream's driver also folds ops, and removes dead ones.
    """
    patterns = rewrite.RewritePatternSet(func.context)
    patterns.add("sdy.collective_permute", lambda op, rewriter: not _spare_permute(op.operation, rewriter))
    rewrite.apply_patterns_and_fold_greedily(func, patterns.freeze())


@function_pattern("spare-permutes", "sdy.collective_permute")
def spare_permutes(func: ir.Operation, _: Rewriter) -> bool:
    """Drop permutes that only reorder axes which an all-to-all moves away.

    %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x8xf32>
    %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
    ==>  the all-to-alls and reshapes that sdy-optimize-collectives makes of them
    """
    optimize_collectives(func)
    return True


def _spare_permute(permute: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Remove the permute, and change the all-to-alls behind it; return False if they stay."""
    operand = permute.operands[0]
    source = get_sharding(operand)
    type_ = operand.type
    if source is None or not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return False
    permuted: TensorSharding = attributes.get(permute, "out_sharding")
    mesh = of_module(MeshTable, permute).resolve(source.mesh_or_ref)
    if mesh is None:
        return False
    dim = reordered_dim(source, permuted, mesh.axis_sizes)
    chain = [] if dim is None else _chain(permute, dim)
    if not chain:
        return False
    final: TensorSharding = attributes.get(chain[-1], "out_sharding")
    moves = [_params(op)[0] for op in chain]
    split = split_by_axes(source, permuted, moves, final, tuple(type_.shape), mesh.axis_sizes)
    if split is None:
        return False
    result = _emit(permute, split, final)
    rewriter.replace_op(chain[-1], [result])
    for op in reversed([permute, *chain[:-1]]):
        rewriter.erase_op(op)
    return True


def _params(op: ir.Operation) -> tuple[AllToAllParam, ...]:
    return attributes.get(op, "params").params


def _chain(op: ir.Operation, dim: int) -> list[ir.Operation]:
    """Return the all-to-alls after `op` that start at `dim` alone, each the only use of the one before."""
    chain: list[ir.Operation] = []
    while True:
        uses = list(op.results[0].uses)
        if len(uses) != 1:
            return chain
        op = uses[0].owner.operation
        if op.name != "sdy.all_to_all" or any(param.src_dim != dim for param in _params(op)):
            return chain
        chain.append(op)


def _emit(permute: ir.Operation, split: Split, final: TensorSharding) -> ir.Value:
    """Build the reshapes and all-to-alls of `split` in front of the permute; return the last result."""
    operand = permute.operands[0]
    type_ = operand.type
    split_type = ir.RankedTensorType.get(split.shape, type_.element_type)
    value = _reshape(permute, operand, split_type, split.sharding)
    for stage in split.stages:
        value = builders.all_to_all(
            value, stage.params, stage.out_sharding, loc=permute.location, ip=ir.InsertionPoint(permute)
        )
    return _reshape(permute, value, type_, final)


def _reshape(permute: ir.Operation, value: ir.Value, type_: ir.Type, sharding: TensorSharding) -> ir.Value:
    made = Builder.before(permute).reshape(value, type_)
    set_sharding(made, sharding)
    return made


@pass_("sdy-remove-all-gather-reduce-scatter-for-cmv1", on="func.func")
def remove_all_gather_reduce_scatter(func: ir.Operation) -> None:
    """sdy-remove-all-gather-reduce-scatter-for-cmv1: Drop all-gathers in front of dots and reduce-scatters behind them.

    For backends that fuse these collectives into the dot. The resulting program is not equivalent: the shardings around
    the dot are inconsistent.

        %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
        %2 = stablehlo.dot %1, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    ==> %2 = stablehlo.dot %0, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>

    Collective matmuls exchange the parts themselves.
    """
    dropped: list[ir.Operation] = []
    for dot in post_order(func):
        if dot.name in ("stablehlo.dot", "stablehlo.dot_general"):
            dropped += _gathers(dot) or _scatter(dot)
    for op in dropped:
        replace(op, [op.operands[0]])


def _gathers(dot: ir.Operation) -> list[ir.Operation]:
    """The gathers whose only use is `dot`."""
    gathers = []
    for operand in dot.operands:
        if isinstance(operand, ir.OpResult) and operand.owner.name == "sdy.all_gather" and _only_user(operand):
            gathers.append(operand.owner.operation)
    return gathers


def _scatter(dot: ir.Operation) -> list[ir.Operation]:
    """Return the reduce-scatter that is the only use of `dot`; the dot takes its sharding."""
    result = dot.results[0]
    user = _only_user(result)
    if user is None or user.name != "sdy.reduce_scatter":
        return []
    sharding = get_sharding(result)
    if sharding is not None and sharding.unreduced:
        return []
    set_op_shardings(dot, [attributes.get(user, "out_sharding")])
    return [user]


def _only_user(value: ir.Value) -> ir.Operation | None:
    """The op that uses `value` once; None if there are more uses or none."""
    uses = list(value.uses)
    return uses[0].owner.operation if len(uses) == 1 else None
