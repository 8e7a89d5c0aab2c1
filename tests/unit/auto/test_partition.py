"""`sdy.auto.partition`: what it finds, keeps and refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

import sdy
from sdy.auto import partition
from sdy.dialect.values.mesh import Mesh
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.auto.auto_options import EFFORTS

MACHINE = "flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6 memory=1e9"
MESH = {"data": 4, "model": 2}

STEP = """
func.func @main(%w: tensor<256x1024xf32> {{{w} tf.aliasing_output = 0 : i32}}, %v: tensor<1024x256xf32>{v},
                %x: tensor<4096x256xf32>{x}) -> (tensor<256x1024xf32>, tensor<4096x256xf32>) {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x256xf32>, tensor<256x1024xf32>) -> tensor<4096x1024xf32>
  %1 = call @relu(%0) : (tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0]
      : (tensor<4096x1024xf32>, tensor<1024x256xf32>) -> tensor<4096x256xf32>
  %3 = stablehlo.dot_general %x, %1, contracting_dims = [0] x [0]
      : (tensor<4096x256xf32>, tensor<4096x1024xf32>) -> tensor<256x1024xf32>
  %4 = stablehlo.add %w, %3 : tensor<256x1024xf32>
  return %4, %2 : tensor<256x1024xf32>, tensor<4096x256xf32>
}}
func.func private @relu(%a: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {{
  %c = stablehlo.constant dense<0.0> : tensor<4096x1024xf32>
  %0 = stablehlo.maximum %a, %c : tensor<4096x1024xf32>
  return %0 : tensor<4096x1024xf32>
}}
"""


def step(w: str = "", v: str = "", x: str = "", mesh: str = "") -> str:
    return mesh + STEP.format(w=w, v=v, x=x)


FREE = step()
DECLARED = 'sdy.mesh @mesh = <["data"=4, "model"=2]>\n'


def test_a_plan_is_better_than_doing_everything_everywhere() -> None:
    plan = partition(FREE, MESH, MACHINE)
    assert plan.estimated is not None
    assert plan.estimated.step < 0.3 * plan.replicated.step
    assert plan.estimated.step == pytest.approx(plan.predicted.step, rel=0.1)
    # The program is what was asked about, with shardings: it can be partitioned, and sends what was measured.
    assert sdy.communication(plan.text).bytes_sent == pytest.approx(plan.estimated.bytes_sent)
    assert sdy.auto.estimate(plan.text, MACHINE).step == pytest.approx(plan.estimated.step, rel=0.01)


@pytest.mark.slow
def test_as_little_is_written_as_is_enough() -> None:
    plans = {amount: partition(FREE, MESH, MACHINE, annotate=amount) for amount in ("values", "minimal")}
    assert plans["minimal"].cost.step == pytest.approx(plans["values"].cost.step)
    counts = {amount: plan.text.count("sharding_per_value") for amount, plan in plans.items()}
    assert counts["minimal"] < counts["values"]


def test_donated_state_comes_back_as_it_was() -> None:
    plan = partition(FREE, MESH, MACHINE)
    assert plan.arguments[0].sharding is not None
    assert plan.results[0].sharding == plan.arguments[0].sharding


def test_what_the_user_says_stays() -> None:
    mesh = 'sdy.mesh @mesh = <["data"=4, "model"=2]>\n'
    closed = ' {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}'
    started = ' {sdy.sharding = #sdy.sharding<@mesh, [{"model", ?}, {}]>}'
    plan = partition(step(v=closed, x=started, mesh=mesh), None, MACHINE)
    _, v, x = (one.sharding for one in plan.arguments)
    assert v is not None and x is not None
    assert str(v) == '<@mesh, [{"model"}, {"data"}]>'
    assert x.dims[0].axes[0].name == "model" and not x.dims[1].axes


def test_axes_that_the_user_keeps_out_stay_out() -> None:
    """Also if another part of the same axis is used, beside which other axes may come in."""
    said = '[{?}, {"data":(1)2}], replicated={"data":(2)2}'
    text = f"""{DECLARED}
    func.func @main(%x: tensor<64x64xf32> {{sdy.sharding = #sdy.sharding<@mesh, {said}>}}) -> tensor<64x64xf32> {{
      %0 = stablehlo.custom_call @nobody_knows(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }}"""
    sharding = partition(text, None, MACHINE, annotate="full").arguments[0].sharding
    assert sharding is not None and sharding.dims[0].is_closed
    assert str(sharding).endswith('{"data":(1)2}], replicated={"data":(2)2}>')


def test_axes_can_be_withheld() -> None:
    plan = partition(FREE, MESH, MACHINE, axes=["model"], verify=0)
    assert '"model"' in plan.text
    assert '{"data"' not in plan.text


@pytest.mark.slow
def test_a_mesh_is_chosen_for_a_number_of_devices() -> None:
    plan = partition(FREE, 8, MACHINE, effort="fast")
    assert plan.mesh.size == 8
    others = [partition(FREE, mesh, MACHINE, effort="fast") for mesh in ({"x": 8}, {"x": 2, "y": 4})]
    assert plan.cost.step <= min(other.cost.step for other in others)


def test_the_limit_of_memory_is_kept_by_the_program() -> None:
    free = partition(FREE, MESH, MACHINE)
    assert free.estimated is not None
    limit = 0.9 * free.estimated.memory
    try:
        plan = partition(FREE, MESH, MACHINE, memory_limit=limit)
    except DiagnosticError as error:
        assert "limit of memory" in str(error)
    else:
        assert plan.estimated is not None
        assert plan.estimated.memory <= limit and plan.predicted.step >= free.predicted.step


def test_a_limit_below_all_bounds_is_refused() -> None:
    with pytest.raises(DiagnosticError, match=r"needs at least [\d,]+ bytes on each of 8 devices"):
        partition(FREE, MESH, MACHINE, memory_limit=1000)


def test_a_soft_limit_takes_the_plan_of_least_memory() -> None:
    small = MACHINE.replace("memory=1e9", "memory=1e6")
    with pytest.raises(DiagnosticError, match="limit of memory is 900,000"):
        partition(FREE, MESH, small)
    plan = partition(FREE, MESH, small, memory_limit="soft")
    assert 900_000 < plan.cost.memory <= partition(FREE, MESH, MACHINE).cost.memory


def test_more_effort_is_no_worse() -> None:
    plans = [partition(FREE, MESH, MACHINE, verify=0, effort=one) for one in EFFORTS]
    fast, default = plans
    assert fast.predicted.step >= default.predicted.step
    assert fast.solves < default.solves
    assert all(plan.is_complete for plan in plans)


def test_the_search_ends_when_its_time_is_over() -> None:
    plan = partition(FREE, MESH, MACHINE, time_limit=0)
    assert not plan.is_complete and plan.estimated is not None
    assert plan.solves < partition(FREE, MESH, MACHINE, verify=0).solves
    assert "the time limit ended the search" in str(plan)


@pytest.mark.slow
def test_every_process_finds_the_same() -> None:
    program = "import sys, sdy; print(sdy.auto.partition(sys.stdin.read(), {'data': 4, 'model': 2}, sys.argv[1]).text)"
    other = subprocess.run(
        [sys.executable, "-c", program, MACHINE],
        input=FREE,
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == partition(FREE, MESH, MACHINE).text.strip()


def test_what_is_said_of_results_stays_where_dimensions_are_open() -> None:
    text = (
        DECLARED
        + """
    func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
        -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"model"}]>}) {
      return %x : tensor<64x64xf32>
    }"""
    )
    sharding = partition(text, None, MACHINE).results[0].sharding
    assert sharding is not None and [axis.name for axis in sharding.dim_axes[1]] == ["model"]


@pytest.mark.slow
def test_what_is_hidden_costs_less() -> None:
    """Both sums of the step may be: as predicted, and as measured behind what the overlap pipeline puts before them."""
    summed = step(x=' {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}', mesh=DECLARED)
    plans = [partition(summed, None, MACHINE, overlap=overlap) for overlap in (0.0, 0.5)]
    assert plans[1].predicted.communication < plans[0].predicted.communication
    measured = [plan.estimated for plan in plans]
    assert measured[0] is not None and measured[1] is not None
    assert measured[1].step < measured[0].step and measured[1].communication < measured[0].communication


def test_as_json_and_as_text() -> None:
    plan = partition(FREE, MESH, MACHINE, verify=0)
    data = json.loads(plan.to_json())
    assert data["mesh"] == MESH and data["estimated"] is None and len(data["arguments"]) == 3
    assert "predicted" in str(plan) and "4096x256" in str(plan)


def test_as_html() -> None:
    """All that the text has, in tables; names that the user has given are escaped."""
    plan = partition(FREE, MESH, MACHINE, verify=0, filename="<b>.mlir")
    page = plan.to_html()
    assert page.startswith("<!DOCTYPE html>") and plan._repr_html_() in page
    assert "<script" not in page and "<b>.mlir" not in page and "&lt;b&gt;.mlir:3:17" in page
    root = ElementTree.fromstring(page.split("</style>")[1].split("<details>")[0].join(("<div>", "</div>")))
    tables = {title.text: table for title, table in zip(root.iter("b"), root.iter("table"), strict=True)}
    assert list(tables) == ["step", "decisions", "arguments", "remarks"]
    assert [row[0].text for row in tables["step"].iterfind("tbody/tr")] == ["predicted", "replicated"]
    assert len(list(tables["decisions"].iterfind("tbody/tr"))) == len(plan.decisions)


CASES = [
    ({"mesh": None}, DiagnosticError, "has no mesh; give a mesh"),
    ({"mesh": "data"}, ValueError, "not with 'data'"),
    ({"mesh": 4.0}, TypeError, "or a number of devices, not float"),
    ({"mesh": [("data", "4")]}, TypeError, "not an axis 'data' of size '4'"),
    ({"mesh": Mesh()}, ValueError, "at least one axis"),
    ({"mesh": 0}, ValueError, "at least 1"),
    ({"axes": ["heads"]}, ValueError, "no axis 'heads'"),
    ({"axes": "data"}, TypeError, "axes are a sequence of names, not 'data'"),
    ({"mesh": 10**20}, ValueError, "a mesh is chosen for at most 1,048,576 devices"),
    ({"effort": "much"}, ValueError, "effort is one of"),
    ({"annotate": "all"}, ValueError, "annotate is one of"),
    ({"verify": -1}, ValueError, "verify is a number"),
    ({"memory_limit": "hard"}, ValueError, "or 'soft', not 'hard'"),
    ({"time_limit": -1}, ValueError, "a time limit is a number of seconds"),
    ({"overlap": 1.5}, ValueError, "overlap is a number from 0 to 1, not 1.5"),
    ({"memory_limit": 0}, ValueError, "memory_limit is a positive number"),
    ({"machine": 7}, TypeError, "takes a Machine"),
]


@pytest.mark.parametrize(("arguments", "error", "text"), CASES, ids=[text for _, _, text in CASES])
def test_arguments_that_are_none(arguments: dict, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        partition(FREE, **{"mesh": MESH, "machine": MACHINE, **arguments})


def test_programs_without_anything_to_shard_are_planned() -> None:
    constant = "%c = stablehlo.constant dense<1.0> : tensor<4xf32>"
    for body in ("() {\n return }", f"() -> tensor<4xf32> {{\n {constant}\n return %c : tensor<4xf32> }}"):
        plan = partition(f"func.func @main{body}", MESH, MACHINE)
        assert not plan.arguments and plan.cost.bytes_sent == 0
        assert "the step takes no time" in str(plan)


def test_programs_that_cannot_be_planned() -> None:
    dynamic = "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n return %x : tensor<?x4xf32>\n}"
    with pytest.raises(DiagnosticError, match="dynamic size"):
        partition(dynamic, MESH, MACHINE)
    unreduced = """sdy.mesh @mesh = <["data"=4, "model"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"data"}>})
        -> tensor<8xf32> {
      %0 = stablehlo.negate %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    with pytest.raises(DiagnosticError, match="unreduced axes"):
        partition(unreduced, None, MACHINE)


def test_functions_without_a_body_are_refused() -> None:
    declared = "func.func private @f(tensor<4xf32>) -> tensor<4xf32>"
    for ask in (lambda: partition(declared, MESH, MACHINE), lambda: sdy.auto.estimate(declared, MACHINE)):
        with pytest.raises(DiagnosticError, match="is declared, and has no body"):
            ask()


def test_ops_without_a_rule_are_named() -> None:
    text = """func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = stablehlo.custom_call @nobody_knows(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %1 = stablehlo.negate %0 : tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }"""
    plan = partition(text, MESH, MACHINE)
    assert plan.without_rule == {"stablehlo.custom_call": 1} and "without a sharding rule" in str(plan)


def test_decisions_say_what_they_save() -> None:
    plan = partition(FREE, MESH, MACHINE, verify=0)
    assert plan.decisions
    for one in plan.decisions:
        # Nothing that the search has found can be left out with profit.
        assert one.saves >= 0 and one.values > 0
        assert one.saves == pytest.approx(one.compute + one.communication)
    assert plan.decisions[0].products and plan.decisions[0].compute > 0
    assert "saves" in str(plan) and json.loads(plan.to_json())["decisions"]
    assert not partition(FREE, MESH, MACHINE, verify=0, effort="fast").decisions


def test_the_report_says_what_bounds_the_step_what_fills_memory_and_what_else_there_was() -> None:
    plan = partition(FREE, MESH, MACHINE)
    data = json.loads(plan.to_json())
    assert sum(data["bounds"].values()) == pytest.approx(1)
    assert data["memory"]["peak"] == plan.cost.memory == sum(data["memory"]["by_kind"].values())
    assert sum(one["bytes_sent"] for one in data["collectives"]) == plan.cost.bytes_sent
    steps = [one["step"] for one in data["alternatives"]]
    assert steps == sorted(steps) and steps[-1] > plan.predicted.step
    assert "the step waits for products" in str(plan) and "memory is most at" in str(plan)
    assert "other plans that were found" in str(plan)


def test_the_report_says_why_arguments_are_not_sharded() -> None:
    """One is small and needed everywhere; of the other no dimension is divided."""
    rows = '{sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>}'
    text = f"""{DECLARED}
    func.func @main(%x: tensor<4096x256xf32> {rows}, %small: tensor<256xf32>, %odd: tensor<7x9xf32>)
        -> (tensor<4096x256xf32> {rows}, tensor<7x9xf32>) {{
      %0 = stablehlo.broadcast_in_dim %small, dims = [1] : (tensor<256xf32>) -> tensor<4096x256xf32>
      %1 = stablehlo.add %x, %0 : tensor<4096x256xf32>
      %2 = stablehlo.tanh %odd : tensor<7x9xf32>
      return %1, %2 : tensor<4096x256xf32>, tensor<7x9xf32>
    }}"""
    plan = partition(text, MESH, MACHINE, verify=0)
    found = {one.arguments: one for one in plan.unsharded}
    assert found[(1,)].axis and found[(1,)].costs > 0
    assert not found[(2,)].axis
    assert "no dimension is divided by a mesh axis" in str(plan) and "longer" in str(plan)


def test_plans_side_by_side() -> None:
    """`sdy.compare` has another name in `sdy.auto`, and takes plans and programs beside shardings."""
    assert sdy.auto.compare is sdy.compare
    plan = partition(FREE, MESH, MACHINE)
    found = sdy.auto.compare(FREE, {"everywhere": {}, "by hand": step(mesh=DECLARED), "found": plan})
    assert found.best == "found"
    assert found["found"].step == pytest.approx(plan.cost.step, rel=0.01)
    assert found["found"].bytes_sent == plan.cost.bytes_sent
    rows = str(found).splitlines()
    assert rows[1].startswith("everywhere") and "1.00" in rows[3]
    data = json.loads(found.to_json())
    assert [one["name"] for one in data] == ["everywhere", "by hand", "found"]
    assert data[2]["estimate"]["memory"]["peak"] == data[2]["memory"]
    with pytest.raises(ValueError, match="at least one way to shard the program"):
        sdy.auto.compare(FREE, {})
    with pytest.raises(TypeError, match="takes a program, and then ways"):
        sdy.auto.compare({"found": plan}, MACHINE)  # pyright: ignore[reportArgumentType]


def test_it_can_be_the_auto_partitioner_of_the_propagation_pipeline() -> None:
    sdy.auto_partitioner.clear()
    try:
        sdy.auto.register(machine=MACHINE)
        module = sdy.parse(step(mesh='sdy.mesh @mesh = <["data"=4, "model"=2]>\n'))
        sdy.run(module, "sdy-propagation-pipeline{enable-auto-partitioning=true avoid-export-for-partitioning=true}")
        text = sdy.print_module(module)
        assert '"data"' in text and '"model"' in text.split("func.func")[1]
        with pytest.raises(RuntimeError, match="registered already"):
            sdy.auto.register()
    finally:
        sdy.auto_partitioner.clear()
    with pytest.raises(ValueError, match="no option 'machines'"):
        sdy.auto.register(machines="h100")


def test_it_is_never_worse_than_propagation() -> None:
    """One loop over a sharded array, which propagation alone handles without a collective."""
    text = """sdy.mesh @mesh = <["data"=4, "model"=2]>
    func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
        -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
      %0 = stablehlo.tanh %x : tensor<64x64xf32>
      %1 = stablehlo.negate %0 : tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }"""
    plan = partition(text, None, MACHINE)
    assert plan.cost.step <= sdy.auto.estimate(text, MACHINE).step
    assert plan.cost.bytes_sent == 0


def test_limits_are_texts_too_and_options_are_read_at_once() -> None:
    assert partition(FREE, MESH, MACHINE, memory_limit="60GiB", verify=0).cost == partition(
        FREE, MESH, MACHINE, memory_limit=60 * 2**30, verify=0
    ).cost  # fmt: skip
    for wrong in ("lots", -5, float("nan"), True):
        with pytest.raises(ValueError, match="memory_limit is a positive number of bytes"):
            sdy.auto.Options(memory_limit=wrong)
        with pytest.raises(ValueError, match="memory_limit is a positive number of bytes"):
            partition(FREE, MESH, MACHINE, memory_limit=wrong)
    lots: Any = "lots"
    with pytest.raises(ValueError, match="verify is a number of plans, not 'lots'"):
        sdy.auto.Options(verify=lots)
    with pytest.raises(TypeError, match="inside is True or False, not 'lots'"):
        sdy.auto.Options(inside=lots)


def test_parts_of_sums_take_room_until_they_are_added_up() -> None:
    """A product summed over devices is there as a whole first: what is said to be the least really does not fit."""
    text = FREE_PRODUCT
    plan = partition(text, {"data": 8}, "h100")
    least = plan.cost.memory
    with pytest.raises(
        sdy.DiagnosticError, match="fits in no plan that was found: that of least memory takes"
    ) as error:
        partition(text, {"data": 8}, "h100", memory_limit=least - 1)
    taken = re.search(r"takes ([0-9,]+) bytes", str(error.value))
    assert taken is not None and int(taken[1].replace(",", "")) >= least


FREE_PRODUCT = """
func.func @main(%x: tensor<512x256xf32>, %w: tensor<256x1024xf32>) -> tensor<512x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
"""  # noqa: E501


SHARED = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<64x64x4096xf32>)
    -> (tensor<64x64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>},
        tensor<64x64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}, {}]>},
        tensor<64x64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}, {}]>}) {
  %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model", "data"}]>]>}
      : tensor<64x64x4096xf32>
  %1 = stablehlo.sine %0 : tensor<64x64x4096xf32>
  %2 = stablehlo.cosine %0 : tensor<64x64x4096xf32>
  %3 = stablehlo.tan %0 : tensor<64x64x4096xf32>
  return %1, %2, %3 : tensor<64x64x4096xf32>, tensor<64x64x4096xf32>, tensor<64x64x4096xf32>
}
"""


@pytest.mark.parametrize("annotate", ["values", "full"])
def test_what_uses_have_in_common_is_moved_in_steps(annotate: str) -> None:
    """Straight from the first layout to the third one the partitioner would permute, and send more along both axes."""
    plan = partition(SHARED, None, "generic", annotate=annotate)
    assert plan.parts is not None
    kinds = {one.kind for one in plan.parts.collectives}
    assert kinds == {"all_to_all"}
    assert 0 < plan.cost.bytes_sent <= plan.predicted.bytes_sent
