"""Reads damaged inputs, in a process of its own: what aborts or hangs must not take the tests along."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import IO, Any

LIMIT = 5.0
"""Seconds that one input may keep a processor busy."""

_PATIENCE = 12 * LIMIT
"""Seconds until an input that gives no answer is given up; others may keep the processor busy as well."""

_PER_CONTEXT = 100
"""Inputs that share an MLIR context, since making one takes longer than reading most of them."""


class Worker:
    """A child process; `run` says what is wrong with how it took an input."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, data: bytes, *, as_tool: bool = False) -> str | None:
        """None if the input is read and printed, or refused as it should be; else what happened.

        With `as_tool` all of `sdy-opt` runs on a file, else its steps alone, which is faster.
        """
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((data, as_tool), process.stdin)
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
        if not ready:
            self.stop()
            return f"takes longer than {_PATIENCE} s"
        try:
            return pickle.load(process.stdout)
        except EOFError:
            code = process.wait()
            self.stop()
            return f"ends the process with code {code}"

    def stop(self) -> None:
        """Ends the child; the next input starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.robustness.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[2],
            )
            # The first answer tells that everything is imported, which takes its time.
            assert self._process.stdout is not None
            pickle.load(self._process.stdout)
        return self._process


# In the child --------------------------------------------------------------------------------------


class _Reading:
    """The steps of `sdy-opt` without its command line."""

    def __init__(self) -> None:
        self._uses = 0
        self._context: Any = None

    def run(self, data: bytes) -> None:
        import sdy
        from sdy.dialect.assembly import PrintOptions, parse_module, print_module
        from sdy.dialect.diagnostics import DiagnosticError, DiagnosticErrors
        from sdy.dialect.variadic import TooManyTypes
        from sdy.dialect.verification import verify_module
        from sdy.tools.sdy_opt import decoded

        if self._uses % _PER_CONTEXT == 0:
            self._context = sdy.make_context()
        self._uses += 1
        try:
            module = parse_module(decoded(data), self._context)
            verify_module(module)
        except (DiagnosticError, DiagnosticErrors, TooManyTypes) as error:
            str(error)
            return
        print_module(module)
        print_module(module, PrintOptions(generic=True, debug_info=True))


def _run_tool(data: bytes) -> str | None:
    from sdy.tools.sdy_opt import main

    with tempfile.NamedTemporaryFile(suffix=".mlir") as file:
        file.write(data)
        file.flush()
        code = main([file.name, "-o", os.devnull])
    return None if code in (0, 1) else f"exit code {code}"


def _serve(answers: IO[bytes]) -> None:
    reading = _Reading()
    reading.run(b"module {}")
    pickle.dump(None, answers)
    answers.flush()
    while True:
        try:
            data, as_tool = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        start = time.process_time()
        try:
            found = _run_tool(data) if as_tool else reading.run(data)
            if found is None and time.process_time() - start > LIMIT:
                found = f"takes longer than {LIMIT} s"
        except Exception:  # noqa: BLE001 - this is what the tests look for
            found = traceback.format_exc()
        pickle.dump(found, answers)
        answers.flush()


if __name__ == "__main__":
    to_parent = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the parser prints must not come between the answers
    _serve(to_parent)
