"""How the ops of a module are visited, and what is remembered of that for the modules that come next.

What a visit does is a fact about values, a rule and some shardings on a mesh, which holds in every module. A process
that partitions one function after the other, or the same one for other sizes, meets most of them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef
from sdy.passes.propagation.engine.op_priorities import OpProfile
from sdy.passes.propagation.engine.sharding_table import ShardingTable
from sdy.passes.propagation.engine.visit import OpKind, ProjectionCache, Visit
from sdy.passes.propagation.strategies.direction import Direction
from sdy.passes.propagation.strategies.strategy import FactorStrategy

_MESHES = 16
"""How many sets of meshes are remembered."""

_REMEMBERED = 20_000
"""How many shardings, and how many kinds of op, are remembered at most when the next module comes."""


class UnknownMesh(LookupError):
    """A sharding is on a mesh that the module does not declare."""

    def __init__(self, ref: MeshRef) -> None:
        super().__init__(ref)
        self.ref = ref


class ProfileVisits:
    """How the ops of one profile are visited."""

    def __init__(self, profile: OpProfile, cache: VisitCache) -> None:
        self._profile, self._cache = profile, cache
        self._found: dict[tuple[FactorStrategy, int | None, bool], Visit | None] = {}
        self._by_directions: dict[tuple[FactorStrategy, tuple[Direction, ...]], Visit | None] = {}

    def at(self, strategy: FactorStrategy, level: int | None = None, *, is_only_user: bool = True) -> Visit | None:
        """How they are visited at an op-priority level (see `OpProfile.directions`); None if nothing can come of it."""
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
    """The visits in modules with the same meshes, one per kind of op; they propagate in no direction but `only`."""

    def __init__(self, table: ShardingTable, only: Direction = Direction.BOTH) -> None:
        self.table = table
        self._only = only
        self._projections = ProjectionCache(table)
        self._of_kind: dict[OpKind, Visit | None] = {}
        self._of_profile: dict[OpProfile, ProfileVisits] = {}

    def of(self, profile: OpProfile) -> ProfileVisits:
        found = self._of_profile.get(profile)
        return self._of_profile.setdefault(profile, ProfileVisits(profile, self)) if found is None else found

    def of_kind(self, profile: OpProfile, directions: tuple[Direction, ...], strategy: FactorStrategy) -> Visit | None:
        """How ops of that profile are visited, with these directions as far as visits propagate in them."""
        if self._only is not Direction.BOTH:
            directions = tuple(direction & self._only for direction in directions)
        kind = OpKind(profile.rule, directions, strategy, profile.is_conservative, profile.is_elementwise)
        if kind not in self._of_kind:
            visit = Visit(kind, self.table, self._projections)
            self._of_kind.setdefault(kind, None if visit.is_idle else visit)
        return self._of_kind[kind]

    @property
    def is_full(self) -> bool:
        return max(len(self.table.shardings), len(self._of_kind)) > _REMEMBERED


def remembered_visits(meshes: Mapping[str, Mesh], only: Direction = Direction.BOTH) -> VisitCache:
    """The visits in modules with these meshes.

    Their table raises `UnknownMesh` for others.
    """
    slot = _remembered(tuple(meshes.items()), only)
    if not slot or slot[0].is_full:
        slot[:] = [VisitCache(ShardingTable(_lookup(dict(meshes))), only)]
    return slot[0]


@lru_cache(maxsize=_MESHES)
def _remembered(_meshes: tuple[tuple[str, Mesh], ...], _only: Direction) -> list[VisitCache]:
    """Where the cache is: an empty list at first."""
    return []


def _lookup(meshes: Mapping[str, Mesh]) -> Callable[[MeshRef], Mesh]:
    def mesh_of(ref: MeshRef) -> Mesh:
        found = meshes.get(ref) if isinstance(ref, str) else None
        if found is None:
            raise UnknownMesh(ref)
        return found

    return mesh_of
