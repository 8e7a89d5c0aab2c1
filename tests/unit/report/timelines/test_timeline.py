"""Timelines of programs by hand: pairs, loops, calls, branches, channels; as a table, as JSON, as a trace."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.costs.machine import Machine
from sdy.report.timelines.timeline import Timeline

MACHINE = Machine(flops=1e9, bandwidth=1e6, latency=0, directions=1)
"""A kilobyte takes a millisecond, a million operations too."""

GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
DOT = "contracting_dims = [1] x [0] : (tensor<100x50xf32>, tensor<50x100xf32>) -> tensor<100x100xf32>"
"""A million operations."""
GATHER = f"""<{{all_gather_dim = 0 : i64, {GROUPS}}}> : (tensor<250xf32>) -> tensor<500xf32>"""
"""A kilobyte."""


def asynchronous(name: str, operand: str) -> str:
    return f"""
  %{name}_f = "stablehlo.async_start"(%{operand}) ({{
  ^bb0(%x: tensor<250xf32>):
    %y = "stablehlo.all_gather"(%x) {GATHER}
    stablehlo.return %y : tensor<500xf32>
  }}) : (tensor<250xf32>) -> !stablehlo.future<tensor<500xf32>>"""


def done(name: str) -> str:
    return f"""
  %{name} = "stablehlo.async_done"(%{name}_f) : (!stablehlo.future<tensor<500xf32>>) -> tensor<500xf32>"""


def main(body: str, results: str = "%p", types: str = "tensor<100x100xf32>") -> str:
    return f"""
func.func @main(%a: tensor<250xf32>, %b: tensor<100x50xf32>, %c: tensor<50x100xf32>) -> ({types}) {{{body}
  return {results} : {types}
}}
"""


def timeline(text: str, machine: Machine = MACHINE, **options: Any) -> Timeline:
    return sdy.timeline(text, machine, filename="program.mlir", **options)


def milliseconds(found: Timeline) -> tuple[float, ...]:
    seconds = (found.total, found.compute, found.communication, found.exposed)
    return tuple(round(each * 1e3, 6) for each in seconds)


PRODUCT = f"\n  %p = stablehlo.dot_general %b, %c, {DOT}"


def test_a_synchronous_collective_is_exposed() -> None:
    found = timeline(main(f'\n  %g = "stablehlo.all_gather"(%a) {GATHER}{PRODUCT}'))
    assert milliseconds(found) == (2, 1, 1, 1)
    assert found.hidden == 0
    assert [one.is_asynchronous for one in found.collectives] == [False]
    assert found.collectives[0].bytes_overlapped == 0
    assert found.peak_bytes_in_flight == 3000


def test_a_pair_hides_behind_what_is_between() -> None:
    text = main(asynchronous("g", "a") + PRODUCT + done("g"))
    found = timeline(text)
    assert milliseconds(found) == (1, 1, 1, 0)
    assert found.hidden == 1
    only = found.collectives[0]
    assert (only.is_asynchronous, only.wait, only.bytes_overlapped, only.times) == (True, 0, 1000, 1)
    assert milliseconds(timeline(text, synchronous=True)) == (2, 1, 1, 1)


def test_collectives_over_the_same_axes_share_a_channel() -> None:
    text = main(asynchronous("g", "a") + asynchronous("h", "a") + PRODUCT + done("g") + done("h"))
    found = timeline(text)
    assert milliseconds(found) == (2, 1, 2, 1)
    assert [round(one.begun * 1e3, 6) for one in found.collectives] == [0, 1]
    assert found.peak_bytes_in_flight == 1000 + 2 * 2000, "the operand counts once"


PERMUTES = """
module {
func.func @main(%a: tensor<250xf32>) -> (tensor<250xf32>, tensor<250xf32>) {
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<250xf32>):
    %y = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<250xf32>) -> tensor<250xf32>
    stablehlo.return %y : tensor<250xf32>
  }) : (tensor<250xf32>) -> !stablehlo.future<tensor<250xf32>>
  %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<PAIRS> : tensor<4x2xi64>}> : (tensor<250xf32>) -> tensor<250xf32>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<250xf32>>) -> tensor<250xf32>
  return %0, %1 : tensor<250xf32>, tensor<250xf32>
}
}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("pairs", "total"),
    [
        ("[[1, 0], [2, 1], [3, 2], [0, 3]]", 1),  # the other way round
        ("[[0, 1], [1, 2], [2, 3], [3, 0]]", 2),  # the same way
        ("[[0, 2], [1, 3], [2, 0], [3, 1]]", 2),  # half way round counts as up
        ("[[0, 1], [1, 0], [2, 3], [3, 2]]", 2),  # both ways
    ],
)
def test_permutes_use_one_direction(pairs: str, total: float) -> None:
    text = PERMUTES.replace("PAIRS", pairs)
    assert milliseconds(timeline(text))[0] == total
    assert milliseconds(timeline(text, Machine(1e9, 1e6, latency=0, channels="one")))[0] == 2


LOOP = """
  %i = stablehlo.constant dense<0> : tensor<i32>
  %l:2 = stablehlo.while(%n = %i, %z = %c) : tensor<i32>, tensor<50x100xf32> cond {
    %three = stablehlo.constant dense<LIMIT> : tensor<i32>
    %q = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %m = stablehlo.add %n, STEP : tensor<i32>""" + (
    f'\n    %g = "stablehlo.all_gather"(%a) {GATHER}\n    %r = stablehlo.dot_general %b, %c, {DOT}'
    "\n    stablehlo.return %m, %z : tensor<i32>, tensor<50x100xf32>\n  }"
)


def test_loops_multiply() -> None:
    found = timeline(main(LOOP.replace("LIMIT", "3").replace("STEP", "%one") + PRODUCT))
    assert milliseconds(found) == (7, 4, 3, 3)
    assert found.is_exact
    assert [one.times for one in found.collectives] == [3]
    loop = next(op for op in found.ops if op.is_loop)
    assert (loop.rounds, round(loop.ended * 1e3, 6)) == (3, 6)


def test_unknown_rounds_count_once() -> None:
    found = timeline(main(LOOP.replace("LIMIT", "3").replace("STEP", "%n") + PRODUCT))
    assert milliseconds(found) == (3, 2, 1, 1)
    assert not found.is_exact
    assert [one.times for one in found.collectives] == [None]
    assert "?: in a loop with an unknown trip count" in str(found)


def test_calls_stand_for_what_they_call() -> None:
    callee = main(f'\n  %g = "stablehlo.all_gather"(%a) {GATHER}{PRODUCT}').replace("@main", "private @f")
    types = "(tensor<250xf32>, tensor<100x50xf32>, tensor<50x100xf32>) -> tensor<100x100xf32>"
    calls = "".join(f"\n  %{name} = func.call @f(%a, %b, %c) : {types}" for name in "pqr")
    found = timeline(f"module {{{main(calls)}{callee}}}")
    assert milliseconds(found) == (6, 3, 3, 3)
    assert len(found.collectives) == 3


def test_recursion_is_refused() -> None:
    types = "(tensor<250xf32>, tensor<100x50xf32>, tensor<50x100xf32>) -> tensor<100x100xf32>"
    with pytest.raises(DiagnosticError, match="calls itself"):
        timeline(main(f"\n  %p = func.call @main(%a, %b, %c) : {types}"))


def test_the_longest_branch_counts() -> None:
    branches = f"""
  %k = stablehlo.constant dense<0> : tensor<i32>
  %g = "stablehlo.case"(%k) ({{
    %y = "stablehlo.all_gather"(%a) {GATHER}
    stablehlo.return %y : tensor<500xf32>
  }}, {{
    %y = "stablehlo.all_gather"(%a) {GATHER}
    %r = stablehlo.dot_general %b, %c, {DOT}
    stablehlo.return %y : tensor<500xf32>
  }}) : (tensor<i32>) -> tensor<500xf32>"""
    found = timeline(main(branches + PRODUCT))
    assert milliseconds(found) == (3, 2, 1, 1)
    assert [one.counts for one in found.collectives] == [False, True]
    assert not found.is_exact
    assert "(1)" in str(found)


def test_dynamic_sizes_are_refused() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    with pytest.raises(DiagnosticError, match=r"program.mlir:2:8: error: 'stablehlo.negate' op has tensors of dynamic"):
        timeline(text)


def test_a_program_with_shardings_is_partitioned_first() -> None:
    text = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%b: tensor<100x100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %c: tensor<100x100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<100x100xf32> {
  %p = stablehlo.dot %b, %c : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  return %p : tensor<100x100xf32>
}
"""
    found = timeline(text)
    assert milliseconds(found) == (41, 1, 40, 40)
    assert [(one.kind, one.axes) for one in found.collectives] == [("all_reduce", '{"x"}')]
    assert milliseconds(timeline(sdy.partition(text))) == (41, 1, 40, 40)  # type: ignore[arg-type]
    slow = Machine(1e9, 1e6, latency=0, directions=1, axis_bandwidth={"x": 1e5})
    assert milliseconds(timeline(text, slow)) == (401, 1, 400, 400)


def test_table() -> None:
    text = main(asynchronous("g", "a") + asynchronous("h", "a") + PRODUCT + done("g") + done("h"))
    assert [" ".join(line.split()) for line in str(timeline(text)).splitlines()] == [
        "collective axes group asynchronous time exposed bytes overlapped where times",
        'all_gather {"devices"} 2 yes 1 ms 0 1,000 program.mlir:5:10 .. program.mlir:14:8 1',
        'all_gather {"devices"} 2 yes 1 ms 1 ms 0 program.mlir:10:10 .. program.mlir:15:8 1',
        "",
        "total compute communication exposed hidden peak bytes in flight",
        "2 ms 1 ms 2 ms 1 ms 50% 5,000",
    ]


def test_json() -> None:
    data = json.loads(timeline(main(asynchronous("g", "a") + PRODUCT + done("g"))).to_json())
    assert data["total"] == data["compute"] == pytest.approx(1e-3)
    assert data["machine"] == str(MACHINE)
    only = data["collectives"][0]
    assert (only["kind"], only["axes"], only["wait"], only["bytes_overlapped"]) == (
        "all_gather",
        '{"devices"}',
        0,
        1000,
    )


def test_trace_is_in_the_format_of_trace_events() -> None:
    text = main(
        asynchronous("g", "a")
        + asynchronous("h", "a")
        + LOOP.replace("LIMIT", "3").replace("STEP", "%one")
        + PRODUCT
        + done("g")
        + done("h")
    )
    events = json.loads(timeline(text).to_trace())["traceEvents"]
    for event in events:
        assert {"name", "ph", "pid", "tid"} <= event.keys()
        assert event["ph"] in "MXC"
        assert event["ph"] == "M" or event["ts"] >= 0
        assert event["ph"] != "X" or event["dur"] > 0
        assert event["ph"] != "C" or isinstance(event["args"]["bytes"], int)
    named = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert {event["tid"] for event in events if event["ph"] == "X"} == named.keys()
    for number in named:
        spans = sorted((e["ts"], -e["dur"], e["name"]) for e in events if e["ph"] == "X" and e["tid"] == number)
        open_until: list[float] = []
        for begun, length, name in spans:
            while open_until and open_until[-1] <= begun + 1e-6:
                open_until.pop()
            assert not open_until or begun - length <= open_until[-1] + 1e-6, f"{name} ends behind what it is in"
            open_until.append(begun - length)
    assert {"stablehlo.while, 3 rounds", "stablehlo.dot_general", "wait for all_gather"} <= {e["name"] for e in events}


def test_indices_are_free_and_parts_cost_what_is_read_and_written() -> None:
    """And a kernel each, since nothing that makes or uses the parts is there to be fused with; as in estimates."""
    machine = Machine(flops=1e9, bandwidth=1e6, memory_bandwidth=1e6, overhead=1e-3)
    text = """
func.func @main(%a: tensor<250xf32>, %b: tensor<25xf32>, %i: tensor<i32>) -> tensor<250xf32> {
  %j = stablehlo.add %i, %i : tensor<i32>
  %u = stablehlo.dynamic_update_slice %a, %b, %j : (tensor<250xf32>, tensor<25xf32>, tensor<i32>) -> tensor<250xf32>
  %s = stablehlo.dynamic_slice %u, %j, sizes = [50] : (tensor<250xf32>, tensor<i32>) -> tensor<50xf32>
  return %u : tensor<250xf32>
}
"""
    assert milliseconds(timeline(text, machine)) == (2.6, 2.6, 0.0, 0.0)
    assert sdy.auto.estimate(text, machine).step == pytest.approx(2.6e-3)
