"""Under what a partitioned program is kept: all that decides what becomes of a program that JAX lowered."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING

import numpy as np

import sdy
import sdy.dialect
import sdy.passes
from sdy.dialect.extensions import load_extensions
from sdy.jax.caching.code_prints import print_of
from sdy.mlir.users_code import declarations

if TYPE_CHECKING:
    from sdy.jax.partitioner import Partitioner

_DISTRIBUTIONS = ("jax", "jaxlib", "torch-mlir", "mlir-python-bindings")
"""What lowers programs, and the bindings."""


def key_of(text: str, by: Partitioner) -> str:
    """The key of a module that JAX lowered, given as text.

    It depends on the passes and their options, the versions of what takes part, and on the rules, lowerings and so on
    that code of users has declared so far, which must do the same. Raises `UnknownCode` if that cannot be told.
    """
    load_extensions()
    said = [(one.kind, one.names, one.says) for one in declarations()]
    overlap = "" if by.overlap is None else by.overlap.pipeline
    planned = "" if by.planned is None else repr((by.planned, by.planned.entries))
    parts = [_versions(), by.pipeline, overlap, planned, print_of(said) if said else "", text]
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def _versions() -> str:
    """Those of Python, of this package down to its files, of JAX and of the bindings."""
    python = ".".join(map(str, sys.version_info[:3]))
    return "\n".join([python, sdy.__version__, np.__version__, *map(_version, _DISTRIBUTIONS), _files()])


def _version(name: str) -> str:
    try:
        return f"{name} {distribution(name).version}"
    except PackageNotFoundError:
        return f"{name} is not installed"


def _files() -> str:
    """What the installed files of this package are: by their digests, or while it is being written by their times."""
    try:
        record = distribution("sdy").read_text("RECORD") or ""
    except PackageNotFoundError:
        record = ""
    if "sdy/partition.py,sha256=" not in record:
        record = "\n".join(_times())
    return hashlib.sha256(record.encode()).hexdigest()


def _times() -> Iterator[str]:
    """Size and time of each file; where it is installed to be worked on, the parts of the package lie apart."""
    folders = {os.path.dirname(str(package.__file__)) for package in (sdy, sdy.dialect, sdy.passes)}
    for start in sorted(folders):
        for folder, inside, files in os.walk(start):
            inside[:] = sorted(name for name in inside if name != "__pycache__")
            for name in sorted(files):
                stat = os.stat(os.path.join(folder, name))
                yield f"{os.path.relpath(folder, start)} {name} {stat.st_size} {stat.st_mtime_ns}"
