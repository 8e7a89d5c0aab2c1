"""What a pass has found out reaches the passes behind it, unless one in between may have made it untrue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import sdy
from sdy.passes import analyses
from sdy.passes.analyses import Analysis
from sdy.passes.manager import PlannedStep, run_nested, run_planned
from sdy.passes.steps import Step


@dataclass(frozen=True)
class Found(Analysis):
    survives: ClassVar[frozenset[str]] = frozenset({"harmless"})

    text: str


def _run(*named: tuple[str, Callable[[Any], object]]) -> None:
    run_planned(sdy.parse("module {}"), [PlannedStep(Step(name), False, run) for name, run in named])


def _leave(text: str) -> tuple[str, Callable[[Any], object]]:
    return "finder", lambda _: analyses.leave(Found(text))


def _taken_behind(*named: tuple[str, Callable[[Any], object]]) -> Found | None:
    found: list[Found | None] = []
    _run(*named, ("taker", lambda _: found.append(analyses.take(Found))))
    return found[0]


def _nothing(_: Any) -> None:
    pass


def test_the_next_pass_takes_what_the_last_one_left() -> None:
    assert _taken_behind(_leave("a")) == Found("a")
    assert _taken_behind(_leave("a"), ("harmless", _nothing)) == Found("a")
    assert _taken_behind(_leave("a"), ("harmless", _nothing), _leave("b")) == Found("b")


def test_a_pass_that_may_change_things_ends_it() -> None:
    assert _taken_behind(_leave("a"), ("harmful", _nothing)) is None
    assert _taken_behind(_leave("a"), ("harmless", _nothing), ("harmful", _nothing), ("harmless", _nothing)) is None


def test_it_is_taken_once() -> None:
    assert _taken_behind(_leave("a"), ("harmless", lambda _: analyses.take(Found))) is None


def test_the_pass_that_leaves_it_does_not_take_it() -> None:
    found: list[Found | None] = []

    def leave_and_take(_: Any) -> None:
        analyses.leave(Found("a"))
        found.append(analyses.take(Found))

    _run(("finder", leave_and_take))
    assert found == [None]


def test_other_runs_know_nothing_of_it() -> None:
    _run(_leave("a"))
    assert _taken_behind() is None
    found: list[Found | None] = []

    def run_inside(module: Any) -> None:
        run_nested(module, [])
        found.append(analyses.take(Found))

    _run(_leave("a"), ("harmless", run_inside))
    assert found == [Found("a")]


def test_outside_of_a_run_nothing_is_kept() -> None:
    analyses.leave(Found("a"))
    assert analyses.take(Found) is None
