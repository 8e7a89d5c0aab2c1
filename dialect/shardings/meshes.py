"""Resolution of a sharding's mesh (spec: sharding-algebra, 9), and cached facts about a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar, Token
from typing import Any, TypeVar

from sdy.dialect.definition.attributes import text_of, value_of
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir


class MeshTable:
    """The meshes of one module by symbol name, in order of declaration.

    A snapshot: meshes that are added or removed afterwards are not seen.
    """

    def __init__(self, module: ir.Module | ir.Operation) -> None:
        self.by_name: dict[str, Mesh] = {}
        for op in module.operation.regions[0].blocks[0].operations:
            if op.operation.name == "sdy.mesh":
                attributes = op.operation.attributes
                self.by_name.setdefault(text_of(attributes["sym_name"]), value_of(attributes["mesh"]))

    def resolve(self, ref: MeshRef) -> Mesh | None:
        """The mesh that `ref` names or is; None if there is none of that name."""
        return self.by_name.get(ref) if isinstance(ref, str) else ref

    def of(self, sharding: TensorSharding) -> Mesh | None:
        return self.resolve(sharding.mesh_or_ref)

    def is_on_single_device(self, sharding: TensorSharding | None) -> bool:
        mesh = sharding and self.of(sharding)
        return mesh is not None and mesh.is_maximal

    def common(self, shardings: Iterable[TensorSharding | None], *, ignore_device_ids: bool = False) -> MeshRef | None:
        """Return the mesh reference that all shardings share; None if their meshes differ.

        The first reference to a mesh that is not empty wins; with `ignore_device_ids` the last one without ids does.
        """
        kept: Mesh | None = None
        kept_ref: MeshRef | None = None
        for sharding in shardings:
            mesh = sharding and self.of(sharding)
            if sharding is None or mesh is None:
                continue
            if kept is None or kept.is_empty:
                kept, kept_ref = mesh, sharding.mesh_or_ref
            elif mesh.is_empty:
                continue
            elif not (mesh.equals_ignoring_device_ids(kept) if ignore_device_ids else mesh == kept):
                return None
            elif ignore_device_ids and not mesh.device_ids:
                kept_ref = sharding.mesh_or_ref
        return kept_ref

    def first_non_maximal(self, shardings: Iterable[TensorSharding | None]) -> MeshRef | None:
        """The reference of the first sharding whose mesh is not maximal."""
        for sharding in shardings:
            mesh = sharding and self.of(sharding)
            if sharding is not None and mesh is not None and not mesh.is_maximal:
                return sharding.mesh_or_ref
        return None

    def global_mesh(self) -> tuple[str, Mesh] | None:
        """The first mesh with axes."""
        return next(((name, mesh) for name, mesh in self.by_name.items() if mesh.axes), None)


def enclosing_module(op: ir.Operation) -> ir.Operation:
    """The closest `builtin.module` around `op`, or `op` itself if it is one."""
    op = op.operation
    while op.name != "builtin.module":
        op = op.parent.operation
    return op


def mesh_of(ref: MeshRef, op: ir.Operation) -> Mesh | None:
    """The mesh that `ref` names from where `op` stands, or is.

    Walks the module's symbols at each call; take a `MeshTable` for more than a few questions.
    """
    return ref if isinstance(ref, Mesh) else MeshTable(enclosing_module(op)).resolve(ref)


Fact = TypeVar("Fact")

_Facts = dict[Callable[[ir.Operation], Any], list[tuple[ir.Operation, Any]]]

_facts: ContextVar[_Facts | None] = ContextVar("_facts", default=None)


class Kept:
    """A context manager that caches facts; no symbol may be added, removed or changed in its block."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token: Token[_Facts | None] = _facts.set({})

    def __exit__(self, *_: object) -> None:
        _facts.reset(self._token)


def of_module(find: Callable[[ir.Operation], Fact], op: ir.Operation) -> Fact:
    """Return the result of `find` (a function or class) for the module around `op`, cached if possible."""
    module, facts = enclosing_module(op), _facts.get()
    if facts is None:
        return find(module)
    known = facts.setdefault(find, [])
    for other, fact in known:
        if other == module:
            return fact
    known.append((module, find(module)))
    return known[-1][1]
