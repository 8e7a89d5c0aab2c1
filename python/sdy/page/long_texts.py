"""Texts that are too long for a page: the lines of ops with collectives are kept of them, with those around each."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.page.data_types import PageData, PlanData, ProgramData

LONGEST_TEXT = 8 << 20
"""Characters of a program whose whole text is shown."""

AROUND = 2
"""Lines that are kept before and behind the line of an op with collectives."""


def shorten(data: PageData) -> list[str]:
    """Shortens texts in the data of a page; a note for each program whose text is not whole any more."""
    notes = []
    for number, program in enumerate(data["programs"]):
        plans = [plan for plan in data["plans"] if plan["program"] == number]
        printed = [program, *(plan for plan in plans if plan["text"] is not None)]
        if _longest(printed) <= LONGEST_TEXT:
            continue
        _keep(program, printed, _lines_around_collectives(program, plans))
        is_left_out = _longest(printed) > LONGEST_TEXT or not program["line_numbers"]
        if is_left_out:
            _keep(program, printed, [])
        names = f"{', '.join(plan['name'] for plan in plans)}: " if len(data["plans"]) > 1 else ""
        what = "it is left out" if is_left_out else f"{AROUND} lines around each op with collectives are kept"
        notes.append(f"{names}the text of the program is longer than {LONGEST_TEXT:,} characters: {what}.")
    return notes


def _longest(printed: Sequence[ProgramData | PlanData]) -> int:
    return max(len(each["text"] or "") for each in printed)


def _lines_around_collectives(program: ProgramData, plans: Sequence[PlanData]) -> list[int]:
    lines = program["ops"]["line"]
    of_collectives = {lines[one["op"]] for plan in plans for one in plan["collectives"] if one["op"] >= 0} - {-1}
    return sorted({max(0, line + by) for line in of_collectives for by in range(-AROUND, AROUND + 1)})


def _keep(program: ProgramData, printed: Sequence[ProgramData | PlanData], kept: list[int]) -> None:
    """Leaves only these lines in all texts of a program, and counts ops' lines among them."""
    numbers = program["line_numbers"]
    places = {line: place for place, line in enumerate(kept)}
    for each in printed:
        lines = (each["text"] or "").split("\n")
        each["text"] = "\n".join(lines[line] if line < len(lines) else "" for line in kept)
    program["line_numbers"] = [line if numbers is None else numbers[line] for line in kept]
    program["ops"]["line"] = [places.get(line, -1) for line in program["ops"]["line"]]
