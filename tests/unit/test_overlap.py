"""`sdy.Overlap`, and the option of the partitioner (spec: async, 17)."""

from __future__ import annotations

from typing import Any

import pytest

import sdy
from sdy.overlap import Overlap
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline

MACHINE = "flops=2e14 bandwidth=5e10"

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


def test_off_runs_nothing_else() -> None:
    """With overlap a step is added, and one pattern runs behind it instead of before it; all other steps are equal."""
    off, on = (partition_pipeline(PartitionOptions(overlap=overlap)) for overlap in (False, True))
    added = [step for step in on if step.name == "sdy-overlap-pipeline"]
    assert len(added) == 1
    moved = "sdy-optimize-local-program"
    others = [step for step in on if step.name not in ("sdy-overlap-pipeline", moved)]
    assert others == [step for step in off if step.name != moved]
    assert [step.options for step in off if step.name == moved] == [{"disable-patterns": ("flatten-all-reduces",)}]
    assert [step.options for step in on if step.name == moved] == [
        {"disable-patterns": ("flatten-all-reduces", "transpose-before-all-reduces")},
        {"enable-patterns": ("transpose-before-all-reduces",)},
    ]


def test_pipeline_says_what_is_asked_for() -> None:
    assert Overlap().pipeline == "sdy-overlap-pipeline"
    overlap = Overlap(sdy.Machine.parse(MACHINE), in_flight_bytes=100, decompose=False, mode="list")
    assert overlap == Overlap(MACHINE, in_flight_bytes=100, decompose=False, mode="list")
    assert hash(overlap) == hash(Overlap(MACHINE, in_flight_bytes=100, decompose=False, mode="list"))
    module = sdy.parse("func.func @main() { return }")
    sdy.run(module, overlap.pipeline)
    assert "in-flight-bytes=100 decompose=false mode=list" in overlap.pipeline


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"machine": 5}, TypeError, "machine must be a sdy.Machine or its text, not int"),
        ({"machine": "flops=1"}, ValueError, "needs 'bandwidth'"),
        ({"in_flight_bytes": -1}, ValueError, "at least 0, not -1"),
        ({"in_flight_bytes": 1.5}, TypeError, "number of bytes, not 1.5"),
        ({"decompose": "no"}, TypeError, "decompose must be True or False, not 'no'"),
        ({"mode": "quick"}, ValueError, "one of keep, list, not 'quick'"),
        ({"mode": "list"}, ValueError, "mode='list' needs a machine"),
    ],
)
def test_what_is_refused(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Overlap(**given)


def test_partition() -> None:
    plain, overlapping = sdy.partition(PROGRAM), sdy.partition(PROGRAM, overlap=sdy.Overlap())
    assert "async_start" not in plain.text
    assert "collective_permute" in overlapping.text
    assert sdy.communication(overlapping).bytes_sent == sdy.communication(plain).bytes_sent
    by_option = sdy.partition(PROGRAM, pipeline="sdy-partition-pipeline{overlap=true}")
    assert [one.kind for one in by_option.collectives] == [one.kind for one in overlapping.collectives]
    assert "async_start" not in sdy.partition(PROGRAM, overlap=sdy.Overlap(asynchronous=False)).text
    with pytest.raises(TypeError, match=r"overlap must be a sdy.Overlap, not str"):
        sdy.partition(PROGRAM, overlap="yes")  # pyright: ignore[reportArgumentType]


def test_the_link_along_an_axis_decides() -> None:
    """The machine knows the mesh axes of the program; along a fast one nothing is cut."""
    text = PROGRAM.replace("4x8x", "8192x8192x").replace("8x8x", "8192x8192x").replace("=2]", "=8]")
    slow, fast = (
        sdy.partition(text, overlap=Overlap(f"{MACHINE} {axis}")).text
        for axis in ("bandwidth.y=1e15", "bandwidth.x=1e15")
    )
    assert "collective_permute" in slow
    assert "collective_permute" not in fast
