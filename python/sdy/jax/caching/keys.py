"""Under what a partitioned program is kept: all that decides what becomes of a program that JAX lowered."""

from __future__ import annotations

import functools
import hashlib
import os
import re
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

_DISTRIBUTIONS = ("sdy", "jax", "jaxlib", "torch-mlir", "mlir-python-bindings")
"""This package, what lowers programs, and the bindings."""

_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)


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
    return "\n".join([python, np.__version__, *map(_version, _DISTRIBUTIONS), _files()])


def _version(name: str) -> str:
    """That of an installed distribution, read off the line that says it: to parse all the metadata takes longer."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return f"{name} is not installed"
    said = _VERSION.search(found.read_text("METADATA") or "")
    return f"{name} {said[1] if said else found.version}"


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
        yield from _times_in(start, "")


def _times_in(folder: str, inside: str) -> Iterator[str]:
    """Those of the files below a folder, which is `inside` another one; links to folders are not followed."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__" and not entry.is_symlink():
                yield from _times_in(entry.path, f"{inside}{entry.name}/")
        else:
            stat = entry.stat()
            yield f"{inside}{entry.name} {stat.st_size} {stat.st_mtime_ns}"
