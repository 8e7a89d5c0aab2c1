"""Partitioned programs as bytes that say whether they are whole."""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from dataclasses import replace

from sdy.partitioned_module import PartitionedModule

_START = b"sdy program 1\n"
_DIGEST = hashlib.sha256().digest_size


class DamagedEntry(Exception):
    """Bytes that hold no program; says why."""


def written(program: PartitionedModule, exact: str) -> bytes:
    """The bytes of a program, which `program_in` reads; `exact` tells what it was made from, places included."""
    whole = pickle.dumps((exact, replace(program, context=None, source=None)), protocol=5)
    data = zlib.compress(whole, 1)
    return _START + hashlib.sha256(data).digest() + data


def program_in(entry: bytes) -> tuple[str, PartitionedModule]:
    """What `written` was given. Raises `DamagedEntry`."""
    start, data = entry[: len(_START) + _DIGEST], entry[len(_START) + _DIGEST :]
    if start != _START + hashlib.sha256(data).digest():
        raise DamagedEntry("it is not what was written")
    try:
        exact, program = _ProgramReader(io.BytesIO(zlib.decompress(data))).load()
    except (zlib.error, pickle.PickleError, AttributeError, EOFError, ImportError, TypeError, ValueError) as error:
        raise DamagedEntry(f"it holds no program: {error}") from error
    return exact, program


_ROOMS = ("sdy.partitioned_module", "sdy.dialect.values", "sdy.running.boundary", "sdy.passes.executable.questions")
_OTHERS = ("sdy.mlir.diagnostics",)


class _ProgramReader(pickle.Unpickler):
    """Makes values of this package, and runs nothing else."""

    def find_class(self, module: str, name: str) -> object:
        if not module.startswith((*_ROOMS, *_OTHERS)):
            raise DamagedEntry(f"it holds a {module}.{name}")
        return super().find_class(module, name)
