"""What happens inside a process that is tested: a mutant takes the place of a module, and lines that run are recorded.

Imported when Python starts, so it knows the standard library alone.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import sys
import uuid
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[2]
ROOMS = ("dialect", "passes", "python/sdy")
"""The folders with source."""

MUTANT = "SDY_MUTANT"
"""Environment variable: a JSON file with the `path` of a module and its mutated `source`."""

LINES = "SDY_LINES"
"""Environment variable: the folder into which the lines that run are written, one file by process."""

_PACKAGE = f"{ROOT}/python/sdy/"
"""The files of the package as Python knows them, with `dialect` and `passes` as links."""

_TOOL = 1  # sys.monitoring.COVERAGE_ID
_seen: set[tuple[str, int]] = set()


def processor_seconds() -> float:
    """What this process and those that it has waited for have used; does not depend on what else the machine does."""
    return sum(os.times()[:4])


def begin() -> None:
    """Does what the environment asks for."""
    if os.environ.get(MUTANT):
        given = json.loads(Path(os.environ[MUTANT]).read_text(encoding="utf-8"))
        mutate(given["path"], given["source"])
    if os.environ.get(LINES):
        record()
        atexit.register(write)


@functools.cache
def _real(path: str) -> str:
    return os.path.realpath(path)


def mutate(path: str, source: str) -> None:
    """When the module at `path` is imported it will have this source."""
    get_code = SourceFileLoader.get_code

    def mutated(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if _real(self.path) != path:
            return get_code(self, fullname)
        return compile(source, path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = mutated


def _monitoring() -> Any:
    if sys.version_info < (3, 12):
        raise RuntimeError("mutants need Python 3.12, whose interpreter says which lines it runs")
    return sys.monitoring


def record() -> None:
    """From now on every line of the source is noted when it runs first, and again after `taken`."""
    monitoring = _monitoring()
    monitoring.use_tool_id(_TOOL, "mutants")
    events = monitoring.events

    def started(code: CodeType, _: int) -> Any:
        if code.co_filename.startswith(_PACKAGE):
            monitoring.set_local_events(_TOOL, code, events.LINE)
        return monitoring.DISABLE

    def line(code: CodeType, number: int) -> Any:
        _seen.add((code.co_filename, number))
        return monitoring.DISABLE

    monitoring.register_callback(_TOOL, events.PY_START, started)
    monitoring.register_callback(_TOOL, events.PY_RESUME, started)
    monitoring.register_callback(_TOOL, events.LINE, line)
    monitoring.set_events(_TOOL, events.PY_START | events.PY_RESUME)


def taken() -> set[tuple[str, int]]:
    """Files and lines that ran since the last call, here and in the processes that wrote theirs into `LINES`."""
    found = {(_real(name), number) for name, number in _seen} | gathered()
    _seen.clear()
    _monitoring().restart_events()
    return found


def gathered() -> set[tuple[str, int]]:
    """The lines that other processes wrote into `LINES` since the last call."""
    found: set[tuple[str, int]] = set()
    for file in Path(os.environ[LINES]).glob("*.json"):
        found.update((name, number) for name, number in json.loads(file.read_text()))
        file.unlink()
    return found


def write() -> None:
    """Leaves the lines for the process that asked for them."""
    file = Path(os.environ[LINES]) / f"{uuid.uuid4().hex}.json"
    file.with_suffix(".part").write_text(json.dumps(sorted((_real(name), number) for name, number in _seen)))
    file.with_suffix(".part").rename(file)
