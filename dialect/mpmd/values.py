"""Attributes and the type of `mpmd` as plain values; each prints as the body of its attribute."""

from __future__ import annotations

import re
from enum import Enum

from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass


class ReductionKind(Enum):
    """Kinds of reductions over meshes; a tensor that is to be reduced in a way not known yet has `NONE`."""

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
    """Label of what has put a value on a mesh."""

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


@dataclass(frozen=True, slots=True)
class MeshesWithOrigins:
    """Meshes on which a value is used, or on which it can be without a transfer."""

    meshes: tuple[MeshWithOrigins, ...]

    def __str__(self) -> str:
        return f"<{', '.join(map(str, self.meshes))}>"


def _parts(tensor: str) -> list[str]:
    """The sizes and the element type of the text of a tensor type."""
    return _TENSOR.findall(tensor.removeprefix("tensor<").removesuffix(">"))


_TENSOR = re.compile(r"\d+(?=x)|[^\dx].*")


@dataclass(frozen=True, slots=True)
class MeshTensor:
    """The type of a tensor that is on one mesh: the global type as text, and how it is distributed there.

    No sharding is to have the whole tensor on each device of the mesh. The kind of memory is "device" or "pinned_host",
    or None for the default one.
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
