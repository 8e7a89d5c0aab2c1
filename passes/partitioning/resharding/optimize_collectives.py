"""Cheaper collectives in place of chains: permutes in front of all-to-alls, and gathers of collective matmuls."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, align, merged, product
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, TensorSharding, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, rewrite
from sdy.mlir.walk import post_order
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


@dataclass(frozen=True, slots=True)
class AllToAllStage:
    """One all-to-all on the split tensor and the sharding it gives."""

    params: tuple[AllToAllParam, ...]
    out_sharding: TensorSharding


@dataclass(frozen=True, slots=True)
class Split:
    """A tensor with one dimension per axis, and the steps before its dimensions are merged again."""

    shape: tuple[int, ...]
    sharding: TensorSharding
    stages: tuple[AllToAllStage, ...]


def reordered_dim(source: TensorSharding, permuted: TensorSharding, sizes: AxisSizes) -> int | None:
    """Return the only dimension whose axes a permute reorders; None if it does anything else."""
    if source.mesh_or_ref != permuted.mesh_or_ref or source.rank != permuted.rank:
        return None
    if any(a.is_closed != b.is_closed for a, b in zip(source.dims, permuted.dims, strict=True)):
        return None
    before, after = _aligned(source, permuted, sizes), _aligned(permuted, source, sizes)
    changed = [dim for dim in range(source.rank) if before[dim] != after[dim]]
    if len(changed) != 1:
        return None
    a, b = before[changed[0]], after[changed[0]]
    key = _by_name
    return changed[0] if len(a) >= 2 and sorted(a, key=key) == sorted(b, key=key) else None


def split_by_axes(
    source: TensorSharding,
    permuted: TensorSharding,
    moves: Sequence[AllToAllParam],
    final: TensorSharding,
    shape: tuple[int, ...],
    sizes: AxisSizes,
) -> Split | None:
    """Return the split from `source` to `final` by reshapes, or None if there is none.

    It replaces a permute from `source` to `permuted`, which reorders axes of the dimension that all `moves` start from,
    and these moves; `shape` is static.
    """
    dim = moves[0].src_dim
    before, after = _aligned(source, permuted, sizes)[dim], _aligned(permuted, source, sizes)[dim]
    moved = [axis for move in moves for axis in move.axes]
    displaced = [a for a, b in zip(before, after, strict=True) if a != b]
    if not any(axis.contains(a) for a in displaced for axis in moved):
        return None
    shards = product(before, sizes)
    if shape[dim] <= 0 or shape[dim] % shards:
        return None
    parts = [axis.size(sizes) for axis in before]
    if shape[dim] > shards:
        parts.append(shape[dim] // shards)
    split_shape = (*shape[:dim], *parts, *shape[dim + 1 :])
    split = _split_sharding(source, dim, before, len(parts))
    stages = _chain_stages(split, moves, before, len(parts))
    if stages is None:
        return None
    rest = _settle(stages[-1].out_sharding, dim, len(parts), final.dims[dim].axes)
    if rest is None:
        return None
    stages += rest
    if not is_equivalent_across_reshape(stages[-1].out_sharding, split_shape, final, shape, sizes):
        return None
    return Split(split_shape, split, tuple(AllToAllStage(s.params, _merged(s.out_sharding, sizes)) for s in stages))


def _by_name(axis: AxisRef) -> tuple[bytes, int, int, int]:
    return axis.name_key


def _aligned(sharding: TensorSharding, other: TensorSharding, sizes: AxisSizes) -> list[list[AxisRef]]:
    return align(sharding.dim_axes, [axis for axis_list in other.dim_axes for axis in axis_list], sizes)


def _split_sharding(source: TensorSharding, dim: int, axis_list: Sequence[AxisRef], parts: int) -> TensorSharding:
    """`source` with one axis for each of the dimensions that `dim` is split into."""
    dims = [DimensionSharding((axis,), True) for axis in axis_list]
    dims += [CLOSED] * (parts - len(dims))
    kept = source.dims
    return TensorSharding(
        source.mesh_or_ref, (*kept[:dim], *dims, *kept[dim + 1 :]), source.replicated, source.unreduced
    )


def _chain_stages(
    split: TensorSharding, moves: Sequence[AllToAllParam], axis_list: Sequence[AxisRef], parts: int
) -> list[AllToAllStage] | None:
    """The moves on the split tensor, one stage each; None if two axes would go to the same dimension at once."""
    stages: list[AllToAllStage] = []
    now = split
    for move in moves:
        dim = move.src_dim
        target = move.tgt_dim if move.tgt_dim < dim else move.tgt_dim + parts - 1
        params = [
            AllToAllParam((axis,), dim + index, target)
            for whole in move.axes
            for index, axis in enumerate(axis_list)
            if whole.contains(axis)
        ]
        if len(params) != 1:
            return None
        now = _after(now, params[0])
        stages.append(AllToAllStage(tuple(params), now))
    return stages


def _after(sharding: TensorSharding, param: AllToAllParam) -> TensorSharding:
    """`sharding` after a move of all axes of a dimension. Parts of one axis are merged at the very end (`_merged`)."""
    dims = list(sharding.dims)
    dims[param.src_dim] = CLOSED
    target = dims[param.tgt_dim]
    dims[param.tgt_dim] = target.with_axes((*target.axes, *param.axes))
    return TensorSharding(sharding.mesh_or_ref, tuple(dims), sharding.replicated, sharding.unreduced)


def _merged(sharding: TensorSharding, sizes: AxisSizes) -> TensorSharding:
    """A valid sharding: neighbouring parts of an axis as one.

    Where axes are compared across the last reshape they have to be separate, or non-divisible dimensions would pass.
    """
    return sharding.with_dim_axes(merged(axis_list, sizes) for axis_list in sharding.dim_axes)


def _settle(sharding: TensorSharding, dim: int, parts: int, wanted: AxisList) -> list[AllToAllStage] | None:
    """Return the stages that move remaining axes in the split dimensions to their positions in `wanted`.

    Returns None if impossible.
    """
    if len(wanted) > parts:
        return None
    stages: list[AllToAllStage] = []
    while True:
        slots = [sharding.dims[dim + i].axes[:1] for i in range(parts)]
        if all(slot == (axis,) for slot, axis in zip(slots, wanted, strict=False)):
            return stages
        goals = [j for j, axis in enumerate(wanted) if not slots[j] and (axis,) in slots]
        if not goals:
            return None
        axis = wanted[goals[0]]
        move = AllToAllParam((axis,), dim + slots.index((axis,)), dim + goals[0])
        sharding = _after(sharding, move)
        stages.append(AllToAllStage((move,), sharding))


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
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()


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
