"""Plans as files, edited ones, and questions to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.auto import Plan, partition
from tests.unit.auto.test_partition import FREE, MACHINE, MESH


@pytest.fixture(scope="module")
def plan() -> Plan:
    return partition(FREE, MESH, MACHINE)


def edited(path: Path, section: str, number: int, sharding: object) -> None:
    data = json.loads(path.read_text())
    data[section][number]["sharding"] = sharding
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(("annotate", "overlap"), [("values", 0.5), ("full", 0.0)])
def test_what_is_loaded_is_what_was_saved(tmp_path: Path, annotate: str, overlap: float) -> None:
    plan = partition(FREE, MESH, MACHINE, annotate=annotate, overlap=overlap)
    plan.save(tmp_path / "plan.json")
    loaded = Plan.load(tmp_path / "plan.json", FREE)
    assert loaded.text == plan.text and loaded.cost == plan.cost
    assert not loaded.edits and loaded.arguments == plan.arguments
    assert loaded.made_from.request.overlap == overlap
    # A line for each value, for people.
    assert sum('"sharding"' in line for line in (tmp_path / "plan.json").read_text().splitlines()) > 5


def test_an_edited_plan_says_what_was_changed_and_what_it_costs(tmp_path: Path, plan: Plan) -> None:
    path = tmp_path / "plan.json"
    plan.save(path)
    edited(path, "arguments", 2, [[], []])
    loaded = Plan.load(path, FREE)
    (edit,) = loaded.edits
    assert (edit.section, edit.shape, edit.after) == ("arguments", (4096, 256), ((), ()))
    assert loaded.estimated is not None and loaded.as_found == plan.cost
    assert sdy.auto.estimate(loaded.text, MACHINE).memory.peak == loaded.estimated.memory > plan.cost.memory
    assert "before edits" in str(loaded) and "4096x256" in str(loaded).split("before edits")[1]
    edited(path, "arguments", 2, None)
    assert Plan.load(path, FREE, verify=0).arguments[2].sharding is None


BAD = [
    ("arguments", 0, [["heads"], []], "the mesh has no axis 'heads'"),
    ("arguments", 0, [["data"]], "a list of axes for each of 2 dimensions"),
    ("arguments", 0, [["data"], ["data"]], "sharded twice along one axis"),
    ("values", 0, "rows", "a list of axes for each of 2 dimensions"),
]


@pytest.mark.parametrize(("section", "number", "sharding", "text"), BAD, ids=[text for *_, text in BAD])
def test_edits_that_do_not_fit(
    tmp_path: Path, plan: Plan, section: str, number: int, sharding: object, text: str
) -> None:
    path = tmp_path / "plan.json"
    plan.save(path)
    edited(path, section, number, sharding)
    with pytest.raises(ValueError, match=text) as error:
        Plan.load(path, FREE)
    assert str(path) in str(error.value)


DAMAGED = [
    ("predicted", None, "is not of type dict"),
    ("replicated", {"step": 1.0}, "replicated: .* missing"),
    ("solves", None, "is not of type int"),
    ("as_found", {"entries": [[1, 2]]}, "is not as it was written"),
]


@pytest.mark.parametrize(("name", "value", "text"), DAMAGED, ids=[name for name, *_ in DAMAGED])
def test_damaged_files(tmp_path: Path, plan: Plan, name: str, value: object, text: str) -> None:
    path = tmp_path / "plan.json"
    plan.save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    with pytest.raises(ValueError, match=text) as error:
        Plan.load(path, FREE, verify=0)
    assert str(path) in str(error.value)


def test_files_for_other_programs(tmp_path: Path, plan: Plan) -> None:
    path = tmp_path / "plan.json"
    plan.save(path)
    with pytest.raises(ValueError, match=r"has the shape \(512, 1024\) in the program, not \[256, 1024\]"):
        Plan.load(path, FREE.replace("256", "512"))
    with pytest.raises(ValueError, match="the program has no value"):
        Plan.load(path, FREE.replace("stablehlo.add %w", "stablehlo.subtract %w"))
    with pytest.raises(ValueError, match="and the program is written for"):
        Plan.load(path, 'sdy.mesh @mesh = <["x"=8]>\n' + FREE)
    path.write_text("{}")
    with pytest.raises(ValueError, match="is not a plan"):
        Plan.load(path, FREE)
    with pytest.raises(FileNotFoundError):
        Plan.load(tmp_path / "nowhere.json", FREE)


def test_what_if(plan: Plan) -> None:
    """The price of an idea: with that given, the rest is chosen anew."""
    other = plan.what_if({"argument:2": (None, None)})
    sharding = other.arguments[2].sharding
    assert sharding is not None and sharding.is_fully_replicated
    found = plan.compare(other)
    assert found.second.step > found.first.step and any(one.section == "arguments" for one in found.edits)
    assert "longer" in str(found) and json.loads(found.to_json())["edits"]
    assert not plan.compare(plan).edits
    with pytest.raises(ValueError, match="no value"):
        plan.what_if({"%77": (None, None)})


def test_plans_for_different_programs_are_not_compared(plan: Plan) -> None:
    with pytest.raises(ValueError, match="the plans are for different programs"):
        plan.compare(partition(FREE.replace("4096", "2048"), MESH, MACHINE))
    wrong: Any = "argument:0"
    with pytest.raises(TypeError, match=r"what_if\(\) takes shardings by selectors of values, not str"):
        plan.what_if(wrong)
