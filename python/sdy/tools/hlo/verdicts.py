"""Verdicts of XLA on HLO text, in a separate process, which some texts end (spec: async, 2.1)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sdy.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from sdy.markup import JsonObject
    from sdy.tools.hlo.worker import Answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of XLA on one text.

    Attributes:
      is_read: whether its parser reads the text.
      is_valid: whether its verifier accepts the module; None if it was not asked, or cannot be.
      message: its message on a rejection.
      crashed: whether the text ended its process.
      printed: its text of the module, if it accepts it.
    """

    is_read: bool
    is_valid: bool | None
    message: str = ""
    crashed: bool = False
    printed: str = ""

    def __str__(self) -> str:
        if self.crashed:
            return "XLA's process ends on this text"
        if not self.is_read:
            return f"XLA's parser: {self.message}"
        if self.is_valid is None:
            return f"XLA's verifier cannot be asked: {self.message}" if self.message else "XLA's parser reads it"
        return "XLA's verifier: valid" if self.is_valid else f"XLA's verifier: {self.message}"


class Verdicts:
    """Queries XLA's verdict on successive texts; a context manager, which ends the process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Verdicts:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process of XLA."""
        if self._process is not None:
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.wait()
            self._process = None

    def of(self, text: str, verify: bool = True) -> Verdict:
        """Return XLA's verdict on a text; `verify` also runs its verifier, which takes some 40 ms."""
        return next(self.each([text], verify))

    def each(self, texts: Iterable[str], verify: bool = True) -> Iterator[Verdict]:
        """Return XLA's verdict on each text, in order."""
        for text in texts:
            answer = self._ask({"text": text, "verify": verify})
            yield Verdict(False, False, crashed=True) if answer is None else Verdict(**answer)

    def _ask(self, question: JsonObject) -> Answer | None:
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return None
        return json.loads(line)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sdy.tools.hlo.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ
                | {
                    "JAX_PLATFORMS": "cpu",
                    "TF_CPP_MIN_LOG_LEVEL": "3",
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                },
            )
            assert self._process.stdout is not None
            first = self._process.stdout.readline()
            if not first:
                self.close()
                raise RuntimeError("the process that asks XLA does not start")
            reason = json.loads(first)
            if reason:
                self.close()
                raise RuntimeError(f"XLA cannot be asked: {reason}")
        return self._process
