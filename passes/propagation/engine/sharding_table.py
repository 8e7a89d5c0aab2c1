"""Tensor shardings as small integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding

NO_SHARDING = 0
"""The number of a missing sharding."""


class ShardingTable:
    """Gives every distinct sharding a number, in order of first appearance. Several threads may share a table.

    `mesh_of` maps the mesh reference of a sharding to its mesh; it raises where there is none.
    """

    def __init__(self, mesh_of: Callable[[MeshRef], Mesh]) -> None:
        self._mesh_of = mesh_of
        self._meshes: dict[MeshRef, Mesh] = {}
        self._common: dict[tuple[MeshRef, ...], MeshRef | None] = {}
        self._numbers: dict[TensorSharding, int] = {}
        self._lock = Lock()
        self._open: dict[tuple[MeshRef, int], int] = {}
        self.shardings: list[TensorSharding | None] = [None]
        self.is_sharded: list[bool] = [False]
        """Whether some dimension has axes, by number."""

    def number(self, sharding: TensorSharding | None) -> int:
        if sharding is None:
            return NO_SHARDING
        number = self._numbers.get(sharding)
        return self._add(sharding) if number is None else number

    def _add(self, sharding: TensorSharding) -> int:
        with self._lock:
            number = self._numbers.get(sharding)
            if number is None:
                number = len(self.shardings)
                self.shardings.append(sharding)
                self.is_sharded.append(not sharding.is_fully_replicated)
                self._numbers[sharding] = number
        return number

    def open(self, mesh: MeshRef, rank: int) -> int:
        """The number of the fully open sharding."""
        key = (mesh, rank)
        number = self._open.get(key)
        if number is None:
            number = self._open[key] = self.number(TensorSharding.open(mesh, rank))
        return number

    def blocked(self, number: int) -> AxisList:
        """The replicated, then the unreduced axes."""
        sharding = self.shardings[number]
        return () if sharding is None else sharding.replicated + sharding.unreduced

    def mesh(self, ref: MeshRef) -> Mesh:
        mesh = self._meshes.get(ref)
        if mesh is None:
            mesh = self._meshes[ref] = self._mesh_of(ref)
        return mesh

    def common_mesh(self, numbers: Iterable[int]) -> MeshRef | None:
        """The mesh on which a visit of tensors with these shardings works, None if there is none (section 6.1)."""
        refs = tuple(dict.fromkeys(s.mesh_or_ref for n in numbers if (s := self.shardings[n]) is not None))
        if refs not in self._common:
            self._common[refs] = self._find_common_mesh(refs)
        return self._common[refs]

    def _find_common_mesh(self, refs: tuple[MeshRef, ...]) -> MeshRef | None:
        found: MeshRef | None = None
        for ref in refs:
            if found is None or self.mesh(found).is_empty:
                found = ref
            elif not self.mesh(ref).is_empty and self.mesh(ref) != self.mesh(found):
                return None
        return None if found is None or self.mesh(found).is_maximal else found
