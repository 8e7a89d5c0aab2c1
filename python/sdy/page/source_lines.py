"""Lines of the files that a program was made from."""

from __future__ import annotations

from pathlib import Path


class SourceLines:
    """Reads single lines of files, if `reads`; what is not there, or is no text, has none."""

    def __init__(self, *, reads: bool = True) -> None:
        self._reads = reads
        self._files: dict[str, list[str]] = {}
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
            try:
                self._files[name] = Path(name).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                self._files[name] = []
        lines = self._files[name]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""
