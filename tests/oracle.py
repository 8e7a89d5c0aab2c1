"""The C++ reference that ships inside jaxlib, as an oracle for parity tests.

    reference(text, "sdy-basic-propagate", "sdy-close-shardings")   # what C++ makes of a module
    reference_print(text)                                           # what C++ prints for what it parsed

The passes run in one long-lived child process, since C++ may abort on input it does not expect. A child that dies is
replaced for the next request; the request that killed it raises `ReferenceCrashed`.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import IO

import pytest

NEEDED = (0, 12)
"""The first jaxlib release whose passes are the reference; earlier ones print other results."""

TIMEOUT = 120.0
"""Seconds that one request may take."""


class ReferenceFailed(Exception):
    """The reference refused: a parse error, a verifier's or a pass's diagnostic. The text is what it said."""


class ReferenceCrashed(ReferenceFailed):
    """The reference aborted or did not answer in time; what it computes for such input is undefined."""


def _jaxlib() -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in metadata.version("jaxlib").split(".")[:2])
    except metadata.PackageNotFoundError:
        return ()


available: bool = _jaxlib() >= NEEDED
"""Whether this environment has the reference release."""

requires_reference = pytest.mark.skipif(
    not available,
    reason=f"needs jaxlib {'.'.join(map(str, NEEDED))} (Python 3.12 or newer), here is {'.'.join(map(str, _jaxlib()))}",
)
"""Marks a test that compares with the reference."""


def reference(text: str, *passes: str, allow_unregistered: bool = False) -> str:
    """The module `text` after `passes` (``"name"`` or ``"name{option=value}"``), as the reference prints it.

    A pass on functions runs on every `func.func` of the module, as `mlir-opt` nests it.
    """
    return _worker().ask(text, passes, allow_unregistered)


def reference_print(text: str, *, allow_unregistered: bool = False) -> str:
    """The module `text` as the reference parses, verifies and prints it."""
    return reference(text, allow_unregistered=allow_unregistered)


def reference_generic(text: str, *, allow_unregistered: bool = False) -> str:
    """As `reference_print`, in generic form."""
    return _worker().ask(text, (), allow_unregistered, print_generic_op_form=True)


def reference_locations(text: str, *, allow_unregistered: bool = False) -> str:
    """As `reference_print`, with the locations of all ops and block arguments."""
    return _worker().ask(text, (), allow_unregistered, enable_debug_info=True, use_local_scope=True)


def hlo_request(what: str, texts: Sequence[str]) -> list[dict]:
    """The answers of `tests.hlo_oracle_worker`."""
    return _worker().request({"hlo": what, "texts": texts})["answers"]


@functools.cache
def _worker() -> Worker:
    worker = Worker()
    atexit.register(worker.stop)
    return worker


class Worker:
    """A child process that answers requests, one JSON object a line, started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stderr: IO[bytes] | None = None
        self._heard = 0  # bytes of standard error before the present request

    def ask(self, text: str, passes: Iterable[str], allow_unregistered: bool = False, **printing: bool) -> str:
        request = {
            "text": text,
            "passes": list(passes),
            "allow_unregistered": allow_unregistered,
            "printing": printing,
        }
        answer = self.request(request)
        if answer["text"] is None:
            raise ReferenceFailed(answer["diagnostics"])
        return answer["text"]

    def request(self, request: dict) -> dict:
        """The answer to a request of any kind."""
        process = self._running()
        assert process.stdin is not None
        assert self._stderr is not None
        self._heard = os.fstat(self._stderr.fileno()).st_size
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = self._answer(process)
        except BrokenPipeError:
            line = b""
        if not line:
            raise ReferenceCrashed(self._last_words())
        return json.loads(line)

    def stop(self) -> None:
        """Ends the child; the next request starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
            root = Path(__file__).parents[1]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.oracle_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                cwd=root,
            )
        return self._process

    def _answer(self, process: subprocess.Popen[bytes]) -> bytes:
        """One line, or nothing if the child died or did not answer in time."""
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], TIMEOUT)
        return process.stdout.readline() if ready else b""

    def _last_words(self) -> str:
        assert self._process is not None
        assert self._stderr is not None
        self._process.kill()
        code = self._process.wait()
        said = os.pread(self._stderr.fileno(), 10_000, self._heard).decode(errors="replace").strip().splitlines()
        self.stop()
        return "\n".join([f"the reference died with code {code}", *said[:5]])


def command(text_file: str, passes: Sequence[str]) -> str:
    """A shell command that prints the reference's result for a module in a file."""
    return " ".join([".venv/bin/python -m tests.oracle_worker", text_file, *(f"'{name}'" for name in passes)])
