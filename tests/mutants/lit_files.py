"""Runs lit files: each command of a RUN line in a fork of this process, which has imported the tools.

Only what the files use is understood: pipes, redirections, `not`, `&&`. What is no tool of ours is executed.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO

from lit.ShCommands import Pipeline, Seq
from lit.ShUtil import ShParser

from tests.mutants.children import limit
from tests.mutants.probe import ROOT

FOLDER = ROOT / "lit_tests"
_server = spec_from_file_location("tool_server", FOLDER / "tool_server" / "server.py")
assert _server is not None and _server.loader is not None
_tools = module_from_spec(_server)
"""How lit runs the tools."""
_server.loader.exec_module(_tools)

_RUN = re.compile(r"^.*?\bRUN:[ \t]*(.*)$", re.MULTILINE)


def files() -> list[Path]:
    return sorted(
        file for suffix in ("mlir", "test") for file in FOLDER.rglob(f"*.{suffix}") if "Inputs" not in file.parts
    )


@dataclass(frozen=True)
class Runner:
    """Runs files.

    Attributes:
      scratch: where `%t` is.
      seconds: processor time that each command may take.
      before, after: called in the process of each command; `after` in those that it starts, too.
    """

    scratch: Path
    seconds: float
    before: Callable[[], None] = lambda: None
    after: Callable[[], None] = lambda: None

    def passes(self, file: Path) -> bool:
        """Whether every RUN line succeeds."""
        place = {"%s": str(file), "%S": str(file.parent), "%t": str(self.scratch / file.name), "%%": "%"}
        for line in _RUN.findall(file.read_text(encoding="utf-8").replace("\\\n", " ")):
            line = re.sub(r"%(?:[sSt]\b|%)", lambda found: place[found[0]], line)
            if not self._succeeds(ShParser(line).parse()):
                return False
        return True

    def _succeeds(self, script: Seq | Pipeline) -> bool:
        if isinstance(script, Pipeline):
            return self._pipeline(script.commands)
        if script.op not in ("&&", ";"):
            raise ValueError(f"{script.op} in a RUN line is not understood")
        left = self._succeeds(script.lhs)
        return (left or script.op == ";") and self._succeeds(script.rhs)

    def _pipeline(self, commands: list) -> bool:
        """Runs one command after the other; whether all succeed."""
        with ExitStack() as stack:
            given: IO[bytes] = stack.enter_context(open(os.devnull, "rb"))
            succeeded = True
            for command in commands:
                output = stack.enter_context(tempfile.TemporaryFile())
                streams = [given, output, stack.enter_context(open(os.devnull, "wb"))]
                for (op, *fd), target in command.redirects:
                    if op == ">&":
                        streams[fd[0]] = streams[int(target)]
                    else:
                        mode, default = ("rb", 0) if op == "<" else ("wb", 1)
                        streams[fd[0] if fd else default] = stack.enter_context(open(target, mode))
                succeeded &= self._command(list(command.args), streams)
                output.seek(0)
                given = output
        return succeeded

    def _command(self, args: list[str], streams: list[IO[bytes]]) -> bool:
        is_negated = args[0] == "not"
        child = os.fork()
        if child == 0:
            code = 70
            try:
                limit(self.seconds)
                # A tool works in a process of its own, which ends as Python does, and has not to tidy up for this one.
                atexit._clear()
                atexit.register(self.after)
                for number, stream in enumerate(streams):
                    os.dup2(stream.fileno(), number)
                self.before()
                code = _main(args[is_negated:])
                self.after()
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code > 0 if is_negated else code == 0


def _main(args: list[str]) -> int:
    """Runs a tool on the standard streams, which have been put in their place."""
    if args[0] in _tools.TOOLS:
        return _tools.run(args[0], args[1:])
    return subprocess.run(args, check=False).returncode
