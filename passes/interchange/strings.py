"""Attributes of the dialect as strings, which XLA keeps in `mhlo.frontend_attributes` (spec: interchange, 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TypeVar

from sdy.dialect.assembly.attribute_grammar import GRAMMAR
from sdy.dialect.assembly.foreign import either
from sdy.dialect.assembly.reader import AssemblyError, Reader
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import MNEMONICS, text_of
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

MESHES = "xla.sdy.meshes"
SHARDING = "xla.sdy.sharding"
SHARDING_RULE = "xla.sdy.sharding_rule"
IN_SHARDINGS = "xla.sdy.in_shardings"
OUT_SHARDINGS = "xla.sdy.out_shardings"
MANUAL_AXES = "xla.sdy.manual_axes"
TUPLE_ARGUMENTS = "xla.sdy.tuple_args_shardings"
TUPLE_RESULTS = "xla.sdy.tuple_results_shardings"
GROUP_ID = "xla.sdy.sharding_group_id"
DIRECTION = "xla.sdy.allowed_direction"

FUNC_RESULT = "xla.sdy.FuncResultSharding"
GROUP = "xla.sdy.ShardingGroup"
BARRIER = "xla.sdy.PropagationBarrier"
GLOBAL_TO_LOCAL = "xla.sdy.GlobalToLocalShape"
LOCAL_TO_GLOBAL = "xla.sdy.LocalToGlobalShape"
BODY = "xla.sdy.manual_computation_body"

T = TypeVar("T")

_BARE = re.compile(r"[A-Za-z_][\w$.]*")


def read_string(attribute: ir.Attribute, kind: type[T], at: ir.Operation | ir.Location) -> T:
    """Return the value object of class `kind` that a string spells, or that the attribute encodes.

    Raises `DiagnosticError` at `at` (an op or a location) if it is neither.
    """
    if not isinstance(attribute, ir.StringAttr):
        try:
            value = attributes.value_of(attribute)
        except (TypeError, ValueError):
            value = None
        if not isinstance(value, kind):
            raise DiagnosticError(at, f"expected an attribute '{MNEMONICS[kind]}' or its text, got {attribute}")
        return value
    return _read(text_of(attribute), at, _reader_of(kind))


@cache
def _reader_of(kind: type[T]) -> Callable[[Reader], T]:
    return either(GRAMMAR[MNEMONICS[kind]])


def read_meshes(attribute: ir.Attribute, at: ir.Operation | ir.Location) -> dict[str, Mesh]:
    """The meshes of a module by name, in the order in which they are written."""
    if isinstance(attribute, ir.DictAttr):
        return {entry.name: read_string(entry.attr, Mesh, at) for entry in attribute}
    if not isinstance(attribute, ir.StringAttr):
        raise DiagnosticError(at, f"expected a dictionary of meshes or its text in '{MESHES}', got {attribute}")
    return _read(text_of(attribute), at, _meshes)


def _meshes(reader: Reader) -> dict[str, Mesh]:
    found: dict[str, Mesh] = {}
    reader.expect("{")
    while not reader.accept("}"):
        if found:
            reader.expect(",")
        start = reader.ahead()
        name = reader.string() if reader.peek('"') else reader.word()
        if not name or name in found:
            raise reader.fail("expected the name of another mesh", start)
        reader.expect("=")
        found[name] = either(GRAMMAR["mesh"])(reader)
    return found


def _read(text: str, at: ir.Operation | ir.Location, read: Callable[[Reader], T]) -> T:
    try:
        return _parsed(text, read)
    except AssemblyError as error:
        place = f"{error.message} at column {error.offset + 1}"
        raise DiagnosticError(at, f'cannot read "{text}": {place}') from None
    except ValueError as error:
        raise DiagnosticError(at, f'cannot read "{text}": {error}') from None


@lru_cache(maxsize=4096)
def _parsed(text: str, read: Callable[[Reader], T]) -> T:
    reader = Reader(text)
    value = read(reader)
    if reader.skip() != len(text):
        raise reader.fail("unexpected text behind the attribute")
    return value


def string_of(value: object) -> ir.Attribute:
    """A value object as a string."""
    return ir.StringAttr.get(attributes.pretty_text(value))


def meshes_string(meshes: Mapping[str, Mesh]) -> ir.Attribute:
    """Meshes as a dictionary in a string, sorted by name."""
    entries = [f"{_key(name)} = #sdy.mesh{meshes[name]}" for name in sorted(meshes, key=str.encode)]
    return ir.StringAttr.get(f"{{{', '.join(entries)}}}")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else quote(name)
