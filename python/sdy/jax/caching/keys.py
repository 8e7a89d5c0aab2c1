"""Cache keys of partitioned programs: everything that affects the partitioning of a lowered program."""

from __future__ import annotations

import builtins
import dis
import functools
import hashlib
import os
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import sdy
from sdy.dialect.extensions import load_extensions
from sdy.lazy_dataclass import dataclass
from sdy.mlir.users_code import Declared, declarations

if TYPE_CHECKING:
    from sdy.jax.partitioner import Partitioner


class UnknownCode(Exception):
    """Code that may change without changing the digest; the message names it."""


_BUILTINS = frozenset(
    "IndexError NotImplementedError TypeError ValueError abs all any bool dict divmod enumerate filter float int "
    "isinstance len list map max min pow range reversed round slice sorted str sum tuple zip".split()
)
"""Builtins whose results follow from their arguments."""

_OF_PACKAGE = frozenset({"einsum_rule", "keep_and_combine", "replace_and_combine"})
"""Public functions of this package whose results follow from their arguments; the key has the package's version."""

_PLAIN = (bool, float, complex, str, bytes, types.NoneType, types.EllipsisType)

_READS_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_LEAVES_TRACES = frozenset({"STORE_DEREF", "DELETE_DEREF"})
_COUNTS = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags")
_NAMES = ("co_names", "co_varnames", "co_freevars", "co_cellvars")


def digest_of(*things: object) -> str:
    """Return a digest of known functions and plain values. Raises `UnknownCode` for anything else."""
    reader = _Reader()
    text = "\0".join(map(reader.read, things))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Reader:
    """Describes values as text; a repeated function is referred to by its number, so recursion ends."""

    def __init__(self) -> None:
        self._numbers: dict[types.FunctionType, int] = {}

    def read(self, thing: object) -> str:
        if type(thing) is int:
            return f"int {thing:x}"  # in decimal long ones are refused
        if type(thing) in _PLAIN:
            return f"{type(thing).__name__} {thing!r}"
        if type(thing) is tuple:
            return f"({', '.join(map(self.read, thing))})"
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        raise UnknownCode(_name(thing))

    def _function(self, function: types.FunctionType) -> str:
        if function in self._numbers:
            return f"function {self._numbers[function]}"
        self._numbers[function] = len(self._numbers)
        if vars(function):
            raise UnknownCode(f"attributes of {_name(function)}")
        defaults = sorted((function.__kwdefaults__ or {}).items())
        parts = [self.read((function.__defaults__, tuple(defaults)))]
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                raise UnknownCode(f"the variable '{name}', which has no value yet") from None
            parts.append(self._named(name, value))
        return f"{{{'; '.join((*parts, *self._code(function.__code__, function)))}}}"

    def _code(self, code: types.CodeType, function: types.FunctionType) -> Iterator[str]:
        """Describe code independently of its place; nested functions have the globals of `function`."""
        yield repr([getattr(code, name) for name in (*_COUNTS, *_NAMES, "co_code", "co_exceptiontable")])
        instructions = list(dis.get_instructions(code))
        for one, following in zip(instructions, [*instructions[1:], None], strict=True):
            if one.opname == "LOAD_GLOBAL":
                yield self._global(one.argval, function, following)
            elif one.opname in _LEAVES_TRACES and one.argval in code.co_freevars:
                raise UnknownCode(f"the variable '{one.argval}', which {_name(function)} sets")
            elif one.opname == "LOAD_BUILD_CLASS":
                raise UnknownCode(f"a class inside of {_name(function)}")
            elif one.opcode in dis.hasname and (one.opname not in _READS_ATTRIBUTE or one.argval.startswith("_")):
                raise UnknownCode(f"'{one.argval}' ({one.opname.lower()} in {_name(function)})")
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from self._code(constant, function)
            elif isinstance(constant, frozenset):
                yield repr(sorted(map(self.read, constant)))
            else:
                yield self.read(constant)

    def _global(self, name: str, function: types.FunctionType, following: dis.Instruction | None) -> str:
        scope = function.__globals__
        if name not in scope:
            found = getattr(builtins, name, None)
            if name in _BUILTINS and function.__builtins__.get(name) is found:
                return f"builtin {name}"
            raise UnknownCode(f"'{name}'")
        value = scope[name]
        if value is sdy and following is not None and following.opname in _READS_ATTRIBUTE:
            return self._named(f"{name}.{following.argval}", getattr(sdy, following.argval, sdy))
        return self._named(name, value)

    def _named(self, name: str, value: object) -> str:
        if isinstance(value, types.FunctionType) and value in map(_of_package, _OF_PACKAGE):
            return f"sdy.{value.__name__}"
        try:
            return f"{name} = {self.read(value)}"
        except UnknownCode as error:
            raise UnknownCode(f"'{name}'" if str(error) == _name(value) else str(error)) from None


def _name(thing: object) -> str:
    if isinstance(thing, types.FunctionType):
        return f"{thing.__module__}.{thing.__qualname__}"
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"


def _of_package(name: str) -> object:
    """The function of this package that `sdy` has under a name, if it is loaded."""
    return getattr(sys.modules.get(vars(sdy)["_WHERE"][name]), name, None)


_DISTRIBUTIONS = ("sdy", "jax", "jaxlib", "torch-mlir", "mlir-python-bindings")
"""This package, what lowers programs, and the bindings."""

_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)
_RECORD = re.compile(r"^([^,\n]+/RECORD),", re.MULTILINE)


def key_of(text: str, by: Partitioner, outside: str) -> str:
    """Return the digest of everything that affects the partitioning of a lowered module.

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
    """Return the versions of Python, this package (down to its files), JAX and the bindings."""
    python = ".".join(map(str, sys.version_info[:3]))
    return "\n".join([python, np.__version__, *map(_version, _DISTRIBUTIONS), _files()])


def _version(name: str) -> str:
    """Return the version of an installed distribution, read off its line: parsing all metadata takes longer."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return f"{name} is not installed"
    said = _VERSION.search(found.read_text("METADATA") or "")
    return f"{name} {said[1] if said else found.version}"


def _files() -> str:
    """Return an identity of the package's files: by RECORD and later edits, in a checkout by modification times."""
    try:
        package = distribution("sdy")
        text = package.read_text("RECORD") or ""
        # It lists itself. Parsing all of it takes longer.
        record = _RECORD.search(text)
        installed = os.stat(str(package.locate_file(record[1]))).st_mtime_ns if record else 0
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
    """All inputs of the partitioner that may change between two runs.

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
        """Return the present inputs. Raises `UnknownCode` if one of them may change without changing the digest."""
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
    """Return the declarations of users, without passes that are not run and dialects that are not used."""
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
