"""What is predicted of loops, branches and equal ops is what is told of them when they are partitioned."""

from __future__ import annotations

import math

import pytest

import sdy

MATRIX = "tensor<64x64xf32>"
MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"

UNKNOWN_LOOP = f"""
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{
  %most = stablehlo.constant dense<1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.while(%y = %x) : {MATRIX}
  cond {{
    %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.maximum across dimensions = [0, 1]
        : ({MATRIX}, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare LT, %1, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }} do {{
    %1 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    stablehlo.return %1 : {MATRIX}
  }}
  return %0 : {MATRIX}
}}"""

BRANCHES = f"""
func.func @main(%i: tensor<i32>, %x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{
  %0 = "stablehlo.case"(%i) ({{
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    stablehlo.return %1 : {MATRIX}
  }}, {{
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    stablehlo.return %2 : {MATRIX}
  }}) : (tensor<i32>) -> {MATRIX}
  return %0 : {MATRIX}
}}"""

# The sums and the products are equal, the last of which is of another sum.
TWINS = f"""
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> ({MATRIX}, {MATRIX}, {MATRIX}) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %nought = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{{padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 64, 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({MATRIX}, tensor<f32>) -> {MATRIX}
  %1 = "stablehlo.reduce_window"(%x, %nought) <{{padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 64, 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({MATRIX}, tensor<f32>) -> {MATRIX}
  %2 = "stablehlo.reduce_window"(%x, %zero) <{{padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 64, 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({MATRIX}, tensor<f32>) -> {MATRIX}
  %3 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %4 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %5 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  return %3, %4, %5 : {MATRIX}, {MATRIX}, {MATRIX}
}}"""


@pytest.mark.parametrize("text", [UNKNOWN_LOOP, BRANCHES, TWINS], ids=["loop", "branches", "twins"])
@pytest.mark.parametrize("size", [1, 4])
def test_steps_are_predicted_as_they_are_measured(text: str, size: int) -> None:
    plan = sdy.auto.partition(text, {"a": size}, MACHINE, memory_limit=math.inf)
    assert plan.estimated is not None and plan.estimated.step > 0
    assert plan.predicted.step == pytest.approx(plan.estimated.step, rel=0.02)
    assert plan.predicted.bytes_sent == plan.estimated.bytes_sent


def test_constants_alone_are_planned_within_any_limit() -> None:
    text = f"func.func @main() -> {MATRIX} {{ %0 = stablehlo.constant dense<1.0> : {MATRIX} return %0 : {MATRIX} }}"
    assert sdy.auto.partition(text, {"a": 4}, MACHINE, memory_limit=64 * 64 * 4).cost.step == 0
    assert sdy.auto.partition(text, {"a": 4}, MACHINE, memory_limit="1B").cost.memory <= 1
