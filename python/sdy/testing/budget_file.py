"""Budgets of many programs in one file, and a Markdown summary for pull requests.

max_bytes = 8_000_000             # limits of every program

[program.train_step]
file = "dumps/train_step.mlir"    # MLIR or HLO text, from the folder of this file
none_of = ["all_to_all"]
at_most = { all_reduce = 4 }
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import DiagnosticError, Position
from sdy.passes.options import did_you_mean
from sdy.programs.meshes import AnyMesh, mesh_from
from sdy.programs.sources import Source, source
from sdy.report.transfers import totals_of
from sdy.testing.assertion import excess_text
from sdy.testing.budget import Budget, Excess
from sdy.testing.footprint import Footprint

_LIMITS = ("none_of", "at_most", "max_bytes", "max_temp_bytes", "max_flops")
_KEYS = ("file", "mesh", *_LIMITS)


@dataclass(frozen=True)
class BudgetedProgram:
    """A program of a budget file: its name, its file, the limits, and the mesh for an HLO text without one."""

    name: str
    file: str
    budget: Budget
    mesh: Mesh | None = None


@dataclass(frozen=True)
class CheckedProgram:
    """A counted program, on the base as well if it is there, and the limits that it exceeds."""

    name: str
    footprint: Footprint
    base: Footprint | None
    excesses: tuple[Excess, ...]


def read_budgets(path: Path) -> tuple[BudgetedProgram, ...]:
    """Read a budget file.

    Raises:
      DiagnosticError: it is not TOML, or has unknown keys or values.
      OSError: it cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        position = Position(str(path), int(at[1]), int(at[2])) if at else Position.start(str(path))
        raise DiagnosticError(position, str(error).partition(" (at ")[0]) from None
    programs = table.pop("program", {})
    if not isinstance(programs, dict) or not programs or not all(isinstance(each, dict) for each in programs.values()):
        raise DiagnosticError(Position.start(str(path)), "expected a table [program.NAME] for each program")
    _check_keys(table, _LIMITS, path, text)
    return tuple(_program(name, {**table, **given}, path, text) for name, given in programs.items())


def _program(name: str, given: Mapping[str, object], path: Path, text: str) -> BudgetedProgram:
    _check_keys(given, _KEYS, path, text)
    file = given.get("file")
    if not isinstance(file, str):
        raise DiagnosticError(_place(path, text, name), f"program '{name}' needs a file, as text")
    limits: Any = {key: value for key, value in given.items() if key in _LIMITS}
    try:
        mesh = mesh_from(cast("AnyMesh", given["mesh"])) if "mesh" in given else None
        return BudgetedProgram(name, file, Budget.of(**limits), mesh)
    except (TypeError, ValueError, AttributeError) as error:
        raise DiagnosticError(_place(path, text, name), f"program '{name}': {error}") from None


def _check_keys(given: Mapping[str, object], known: Sequence[str], path: Path, text: str) -> None:
    for key in given:
        if key not in known:
            meant = did_you_mean(key, known) or f": expected {', '.join(known)}"
            raise DiagnosticError(_place(path, text, key), f"unknown key '{key}'{meant}")


def _place(path: Path, text: str, key: str) -> Position:
    """Return the first position of a key or the name of a program."""
    found = re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text)
    before = text[: found.start()] if found else ""
    return Position(str(path), before.count("\n") + 1, len(before) - before.rfind("\n"))


def checked(program: BudgetedProgram, folder: Path, base: Path | None) -> CheckedProgram:
    """Count a program of a budget file in `folder`, and that of the same name in the folder `base`.

    Raises:
      DiagnosticError, DiagnosticErrors: it cannot be partitioned.
      HloSyntaxError: it is HLO text that cannot be read.
      OSError: its file cannot be read.
      ValueError: a limit on a figure that the program's text lacks.
    """
    footprint = _footprint(program, folder)
    before = None if base is None or not (base / program.file).exists() else _footprint(program, base)
    return CheckedProgram(program.name, footprint, before, tuple(program.budget.excesses(footprint)))


def _footprint(program: BudgetedProgram, folder: Path) -> Footprint:
    path = str(folder / program.file)
    return Footprint(Source(source(Path(path)).text, path), mesh=program.mesh, filename=path)


# Markdown --------------------------------------------------------------------------------------------


def summary(programs: Sequence[CheckedProgram]) -> str:
    """Return the summary in Markdown: a row per program, changes by kind, and excess with its cause."""
    exceeded = [each for each in programs if each.excesses]
    count = f"{len(exceeded)} of {len(programs)} programs" if exceeded else f"{len(programs)} programs"
    lines = [f"## Communication: {count} {'exceed the budget' if exceeded else 'within the budget'}", ""]
    lines += ["| program | collectives | bytes per device | base | difference | budget |", "|---|--:|--:|--:|--:|---|"]
    for each in programs:
        report, base = each.footprint.report, each.base
        before = ["", ""] if base is None else [f"{base.bytes_sent:,.0f}", _change(base.bytes_sent, report.bytes_sent)]
        kept = "; ".join(map(str, each.excesses)) or "kept"
        cells = [each.name, f"{report.ops}", f"{report.bytes_sent:,.0f}", *before, kept]
        lines.append(f"| {' | '.join(map(_escaped, cells))} |")
    for each in programs:
        lines += _differences(each)
        if each.excesses:
            text = excess_text(each.footprint, each.excesses)
            lines += ["", f"<details><summary>{each.name}: why</summary>", "", "```text", text, "```", "", "</details>"]
    return "\n".join(lines) + "\n"


def _differences(program: CheckedProgram) -> Iterator[str]:
    """Yield a table of the kinds and axes in which a program differs from the base."""
    if program.base is None:
        return
    sums = [
        {(one.kind, one.axes): one for one in totals_of(each.report.transfers)}
        for each in (program.base, program.footprint)
    ]
    rows = []
    for kind, axes in dict.fromkeys([*sums[0], *sums[1]]):
        before, after = (found.get((kind, axes)) for found in sums)
        ops = [0 if one is None else one.ops for one in (before, after)]
        sent = [0.0 if one is None else one.bytes_sent for one in (before, after)]
        if ops[0] != ops[1] or sent[0] != sent[1]:
            rows.append((kind, axes, f"{ops[0]} → {ops[1]}", f"{sent[0]:,.0f}", f"{sent[1]:,.0f}", _change(*sent)))
    if rows:
        yield from ("", f"### {program.name}", "", "| collective | axes | times | base | now | difference |")
        yield "|---|---|--:|--:|--:|--:|"
        yield from (f"| {' | '.join(map(_escaped, row))} |" for row in rows)


def _change(before: float, after: float) -> str:
    """``+1,024 (+12.5 %)``."""
    if before == after:
        return "0"
    share = f" ({100 * (after - before) / before:+.1f} %)" if before else ""
    return f"{after - before:+,.0f}{share}"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
