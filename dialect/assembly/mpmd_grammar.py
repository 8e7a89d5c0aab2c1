"""The grammar of the attributes and of the type of `mpmd`, as `attribute_grammar` has it for sdy."""

from __future__ import annotations

from sdy.dialect.assembly.attribute_grammar import GRAMMAR, list_of, mesh, non_empty, sharding
from sdy.dialect.assembly.foreign import Extent, check_kind, either
from sdy.dialect.assembly.reader import Reader
from sdy.dialect.mpmd.values import (
    MeshesWithOrigins,
    MeshReduction,
    MeshWithOrigins,
    NamedMesh,
    Origin,
    ReductionKind,
    Topology,
    UserOrigin,
)
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass

_REDUCTIONS = {kind.keyword: kind for kind in ReductionKind}


def named_mesh(reader: Reader) -> NamedMesh:
    reader.expect("<")
    name = reader.string()
    reader.expect(":")
    found = NamedMesh(name, either(mesh)(reader))
    reader.expect(">")
    return found


def topology(reader: Reader) -> Topology:
    start = reader.ahead()
    meshes = non_empty(reader, "<", ">", either(named_mesh), "mesh")
    names = [each.name for each in meshes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise reader.fail(f"mesh '{twice}' occurs twice in the topology", start)
    return Topology(meshes)


def stripped_origin(reader: Reader) -> UserOrigin:
    """``"f"(1)``, as ops write it."""
    name, count = reader.string(), 0
    if reader.accept("("):
        count = reader.integer()
        reader.expect(")")
    return UserOrigin(name, count)


def user_origin(reader: Reader) -> UserOrigin:
    reader.expect("<")
    found = stripped_origin(reader)
    reader.expect(">")
    return found


def origin_list(reader: Reader) -> tuple[UserOrigin, ...]:
    """``["f", "g"(1)]``, as fragments write it."""
    return list_of(reader, "[", "]", _origin_or_whole)


def _origin_or_whole(reader: Reader) -> UserOrigin:
    return either(user_origin)(reader) if reader.peek("#") else stripped_origin(reader)


def origin(reader: Reader) -> Origin:
    return Origin(reader.string())


def mesh_with_origins(reader: Reader) -> MeshWithOrigins:
    name = reader.string()
    return MeshWithOrigins(name, non_empty(reader, "[", "]", either(origin), "origin") if reader.peek("[") else ())


def meshes_with_origins(reader: Reader) -> MeshesWithOrigins:
    return MeshesWithOrigins(list_of(reader, "<", ">", either(mesh_with_origins)))


def reduction(reader: Reader) -> MeshReduction:
    reader.expect("<")
    start = reader.ahead()
    kind = _REDUCTIONS.get(reader.word() or "")
    if kind is None:
        raise reader.fail(f"expected one of {', '.join(_REDUCTIONS)}", start)
    reader.expect(">")
    return MeshReduction(kind)


@dataclass(frozen=True, slots=True)
class WrittenMeshTensor:
    """A mesh tensor's type as it is written: where the tensor type in it stands, and what follows."""

    tensor: Extent
    sharding: TensorSharding | None
    memory_kind: str | None
    is_irdl: bool
    """True if it has the parameters that IRDL gives it, and nothing is to be done."""


def mesh_tensor(reader: Reader) -> WrittenMeshTensor:
    reader.expect("<")
    reader.string()
    reader.expect(",")
    tensor = reader.type()
    check_kind(reader.text, tensor, "ranked")
    found_sharding, memory_kind = None, None
    has_more = reader.accept(",")
    if has_more and (reader.peek_word() == "unit" or reader.peek("#sdy.sharding")):
        return WrittenMeshTensor(tensor, None, None, is_irdl=True)
    if has_more and reader.accept_word("sharding"):
        reader.expect("=")
        found_sharding = either(sharding)(reader)
        has_more = reader.accept(",")
    if has_more:
        if not reader.accept_word("memory_kind"):
            raise reader.fail("expected 'memory_kind'" if found_sharding else "expected 'sharding' or 'memory_kind'")
        reader.expect("=")
        memory_kind = reader.string()
    reader.expect(">")
    return WrittenMeshTensor(tensor, found_sharding, memory_kind, is_irdl=False)


GRAMMAR.update(
    {
        function.__name__: function
        for function in (
            named_mesh,
            topology,
            user_origin,
            origin,
            mesh_with_origins,
            meshes_with_origins,
            reduction,
        )
    }
)
