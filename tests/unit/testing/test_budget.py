"""Budgets: what selects collectives, what exceeds a limit, and what a failing test says."""

from __future__ import annotations

import pytest

import sdy
from sdy.testing import Budget, CollectiveSelector, Footprint, assert_communication, snapshot_text

LAYER = """
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%x: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<32x64xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  return %h : tensor<32x64xf32>
}
"""

HLO = """HloModule step, num_partitions=8

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%body (c: (s32[], f32[64])) -> (s32[], f32[64]) {
  %c = (s32[], f32[64]) parameter(0)
  %i = s32[] get-tuple-element(%c), index=0
  %v = f32[64] get-tuple-element(%c), index=1
  %sum = f32[64] all-reduce(%v), replica_groups=[4,2]<=[8], to_apply=%add, \
metadata={op_name="jit(step)/layer/sum" source_file="step.py" source_line=7}
  ROOT %t = (s32[], f32[64]) tuple(%i, %sum)
}

%go (c: (s32[], f32[64])) -> pred[] {
  %c = (s32[], f32[64]) parameter(0)
  ROOT %p = pred[] constant(false)
}

ENTRY %main (x: f32[64], n: s32[]) -> f32[256] {
  %x = f32[64] parameter(0)
  %n = s32[] parameter(1)
  %pair = (s32[], f32[64]) tuple(%n, %x)
  %w = (s32[], f32[64]) while(%pair), condition=%go, body=%body, \
backend_config={"known_trip_count":{"n":"3"}}
  %y = f32[64] get-tuple-element(%w), index=1
  ROOT %g = f32[256] all-gather(%y), replica_groups=[2,4]<=[4,2]T(1,0), dimensions={0}
}
"""


@pytest.mark.parametrize(
    ("text", "selected"),
    [
        ("all_reduce", ["c0"]),
        ("all-gather", ["c1"]),
        ("any", ["c0", "c1"]),
        ("any over model", ["c0"]),
        ("any over data", ["c1"]),
        ("any over data,model", []),
        ("any above 300", ["c1"]),
        ("any above 1_000", []),
        ("any in loops", ["c0"]),
        ("all_reduce over model above 100 in loops", ["c0"]),
        ("all_gather in loops", []),
    ],
)
def test_selectors(text: str, selected: list[str]) -> None:
    report = Footprint(HLO, mesh={"data": 4, "model": 2}).report
    assert [one.id for one in report.transfers if CollectiveSelector.parse(text).matches(one)] == selected


@pytest.mark.parametrize("text", ["", "gather", "all_gather beyond 7", "all_gather above many", "any over"])
def test_texts_that_select_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"selects no collectives|cannot be read"):
        CollectiveSelector.parse(text)


def test_hlo_is_counted_as_a_program_is() -> None:
    report = sdy.communication(HLO, mesh=sdy.Mesh.of(data=4, model=2))
    first, second = report.transfers
    assert (first.kind, first.axes_text, first.times, first.is_in_loop) == ("all_reduce", '{"model"}', 3, True)
    assert (first.location, first.position) == ("jit(step)/layer/sum", "step.py:7")
    assert (second.kind, second.axes_text, second.bytes_sent) == ("all_gather", '{"data"}', 3 * 256)
    assert report.bytes_sent == 3 * 256 + 3 * 256
    assert report.summary == ("4 collectives, 1,536 bytes sent by each device: 50.0 % all_reduce, 50.0 % all_gather")
    assert {one.axes_text for one in sdy.communication(HLO).transfers} == {"irregular"}


def test_groups_that_are_no_axes_count_as_over_every_axis() -> None:
    with pytest.raises(AssertionError, match="any over pod: 4, at most 0"):
        assert_communication(HLO, none_of=["any over pod"])


def test_a_failure_has_rows_cause_and_cheapest_cure() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_communication(LAYER, none_of=["all_reduce"], max_bytes=100)
    text = str(caught.value)
    assert text.startswith("the program exceeds its communication budget\n  all_reduce: 1, at most 0\n")
    assert "bytes that each device sends: 2,048, at most 100" in text
    assert 'c0  all_reduce  {"model"}      2      1             2,048  result of stablehlo.dot_general' in text
    assert '"model" in dimension 0: given here, by argument 1 of @main' in text
    cures = text.partition("changes that remove it")[2].splitlines()[1:]
    assert len(cures) == 1 and cures[0].endswith('as [{}, {"model"}]')


def test_limits_of_memory_and_operations() -> None:
    footprint = Footprint(LAYER)
    assert footprint.flops == 2 * 8 * 8 * 64
    budget = Budget.of(max_temp_bytes=footprint.temp_bytes, max_flops=footprint.flops, max_bytes=2_048)
    assert not [*budget.excesses(footprint)]
    with pytest.raises(AssertionError, match=r"FLOPs of each device: 8,192, at most 8,000\n\nheld at the peak"):
        assert_communication(LAYER, max_flops=8_000)
    with pytest.raises(ValueError, match="HLO text does not say anything about temporaries"):
        assert_communication(HLO, max_temp_bytes=1)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ({"none_of": "all_gather"}, TypeError),
        ({"none_of": ["all_gatherer"]}, ValueError),
        ({"at_most": {"any": True}}, TypeError),
        ({"max_bytes": "many"}, TypeError),
        ({"max_flops": -1}, ValueError),
    ],
)
def test_limits_that_are_none(limits: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        assert_communication(LAYER, **limits)


def test_a_snapshot_does_not_change_with_lines() -> None:
    text = snapshot_text(LAYER)
    assert text == snapshot_text("\n\n" + LAYER)
    assert text.splitlines()[1:] == [
        "collective  axes       group  times  bytes per device  where",
        'all_reduce  {"model"}      2      1             2,048',
        "all                               1             2,048",
    ]
    assert "3 (loop)               768  jit(step)/layer/sum" in snapshot_text(HLO, mesh="data:4,model:2")
