"""Lines of the files that a program was made from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sdy.programs.files import source_lines


class SourceLines:
    """Reads single lines of regular files; whatever else a name stands for has none.

    Args:
      texts: files that are read already, by name.
      reads: whether there are lines at all.
    """

    def __init__(self, texts: Mapping[str, str], *, reads: bool = True) -> None:
        self._reads = reads
        self._files = {name: text.splitlines() for name, text in texts.items()}
        self._folder = f"{Path.cwd()}/"

    def file(self, name: str) -> str:
        """The name of a file from the working folder, where it is below that."""
        return name.removeprefix(self._folder)

    def shortened(self, text: str) -> str:
        """A text in which files are named, with the names from the working folder."""
        return text.replace(self._folder, "")

    def text(self, name: str, line: int) -> str:
        """The line of that number, from 1, without what it is indented by."""
        if not self._reads:
            return ""
        if name not in self._files:
            self._files[name] = source_lines(name)
        lines = self._files[name]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""
