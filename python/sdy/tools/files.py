"""What tools read and write; `-` is standard input or output."""

from __future__ import annotations

import sys
from pathlib import Path


def name_of(path: str) -> str:
    """What diagnostics call a file."""
    return "<stdin>" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Raises `OSError`, also if standard input is closed."""
    if path != "-":
        return Path(path).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def text_of(data: bytes) -> str:
    """Bytes as text with ends of lines as on Unix; bytes that are no text stay what they are when it is written."""
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def write_bytes(path: str, data: bytes) -> None:
    """Raises `OSError`, also if standard output is closed."""
    if path != "-":
        Path(path).write_bytes(data)
        return
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
