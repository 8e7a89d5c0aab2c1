"""What cannot be done is refused at the op, by the tool, by a run of passes and by `sdy.partition` alike."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from sdy.dialect.diagnostics import DiagnosticError
from sdy.tools.sdy_opt import main

_GROUPS = """func.func @main(%a: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}>
    : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""
_PAIRS = """sdy.mesh @m = <["a"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
_HUGE = """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : tensor<9223372036854775807xf32>
  return %0 : tensor<9223372036854775807xf32>
}
"""
_CLAMP = """sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<?xi32>, %b: tensor<i32>, %c: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.clamp %b, %a, %c : (tensor<i32>, tensor<?xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""
_SOLVE = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<5x?x4xf32>, %b: tensor<5x4x4xf32>) -> tensor<5x4x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = true,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<5x?x4xf32>, tensor<5x4x4xf32>) -> tensor<5x4x4xf32>
  return %0 : tensor<5x4x4xf32>
}
"""


@pytest.mark.parametrize(("text", "message"), [(_GROUPS, "names device 1"), (_PAIRS, "names device 2")])
def test_devices_that_are_not_there(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=rf"f.mlir:\d:8: error: 'stablehlo.*{message}, but there"):
        sdy.partition(text, filename="f.mlir")


def test_devices_that_nobody_has_counted() -> None:
    assert sdy.partition(_GROUPS, num_devices=2).collectives[0].group_size == 2


@pytest.mark.parametrize(
    ("text", "passes", "message"),
    [
        (_HUGE, "sdy-partition-pipeline", "too large to be padded"),
        (_CLAMP, "sdy-propagation-pipeline", "operand 1: the value has no static shape"),
        (_SOLVE, "sdy-propagation-pipeline", "operand 0: the value has no static shape"),
        (_CLAMP, "sdy-populate-op-sharding-rules,sdy-drop-sharding-rules", "operand 1: the value has no static shape"),
    ],
)
def test_the_tool_and_the_library_refuse_alike(
    text: str, passes: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DiagnosticError, match=message) as caught:
        sdy.run(sdy.parse(text), passes)
    path = tmp_path / "f.mlir"
    path.write_text(text)
    for flag in ("", "--mlir-print-ir-after=symbol-privatize", "--mlir-print-ir-before=symbol-privatize"):
        assert main([str(path), f"--pass-pipeline={passes}", *filter(None, [flag])]) == 1
        assert capsys.readouterr().err.replace(str(path), "-").strip() == str(caught.value)
