"""Snapshots: the communication of a program as a small text in the repository, reviewed like code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from sdy.programs.meshes import AnyMesh
from sdy.programs.sources import write_file
from sdy.report.text_table import columns
from sdy.report.transfers import Transfer, bytes_of, ops_of
from sdy.testing.footprint import Footprint, TestedProgram

UPDATE = "--update-communication"
"""The option of pytest that writes snapshots."""

FOLDER = "communication"
"""The folder of snapshots, beside the file of the test."""

_HEAD = f"# What each device sends in one run. Written by `pytest {UPDATE}`; review it like code."


def snapshot_text(program: TestedProgram, *, mesh: AnyMesh | None = None) -> str:
    """Return the communication of a program as text: a line per place, largest first.

    Lines and columns of files are left out.

    Raises:
      the errors of `Footprint`.
    """
    transfers = Footprint(program, mesh=mesh).report.transfers
    groups: dict[tuple[str, ...], list[Transfer]] = {}
    for one in transfers:
        name = "" if one.location == one.position else one.location
        groups.setdefault((one.kind, one.axes_text, str(one.group_size), _loop(one), name), []).append(one)
    rows = sorted(groups.items(), key=lambda pair: (-bytes_of(pair[1]), pair[0]))
    table = [("collective", "axes", "group", "times", "bytes per device", "where")]
    table += [_row(key, ones) for key, ones in rows]
    total = ("all", "", "", str(ops_of(transfers)), f"{bytes_of(transfers):,.0f}", "")
    return f"{_HEAD}\n{columns([*table, total])}\n"


def _row(key: tuple[str, ...], ones: Sequence[Transfer]) -> tuple[str, ...]:
    kind, axes, group, loop, name = key
    return kind, axes, group, f"{ops_of(ones)}{loop}", f"{bytes_of(ones):,.0f}", name


def _loop(one: Transfer) -> str:
    if not one.is_in_loop:
        return ""
    return " (loop)" if one.times is not None else " rounds? (loop)"


class Snapshots:
    """The snapshots of one test; the fixture `communication_snapshot` of pytest.

    A call compares a program with its file, or writes the file if requested.
    """

    def __init__(self, test_file: Path, test_name: str, *, update: bool) -> None:
        self._folder = test_file.parent / FOLDER / test_file.stem
        self._name, self._update = _file_name(test_name), update

    def __call__(self, program: TestedProgram, name: str = "", *, mesh: AnyMesh | None = None) -> None:
        """Compare the communication of a program with the snapshot.

        Args:
          program: input of `assert_communication`.
          name: distinguishes the programs of one test.
          mesh: names the axes in an HLO text that only lists the devices of groups.

        Raises:
          AssertionError: they differ, or there is no snapshot.
        """
        __tracebackhide__ = True
        path = self._folder / f"{'-'.join(filter(None, (self._name, _file_name(name))))}.txt"
        found = snapshot_text(program, mesh=mesh)
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, found.encode())
            return
        if not path.exists():
            raise AssertionError(f"there is no snapshot {path}: `pytest {UPDATE}` writes it\n\n{found}")
        kept = path.read_text(encoding="utf-8")
        if found != kept:
            lines = difflib.unified_diff(kept.splitlines(), found.splitlines(), "snapshot", "program", lineterm="", n=1)
            raise AssertionError(
                "\n".join([f"{path} says something else:", "", *lines, "", f"`pytest {UPDATE}` accepts it"])
            )


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.\-]+", "-", text).strip("-")
