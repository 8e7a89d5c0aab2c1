"""What the data of a page say, by value; the drawings and the file that it becomes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import fastjsonschema
import pytest

import sdy
from sdy.page import Parts, Plan
from sdy.page.data_types import PageData
from sdy.page.schedule import _lanes
from tests.report.layers import TALL, WIDE, layers

COUNT = 4

_validate = fastjsonschema.compile(sdy.page.schema())


def data(*plans: Any, **options: Any) -> Any:
    """The data of a page, which are as the schema says."""
    found = sdy.page.data(*plans, **options)
    _validate(found)
    return found


@pytest.fixture(scope="module")
def found() -> Any:
    return data(layers(COUNT), machine="h100", title="layers", parts=Parts(cures=0))


def test_of_long_texts_the_lines_around_collectives_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = data(layers(COUNT), parts=Parts(cures=0))["programs"][0]
    texts = whole["text"].split("\n")
    monkeypatch.setattr("sdy.page.program_data.LONGEST_TEXT", len(whole["text"]) - 1)
    found = data(layers(COUNT), parts=Parts(cures=0))
    (program,) = found["programs"]
    numbers, lines = program["line_numbers"], program["text"].split("\n")
    assert 0 < len(lines) == len(numbers) < len(texts)
    assert lines == [texts[number] for number in numbers]
    for collective in found["plans"][0]["collectives"]:
        place = program["ops"]["line"][collective["op"]]
        assert numbers[place] == whole["ops"]["line"][collective["op"]]
        assert numbers[place - 2 : place + 3] == list(range(numbers[place] - 2, numbers[place] + 3))
    assert any("2 lines around each op with collectives are kept" in note for note in found["notes"])
    monkeypatch.setattr("sdy.page.program_data.LONGEST_TEXT", 10)
    found = data(layers(COUNT), parts=Parts(cures=0))
    assert found["programs"][0]["text"] == "" and set(found["programs"][0]["ops"]["line"]) == {-1}
    assert any("it is left out" in note for note in found["notes"])


def test_of_a_plan_that_was_found_it_is_told_what_it_decides() -> None:
    """For its machine, if nobody says another one; beside a program that nobody planned, too."""
    text = "func.func @main(%x: tensor<4096x256xf32>, %w: tensor<256x1024xf32>) -> tensor<4096x1024xf32> {"
    text += "%0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
    text += "(tensor<4096x256xf32>, tensor<256x1024xf32>) -> tensor<4096x1024xf32> return %0 : tensor<4096x1024xf32> }"
    machine = "flops=1e12 bandwidth=1e9 memory_bandwidth=1e11"
    plan = sdy.auto.partition(text, {"data": 4, "model": 2}, machine)
    shown = data(plan, Plan(plan.text, "by hand"))
    (first, second), schedule = shown["plans"], shown["plans"][0]["schedule"]
    assert schedule["step"] == plan.cost.step and second["found"] is None
    tables = {table["title"]: table for table in first["found"]["tables"]}
    assert list(tables) == ["step", "decisions", "arguments"]
    assert all(len(row) == len(table["headings"]) for table in tables.values() for row in table["rows"])
    assert len(tables["decisions"]["rows"]) == len(plan.decisions) > 0
    assert [row[0] for row in tables["step"]["rows"]] == ["predicted", "estimated", "replicated"]
    bounds = dict(first["found"]["bounds"])
    assert sum(bounds.values()) == pytest.approx(1) and list(bounds.values()) == sorted(bounds.values(), reverse=True)
    assert plan.parts is not None and sum(dict(first["found"]["memory"]).values()) == plan.parts.memory.peak
    assert all(remark in plan.report() for remark in first["found"]["remarks"])
    unmeasured = data(sdy.auto.partition(text, {"data": 8}, machine, verify=0))["plans"][0]["found"]
    assert not unmeasured["bounds"] and not unmeasured["memory"] and unmeasured["where"] == ""


def test_of_a_very_large_mesh_the_axes_that_cut_are_drawn() -> None:
    found = data(layers(1, mesh='"data"=4, "model"=2, "pod"=256'), parts=Parts(cures=0))
    label = next(each for each in found["plans"][0]["labels"] if "÷4 data" in each["text"])
    mesh, tensor = label["drawing"]
    assert mesh.count("<rect") == 4 and "512 devices (data=3): [24:32, :]" in mesh
    assert tensor.count("<rect") == 4 and "[24:32, :]: 512 devices" in tensor
    assert f'aria-label="the mesh: {label["text"]}"' in mesh
    assert found["meshes"][0]["drawing"] == ""


ON_SEVERAL_MESHES = """
sdy.mesh @mesh = <["data"=4, "model"=2]>
sdy.mesh @other = <["a"=2, "b"=4]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(
    %w: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, mhlo.memory_kind = "pinned_host"},
    %x: tensor<8xf32> {mhlo.memory_kind = "device"}) -> (tensor<8x16xf32> {mhlo.memory_kind = "pinned_host"}, tensor<8xf32>) {
  %0 = sdy.sharding_constraint %w <@other, [{"a"}, {"b"}]> : tensor<8x16xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "unpinned_host"}} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.custom_call @callback(%x) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8xf32>
}
"""  # noqa: E501


def test_other_meshes_and_memories_are_named() -> None:
    found = data(ON_SEVERAL_MESHES, parts=Parts(cures=0))
    (plan,), values = found["plans"], found["programs"][0]["values"]
    labels = dict(zip(values["name"], plan["values"]["label"], strict=True))
    texts = {name: plan["labels"][label]["text"] for name, label in labels.items()}
    assert texts["%arg0"] == "f32[8÷4 data, 16] ×2 copies pinned_host"
    assert texts["%arg1"] == "f32[8] ×8 copies"
    assert texts["%0"] == "f32[8÷2 a, 16÷4 b] @other"
    assert texts["%1"] == "f32[8÷2 a, 16÷4 b] @other unpinned_host"
    assert texts["result 0 of @main"].endswith(" pinned_host")
    assert texts["%2"] == "f32[8] @one: device 3"
    html = plan["labels"][labels["%1"]]["html"]
    assert '<span class="remark">@other</span><span class="remark">unpinned_host</span>' in html


def test_what_is_in_memory_at_a_time_adds_up_to_the_curve(found: dict[str, Any]) -> None:
    schedule = found["plans"][0]["schedule"]
    live, names = schedule["live"], found["programs"][0]["op_names"]
    rows = list(zip(live["bytes"], live["from"], live["to"], strict=True))
    sums = {
        time: sum(size for size, begun, ended in rows if begun <= time < ended) for time in schedule["memory"]["time"]
    }
    curve = dict(zip(schedule["memory"]["time"], schedule["memory"]["bytes"], strict=True))
    agreeing = [time for time in curve if sums[time] == curve[time]]
    assert len(agreeing) >= len(curve) - 2  # the last time is the end; several ops without a duration begin at one time
    assert max(sums.values()) == schedule["peak"]
    assert live["kind"].count("argument") == 2 * COUNT + 1 and live["op"][0] == -1
    made = {names[found["programs"][0]["ops"]["name"][op]] for op in live["op"] if op >= 0}
    assert "stablehlo.dot_general" in made


def _nodes(nodes: list[Any]) -> list[Any]:
    return [each for node in nodes for each in (node, *_nodes(node.get("c", [])))]


def test_sums_are_those_of_the_communication_report(found: Any) -> None:
    report = sdy.communication(layers(COUNT))
    plan = found["plans"][0]
    assert plan["bytes_sent"] == report.bytes_sent == sum(one["bytes_sent"] for one in plan["collectives"])
    assert plan["ops"] == COUNT and plan["is_exact"]
    assert [one["id"] for one in plan["collectives"]] == [one.id for one in report.transfers]
    assert plan["collectives"][0]["axes"] == ["model"]
    assert plan["collectives"][0]["cause"] == "partial results of stablehlo.dot_general %2, added up"


def test_lines_are_those_of_the_ops(found: Any) -> None:
    program = found["programs"][0]
    lines = program["text"].splitlines()
    for number, name in enumerate(program["ops"]["name"]):
        op = program["op_names"][name].removeprefix("func.")
        assert op in lines[program["ops"]["line"][number]] or op == "builtin.module"
    for collective in found["plans"][0]["collectives"]:
        line = lines[program["ops"]["line"][collective["op"]]]
        assert collective["value"] in line and "dot_general" in line


def test_sources_are_lines_of_files(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(__file__).with_name("layers.py")
    texts = {line: text for file, line, text in found["programs"][0]["sources"] if file.endswith("layers.py")}
    assert texts[7] == source.read_text().splitlines()[6].strip()
    monkeypatch.chdir(source.parent)
    here = data(layers(1), parts=Parts(reasons=False))["programs"][0]["sources"]
    assert {file for file, _, _ in here} == {"layers.py"}
    bare = data(layers(1), parts=Parts(reasons=False, sources=False))["programs"][0]["sources"]
    assert {text for _, _, text in bare} == {""}


def test_the_tree_folds_equal_layers(found: Any) -> None:
    (main,) = found["programs"][0]["tree"]
    assert main["l"] == "@main"
    fold = main["c"][0]
    assert (fold["k"], fold["l"], fold["phase"], len(fold["c"])) == ("fold", "layer0 … layer3", "fwd", COUNT)
    assert [child["l"] for child in fold["c"][1]["c"]] == ["mlp", "add"]
    ops = [node["op"] for node in _nodes([main]) if node["k"] == "op"]
    assert ops == sorted(ops) and len(ops) == 4 * COUNT + 1


def test_layers_that_differ_are_not_folded() -> None:
    odd = layers(COUNT).replace("%t2 = stablehlo.tanh", "%t2 = stablehlo.cosine")
    tree = data(odd, parts=Parts(reasons=False))["programs"][0]["tree"]
    assert [node["l"] for node in tree[0]["c"]] == ["layer0 … layer1", "layer2", "layer3", "func.return"]


def test_a_stretch_of_single_ops_repeats() -> None:
    body = "".join(
        f"  %a{n} = stablehlo.add %{x}, %{x} : tensor<8xf32>\n"
        f"  %b{n} = stablehlo.multiply %a{n}, %a{n} : tensor<8xf32>\n"
        f"  %c{n} = stablehlo.negate %b{n} : tensor<8xf32>\n"
        for n, x in enumerate(["x", *(f"c{n}" for n in range(4))])
    )
    text = f"func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{\n{body}  return %c4 : tensor<8xf32>\n}}"
    (main,) = data(text, parts=Parts(reasons=False))["programs"][0]["tree"]
    assert (main["c"][0]["k"], main["c"][0]["l"], len(main["c"][0]["c"])) == ("repeat", "add multiply negate", 5)


def test_chains_end_where_axes_were_given(found: Any) -> None:
    """From the result of the first product back to its weight, by the value before each time."""
    plan, values = found["plans"][0], found["programs"][0]["values"]
    came, texts = plan["reasons"]["came"], plan["reasons"]["texts"]
    rows = {(came["value"][row], texts[came["axis"][row]]): row for row in range(len(came["value"]))}
    at, way = values["name"].index("%1"), []
    while at >= 0:
        row = rows[at, "model"]
        way.append(values["called"][at] or values["name"][at])
        at = came["before"][row] if came["hops"][row] else -1
    assert way == ["%1", "%0", "params[0]['w0']"]
    explained = sdy.explain(layers(COUNT), "%1")[0]
    model = next(origin for origin in explained.axes if origin.axis.name == "model")
    assert texts[came["origin"][rows[values["name"].index("%1"), "model"]]] == str(model.origin)


def test_causes_and_cures_are_those_of_why() -> None:
    text = layers(1)
    cause = sdy.why(text, "c0")
    (found,) = data(text)["plans"][0]["causes"]
    assert found["is_tried"] and found["tried"] == cause.tried > 0
    assert found["factors"] == list(cause.factors)
    assert [cure["text"] for cure in found["cures"]] == [cure.text for cure in cause.cures]
    (untried,) = data(text, parts=Parts(cures=0))["plans"][0]["causes"]
    assert not untried["is_tried"] and untried["cures"] == [] and untried["factors"] == found["factors"]


def test_the_schedule_is_that_of_the_estimate(found: Any) -> None:
    estimate = sdy.auto.estimate(layers(COUNT), "h100")
    schedule = found["plans"][0]["schedule"]
    assert (schedule["step"], schedule["exposed"]) == (estimate.step, estimate.exposed)
    assert schedule["peak"] == estimate.memory.peak == max(schedule["memory"]["bytes"])
    lanes = {lane["name"]: lane for lane in schedule["lanes"]}
    assert lanes["model"]["item"] == list(range(COUNT))
    ends = [start + length for start, length in zip(lanes["model"]["start"], lanes["model"]["length"], strict=True)]
    assert max(ends) <= schedule["step"] * 1e6 * (1 + 1e-5)
    names = found["programs"][0]["op_names"]
    ops = found["programs"][0]["ops"]["name"]
    assert {names[ops[item]] for item in lanes["compute"]["item"]} <= {
        "stablehlo.dot_general",
        "stablehlo.tanh",
        "stablehlo.add",
    }
    seconds = [one["seconds"] for one in found["plans"][0]["collectives"]]
    assert sum(seconds) == pytest.approx(estimate.communication)


def test_timelines_name_ops_as_the_user_does() -> None:
    timeline = sdy.timeline(layers(1), "h100")
    locations = [one.location for one in timeline.ops]
    assert locations[:2] == [f"jit(step)/jvp(layer0)/mlp/{op}" for op in ("dot_general", "tanh")]
    assert "sdy#" not in str(timeline) + timeline.to_trace()


def test_without_a_machine_there_is_no_schedule() -> None:
    plan = data(layers(1), parts=Parts(reasons=False))["plans"][0]
    assert plan["schedule"] is None and plan["reasons"] is None
    assert plan["collectives"][0]["seconds"] is None


def test_a_program_that_sends_nothing() -> None:
    text = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }"
    plan = data(text, machine="h100")["plans"][0]
    assert (plan["collectives"], plan["bytes_sent"], plan["causes"]) == ([], 0, [])
    assert [lane["name"] for lane in plan["schedule"]["lanes"]] == ["compute"]


def test_labels_say_who_has_what(found: Any) -> None:
    plan, values = found["plans"][0], found["programs"][0]["values"]
    label = plan["labels"][plan["values"]["label"][values["name"].index("%0")]]
    assert label["text"] == "f32[32÷4 data, 64÷2 model]"
    assert plan["values"]["local_bytes"][values["name"].index("%0")] == 4 * (32 // 4) * (64 // 2)
    mesh, tensor = label["drawing"]
    titles = re.findall(r"<title>(.*?)</title>", mesh)
    assert len(titles) == 8
    assert titles[3] == "device 3 (data=1, model=1): [8:16, 32:64]"
    assert "<title>[8:16, 32:64]: device 3</title>" in tensor


def _columns(found: Any) -> list[dict[str, list[Any]]]:
    programs = [columns for each in found["programs"] for columns in (each["ops"], each["values"])]
    plans = [columns for each in found["plans"] for columns in (each["values"], *(each["reasons"] or {}).values())]
    lanes = [lane for each in found["plans"] if each["schedule"] for lane in each["schedule"]["lanes"]]
    return [*programs, *(each for each in plans if isinstance(each, dict)), *lanes]


def test_columns_are_of_one_length_and_name_what_is_there(found: Any) -> None:
    for columns in _columns(found):
        lengths = {len(column) for name, column in columns.items() if name != "axes" and isinstance(column, list)}
        assert len(lengths) == 1
    program, plan = found["programs"][0], found["plans"][0]
    for column, named in (("name", "op_names"), ("location", "locations"), ("source", "sources")):
        assert max(program["ops"][column]) == len(program[named]) - 1
    assert all(around < number for number, around in enumerate(program["ops"]["parent"]))
    assert max(plan["values"]["label"]) == len(plan["labels"]) - 1
    assert max(plan["values"]["written"]) == len(plan["written"]) - 1
    assert len(plan["causes"]) == len(plan["collectives"])


@pytest.mark.parametrize("wrong", ["version", "plans", "collectives"])
def test_the_schema_refuses_what_is_wrong(found: Any, wrong: str) -> None:
    (plan,) = found["plans"]
    others = {
        "version": {"version": 2},
        "plans": {"plans": []},
        "collectives": {"plans": [{**plan, "collectives": [{**plan["collectives"][0], "id": 3}]}]},
    }
    with pytest.raises(fastjsonschema.JsonSchemaValueException, match=wrong):
        _validate({**found, **others[wrong]})


def test_shardings_as_they_are_written(found: Any) -> None:
    plan, values = found["plans"][0], found["programs"][0]["values"]
    weight = values["called"].index("params[0]['w0']")
    assert plan["written"][plan["values"]["written"][weight]]["text"] == '<@mesh, [{}, {"model"}]>'
    assert plan["values"]["written"][values["name"].index("%0")] == -1
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", ?}p1, {}], replicated={"y"}> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""
    (written,) = data(text, parts=Parts(reasons=False))["plans"][0]["written"]
    bare = re.sub(r"<[^>]+>", "", written["html"])
    assert bare == "f328÷2 x ? p18kept whole: y"


def test_padding_is_hatched() -> None:
    """10 rows on 4 devices are 3 each, and the last device has 1 and 2 of padding."""
    text = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<10x8xf32> {
  return %a : tensor<10x8xf32>
}
"""
    label = data(text, parts=Parts(reasons=False))["plans"][0]["labels"][0]
    pieces = label["drawing"][1].split("<g ")[1:]
    assert [piece.count('class="padding"') for piece in pieces] == [0, 0, 0, 1]
    assert "<title>[9:10, :]: device 3; 2 of padding in dimension 0</title>" in pieces[3]
    x, y, width, height = (float(each) for each in re.findall(r'(?:x|y|width|height)="([\d.]+)"', pieces[3])[:4])
    points = [tuple(map(float, each)) for each in re.findall(r"[ML]([\d.]+) ([\d.]+)", pieces[3])]
    heights = [up for _, up in points]
    assert (min(heights), max(heights)) == pytest.approx((y + height / 3, y + height), abs=0.1)
    assert all(x - 0.1 <= right <= x + width + 0.1 for right, _ in points)


LOOP = """sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<64x64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
          : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      stablehlo.return %n, %p : tensor<i32>, tensor<64x64xf32>
    }
  return %0#1 : tensor<64x64xf32>
}
"""


@pytest.mark.parametrize("most", [20_000, 4])
def test_every_round_of_a_loop_is_drawn_with_what_it_sends(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that were too many spans, the last rounds are one of each collective; the step is the same anywhere."""
    monkeypatch.setattr(sys.modules["sdy.page.schedule"], "MOST_SPANS", most)
    plan = data(LOOP, machine="h100")["plans"][0]
    schedule, (one,) = plan["schedule"], plan["collectives"]
    (lane,) = [lane for lane in schedule["lanes"] if lane["name"] == "a"]
    assert set(lane["item"]) == {0} and one["times"] == 5
    if most > 5:
        assert lane["length"] == pytest.approx([1e6 * one["seconds"]] * 5, rel=1e-4)
    else:
        assert 1 < len(lane["item"]) < 5
    end = max(
        start + length
        for each in schedule["lanes"]
        for start, length in zip(each["start"], each["length"], strict=True)
    )
    assert end == pytest.approx(1e6 * schedule["step"], rel=1e-4)
    timeline, estimate = sdy.timeline(LOOP, "h100"), sdy.auto.estimate(LOOP, "h100")
    assert schedule["step"] == timeline.total == estimate.step
    parts = sum(schedule[name] for name in ("products", "traffic", "starts", "exposed"))
    assert parts == pytest.approx(schedule["step"])
    assert schedule["starts"] > schedule["exposed"] > schedule["traffic"]


def test_what_starts_of_kernels_take_is_no_traffic() -> None:
    ops = "".join(
        f"  %{n} = stablehlo.transpose %{n - 1}, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
        for n in range(1, 90)
    )
    text = f"func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n{ops}  return %89 : tensor<8x8xf32>\n}}"
    assert data(text, machine="h100")["plans"][0]["schedule"]["bound"] == "the fixed cost of starting kernels"


def test_what_runs_at_the_same_time_has_lanes_of_its_own() -> None:
    lanes = list(_lanes(("x",), [(2e-6, 5e-6, 1), (0.0, 3e-6, 0), (3e-6, 4e-6, 2)]))
    assert [(lane["name"], lane["item"], lane["start"]) for lane in lanes] == [
        ("x", [0, 2], [0, 3]),
        ("x (2)", [1], [2]),
    ]


def test_very_many_collectives_are_folded(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdy.page.plan_data.MOST_COLLECTIVES", COUNT - 1)
    other = data(layers(COUNT), machine="h100", title="layers", parts=Parts(cures=0))
    plan = other["plans"][0]
    (one,) = plan["collectives"]
    assert (one["id"], one["places"], one["times"]) == ("c0", COUNT, COUNT)
    assert one["bytes_sent"] == plan["bytes_sent"] == found["plans"][0]["bytes_sent"]
    assert len(plan["causes"]) == 1 and plan["schedule"]["lanes"][1]["item"] == [0] * COUNT
    assert other["programs"] == found["programs"]
    assert other["notes"] == ["equal collectives of all layers are merged, since there are 4."]


def test_very_large_programs_explain_the_first_of_equal_layers(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["sdy.page.data"], "MOST_EXPLAINED", 10)
    other = data(layers(COUNT), parts=Parts(cures=0))
    told, all_told = (set(each["plans"][0]["reasons"]["came"]["value"]) for each in (other, found))
    names = found["programs"][0]["values"]["name"]
    around = {names[value] for cause in other["plans"][0]["causes"] for _, value in cause["around"]}
    assert {names[value] for value in all_told - told} == {f"%{n}" for n in range(4, 4 * COUNT)} - around
    assert around <= {names[value] for value in told}
    assert "the first of equal layers" in other["notes"][0]


def test_a_trace_is_the_timeline(found: Any, tmp_path: Path) -> None:
    target = sdy.page.save_trace(tmp_path / "trace.json", layers(COUNT), machine="h100")
    events = json.loads(target.read_text())["traceEvents"]
    schedule = found["plans"][0]["schedule"]
    spans = [event for event in events if event["ph"] == "X"]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert list(names.values()) == [lane["name"] for lane in schedule["lanes"]]
    for lane, (number, name) in zip(schedule["lanes"], names.items(), strict=True):
        assert name == lane["name"]
        assert [(e["ts"], e["dur"]) for e in spans if e["tid"] == number] == [
            *zip(lane["start"], lane["length"], strict=True)
        ]
    sent = [event["args"] for event in spans if event["cat"] == "communication"]
    assert [(one["id"], one["axes"]) for one in sent] == [(f"c{n}", ["model"]) for n in range(COUNT)]
    memory = [(event["ts"], event["args"]["bytes"]) for event in events if event["ph"] == "C"]
    assert memory == [*zip(schedule["memory"]["time"], schedule["memory"]["bytes"], strict=True)]
    with pytest.raises(ValueError, match="give a machine, such as h100"):
        sdy.page.save_trace(tmp_path / "none.json", layers(1), machine=None)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == [target]


def test_two_plans_of_one_program_share_it() -> None:
    parts = Parts(reasons=False)
    both = data(Plan(layers(2), "ours"), Plan(layers(2, TALL, WIDE), "theirs"), parts=parts)
    assert len(both["programs"]) == 1
    ours, theirs = both["plans"]
    assert (ours["name"], theirs["name"]) == ("ours", "theirs")
    assert ours["text"] is None and '[{"model"}, {}]' in theirs["text"]
    assert ours["bytes_sent"] != theirs["bytes_sent"]
    assert theirs["bytes_sent"] == sdy.communication(layers(2, TALL, WIDE)).bytes_sent
    apart = data(layers(2), layers(3), parts=parts)
    assert len(apart["programs"]) == 2 and [plan["program"] for plan in apart["plans"]] == [0, 1]


@pytest.mark.parametrize("stage", ["propagated", "local", "partitioned"])
def test_any_stage(stage: str) -> None:
    whole = sdy.communication(layers(2)).bytes_sent
    if stage == "partitioned":
        program: Any = sdy.partition(layers(2))
    else:
        program = sdy.parse(layers(2))
        pipeline = "sdy-propagation-pipeline" if stage == "propagated" else "sdy-partition-pipeline"
        sdy.run(program, pipeline)
    found = data(program, parts=Parts(cures=0))
    plan, ops = found["plans"][0], found["programs"][0]["ops"]["name"]
    assert plan["bytes_sent"] == whole
    if stage == "local":
        assert plan["is_local"] and found["notes"]
        names = {found["programs"][0]["op_names"][ops[one["op"]]] for one in plan["collectives"]}
        assert names == {"stablehlo.all_reduce"}


def test_a_function_that_is_called_twice() -> None:
    text = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = call @f(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @f(%a, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""  # noqa: E501
    found = data(text, machine="h100", parts=Parts(cures=0))
    program = found["programs"][0]
    assert [node["l"] for node in program["tree"]] == ["@main", "@f"]
    assert [called for _, called in program["calls"]] == [program["tree"][1]["op"]] * 2
    assert found["plans"][0]["bytes_sent"] == sdy.communication(text).bytes_sent


@pytest.mark.usefixtures("built")
def test_same_input_same_bytes() -> None:
    parts = Parts(cures=0)
    first, second = (sdy.page.html(data(layers(2), machine="h100", parts=parts)) for _ in range(2))
    assert first == second


def test_who_is_refused() -> None:
    with pytest.raises(ValueError, match="one plan or two, not 3"):
        data(layers(1), layers(1), layers(1))
    with pytest.raises(ValueError, match="one plan or two, not 0"):
        data()
    with pytest.raises(TypeError, match="takes Machine as machine, not int"):
        data(layers(1), machine=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be 0 or more"):
        Parts(cures=-1)
    with pytest.raises(sdy.DiagnosticError, match="undeclared"):
        data("func.func @main() -> tensor<2xf32> { return %0 : tensor<2xf32> }")


@pytest.mark.usefixtures("built")
def test_the_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.html"
    assert sdy.page.save(target, layers(1), parts=Parts(reasons=False)) == target
    text = target.read_text()
    assert text.startswith("<!DOCTYPE html>") and text.count("<script") == 3
    assert not re.search(r"(?:src|href)=\"?(?:https?:)?//", text)
    with pytest.raises(FileNotFoundError, match=r"'.*nowhere/page.html'"):
        sdy.page.save(tmp_path / "nowhere" / "page.html", layers(1), parts=Parts(reasons=False))
    monkeypatch.setattr(Path, "replace", lambda self, other: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        sdy.page.save(target, layers(1), parts=Parts(reasons=False))
    assert target.read_text() == text and list(tmp_path.iterdir()) == [target]


def test_a_page_that_was_never_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdy.page.render.STATIC", tmp_path)
    with pytest.raises(sdy.page.PageNotBuilt, match="run `make page`"):
        sdy.page.html(data(layers(1), parts=Parts(reasons=False)))


@pytest.mark.usefixtures("built")
def test_names_of_users_are_text() -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    text = layers(2, name="<b>bold").replace("data", "<i>")
    found = data(text, title=evil, parts=Parts(reasons=False))
    for page in (sdy.page.html(found, compress=False), sdy.page.html(found)):
        assert "<img" not in page and page.count("</script>") == 3
    labels = "".join(label["html"] for label in found["plans"][0]["labels"])
    assert "<i>" not in re.sub(r"<i>÷\d+</i>", "", labels) and "&lt;i&gt;" in labels
    json.dumps(found, allow_nan=False)


def _fields(kind: Any, path: str) -> Iterator[tuple[str, set[str], set[str]]]:
    """The data types that a type is made of, by where they are in the data: required fields, and the others."""
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        optional = {name for name, each in hints.items() if get_origin(each) is NotRequired}
        yield path, set(hints) - optional, optional
        for name, each in hints.items():
            if name != "c":  # nodes in nodes
                yield from _fields(each, f"{path}.{name}")
    else:
        for each in get_args(kind):
            yield from _fields(each, path) if get_args(each) or is_typeddict(each) else ()


def _declared(part: Any, schema: Any, path: str) -> Iterator[tuple[str, set[str], set[str]]]:
    """The same of a part of the schema."""
    if "$ref" in part:
        part = schema["definitions"][part["$ref"].rpartition("/")[2]]
    for each in part.get("anyOf", ()):
        yield from _declared(each, schema, path)
    if isinstance(part.get("items"), dict):
        yield from _declared(part["items"], schema, path)
    if "properties" in part:
        yield path, set(part["required"]), set(part["properties"]) - set(part["required"])
        for name, each in part["properties"].items():
            if name != "c":
                yield from _declared(each, schema, f"{path}.{name}")


def test_types_are_those_of_the_schema() -> None:
    schema = sdy.page.schema()
    assert sorted(_fields(PageData, "")) == sorted(_declared(schema, schema, ""))


def test_the_program_after_each_pass(one_plan: PageData) -> None:
    """Only passes that change it; lines that none changes keep their text."""
    passes = one_plan["plans"][0]["passes"]
    assert passes is not None and passes["name"][0] == "as given"
    assert len(passes["name"]) == len(passes["text"]) > 4
    assert all(one != other for one, other in zip(passes["text"], passes["text"][1:], strict=False))
    last = [passes["lines"][line] for line in passes["text"][-1]]
    assert not any("sdy.sharding_constraint" in line or "sdy23" in line for line in last)
    assert any("stablehlo.all_reduce" in line for line in last)
    numbers = {int(found[1]) for line in last if (found := re.match(r"\s*%(\d+) = stablehlo.dot_general", line))}
    names = one_plan["programs"][0]["op_names"]
    ops = one_plan["programs"][0]["ops"]["name"]
    assert numbers and all(names[ops[number]] == "stablehlo.dot_general" for number in numbers)
