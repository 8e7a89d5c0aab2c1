"""The plan of a reshard: the effect of each collective on the axes of the dimensions (spec: collectives, 1.1 and 3).

Works on axes per dimension alone, without MLIR. A permute in front of all-to-alls is spared where it only reorders axes
that they move away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, align, gather, merged, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, TensorSharding, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass

DimAxes = tuple[AxisList, ...]
"""Axes of every dimension of a tensor."""


@dataclass(frozen=True, slots=True)
class CollectiveStep:
    """One collective. `after` is the resulting sharding, on the mesh of the target if `on_target_mesh`."""

    after: DimAxes
    on_target_mesh: bool


@dataclass(frozen=True, slots=True)
class AllSlice(CollectiveStep):
    """Every device keeps its part along `axes[d]` of dimension d."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllGather(CollectiveStep):
    """The parts along `axes[d]` of dimension d are put together."""

    axes: DimAxes


@dataclass(frozen=True, slots=True)
class AllToAll(CollectiveStep):
    """`axes` stop sharding dimension `source` and shard dimension `target` further."""

    axes: AxisList
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class CollectivePermute(CollectiveStep):
    """Every device sends its whole part to one other device; shard counts per dimension stay."""


Plan = tuple[CollectiveStep, ...]


def shard_counts(axes_per_dim: Iterable[Sequence[AxisRef]], sizes: AxisSizes) -> tuple[int, ...]:
    """Number of shards of every dimension."""
    return tuple(product(axis_list, sizes) for axis_list in axes_per_dim)


class GatherError(Exception):
    """Axes to be gathered are not the minor ones of their dimension."""


def fit(axis: AxisRef, capacity: int, sizes: AxisSizes) -> tuple[AxisRef, AxisRef | None, int] | None:
    """Return the part of `axis` that makes at most `capacity` shards, the rest of it, and the remaining capacity.

    Or None.
    """
    size = axis.size(sizes)
    if capacity <= 1 or (size % capacity and capacity % size):
        return None
    if capacity >= size:
        return axis, None, capacity // size
    part = AxisRef.sub(axis.name, axis.pre_size, capacity)
    return part, AxisRef.sub(axis.name, axis.pre_size * capacity, size // capacity), 1


class SearchState:
    """State of the search by dimension; names as in the spec's table (collectives, 1.2).

    Between two moves holds, up to the merging of neighbouring sub-axes:

    - `current[d]`, the axes that shard dimension d now, are those that are final followed by `ins[d]`;
    - the target of dimension d are those that are final followed by `outs[d]`; or by `held[d]`, if now and then differ
      in their padding: then `outs[d]` is empty until the dimension is not sharded any more;
    - `in_set` are all axes of `ins`; `where` tells of each axis of `outs` its dimension and, as of the last
      `find_targets`, its place there.

    `capacity[d]` is used within a move: the number of shards by which the dimension may still be cut. `steps` lead from
    the source to `current`, on the mesh of the target unless `changes_mesh`, which tells that the mesh still has to be
    changed.
    """

    def __init__(
        self, source: DimAxes, target: DimAxes, shape: Sequence[int], sizes: AxisSizes, changes_mesh: bool
    ) -> None:
        self.sizes = sizes
        self.shape = shape
        self.steps: list[CollectiveStep] = []
        self.changes_mesh = changes_mesh
        self.rank = len(source)
        self.current = [list(axis_list) for axis_list in source]
        self.ins = align(source, [a for axis_list in target for a in axis_list], sizes)
        self.outs = align(target, [a for axis_list in source for a in axis_list], sizes)
        self.held: list[list[AxisRef] | None] = [None] * self.rank
        self.capacity = [1] * self.rank
        for dim in range(self.rank):
            self._split_off_final(dim)
        self.in_set = {axis: None for axis_list in self.ins for axis in axis_list}
        self.find_targets()

    def _split_off_final(self, dim: int) -> None:
        """Drop the common prefix of source and target, unless the two need different padding (1.3)."""
        ins, outs = self.ins[dim], self.outs[dim]
        shards_in, shards_out = product(ins, self.sizes), product(outs, self.sizes)
        size, both_shard = self.shape[dim], shards_in > 1 and shards_out > 1
        if both_shard and size >= 0 and -(-size // shards_in) * shards_in != -(-size // shards_out) * shards_out:
            self.held[dim] = outs
            self.outs[dim] = []
            return
        same = 0
        while same < len(ins) and same < len(outs) and ins[same] == outs[same]:
            same += 1
        del ins[:same]
        del outs[:same]

    @property
    def is_done(self) -> bool:
        return not (self.changes_mesh or any(self.ins) or any(self.outs) or any(h is not None for h in self.held))

    def find_targets(self) -> None:
        """Rebuilds `where`: axis -> (dimension, position in the target of that dimension)."""
        self.where: dict[AxisRef, tuple[int, int]] = {}
        for dim, outs in enumerate(self.outs):
            for position, axis in enumerate(outs):
                self.where.setdefault(axis, (dim, position))

    def release(self) -> None:
        """Gives held dimensions that have become unsharded their target back."""
        for dim, outs in enumerate(self.held):
            if outs is not None and not self.current[dim]:
                self.outs[dim] = outs
                self.held[dim] = None
                self.find_targets()

    @property
    def axes(self) -> DimAxes:
        """The axes that shard the dimensions now."""
        return tuple(tuple(axis_list) for axis_list in self.current)

    def gather(self, dim: int, removed: Sequence[AxisRef]) -> None:
        """Remove the axes `removed` from a dimension. `GatherError` unless they are its minor ones."""
        left = gather(self.current[dim], removed, self.sizes)
        if left is None:
            raise GatherError
        self.current[dim] = list(left)

    def add_in(self, dim: int, axis: AxisRef, position: int) -> None:
        """Add an axis to the axes of a dimension that are not final."""
        self.ins[dim].insert(position, axis)
        self.in_set[axis] = None

    def distribute(
        self,
        front: bool,
        pools: Sequence[list[AxisRef]],
        taken: Callable[[int, AxisRef], None] = lambda dim, axis: None,
    ) -> None:
        """Fills the capacity of each dimension from its pool, at the front or the back of `ins`."""
        cuts: list[AxisRef] = []
        for dim, pool in enumerate(pools):
            at = 0 if front else len(self.ins[dim])
            index = 0
            while index < len(pool) and self.capacity[dim] > 1:
                fitted = fit(pool[index], self.capacity[dim], self.sizes)
                if fitted is None:
                    index += 1
                    continue
                part, rest, self.capacity[dim] = fitted
                del pool[index]
                self.add_in(dim, part, at)
                at += 1
                taken(dim, part)
                if rest is not None:
                    pool.insert(0, rest)
                    cuts.append(part)
        if cuts:
            self.outs = align(self.outs, cuts, self.sizes)


@dataclass(frozen=True, slots=True)
class AllToAlls:
    """The all-to-alls, by their axes, that the partitioner makes of the first `count` steps of a plan."""

    moved: tuple[AxisList, ...]
    count: int

    @staticmethod
    def of(source: DimAxes, plan: Plan, shape: tuple[int, ...], mesh: Mesh) -> AllToAlls | None:
        """Return those at the start of a plan from `source`; None if it starts with another collective.

        `sdy-optimize-collectives` spares a permute in front of them, and canonicalization joins those between unrelated
        dimensions.
        """
        if not plan or not isinstance(plan[0], CollectivePermute):
            moves = [_param(step) for step in _all_to_alls(plan)]
            first = next(iter(_joined(moves)), None)
            return None if first is None else AllToAlls((_axes(first),), len(first))
        before, permuted = (TensorSharding.from_axes(mesh, axes) for axes in (source, plan[0].after))
        dim = reordered_dim(before, permuted, mesh.axis_sizes)
        chain = list(takewhile(lambda step: step.source == dim, _all_to_alls(plan[1:])))
        if not chain:
            return None
        final = TensorSharding.from_axes(mesh, chain[-1].after)
        split = split_by_axes(before, permuted, [_param(step) for step in chain], final, shape, mesh.axis_sizes)
        if split is None:
            return None
        moves = [param for stage in split.stages for param in stage.params]
        return AllToAlls(tuple(map(_axes, _joined(moves))), 1 + len(chain))


def _param(step: AllToAll) -> AllToAllParam:
    return AllToAllParam(step.axes, step.source, step.target)


def _axes(moves: Iterable[AllToAllParam]) -> AxisList:
    return tuple(axis for move in moves for axis in move.axes)


def _joined(moves: Iterable[AllToAllParam]) -> list[list[AllToAllParam]]:
    """Return the moves of each all-to-all after those between unrelated dimensions are joined."""
    joined: list[list[AllToAllParam]] = []
    dims: set[int] = set()
    for move in moves:
        own = {move.src_dim, move.tgt_dim}
        if joined and dims.isdisjoint(own):
            joined[-1].append(move)
            dims |= own
        else:
            joined.append([move])
            dims = own
    return joined


def _all_to_alls(plan: Plan) -> Iterator[AllToAll]:
    """Return those at the start of a plan."""
    for step in plan:
        if not isinstance(step, AllToAll):
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
