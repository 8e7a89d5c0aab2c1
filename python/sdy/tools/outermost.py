"""The outermost level of every tool: any failure becomes an error message and exit code 1.

A `UsageError` or a system error is printed as such; an unexpected exception becomes one line. The C++ bindings may
crash the process; so a tool runs in a child process, and the parent reports its death.
"""

from __future__ import annotations

import atexit
import ctypes
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from sdy.mlir.diagnostics import InternalError
from sdy.tools.diagnostics_output import named, report
from sdy.tools.flags import Answered, UsageError

_INTERRUPTED = 128 + signal.SIGINT
"""The exit code of a command that was interrupted, as in a shell."""

_PR_SET_PDEATHSIG = 1

Tool = Callable[[Sequence[str]], int]


class _ClosedOutput(io.TextIOBase):
    """Replacement for standard output in a process that was started without one."""

    @property
    def buffer(self) -> _ClosedOutput:
        return self

    def write(self, text: object) -> int:
        raise OSError("standard output is closed")


def run_tool(name: str, tool: Tool, argv: Sequence[str] | None, advice: str) -> int:
    """Runs a tool and returns its exit code.

    Args:
      name: name of the tool.
      tool: takes the arguments of the command line.
      argv: these; None for those of the process, which is the tool's own then.
      advice: note to show with a fault of the tool.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lasts
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if argv is not None:
        return _caught(name, tool, argv, advice)
    if not hasattr(os, "fork"):
        return _caught(name, tool, sys.argv[1:], advice)
    return _in_child(name, tool, sys.argv[1:], advice)


def _caught(name: str, tool: Tool, argv: Sequence[str], advice: str) -> int:
    try:
        try:
            code = tool(argv)
        except Answered:
            code = 0
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return 1
    except InternalError as error:
        for each in error.diagnostics:
            report(named(each, _file(argv)))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except SystemExit as error:
        print(f"{name}: error: code that the tool calls, such as a plugin's, ended it: {error!r}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Nobody reads any more; Python would complain about what it cannot write when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"{error.filename or name}: error: {error.strerror or error}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"{_file(argv)}:1:1: error: not enough memory: {error}".rstrip(": "), file=sys.stderr)
        return 1
    except Exception as error:  # noqa: BLE001 - the outermost level
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        print(f"{_file(argv)}:1:1: error: internal: {name} failed: {reason}", file=sys.stderr)
    print(f"{name}: note: {advice}", file=sys.stderr)
    return 1


def _file(argv: Sequence[str]) -> str:
    """Return the file that a command line names, even if the command line is invalid."""
    return next((each for each in argv if not each.startswith("-") and os.path.exists(each)), "<stdin>")


def _in_child(name: str, tool: Tool, argv: Sequence[str], advice: str) -> int:
    child = os.fork()
    if child == 0:
        _end_with_parent()
        _leave(_caught(name, tool, argv, advice))
    status = _wait(child)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    if number in (signal.SIGINT, signal.SIGTERM):
        return 128 + number
    died = f"internal: {name} died of signal {signal.Signals(number).name}"
    print(f"{_file(argv)}:1:1: error: {died}\n{name}: note: {advice}", file=sys.stderr)
    return 1


def _leave(code: int) -> NoReturn:
    """End the child as the interpreter would, without returning to the caller of the tool."""
    try:
        atexit._run_exitfuncs()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        code = code or 1
    finally:
        os._exit(code)


def _end_with_parent() -> None:
    """End the child process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait(child: int) -> int:
    """Return the status of an ended child; an interrupt of this process interrupts the child as well."""
    while True:
        try:
            return os.waitpid(child, 0)[1]
        except KeyboardInterrupt:
            continue
