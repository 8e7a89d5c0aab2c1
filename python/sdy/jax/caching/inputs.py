"""Inputs of a partitioned program besides its partitioner and the versions of packages."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from sdy.dialect.extensions import load_extensions
from sdy.jax.caching.known_code import UnknownCode, digest_of
from sdy.mlir.users_code import Declared, declarations

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
