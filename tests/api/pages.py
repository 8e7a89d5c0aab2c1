"""Run every snippet of the README, docs/guides, docs/documents and more; compare the output with the page.

A page is read from top to bottom in an empty folder. A `python` block runs, in one namespace for the page; the `text`
block right after it is its output. An `mlir` block is a valid module. A `console` block is a terminal: ``$ cat FILE``
shows a file and creates it, ``$ sdy-...`` and ``$ python FILE`` run and print what follows, up to a blank line. In
output ``...`` matches anything, and files of a `console` block are named relative to its folder.

python -m tests.api.pages           writes into the pages what their snippets print
python -m tests.api.pages PAGE      says what disagrees on that one
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sdy

DOCS = Path(__file__).parents[2] / "docs"
FOLDERS = ("guides", "documents")
BESIDE = ("../README", "automatic_partitioning", "extending", "hlo", "index")
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CHECKER = doctest.OutputChecker()


def pages() -> list[Path]:
    """All that are run."""
    in_folders = (path for folder in FOLDERS for path in (DOCS / folder).glob("*.md"))
    return sorted([*in_folders, *((DOCS / f"{name}.md").resolve() for name in BESIDE)])


@dataclass
class Printed:
    """What a page shows from `start` to `end` to be printed, and what was."""

    start: int
    end: int
    shown: str
    found: str

    @property
    def agrees(self) -> bool:
        """Whether it is the same, but for what ``...`` stands for."""
        shown, found = (f"{text.rstrip()}\n" for text in (self.shown, self.found))
        return _CHECKER.check_output(shown, found, doctest.ELLIPSIS)


def run(text: str) -> Iterator[Printed]:
    """Runs the snippets of a page in the current folder; raises what they raise."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for fence in _FENCE.finditer(text):
        kind, body = fence[1], fence[2]
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                line = text.count("\n", 0, fence.start(2))
                exec(compile("\n" * line + body, "page.py", "exec"), namespace)
            printed = out.getvalue()
        elif kind == "text":
            yield Printed(fence.start(2), fence.end(2), body, printed)
        elif kind == "mlir":
            sdy.parse(body)
        elif kind == "console":
            yield from _session(fence.start(2), body)


def _session(start: int, body: str) -> Iterator[Printed]:
    parts = re.split(r"^(\$ .*\n(?:> .*\n)*)", body, flags=re.MULTILINE)
    position = start + len(parts[0])
    for command, output in zip(parts[1::2], parts[2::2], strict=True):
        position += len(command)
        words = shlex.split(command.replace("\n> ", " ")[2:], comments=True)
        if words[0] == "cat":
            Path(words[1]).write_text(f"{output.rstrip()}\n", encoding="utf-8")
        else:
            printed = _printed_by_script(words[1:]) if words[0] == "python" else _printed_by(words)
            yield Printed(position, position + len(output), output, printed)
        position += len(output)


def _printed_by(words: list[str]) -> str:
    main = import_module(f"sdy.tools.{words[0].replace('-', '_')}").main
    # Tools write bytes, too.
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(words[1:])
    out.seek(0)
    return out.read()


def _printed_by_script(words: list[str]) -> str:
    """Run a script by itself: it may configure JAX, which has started in this process.

    Locations name it as the page does, without the folder.
    """
    run = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", run, *words], capture_output=True, text=True, check=True)
    return done.stdout.replace(f"{Path.cwd()}{os.sep}", "")


def write() -> None:
    """Puts into each page what its snippets print, but where it shows ``...``."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if re.search("^import torch$", text, re.MULTILINE) and not find_spec("torch"):
            print(f"{page.relative_to(DOCS.parent)}: left, needs PyTorch")
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            found = [each for each in run(text) if not each.agrees]
        for each in reversed(found):
            blank = "\n" if each.shown.endswith("\n\n") else ""
            text = f"{text[: each.start]}{each.found.rstrip()}\n{blank}{text[each.end :]}"
        page.write_text(text, encoding="utf-8")
        print(f"{page.relative_to(DOCS.parent)}: {len(found)} written")


if __name__ == "__main__":
    os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if sys.argv[1:]:
        text = Path(sys.argv[1]).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            wrong = [each.found for each in run(text) if not each.agrees]
        sys.exit("\n".join(wrong) or None)
    write()
