"""The search of stages and schedules: splits beside all that there are, schedules within memory."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from sdy.pipeline.search import REMAT, ChainUnit, Limits, best_split, search
from sdy.pipeline.tables import Kind

FREE = Limits(memory=float("inf"), optimizer=4.0, bandwidth=1e30, latency=0.0)


def _load(seconds: Sequence[float], crossing: Sequence[float], owners: Sequence[int], cuts: Sequence[int]) -> float:
    loads = [0.0] * (max(owners) + 1)
    for stage, (first, end) in enumerate(itertools.pairwise((0, *cuts, len(seconds)))):
        loads[owners[stage]] += sum(seconds[first:end])
        for neighbour, place in ((stage - 1, first - 1), (stage + 1, end - 1)):
            if 0 <= neighbour < len(owners) and owners[neighbour] != owners[stage]:
                loads[owners[stage]] += crossing[place]
    return max(loads)


@pytest.mark.parametrize("meshes", [2, 3, 4])
@pytest.mark.parametrize("way", ["line", "in turn", "v"])
def test_splits_are_as_good_as_the_best_of_all(meshes: int, way: str) -> None:
    owners = {
        "line": list(range(meshes)),
        "in turn": [stage % meshes for stage in range(2 * meshes)],
        "v": [min(stage, 2 * meshes - 1 - stage) for stage in range(2 * meshes)],
    }[way]
    chance = random.Random(meshes)
    for count in (len(owners), len(owners) + 1, 12):
        seconds = [chance.choice((1.0, 1.0, 2.5, 4.0)) for _ in range(count)]
        crossing = [chance.random() for _ in range(count - 1)]
        found = best_split(seconds, crossing, owners)
        every = itertools.combinations(range(1, count), len(owners) - 1)
        least = min(_load(seconds, crossing, owners, cuts) for cuts in every)
        assert _load(seconds, crossing, owners, found) == pytest.approx(least, rel=1e-12)


def test_too_few_computations_are_refused() -> None:
    with pytest.raises(ValueError, match="3 computations are no 4 stages"):
        best_split([1.0] * 3, [0.0] * 2, [0, 1, 2, 3])


def _chain(count: int, residuals: int = 10) -> list[ChainUnit]:
    seconds = {Kind.FORWARD: 1.0, Kind.BACKWARD: 2.0, Kind.INPUTS: 1.0, Kind.PARAMETERS: 1.0}
    return [ChainUnit(f"layer_{number}", seconds, 100, residuals, 8) for number in range(count)]


def test_the_fastest_schedule_is_found_and_says_what_it_beat() -> None:
    found = search({4: _chain(8)}, 8, (1, 2), FREE)
    assert found.best.seconds == min(each.seconds for each in found.candidates)
    by_name = {each.schedule: each.seconds for each in found.candidates}
    assert found.best.schedule == "ZB_V"
    assert by_name["TABLE_1F1B"] == pytest.approx(66, rel=1e-6)
    assert by_name["INTERLEAVED_1F1B"] == pytest.approx(57, rel=1e-6)
    assert by_name["ZB_H1"] == pytest.approx(54, rel=1e-6)
    assert by_name["ZB_V"] == pytest.approx(51, rel=1e-6)
    assert by_name["searched"] <= by_name["TABLE_1F1B"]
    text = str(found)
    assert text.startswith("ZB_V on 4 meshes\nm0: stage 0 layer_0; stage 7 layer_7\n")
    assert "TABLE_GPIPE with remat" in text


def test_memory_takes_schedules_out() -> None:
    tight = Limits(memory=4 * 200 + 8 * 20 - 1, optimizer=4.0, bandwidth=1e9, latency=0.0)
    found = search({4: _chain(8)}, 8, (1, 2), tight)
    assert found.refused > 0
    assert all(each.bytes <= tight.memory for each in found.candidates)
    assert "TABLE_GPIPE" not in {each.schedule for each in found.candidates}
    large = search({2: _chain(2, residuals=1000)}, 8, (1,), Limits(600, 4.0, 1e9, 0.0))
    assert {each.schedule for each in large.candidates} == {REMAT}
    with pytest.raises(ValueError, match="no pipeline fits into 100 bytes per device; 9 were tried"):
        search({4: _chain(8)}, 8, (1, 2), Limits(100, 4.0, 1e9, 0.0))
    with pytest.raises(ValueError, match="3 computations cannot be split into 4 or more stages"):
        search({4: _chain(3)}, 8, (1,), FREE)


def test_stages_per_mesh() -> None:
    found = search({2: _chain(6)}, 4, (3,), FREE)
    assert [(each.schedule, len(each.stages)) for each in found.candidates] == [("INTERLEAVED_1F1B", 6)]
    for chunks in ((0, 1), ()):
        with pytest.raises(ValueError, match="a mesh has at least one stage"):
            search({2: _chain(6)}, 4, chunks, FREE)
