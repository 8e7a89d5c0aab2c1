"""Import, optimization and partitioning of training steps give the texts that the phases of the reference gave."""

from __future__ import annotations

import pytest

from tests.parity.mpmd_phases import Program, digest, ours, programs, recorded

PROGRAMS = programs()
SCHEDULES = 10
"""Built-in schedules of whole training steps; one is for forward passes alone."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_phases_give_what_was_recorded(program: Program) -> None:
    expected = recorded()[program.name]
    got = {key: digest(text) for key, text in ours(program)}
    assert got.keys() == expected.keys()
    parted = [key for key in got if got[key] != expected[key]]
    assert parted == [], "see `python -m tests.parity.mpmd_phases --compare`"


def test_every_schedule_is_recorded() -> None:
    ways = [tuple(way) for program in PROGRAMS for way in program.about["ways"]]
    assert len({schedule for schedule, *_ in ways}) == SCHEDULES
    assert {(is_split, is_remat) for _, is_split, is_remat in ways} == {
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    }
