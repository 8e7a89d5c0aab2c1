"""A pass can ask which one comes next in its run, and leave facts for later ones."""

from __future__ import annotations

from typing import Any

import sdy
from sdy.passes.manager import PlannedStep, run_nested, run_planned
from sdy.passes.steps import Step, hand_on, handed_on, is_next


def _asked(*behind: str, inside: bool = False) -> bool:
    """Whether "last" is next to a pass in front of those named, but for "harmless" ones."""
    found: list[bool] = []

    def ask(module: Any) -> None:
        if inside:
            run_nested(module, [])
        found.append(is_next("last", but_for={"harmless"}))

    steps = [("last", lambda _: None), ("asks", ask), *((name, lambda _: None) for name in behind)]
    run_planned(sdy.parse("module {}"), [PlannedStep(Step(name), False, run) for name, run in steps])
    return found[0]


def test_what_comes_next_is_known() -> None:
    assert _asked("last")
    assert _asked("harmless", "harmless", "last")
    assert not _asked()
    assert not _asked("harmless", "other", "last")


def test_a_nested_run_ends() -> None:
    assert _asked("last", inside=True)


def test_outside_of_a_run_nothing_comes_next() -> None:
    assert not is_next("last", but_for=())


def test_facts_are_handed_on_once_and_in_one_run() -> None:
    found: list[object] = []
    steps: list[tuple[str, Any]] = [
        ("leaves", lambda _: hand_on("fact", 1)),
        *[("asks", lambda _: found.append(handed_on("fact")))] * 2,
        ("leaves", lambda _: hand_on("fact", 2)),
    ]
    run_planned(sdy.parse("module {}"), [PlannedStep(Step(name), False, run) for name, run in steps])
    assert found == [1, None]
    assert handed_on("fact") is None
