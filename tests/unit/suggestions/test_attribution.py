"""What `sdy.why`, `sdy.compare` and names of frontends do beyond the ten questions."""

from __future__ import annotations

import json

import pytest

import sdy
from sdy.dialect.program_values import SelectorError

TEXT = """
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w']"))
    -> tensor<32x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32> loc("jit(f)/layer0/dot_general"("f.py":3:7))
  %1 = stablehlo.tanh %0 : tensor<32x64xf32> loc("jit(f)/layer0/tanh"("f.py":4:7))
  return %1 : tensor<32x64xf32>
}
"""


def names(selector: str) -> list[str]:
    return [each.name for each in sdy.explain(TEXT, selector)]


def test_values_go_by_the_names_of_the_frontend() -> None:
    assert names("params['w']") == names("argument:1") == ["%arg1"]
    assert names("jit(f)/layer0/tanh") == names("*/tanh") == names("f.py:4") == ["%1"]
    assert names("jit(f)/*") == names("jit(f)/layer?/*") == ["%0", "%1"]
    assert names("params[*") == ["%arg1"]
    for selector, hint in (
        ("other", ":"),
        ("params['v']", r", did you mean 'params\['w'\]'\?"),
        ("tanh", r" \(but '\*tanh\*' 1\):"),
    ):
        with pytest.raises(SelectorError, match=f"selects nothing{hint} expected 'all'"):
            names(selector)


def test_a_collective_goes_by_its_id() -> None:
    report = sdy.communication(TEXT)
    assert [(one.id, one.op) for one in report.transfers] == [("c0", 3)]
    assert json.loads(report.to_json())["collectives"][0]["id"] == "c0"
    assert str(report).splitlines()[1].startswith("c0  all_reduce")
    assert names("c0") == ["%0"]
    for ask in (sdy.explain, sdy.why):
        with pytest.raises(SelectorError, match="no collective 'c1'; it has 1"):
            ask(TEXT, "c1")


def test_meshes_without_a_name_have_the_same_cures() -> None:
    declared, _, function = TEXT.lstrip().partition("\n")
    inlined = function.replace("@mesh,", f"mesh{declared.partition('= ')[2]},")
    assert "@mesh" not in inlined
    assert list(map(str, sdy.why(inlined, "c0").cures)) == list(map(str, sdy.why(TEXT, "c0").cures))
    assert len(sdy.page.data(inlined)["programs"]) == 1


def test_cures_say_how_much_time_they_save() -> None:
    found = sdy.why(TEXT, "c0", machine="slow-links")
    best, worst = found.cures[0], found.cures[-1]
    assert best.seconds_saved is not None and best.seconds_saved > 0 and best.bytes_saved > 0
    step = sdy.timeline(TEXT, "slow-links")
    assert best.seconds_saved < step.total
    assert worst.seconds_saved is not None and worst.seconds_saved <= best.seconds_saved
    assert " us: shard argument 1 of @main (\"params['w']\") as " in str(found)


def test_nothing_cheaper_is_an_answer() -> None:
    """Every device needs all of what one has a part of, and nothing else can be changed."""
    text = """
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}]>] out_shardings=[<@mesh, [{"data"}]>]
      manual_axes={"data"} (%k: tensor<1xf32>) {
    %1 = "stablehlo.all_reduce"(%k) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    reduction = next(one for one in sdy.communication(text).transfers if one.kind == "all_reduce")
    found = sdy.why(text, reduction.id)
    assert not found.cures and not found.is_chosen
    assert str(found).endswith("    nothing cheaper was found")


def test_ways_to_shard_side_by_side() -> None:
    ways = {
        "as it is": {},
        "by columns": {"params['w']": (None, "model")},
        "constrained": {"%0": ("data", "model"), "argument:1": ("data", None)},
        "unsharded": {"argument:0": (None, None), "argument:1": (None, None)},
        "overlapped": sdy.PartitionOptions(overlap=True),
    }
    found = sdy.compare(TEXT, ways, machine="slow-links")
    assert [one.name for one in found.alternatives] == list(ways)
    assert found["as it is"].bytes_sent == sdy.communication(TEXT).bytes_sent == 2048
    assert found["by columns"].bytes_sent == found["unsharded"].bytes_sent == 0
    steps = [one.step for one in found.alternatives if one.step is not None]
    assert len(steps) == len(ways) and steps[1] < steps[0]
    assert found["unsharded"].memory > found["by columns"].memory
    assert (
        str(found).splitlines()[0].split()
        == "collectives bytes per device memory step of best compute exposed fits".split()
    )
    assert "step" not in str(sdy.compare(TEXT, {"a": {}}))
    assert json.loads(found.to_json())[0]["bytes_sent"] == 2048


@pytest.mark.parametrize(
    ("shardings", "error", "message"),
    [
        ({"%9": (None, None)}, SelectorError, "no value '%9'; @main has the arguments "),
        ({"argument:0": None}, SelectorError, "not a result of a function"),
        ({"argument:0": ("data", "data")}, sdy.DiagnosticError, "data"),
        ({"argument:0": ("z", None)}, ValueError, "'argument:0': the mesh has no axis 'z'; it has data, model"),
        ({"argument:0": ("dta", None)}, ValueError, "no axis 'dta', did you mean 'data'\\?; it has data, model"),
        ({"%arg": (None, None)}, SelectorError, "no value '%arg', did you mean '%arg"),
    ],
)
def test_shardings_that_do_not_fit(shardings: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sdy.compare(TEXT, {"a": shardings})
