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
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

LIMIT = 5.0
"""Seconds that one input may keep a processor busy."""

_PATIENCE = 12 * LIMIT
"""Seconds until an input that gives no answer is given up; others may keep the processor busy as well."""

_PER_CONTEXT = 100
"""Inputs that share an MLIR context, since making one takes longer than reading most of them."""


@dataclass(frozen=True, slots=True)
class Run:
    """Passes to run on an input."""

    pipeline: str
    verify: bool
    allow_unregistered: bool


class Worker:
    """A child process; `run` says what is wrong with how it took an input."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, data: bytes, *, as_tool: bool = False, run: Run | None = None) -> str | None:
        """None if the input is read and printed, or refused as it should be; else what happened.

        With `as_tool` all of `sdy-opt` runs on a file, else its steps alone, which is faster: with `run` the passes
        that it says, else none.
        """
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((data, as_tool, run), process.stdin)
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
                [sys.executable, "-c", "from tests.robustness.worker import serve; serve()"],
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
        from sdy.dialect.assembly import PrintOptions, parse_module, print_module
        from sdy.dialect.verification import verify_module
        from sdy.mlir.declared_dialects import TooManyTypes
        from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
        from sdy.tools.opt.opt_tool import decoded

        self._next_context()
        try:
            module = parse_module(decoded(data), self._context)
            verify_module(module)
        except (DiagnosticError, DiagnosticErrors, TooManyTypes) as error:
            str(error)
            return
        print_module(module)
        print_module(module, PrintOptions(generic=True, debug_info=True))

    def run_passes(self, data: bytes, run: Run) -> str | None:
        """What is wrong with how the passes took the input; None if nothing is."""
        from sdy.dialect.assembly import parse_module, print_module
        from sdy.dialect.verification import verify_module
        from sdy.mlir.declared_dialects import TooManyTypes
        from sdy.mlir.diagnostics import DiagnosticError, collecting
        from sdy.passes.manager import run_pipeline
        from sdy.passes.registry import PipelineError
        from sdy.tools.opt.opt_tool import decoded

        self._next_context()
        self._context.allow_unregistered_dialects = run.allow_unregistered
        try:
            with collecting(lambda _: None):
                module = parse_module(decoded(data), self._context)
                if run.verify:
                    verify_module(module)
                run_pipeline(module, run.pipeline, verify=run.verify)
            print_module(module)
        except DiagnosticError as error:
            # A text may say itself that a place is unknown.
            return None if b"loc(" in data else _without_place(error.diagnostics)
        except (TooManyTypes, PipelineError):
            return None
        finally:
            self._context.allow_unregistered_dialects = False
        return None

    def _next_context(self) -> None:
        import sdy

        if self._uses % _PER_CONTEXT == 0:
            self._context = sdy.make_context()
        self._uses += 1


def _without_place(diagnostics: Any) -> str | None:
    """The first error without a line."""
    return next((f"no place: {each}" for each in diagnostics if not each.position.line), None)


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
            data, as_tool, run = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        start = time.process_time()
        try:
            if run is not None:
                found = reading.run_passes(data, run)
            else:
                found = _run_tool(data) if as_tool else reading.run(data)
            if found is None and time.process_time() - start > LIMIT:
                found = f"takes longer than {LIMIT} s"
        except Exception:  # noqa: BLE001 - this is what the tests look for
            found = traceback.format_exc()
        pickle.dump(found, answers)
        answers.flush()


def serve() -> None:
    to_parent = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the parser prints must not come between the answers
    _serve(to_parent)
