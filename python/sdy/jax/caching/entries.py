"""Partitioned programs as bytes: JSON, compressed, behind a digest. Reading an entry runs no code of it."""

from __future__ import annotations

import functools
import hashlib
import json
import types
import zlib
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from sdy.dialect.values.mesh import Mesh
from sdy.mlir.diagnostics import Diagnostic
from sdy.partitioned_module import PartitionedModule
from sdy.passes.executable.user_partitions import Inspection
from sdy.running.boundary import Boundary

_START = b"sdy program 2\n"
_DIGEST = hashlib.sha256().digest_size

_FIELDS: dict[str, Any] = {
    "name": str,
    "text": str,
    "mesh": Mesh,
    "arguments": tuple[Boundary, ...],
    "results": tuple[Boundary, ...],
    "warnings": tuple[Diagnostic, ...],
    "remarks": tuple[Diagnostic, ...],
    "inspections": tuple[Inspection, ...],
}
"""Fields of a program that an entry has; context and source belong to a process."""


class DamagedEntry(Exception):
    """Bytes that do not hold the wanted program; says why."""


def written(program: PartitionedModule, key: str, exact: str) -> bytes:
    """Return the entry of a program.

    Args:
      program: what is kept.
      key: that of the entry, which is kept in it.
      exact: identifies what the program was made from, places in the source included.
    """
    meshes: dict[Mesh, int] = {}
    kept = {name: _plain(getattr(program, name), meshes) for name in _FIELDS}
    whole = {"key": key, "exact": exact, "program": kept, "meshes": [_object(mesh, meshes) for mesh in meshes]}
    data = zlib.compress(json.dumps(whole, separators=(",", ":")).encode(), 1)
    return _START + hashlib.sha256(data).digest() + data


def program_in(entry: bytes, key: str) -> tuple[str, PartitionedModule]:
    """Return `exact` and the program of an entry. Raises `DamagedEntry` if it is not a whole entry of that key."""
    start, data = entry[: len(_START) + _DIGEST], entry[len(_START) + _DIGEST :]
    if start != _START + hashlib.sha256(data).digest():
        raise DamagedEntry("it is not what was written")
    try:
        found = json.loads(zlib.decompress(data))
        if found["key"] != key:
            raise DamagedEntry("it is that of another program")
        meshes = [_from_object(Mesh, mesh, ()) for mesh in found["meshes"]]
        kept = {name: _value(kind, found["program"][name], meshes) for name, kind in _FIELDS.items()}
        return _value(str, found["exact"], meshes), PartitionedModule(**kept)
    except (zlib.error, LookupError, TypeError, ValueError, RecursionError) as error:
        raise DamagedEntry(f"it holds no program: {error!r}") from error


def _plain(value: object, meshes: dict[Mesh, int]) -> object:
    """A value as JSON: meshes by their numbers in `meshes`, other dataclasses as objects, enumerators by name."""
    if isinstance(value, Mesh):
        return meshes.setdefault(value, len(meshes))
    if is_dataclass(value):
        return _object(value, meshes)
    if isinstance(value, tuple):
        return [_plain(each, meshes) for each in value]
    return value.name if isinstance(value, Enum) else value


def _object(value: Any, meshes: dict[Mesh, int]) -> dict[str, object]:
    return {one.name: _plain(getattr(value, one.name), meshes) for one in fields(value)}


def _value(kind: Any, data: object, meshes: Sequence[Mesh]) -> Any:
    """The value of type `kind` that `_plain` has written. Raises `LookupError`, `TypeError` or `ValueError`."""
    if isinstance(kind, types.UnionType):
        kind = next((each for each in get_args(kind) if _JSON.get(each, dict) is type(data)), kind)
    if kind is Mesh:
        return meshes[_value(int, data, meshes)]
    if is_dataclass(kind):
        return _from_object(kind, data, meshes)
    if get_origin(kind) is tuple and isinstance(data, list):
        return tuple([_value(get_args(kind)[0], each, meshes) for each in data])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind[_value(str, data, meshes)]
    if type(data) is not kind:
        raise TypeError(f"{data!r} is no {kind}")
    return data


def _from_object(kind: Any, data: Any, meshes: Sequence[Mesh]) -> Any:
    return kind(**{name: _value(each, data[name], meshes) for name, each in _field_types(kind)})


@functools.cache
def _field_types(kind: type) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(one.name, hints[one.name]) for one in fields(kind)]


_JSON: dict[Any, type] = {str: str, int: int, bool: bool, type(None): type(None), Mesh: int}
"""The types of JSON that stand for types of fields; of others, objects."""
