"""Names of ops for people, with the scopes of called functions and named computations."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from itertools import takewhile
from typing import Any

from sdy.dialect.values.axes import unquote
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import UNKNOWN, Position, location_parts, position_of
from sdy.mlir.functions import calls_by_callee, enclosing_function, funcs, symbol_name
from sdy.mlir.walk import identity, pre_order

_PLACE = re.compile(r".*:\d+:\d+", re.DOTALL)

_NUMBER = re.compile(r"sdy#\d+")
"""Pattern of names that reports give to ops of a copy; users do not write them."""


def op_name(location: Any) -> str:
    """Return the name that the frontend gave an op, else ``file:line:col``."""
    parts = list(location_parts(location))
    names = names_in(parts)
    if names:
        return _readable(outermost(names))
    position = next((part for part in parts if isinstance(part, Position)), None)
    return "unknown" if position is None else f"{_readable(position.file)}:{position.line}:{position.column}"


def names_in(parts: Iterable[str | Position]) -> list[str]:
    """The names that a frontend gave, among the parts of a location."""
    return [part for part in parts if isinstance(part, str) and not _NUMBER.fullmatch(part)]


def outermost(names: list[str]) -> str:
    """Return the outermost name of a location. JAX adds the kind of op, ``tanh:``, around the user's name."""
    return next((name for name in names if not name.endswith(":")), names[0])


def frontend_name(location: Any) -> str:
    """The name that the frontend gave the op, with the scopes around it; empty if there is none."""
    name = op_name(location)
    return "" if name == "unknown" or _PLACE.fullmatch(name) else name


def _readable(quoted: str) -> str:
    """Return the text in the quotes, keeping escapes only for unprintable bytes."""
    text = unquote(quoted)
    return text if text.isprintable() else quoted


_COMPUTATIONS = ("sdy.manual_computation", "sdy.named_computation")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The path and the position of the code around an op; empty and unknown for ops of the main function."""

    path: str = ""
    place: Position = UNKNOWN

    def path_of(self, name: str) -> str:
        """Return the full path of an op called `name`; `name` may already be the full path."""
        first, _, rest = name.partition("/")
        if not self.path or not name or first == self.path.partition("/")[0]:
            return name
        # Older JAX repeats what is called: jit(loss)/jit(f) around jit(f)/sin.
        inner = rest if rest and first in self.path.rpartition("/")[2] else name
        return f"{self.path}/{inner}"

    def place_of(self, own: Position) -> Position:
        """Return the position of an op: its own if it has one, else that of the enclosing op or call."""
        return own if own.line else self.place


NOWHERE = Surroundings()


class NameScopes:
    """Name scopes of the ops that one module has at present; later ops have none."""

    def __init__(self, module: ir.Operation, main: str | None) -> None:
        self._found: dict[Hashable, Surroundings] = {}
        functions = {symbol_name(each): each for each in funcs(module)}
        self._inside(functions.get(main or ""))
        self._calls, self._functions = calls_by_callee(module), functions
        self._seen, self._done = {main}, {main}
        for name in functions:
            self._look_into(name)

    def of(self, op: ir.Operation) -> Surroundings:
        return self._found.get(identity(op), NOWHERE)

    def _look_into(self, name: str) -> None:
        """Visit callers first; the callers of recursive functions are not known."""
        pending = [name]
        while pending:
            last = pending[-1]
            if last not in self._seen:
                self._seen.add(last)
                callers = (symbol_name(enclosing_function(call)) for call in self._calls.get(last, ()))
                pending += (caller for caller in callers if caller not in self._seen)
                continue
            pending.pop()
            if last not in self._done:
                self._done.add(last)
                self._hand_down(last)

    def _hand_down(self, name: str) -> None:
        """Give the ops in a function the common part of its calls."""
        around = _common([self._at(call) for call in self._calls.get(name, ())])
        if around != NOWHERE:
            for op in pre_order(self._functions[name]):
                self._found[identity(op)] = around
        self._inside(self._functions[name])

    def _inside(self, function: ir.Operation | None) -> None:
        """Return the computations in a function, outer ones first."""
        for op in () if function is None else pre_order(function):
            if op.name in _COMPUTATIONS:
                around = self._at(op)
                for inner in pre_order(op)[1:]:
                    self._found[identity(inner)] = around

    def _at(self, op: ir.Operation) -> Surroundings:
        """Return the scope that `op` gives to its regions and its callee."""
        around, name = self.of(op), frontend_name(op.location)
        return Surroundings(around.path_of(name) or around.path, around.place_of(position_of(op.location)))


def _common(calls: Sequence[Surroundings]) -> Surroundings:
    """Give a function's ops the common path of its calls, with ``*`` for differences, and the first position."""
    if not calls:
        return NOWHERE
    paths = {each.path for each in calls}
    path = paths.pop() if len(paths) == 1 else ""
    if paths:
        parts = zip(*(each.path.split("/") for each in calls), strict=False)
        shared = [each[0] for each in takewhile(lambda names: len(set(names)) == 1, parts)]
        path = "/".join([*shared, "*"]) if shared else ""
    return Surroundings(path, next((each.place for each in calls if each.place.line), UNKNOWN))
