"""Every registered pass does to random programs what the reference does to them."""

from __future__ import annotations

import pytest

from sdy.passes.registry import Pass, find, passes, pipelines
from tests.depth import seeds
from tests.oracle import requires_reference
from tests.parity.cases import UPSTREAM, Case, cases
from tests.parity.compare import Tally, difference, original, prepared, report, smallest
from tests.parity.recorded import too_often

PROGRAMS = {
    "importing": (24, 2_000),
    "propagation": (30, 4_000),
    "exporting": (30, 4_000),
    "partitioning": (50, 2_000),
}
"""Programs per comparison, ordinarily and in all, by the folder of the pass."""

VARIANT = 0.6
"""The share of them that comparisons of a pass have, ordinarily, which has been compared with other options before."""

BLOCK = 500
"""Programs per test: their earlier stages are remembered for the next comparison that starts from the same ones."""


def programs(case: Case, *, is_variant: bool = False) -> range:
    """The seeds of a comparison; passes in no folder, such as those of MLIR, count as import."""
    target = find(case.name)
    module = "" if target is None else (target.run if isinstance(target, Pass) else target.build).__module__
    folder = next((name for name in PROGRAMS if f".{name}." in module), "importing")
    normal, everything = PROGRAMS[folder]
    return seeds(int(VARIANT * normal) if is_variant else normal, everything)


def blocks() -> list[tuple[Case, range]]:
    """All comparisons in blocks of programs; those that start from the same programs stand together."""
    groups: dict[tuple, list[Case]] = {}
    names: set[str] = set()
    for case in cases([*passes(), *pipelines(), *UPSTREAM]):
        tried = programs(case, is_variant=case.name in names)
        names.add(case.name)
        groups.setdefault((case.features, case.prepare, tried), []).append(case)
    return [
        (case, tried[start : start + BLOCK])
        for (_, _, tried), members in groups.items()
        for start in range(0, len(tried), BLOCK)
        for case in members
    ]


def _id(value: Case | range) -> str:
    return value.title if isinstance(value, Case) else f"from-{value.start}"


@requires_reference
@pytest.mark.parametrize(("case", "tried"), blocks(), ids=_id)
def test_equals_reference(case: Case, tried: range) -> None:
    tally = Tally()
    for seed in tried:
        text = prepared(case, original(case, seed))
        if text is None:
            tally.unprepared += 1
            continue
        found = difference(case, text, tally)
        if found is not None:
            pytest.fail(report(case, seed, smallest(case, seed, found, seconds=10)), pytrace=False)
    assert tally.compared >= case.compared * len(tried), f"{case.title} is hardly tested: {tally}"
    assert too_often(tally.forgiven, len(tried)) == []
