"""Under what a partitioned program is kept: all that decides what becomes of a program that JAX lowered."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import sdy
from sdy.dialect.extensions import load_extensions
from sdy.jax.caching.known_code import UnknownCode, digest_of
from sdy.mlir.users_code import Declared, declarations

if TYPE_CHECKING:
    from sdy.jax.partitioner import Partitioner


_DISTRIBUTIONS = ("sdy", "jax", "jaxlib", "torch-mlir", "mlir-python-bindings")
"""This package, what lowers programs, and the bindings."""

_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)


def key_of(text: str, by: Partitioner, outside: str) -> str:
    """Return the digest of all that decides what becomes of a module that JAX lowered.

    Args:
      text: the module, with places in the source or without.
      by: how it is partitioned.
      outside: see `Inputs`.
    """
    overlap = "" if by.overlap is None else by.overlap.pipeline
    planned = "" if by.planned is None else repr((by.planned, by.planned.entries))
    digest = hashlib.sha256()
    for part in (_versions(), by.pipeline, overlap, planned, outside, text):
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
    """Identify the files of this package: by RECORD and what was edited since, in a checkout by their times."""
    try:
        record = next((one for one in distribution("sdy").files or () if one.name == "RECORD"), None)
        text = record.read_text() if record else ""
        installed = os.stat(record.locate()).st_mtime_ns if record else 0
    except (PackageNotFoundError, OSError):
        text, installed = "", 0
    if "sdy/partition.py,sha256=" not in text:
        text, installed = "", 0
    return hashlib.sha256("\n".join([text, *_times(installed)]).encode()).hexdigest()


def _times(since: int, folder: str = os.path.dirname(str(sdy.__file__)), inside: str = "") -> Iterator[str]:
    """Size and time of each file of this package that was written after `since`, below `folder`."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _times(since, entry.path, f"{inside}{entry.name}/")
        elif entry.stat().st_mtime_ns > since:
            stat = entry.stat()
            yield f"{inside}{entry.name} {stat.st_size} {stat.st_mtime_ns}"


_FILE = re.compile(r"={?([^\s,={}]+\.json)(?=[\s,{}]|$)")
"""A machine's file among the options of a pipeline; no other option names a file that is read."""


@dataclass(frozen=True)
class Inputs:
    """All inputs of the partitioner that may change between two runs of it.

    Attributes:
      text: the program.
      pipeline: the passes and their options.
      outside: digest of the code of users and of the files that take part; empty if none do.
    """

    text: str = field(repr=False)
    pipeline: str
    outside: str

    @staticmethod
    def of(text: str, pipeline: str) -> Inputs:
        """Return those of now. Raises `UnknownCode` if something takes part that may change without a trace."""
        load_extensions()
        said = tuple((one.kind, one.names, one.says) for one in _taking_part(text, pipeline))
        files = _FILE.findall(pipeline)
        if len(files) != pipeline.count(".json"):
            raise UnknownCode("a file in the options of its passes")
        return Inputs(text, pipeline, digest_of(said, tuple(map(_content, files))) if said or files else "")

    def are_unchanged(self) -> bool:
        """Return whether the inputs still hold after the program was partitioned."""
        try:
            return Inputs.of(self.text, self.pipeline) == self
        except UnknownCode:
            return False


def _taking_part(text: str, pipeline: str) -> list[Declared]:
    """Declarations of users, but for passes that are not run and for dialects that the program has nothing of."""
    every = declarations()
    foreign = {name for one in every if one.kind == "dialect" for name in one.names if name not in text}
    return [one for one in every if not _is_idle(one, pipeline, foreign)]


def _is_idle(one: Declared, pipeline: str, foreign: set[str]) -> bool:
    if one.kind in ("pass", "pipeline"):
        return not any(name in pipeline for name in one.names)
    return bool(one.names) and {name.partition(".")[0] for name in one.names} <= foreign


def _content(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise UnknownCode(f"the file {path}") from error
