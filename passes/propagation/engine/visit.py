"""Visits of ops, memoised by shardings (spec: propagation, 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from sdy.dialect.values.axes import AxisSizes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import FactorSharding, ShardingRule, TensorFactors, TensorMapping, from_factors, to_factors
from sdy.dialect.values.sharding import MeshRef
from sdy.lazy_dataclass import dataclass
from sdy.passes.propagation.engine.sharding_store import ShardingTable
from sdy.passes.propagation.engine.strategy import (
    Direction,
    FactorStrategy,
    OpFactors,
    Projection,
    TensorProjection,
)
from sdy.passes.propagation.engine.visits import OpProfile

Updates = tuple[tuple[int, int], ...]
"""(tensor, number of its new sharding): operands first, then results, each in index order."""


@dataclass(frozen=True, slots=True)
class OpKind:
    """Inputs of a visit besides the shardings: ops of one kind behave equally.

    `directions` has one entry per factor of the rule; blocked factors are not propagated in any case.
    """

    rule: ShardingRule
    directions: tuple[Direction, ...]
    strategy: FactorStrategy
    is_conservative: bool = False
    is_elementwise: bool = False


class Visit:
    """Visits ops of one kind; remembers the result for each combination of shardings."""

    def __init__(self, kind: OpKind, table: ShardingTable, projections: ProjectionCache) -> None:
        self.kind = kind
        self.memo: dict[tuple[int, ...], Updates] = {}
        self._table = table
        self._projections = projections.of(kind.rule)
        self._num_operands = len(kind.rule.operands)
        blocked = set(kind.rule.blocked_propagation)
        self.directions = tuple(Direction.NONE if f in blocked else d for f, d in enumerate(kind.directions))

    @property
    def is_idle(self) -> bool:
        """Return whether no visit can change anything, for any shardings."""
        return not any(self.directions)

    def updates(self, numbers: tuple[int, ...]) -> Updates:
        """Return the shardings that a visit writes, given those of the op's operands and results."""
        found = self.memo.get(numbers)
        if found is None:
            found = self.memo[numbers] = self._compute(numbers)
        return found

    def _compute(self, numbers: tuple[int, ...]) -> Updates:
        table = self._table
        if not any(table.is_sharded[number] for number in numbers):
            return ()
        mesh = table.common_mesh(numbers)
        if mesh is None or self._projections.is_settled(numbers):
            return ()
        projection = self.projection(numbers)
        self._propagate(projection, mesh)
        return tuple(
            (index, new)
            for index, tensor in enumerate(projection.tensors)
            if tensor.is_touched and (new := self._new_sharding(tensor, index, numbers[index], mesh)) is not None
        )

    def projection(self, numbers: tuple[int, ...]) -> Projection:
        """The tensors by factor, before the strategy ran."""
        blocked = self._table.blocked
        tensors = [
            TensorProjection(list(factors), blocked(number))
            for factors, number in zip(self._projections.factors(numbers), numbers, strict=True)
        ]
        return Projection(tensors[: self._num_operands], tensors[self._num_operands :])

    def _propagate(self, projection: Projection, mesh: MeshRef) -> None:
        """Run the strategy on `projection`, made from shardings on `mesh`."""
        self.kind.strategy.propagate(projection, self.op_factors(mesh))

    def op_factors(self, mesh: MeshRef) -> OpFactors:
        """Return the factors of an op of this kind whose shardings are on `mesh`."""
        kind, sizes = self.kind, self._table.mesh(mesh).axis_sizes
        return OpFactors(kind.rule.factor_sizes, self.directions, sizes, kind.is_conservative, kind.is_elementwise)

    def outcome(self, numbers: tuple[int, ...]) -> tuple[Projection, AxisSizes] | None:
        """Return the tensors by factor after a visit, and the sizes of the axes; None if there is no common mesh."""
        mesh = self._table.common_mesh(numbers)
        if mesh is None:
            return None
        projection = self.projection(numbers)
        self._propagate(projection, mesh)
        return projection, self._table.mesh(mesh).axis_sizes

    def _new_sharding(self, tensor: TensorProjection, index: int, old: int, mesh: MeshRef) -> int | None:
        """Return the number of the new sharding of a changed tensor; None if it is unchanged."""
        table, rule = self._table, self.kind.rule
        sizes = table.mesh(mesh).axis_sizes
        mapping = rule.tensors[index]
        new = from_factors(tensor.factors, mapping, rule.factor_sizes, sizes, mesh, table.shardings[old])
        number = table.number(new)
        if number == old or (old == 0 and not table.is_sharded[number]):
            return None
        return number


class _Projector:
    """The factors of one kind of tensor, by the number of its sharding."""

    def __init__(self, mapping: TensorMapping, factor_sizes: tuple[int, ...], table: ShardingTable) -> None:
        self._mapping, self._factor_sizes, self._table = mapping, factor_sizes, table
        self._memo: dict[int, TensorFactors] = {}

    def factors(self, number: int) -> TensorFactors:
        found = self._memo.get(number)
        if found is None:
            sharding = self._table.shardings[number]
            sizes = {} if sharding is None else self._table.mesh(sharding.mesh_or_ref).axis_sizes
            found = self._memo[number] = to_factors(sharding, self._mapping, self._factor_sizes, sizes)
        return found


class RuleProjections:
    """The tensors of all ops with one rule, by factor."""

    def __init__(self, projectors: Sequence[_Projector]) -> None:
        self._projectors = projectors
        self._settled: dict[tuple[int, ...], bool] = {}

    def factors(self, numbers: tuple[int, ...]) -> list[TensorFactors]:
        """The factors of each tensor, operands first; the shardings of the tensors have these numbers."""
        return [projector.factors(number) for projector, number in zip(self._projectors, numbers, strict=True)]

    def is_settled(self, numbers: tuple[int, ...]) -> bool:
        """Return whether the tensors agree on the axes of every factor, so that no strategy finds anything to do."""
        found = self._settled.get(numbers)
        if found is None:
            by_factor = zip(*self.factors(numbers), strict=True)
            found = self._settled[numbers] = all(map(_agree, by_factor))
        return found


def _agree(tensors: Sequence[FactorSharding | None]) -> bool:
    """Return whether all tensors with a factor have the same axes for it."""
    axes = [sharding.axes for sharding in tensors if sharding is not None]
    return not axes or axes.count(axes[0]) == len(axes)


class ProjectionCache:
    """The projections of each rule; one projector for each pair of mapping and factor sizes."""

    def __init__(self, table: ShardingTable) -> None:
        self._table = table
        self._of_rule: dict[ShardingRule, RuleProjections] = {}
        self._projectors: dict[tuple[TensorMapping, tuple[int, ...]], _Projector] = {}

    def of(self, rule: ShardingRule) -> RuleProjections:
        found = self._of_rule.get(rule)
        if found is None:
            found = RuleProjections([self._projector(mapping, rule.factor_sizes) for mapping in rule.tensors])
            self._of_rule[rule] = found
        return found

    def _projector(self, mapping: TensorMapping, factor_sizes: tuple[int, ...]) -> _Projector:
        key = (mapping, factor_sizes)
        projector = self._projectors.get(key)
        if projector is None:
            projector = self._projectors[key] = _Projector(mapping, factor_sizes, self._table)
        return projector


_MESHES = 16
"""Number of sets of meshes that are kept."""

_REMEMBERED = 20_000
"""Number of shardings, and of kinds of op, that are kept for the next module."""


class UnknownMesh(LookupError):
    """A sharding is on a mesh that the module does not declare."""

    def __init__(self, ref: MeshRef) -> None:
        super().__init__(ref)
        self.ref = ref


class ProfileVisits:
    """Visits of the ops of one profile."""

    def __init__(self, profile: OpProfile, cache: VisitCache) -> None:
        self._profile, self._cache = profile, cache
        self._found: dict[tuple[FactorStrategy, int | None, bool], Visit | None] = {}
        self._by_directions: dict[tuple[FactorStrategy, tuple[Direction, ...]], Visit | None] = {}

    def at(self, strategy: FactorStrategy, level: int | None = None, *, is_only_user: bool = True) -> Visit | None:
        """Return the visit at an op-priority level (see `OpProfile.directions`); None if it can change nothing."""
        occasion = (strategy, level, is_only_user)
        try:
            return self._found[occasion]
        except KeyError:
            found = self._found[occasion] = self._find(strategy, level, is_only_user)
            return found

    def _find(self, strategy: FactorStrategy, level: int | None, is_only_user: bool) -> Visit | None:
        key = (strategy, self._profile.directions_by_type(level, is_only_user=is_only_user))
        if key not in self._by_directions:
            directions = self._profile.directions(level, is_only_user=is_only_user)
            self._by_directions[key] = self._cache.of_kind(self._profile, directions, strategy)
        return self._by_directions[key]


class VisitCache:
    """The visits in modules with the same meshes, one per kind of op."""

    def __init__(self, table: ShardingTable) -> None:
        self.table = table
        self._projections = ProjectionCache(table)
        self._of_kind: dict[OpKind, Visit | None] = {}
        self._of_profile: dict[OpProfile, ProfileVisits] = {}

    def of(self, profile: OpProfile) -> ProfileVisits:
        found = self._of_profile.get(profile)
        return self._of_profile.setdefault(profile, ProfileVisits(profile, self)) if found is None else found

    def of_kind(self, profile: OpProfile, directions: tuple[Direction, ...], strategy: FactorStrategy) -> Visit | None:
        """Return the visit of ops of that profile, with these directions."""
        kind = OpKind(profile.rule, directions, strategy, profile.is_conservative, profile.is_elementwise)
        if kind not in self._of_kind:
            visit = Visit(kind, self.table, self._projections)
            self._of_kind.setdefault(kind, None if visit.is_idle else visit)
        return self._of_kind[kind]

    @property
    def is_full(self) -> bool:
        return max(len(self.table.shardings), len(self._of_kind)) > _REMEMBERED


def remembered_visits(meshes: Mapping[str, Mesh]) -> VisitCache:
    """The visits in modules with these meshes.

    Their table raises `UnknownMesh` for other meshes.
    """
    slot = _remembered(tuple(meshes.items()))
    if not slot or slot[0].is_full:
        slot[:] = [VisitCache(ShardingTable(_lookup(dict(meshes))))]
    return slot[0]


@lru_cache(maxsize=_MESHES)
def _remembered(_meshes: tuple[tuple[str, Mesh], ...]) -> list[VisitCache]:
    """Return the cell of the cache, an empty list at first."""
    return []


def _lookup(meshes: Mapping[str, Mesh]) -> Callable[[MeshRef], Mesh]:
    def mesh_of(ref: MeshRef) -> Mesh:
        found = meshes.get(ref) if isinstance(ref, str) else None
        if found is None:
            raise UnknownMesh(ref)
        return found

    return mesh_of
