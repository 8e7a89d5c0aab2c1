"""Reading and writing the files that users name."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

_LARGEST_SOURCE = 64 << 20
"""Bytes of a file that is read for single lines of it."""


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file; a regular file of one name is replaced in one step, and is as it was if that fails.

    Links are followed, devices and FIFOs are written into, and an existing file keeps its mode.

    Raises:
      OSError: the file cannot be written; the error names `path`.
    """
    target = Path(path)
    try:
        if not _is_replaceable(target) or not _replace(target, data):
            target.write_bytes(data)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_replaceable(target: Path) -> bool:
    """Return whether replacing the file loses no link, owner or permission."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        return True
    is_own = found.st_nlink == 1 and found.st_uid == os.geteuid()
    return stat.S_ISREG(found.st_mode) and is_own and os.access(target, os.W_OK)


def _replace(target: Path, data: bytes) -> bool:
    """Writes a file beside `target` and renames it; returns False if the folder takes no other file."""
    unfinished = target.with_name(f".sdy-{os.getpid()}-{threading.get_ident()}")
    try:
        file = unfinished.open("xb")
    except PermissionError:
        return False
    try:
        with file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            file.write(data)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def remove_file(path: str | os.PathLike[str]) -> None:
    """Removes a regular file, and nothing else that `path` may name.

    Raises `OSError` if it cannot be removed.
    """
    if Path(path).is_file():
        Path(path).unlink()


def source_lines(path: str) -> list[str]:
    """Lines of a regular text file; none of anything else, and none of a file of more than 64 MiB."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST_SOURCE:
            return []
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
