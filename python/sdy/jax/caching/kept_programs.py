"""Lookup and storage of partitioned programs (spec: jax-execution, 5.1).

JAX's settings apply to our files as well: whether there is a cache, its folder, its largest size, the least compilation
time for an entry, whether source positions count, whether found entries are compared with recomputed ones, whether
errors are raised or warned about.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import threading
import time
import types
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints
from uuid import uuid4

import jax.monitoring
from jaxlib.mlir import ir

from sdy.dialect.values.mesh import Mesh
from sdy.hidden_frames import warn
from sdy.jax.caching.keys import Inputs, UnknownCode, key_of
from sdy.jax_internals import LRUCache, compilation_cache, config, distributed
from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import Diagnostic
from sdy.partitioned_module import PartitionedModule
from sdy.passes.executable.user_partitions import CUSTOM_PARTITIONING, INSPECT_SHARDING, Inspection
from sdy.running.boundary import Boundary

if TYPE_CHECKING:
    from jaxlib._jax import Client

    from sdy.jax.partitioner import Partitioner


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
    """Bytes that do not hold the requested program; the message says why."""


def written(program: PartitionedModule, key: str, exact: str) -> bytes:
    """Return the entry of a program.

    Args:
      program: the program to keep.
      key: that of the entry, which is kept in it.
      exact: identifies the inputs of the program, including source positions.
    """
    meshes: dict[Mesh, int] = {}
    kept = {name: _plain(getattr(program, name), meshes) for name in _FIELDS}
    whole = {"key": key, "exact": exact, "program": kept, "meshes": [_object(mesh, meshes) for mesh in meshes]}
    data = zlib.compress(json.dumps(whole, separators=(",", ":")).encode(), 1)
    return _START + hashlib.sha256(data).digest() + data


def program_in(entry: bytes, key: str) -> tuple[str, PartitionedModule]:
    """Return `exact` and the program of an entry. Raises `DamagedEntry` if it is not a complete entry of that key."""
    start, data = entry[: len(_START) + _DIGEST], entry[len(_START) + _DIGEST :]
    if start != _START + hashlib.sha256(data).digest():
        raise DamagedEntry("its contents are not those written")
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
    """Return a value as JSON: meshes by number in `meshes`, other dataclasses as objects, enumerators by name."""
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
        raise TypeError(f"{data!r} is not of type {kind}")
    return data


def _from_object(kind: Any, data: Any, meshes: Sequence[Mesh]) -> Any:
    return kind(**{name: _value(each, data[name], meshes) for name, each in _field_types(kind)})


@functools.cache
def _field_types(kind: type) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(one.name, hints[one.name]) for one in fields(kind)]


_JSON: dict[Any, type] = {str: str, int: int, bool: bool, type(None): type(None), Mesh: int}
"""The types of JSON that stand for types of fields; of others, objects."""


_NEW = "-new"
_ABANDONED_SECONDS = 3600.0
"""A file that is older and still not in place was being written by a process that is gone."""


class ProgramFiles(LRUCache):
    """Files like JAX's cache, written atomically, and replaced if present."""

    def put(self, key: str, value: bytes) -> None:
        """Write a file after evicting the least recently used ones; a file larger than the cache is not written."""
        if self.eviction_enabled and len(value) > self.max_size:
            return
        with self._alone():
            self._remove_abandoned()
            self._evict_if_needed(additional_size=len(value))
            if self.eviction_enabled:
                self._write(f"{key}-atime", time.time_ns().to_bytes(8, "little"))
            self._write(f"{key}-cache", value)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of a cache with a size limit."""
        if not self.eviction_enabled:
            yield
            return
        self.lock.acquire(timeout=self.lock_timeout_secs)
        try:
            yield
        finally:
            self.lock.release()

    def _write(self, name: str, value: bytes) -> None:
        new = self.path / f".{uuid4().hex}{_NEW}"
        try:
            new.write_bytes(value)
            new.replace(self.path / name)
        except BaseException:
            new.unlink(missing_ok=True)
            raise

    def _remove_abandoned(self) -> None:
        """Remove the partial files of killed processes."""
        for path in self.path.glob(f".*{_NEW}"):
            with suppress(OSError):  # another process was faster, or the folder is not of this file system
                if time.time() - os.stat(path).st_mtime > _ABANDONED_SECONDS:
                    os.unlink(path)


logger = logging.getLogger(__name__)

_OF_THIS_PROCESS = (CUSTOM_PARTITIONING, INSPECT_SHARDING)
"""Calls that name a function of Python by a number, which means something else in another process."""


@dataclass(frozen=True)
class Place:
    """The cache entry of the partitioned program of `module`, called `name`."""

    module: ir.Module
    name: str
    key: str
    folder: str
    inputs: Inputs

    def find(self, *, with_places: bool = False) -> PartitionedModule | None:
        """Return the program, if it is there; with `with_places` only one with the right source positions.

        A damaged entry gives a warning, and is replaced once the program is recomputed.
        """
        found = None
        with self._warning_of_errors("read from"):
            entry = self._files().get(self.key)
            if entry is not None and not config.compilation_cache_check_contents.value:
                exact, program = program_in(entry, self.key)
                if not (with_places or _is_told_of(program)) or exact == self._exact():
                    found = program
        logger.debug("program of '%s' %s, key %s", self.name, "found" if found else "not found", self.key)
        return found

    def keep(self, program: PartitionedModule, seconds: float, *, is_asked_again: bool) -> None:
        """Write the program, if making and compiling it took as long as JAX's threshold for its own cache.

        It is always written if `is_asked_again`: JAX has its compiled form. One of several processes writes. None
        writes if code of users or a file was changed, or declared, while the program was made.
        """
        if distributed.global_state.process_id != 0 or not self.inputs.are_unchanged():
            return
        if seconds < config.persistent_cache_min_compile_time_secs.value and not is_asked_again:
            return
        with self._warning_of_errors("written to"):
            entry = written(program, self.key, self._exact())
            files = self._files()
            if config.compilation_cache_check_contents.value:
                self._compare(files.get(self.key), program)
            if len(entry) >= config.persistent_cache_min_entry_size_bytes.value:
                files.put(self.key, entry)
                logger.debug("program of '%s' written, key %s", self.name, self.key)

    def _files(self) -> ProgramFiles:
        return ProgramFiles(self.folder, max_size=config.compilation_cache_max_size.value)

    def _exact(self) -> str:
        text = str(self.module.operation.get_asm(enable_debug_info=True))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _compare(self, entry: bytes | None, program: PartitionedModule) -> None:
        if entry is None:
            return
        try:
            exact, kept = program_in(entry, self.key)
        except DamagedEntry:
            return  # it is replaced
        if exact == self._exact() and kept != program:
            message = f"the program of '{self.name}' is not the one in the compilation cache, key {self.key}"
            raise compilation_cache.CacheVerificationError(message, self.key, entry, b"")

    @contextmanager
    def _warning_of_errors(self, doing: str) -> Iterator[None]:
        """Turn faults of the cache into warnings, unless JAX is set to raise them."""
        try:
            yield
        except (DamagedEntry, OSError, RuntimeError) as error:
            is_wrong = isinstance(error, compilation_cache.CacheVerificationError)
            if is_wrong or config.raise_persistent_cache_errors.value:
                raise
            warn(f"the partitioned program of '{self.name}' cannot be {doing} the compilation cache: {error}")


def _is_told_of(program: PartitionedModule) -> bool:
    """Return whether compiling the program shows source locations to the user."""
    return bool(program.warnings or (program.remarks and logging.getLogger("sdy").isEnabledFor(logging.INFO)))


def place_of(backend: Client, module: ir.Module, by: Partitioner) -> Place | None:
    """Return the cache entry of a module that JAX lowered; None if there is no cache or it must not be kept.

    A module is not kept if calls in it name functions of this process, if passes write files on the way, and, with a
    warning, if code of users takes part that may change without changing the key.
    """
    if not by.is_told_by_its_fields or by.writes_files:
        return None
    folder = config.compilation_cache_dir.value
    is_used = folder and config.enable_compilation_cache.value and compilation_cache.is_cache_used(backend)
    if not is_used or config.compilation_cache_max_size.value == 0:
        return None
    name = ir.StringAttr(module.operation.attributes["sym_name"]).value
    places = config.compilation_cache_include_metadata_in_key.value
    text = str(module.operation.get_asm(enable_debug_info=places))
    if any(target in text for target in _OF_THIS_PROCESS):
        return None
    try:
        inputs = Inputs.of(text, by.pipeline)
    except UnknownCode as error:
        warn(
            f"the partitioned program of '{name}' is not kept in the compilation cache: your code in it "
            f"uses {error}, which may change without changing the key"
        )
        return None
    if inputs.outside and not places:
        text = str(module.operation.get_asm(enable_debug_info=True))  # code of users may read places
    return Place(module, name, f"{name}-sdy-{key_of(text, by, inputs.outside)}", folder, inputs)


_HIT = "/jax/compilation_cache/cache_hits"


class _Hits(threading.local):
    """Count of hits in JAX's cache, in this thread."""

    number = 0


_hits = _Hits()


def hits() -> int:
    """Return how often JAX found a program in its cache, in this thread, since it started."""
    return _hits.number


def _count(event: str, **_: object) -> None:
    if event == _HIT:
        _hits.number += 1


jax.monitoring.register_event_listener(_count)
