"""Files are written whole or not at all, and nothing but regular files is read for its lines."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sdy.programs.sources import remove_file, source_lines, write_file


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a disk that is almost full."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_file_that_cannot_be_written_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with files_of_at_most(100), pytest.raises(OSError, match="File too large") as raised:
        write_file(path, b"new" * 100)
    assert raised.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "old"


def test_other_names_of_a_file_stay_names_of_it(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_text("old")
    other.hardlink_to(path)
    write_file(path, b"new")
    assert other.read_text() == "new"


def test_new_files_have_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_file(tmp_path / "file", b"")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_only_regular_files_are_removed(tmp_path: Path) -> None:
    fifo, path = tmp_path / "fifo", tmp_path / "file"
    os.mkfifo(fifo)
    path.touch()
    for each in (fifo, path, tmp_path / "none"):
        remove_file(each)
    assert list(tmp_path.iterdir()) == [fifo]


def test_lines_are_those_of_regular_files(tmp_path: Path) -> None:
    fifo, path = tmp_path / "fifo", tmp_path / "file"
    os.mkfifo(fifo)
    path.write_text("a\nb\n")
    assert source_lines(str(path)) == ["a", "b"]
    for each in (fifo, tmp_path, tmp_path / "none", "/dev/zero", "\0"):
        assert source_lines(str(each)) == []
