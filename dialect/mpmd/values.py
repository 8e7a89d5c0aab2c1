"""Attributes and the type of `mpmd` as plain values; each prints as the body of its attribute."""

from __future__ import annotations

from enum import Enum

from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass, lazy_pattern


class ReductionKind(Enum):
    """Kinds of reductions over meshes; `NONE` for a reduction of a kind that is not known yet."""

    NONE = 0
    ADD = 1
    MAX = 2
    MIN = 3
    MUL = 4
    OR = 5
    AND = 6

    @property
    def keyword(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class MeshReduction:
    """Reduction over meshes."""

    kind: ReductionKind

    def __str__(self) -> str:
        return f"<{self.kind.keyword}>"


@dataclass(frozen=True, slots=True)
class NamedMesh:
    """Mesh of a topology with its name."""

    name: str
    mesh: Mesh

    def __str__(self) -> str:
        return f"<{quote(self.name)} : {self.mesh}>"


@dataclass(frozen=True, slots=True)
class Topology:
    """The meshes that a program is spread over, in the order of its pipeline."""

    meshes: tuple[NamedMesh, ...]

    def find(self, name: str) -> Mesh | None:
        """The mesh of that name, None if there is none."""
        return next((each.mesh for each in self.meshes if each.name == name), None)

    def __str__(self) -> str:
        return f"<{', '.join(map(str, self.meshes))}>"


@dataclass(frozen=True, slots=True)
class UserOrigin:
    """Name that a user gave to a computation, and how often it was transposed since: 1 in a backward pass."""

    name: str
    transpose_count: int = 0

    def __str__(self) -> str:
        count = f"({self.transpose_count})" if self.transpose_count > 0 else ""
        return f"<{quote(self.name)}{count}>"


@dataclass(frozen=True, slots=True)
class Origin:
    """A label that says why a value is on a mesh."""

    label: str

    def __str__(self) -> str:
        return quote(self.label)


@dataclass(frozen=True, slots=True)
class MeshWithOrigins:
    """Name of a mesh with the origins by which a value is there."""

    mesh_name: str
    origins: tuple[Origin, ...] = ()

    def __str__(self) -> str:
        return quote(self.mesh_name) + (f"[{', '.join(map(str, self.origins))}]" if self.origins else "")


ANY_MESH = "*"
"""Name that stands for any mesh in a set of meshes."""


@dataclass(frozen=True, slots=True)
class MeshesWithOrigins:
    """Meshes on which a value is used, or on which it can be without a transfer."""

    meshes: tuple[MeshWithOrigins, ...]

    @classmethod
    def of(cls, mesh_name: str, label: str | None = None) -> MeshesWithOrigins:
        """One mesh, with one origin or none."""
        return cls((MeshWithOrigins(mesh_name, (Origin(label),) if label else ()),))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.mesh_name for each in self.meshes)

    def has(self, mesh_name: str) -> bool:
        """Return whether a mesh is among these, by its name or by the wildcard."""
        return any(each.mesh_name in (mesh_name, ANY_MESH) for each in self.meshes)

    def origins_of(self, mesh_name: str) -> tuple[Origin, ...]:
        """Return the origins of a value on a mesh, or on any mesh; empty if it is not there."""
        by_name = {each.mesh_name: each.origins for each in self.meshes}
        return by_name.get(mesh_name, by_name.get(ANY_MESH, ()))

    def union(self, other: MeshesWithOrigins) -> MeshesWithOrigins:
        """These meshes, then those of `other` that are new; a mesh has the origins of both, those from here first."""
        merged = {each.mesh_name: each.origins for each in self.meshes}
        for each in other.meshes:
            merged[each.mesh_name] = tuple(dict.fromkeys(merged.get(each.mesh_name, ()) + each.origins))
        return MeshesWithOrigins(tuple(MeshWithOrigins(name, origins) for name, origins in merged.items()))

    def intersection(self, other: MeshesWithOrigins | None) -> MeshesWithOrigins:
        """Return the meshes in both, with all their origins, in the order of this object; None means all meshes."""
        if other is None:
            return self
        names = [name for name in self.names if other.has(name)]
        if ANY_MESH in self.names:
            names += [name for name in other.names if name not in names]
        found = []
        for name in names:
            origins = dict.fromkeys(self.origins_of(name) + other.origins_of(name))
            found.append(MeshWithOrigins(name, tuple(origins)))
        return MeshesWithOrigins(tuple(found))

    def prioritized(self, preferred: MeshesWithOrigins | None = None) -> str | None:
        """Return the mesh to choose: a preferred one if there is one, and one that does not come from a broadcast.

        Of several the one whose name sorts first; None if there is no mesh.
        """
        chosen = [name for name in (preferred.names if preferred is not None else ()) if self.has(name)]
        candidates = [name for name in chosen or self.names if name != ANY_MESH]
        broadcast = Origin("broadcast_in")
        return min(candidates, key=lambda name: (broadcast in self.origins_of(name), name), default=None)

    def __str__(self) -> str:
        return f"<{', '.join(map(str, self.meshes))}>"


def _parts(tensor: str) -> list[str]:
    """The sizes and the element type of the text of a tensor type."""
    return _TENSOR.findall(tensor.removeprefix("tensor<").removesuffix(">"))


_TENSOR = lazy_pattern(r"\d+(?=x)|[^\dx].*")


@dataclass(frozen=True, slots=True)
class MeshTensor:
    """The type of a tensor that is on one mesh: the global type as text, and how it is distributed there.

    Without a sharding each device of the mesh has the whole tensor. The kind of memory is "device", "pinned_host", or
    None for the default one.
    """

    mesh_name: str
    tensor: str
    sharding: TensorSharding | None = None
    memory_kind: str | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The global shape."""
        *sizes, _ = _parts(self.tensor)
        return tuple(map(int, sizes))

    @property
    def element(self) -> str:
        """The MLIR element type."""
        return _parts(self.tensor)[-1]

    def __str__(self) -> str:
        text = f"<{quote(self.mesh_name)}, {self.tensor}"
        if self.sharding is not None:
            text += f", sharding={self.sharding}"
        if self.memory_kind is not None:
            text += f", memory_kind={quote(self.memory_kind)}"
        return f"{text}>"
