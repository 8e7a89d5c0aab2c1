"""The communication report of asynchronous collectives, and on a machine."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sdy
from sdy.passes.partitioning.partition_options import PartitionOptions
from tests import depth
from tests.data.generate import program
from tests.unit.report.communication_programs import MESH, X, moves, report, sharded

pytestmark = pytest.mark.slow


OVERLAPPED = f"""{MESH}
func.func @main(%a: tensor<64x64xf32> {sharded('[{"x"}, {}]')}, %b: tensor<64x64xf32> {sharded("[{}, {}]")})
    -> (tensor<64x64xf32> {sharded("[{}, {}]")}, tensor<64x64xf32> {sharded("[{}, {}]")}) {{
  %0 = stablehlo.negate %a : tensor<64x64xf32>
  %1 = stablehlo.dot %b, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}}
"""
PLACED = (
    "builtin.module(sdy-partition-pipeline{keep-records=true},func.func(sdy-async-collectives,sdy-place-collectives))"
)
SLOW = "flops=1e9 bandwidth=1e8 latency=0 directions=1"
"""The product takes 524 us, the gathered 12 KiB 123 us."""


def overlapped() -> Any:
    module = sdy.parse(OVERLAPPED, "program.mlir")
    sdy.run(module, PLACED)
    return module


def test_asynchronous_collectives_count_as_synchronous_ones_and_serve_the_same() -> None:
    before, after = report(OVERLAPPED), sdy.communication(overlapped())
    assert moves(before) == moves(after) == [("all_gather", X, 4, 3 * 4096)]
    assert [one.is_asynchronous for one in (*before.transfers, *after.transfers)] == [False, True]
    assert [one.serves for one in (*before.transfers, *after.transfers)] == ["result 0 of @main"] * 2
    assert "asynchronous" not in str(before)
    assert "asynchronous" in str(after)
    assert json.loads(after.to_json())["collectives"][0]["asynchronous"] is True


def test_machine_says_how_long() -> None:
    found = sdy.communication(overlapped(), machine=SLOW)
    (only,) = found.transfers
    assert only.time is not None and found.timeline is not None and found.before is not None
    assert only.time.seconds == pytest.approx(3 * 4096 / 1e8)
    assert (only.time.exposed, only.time.bytes_overlapped) == (0, 3 * 4096)
    assert found.before.total == pytest.approx(found.timeline.total + only.time.seconds)
    assert found.timeline.exposed == 0
    rows = [line.split() for line in str(found).splitlines()]
    assert ["before", "647.2", "us", "524.3", "us", "122.9", "us", "122.9", "us", "0%", "20,480"] in rows
    assert ["after", "524.3", "us", "524.3", "us", "122.9", "us", "0", "100%", "20,480"] in rows
    data = json.loads(found.to_json())
    assert data["before"]["total"] > data["timeline"]["total"]
    assert data["collectives"][0]["seconds"] == pytest.approx(only.time.seconds)


def test_time_of_several_tensors_is_divided_by_bytes() -> None:
    reduced = """<{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<96xf32>, tensor<32xf32>) -> (tensor<96xf32>, tensor<32xf32>)"""
    text = f"""
func.func @main(%a: tensor<96xf32>, %b: tensor<32xf32>) -> (tensor<96xf32>, tensor<32xf32>) {{
  %0:2 = "stablehlo.all_reduce"(%a, %b) {reduced}
  return %0#0, %0#1 : tensor<96xf32>, tensor<32xf32>
}}
"""
    found = sdy.communication(text, machine="flops=1 bandwidth=512 latency=0 directions=1")
    assert [one.time.seconds for one in found.transfers if one.time] == [0.75, 0.25]
    assert found.timeline is not None
    assert found.timeline.total == 1


@pytest.mark.parametrize("name", ["moe", "transformer_fsdp_scan"] if depth.ALL else ["moe"])
def test_times_are_of_the_collectives_they_stand_by(name: str) -> None:
    found = sdy.communication(program(name), machine="slow-links")
    assert found.timeline is not None
    for one, timed in zip(found.transfers, found.timeline.collectives, strict=False):
        assert (one.kind, one.times, one.is_asynchronous) == (timed.kind, timed.times, timed.is_asynchronous)
    assert found.timeline.total == pytest.approx(found.timeline.compute + found.timeline.exposed)


def test_what_is_no_machine_is_refused() -> None:
    with pytest.raises(TypeError, match="communication\\(\\) takes Machine as machine, not int"):
        sdy.communication(OVERLAPPED, machine=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no machine 'fast'"):
        sdy.communication(OVERLAPPED, machine="fast")


def test_before_is_without_what_overlaps() -> None:
    """The product is cut into steps, which send more often; what it is compared with is one gather and one product."""
    text = f"""{MESH}
func.func @main(%a: tensor<64x64xf32> {sharded('[{"x"}, {}]')}, %b: tensor<64x64xf32> {sharded('[{}, {"x"}]')})
    -> (tensor<64x64xf32> {sharded('[{}, {"x"}]')}) {{
  %0 = stablehlo.dot %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}}
"""
    plain = sdy.communication(text, machine=SLOW)
    found = sdy.communication(text, machine=SLOW, options=PartitionOptions(overlap=True, machine=SLOW))
    assert {one.kind for one in plain.transfers} == {"all_gather"}
    assert {one.kind for one in found.transfers} == {"collective_permute"}
    assert found.bytes_sent == plain.bytes_sent
    assert found.timeline is not None and found.before is not None and plain.before is not None
    assert found.before.total == plain.before.total > found.timeline.total
