"""Permutes that only reorder axes which an all-to-all moves away, and what takes their place (spec: collectives, 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, align, merged, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, TensorSharding, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllToAll, CollectivePermute, DimAxes, Plan


@dataclass(frozen=True, slots=True)
class SparedPermute:
    """The all-to-alls, by their axes, that take the place of the first `count` steps of a plan."""

    moved: tuple[AxisList, ...]
    count: int

    @staticmethod
    def of(source: DimAxes, plan: Plan, shape: tuple[int, ...], mesh: Mesh) -> SparedPermute | None:
        """Return what `sdy-optimize-collectives` makes of the first steps of a plan from `source`; None if it stays."""
        if len(plan) < 2 or not isinstance(plan[0], CollectivePermute):
            return None
        before, permuted = (TensorSharding.from_axes(mesh, axes) for axes in (source, plan[0].after))
        dim = reordered_dim(before, permuted, mesh.axis_sizes)
        chain = list(_chain(plan[1:], dim))
        if not chain:
            return None
        params = [AllToAllParam(step.axes, step.source, step.target) for step in chain]
        final = TensorSharding.from_axes(mesh, chain[-1].after)
        split = split_by_axes(before, permuted, params, final, shape, mesh.axis_sizes)
        if split is None:
            return None
        return SparedPermute(tuple(param.axes for stage in split.stages for param in stage.params), 1 + len(chain))


def _chain(plan: Plan, dim: int | None) -> Iterator[AllToAll]:
    """The all-to-alls at the start of a plan that move axes of a dimension away."""
    for step in plan:
        if not isinstance(step, AllToAll) or step.source != dim:
            return
        yield step


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
