"""What passes leave in a run, in which they know what was before and what comes next, they leave one by one."""

from __future__ import annotations

import pytest

import sdy
from benchmarks.texts import FAMILIES, programs
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.manager import plan, run_nested
from tests import depth

RANDOM = 100 if depth.ALL else 5
STAGE = "sdy-export-pipeline{partitioner-stage=optimize-collectives}"
PIPELINES = ("sdy-propagation-pipeline", f"sdy-propagation-pipeline,{STAGE}", "sdy-partition-pipeline")

LEFT_OPEN = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @f(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %0 = stablehlo.add %x, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x8xf32>
  %2:2 = stablehlo.optimization_barrier %1, %0 : tensor<8x8xf32>, tensor<8x8xf32>
  return %2#0, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xi32>) {
  %0:2 = call @f(%x) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %1 = stablehlo.negate %0#1 : tensor<8x8xf32>
  %2:2 = call @f(%1) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %3:2 = "stablehlo.sort"(%2#0, %i) <{dimension = 1 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
  }) : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<8x8xi32>)
  return %3#0, %2#1, %3#1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xi32>
}
"""


def left(text: str, pipeline: str, *, one_by_one: bool) -> str:
    """Return what the passes of a pipeline leave, or what they report."""
    module = sdy.parse(text, context=sdy.make_context(allow_unregistered_dialects=True))
    try:
        for steps in [[each.step] for each in plan(pipeline)] if one_by_one else [pipeline]:
            run_nested(module, steps)
    except DiagnosticError as error:
        return f"error: {error}"
    return sdy.print_module(module)


@pytest.mark.parametrize("family", FAMILIES if depth.ALL else sorted({*FAMILIES} - {"data"}))
def test_a_run_leaves_what_passes_leave_one_by_one(family: str) -> None:
    for name, text in programs([family], RANDOM):
        for pipeline in PIPELINES:
            assert left(text, pipeline, one_by_one=False) == left(text, pipeline, one_by_one=True), (name, pipeline)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_shardings_that_stay_open_until_they_are_closed(pipeline: str) -> None:
    run = left(LEFT_OPEN, pipeline, one_by_one=False)
    assert run == left(LEFT_OPEN, pipeline, one_by_one=True)
    assert "?" not in run
