"""Reading of inputs and writing of outputs, for all tools; `-` is standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdy.programs.sources import write_file
from sdy.tools.flags import UsageError


def name_of(path: str) -> str:
    """Return the name of a file in diagnostics."""
    return "<stdin>" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Read a file once, from its start to its end, so that FIFOs and devices work.

    Raises `OSError`, also if standard input is closed.
    """
    if path != "-":
        return Path(path).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def text_of(data: bytes) -> str:
    """Return bytes as text with Unix line ends; bytes that are not text survive writing."""
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def write_bytes(path: str, data: bytes) -> None:
    """Writes a file as `sdy.programs.sources.write_file` does, or to standard output.

    Raises `OSError`, also if standard output is closed.
    """
    if path != "-":
        write_file(path, data)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_text(path: str, text: str) -> None:
    """Write text as `write_bytes` does; bytes preserved by `text_of` are restored."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


@contextmanager
def refused_for(what: str) -> Iterator[None]:
    """Turn an `OSError` of the block into a `UsageError` about `what`, such as a flag and its file."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{what}: {error.strerror or error}") from None


def check_apart(read: str, written: str, what: str) -> None:
    """Raises `UsageError` if the file to be written is the regular file that the program is read from."""
    if "-" not in (read, written) and Path(written).is_file() and Path(written).samefile(read):
        raise UsageError(f"{what} {written}: is the input program, which would be overwritten")
