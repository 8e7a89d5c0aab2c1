"""What nobody uses counts for nothing: neither time, nor memory, nor whether something fits."""

from __future__ import annotations

import math

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.auto.written_plans import erase_unused

MATRIX = "tensor<64x64xf32>"

SAID = f"""
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: {MATRIX}, %i: tensor<i32>) -> {MATRIX} {{
  %0 = stablehlo.tanh %x : {MATRIX}
  %1 = sdy.sharding_constraint %0 <@mesh, [{{"a"}}, {{}}]> : {MATRIX}
  sdy.sharding_group %1 group_id=0 : {MATRIX}
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %3 = sdy.sharding_constraint %2 <@mesh, [{{"a"}}, {{}}]> : {MATRIX}
  sdy.sharding_group %3 group_id=1 : {MATRIX}
  %4 = "stablehlo.case"(%i) ({{
    %5 = stablehlo.dot_general %2, %x, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    %6 = sdy.sharding_constraint %5 <@mesh, [{{}}, {{"a"}}]> : {MATRIX}
    stablehlo.return %6 : {MATRIX}
  }}, {{
    stablehlo.return %x : {MATRIX}
  }}) : (tensor<i32>) -> {MATRIX}
  %7 = stablehlo.custom_call @log(%0) {{has_side_effect = true}} : ({MATRIX}) -> {MATRIX}
  return %0 : {MATRIX}
}}"""


def test_what_is_said_of_what_nobody_uses_does_not_keep_it() -> None:
    module = sdy.parse(SAID)
    with module.context, ir.Location.unknown():
        erase_unused(module.operation)
    names = [op.name for op in pre_order(module.operation)]
    # What is said of the tanh, which is returned, stays, and so does what has effects.
    assert names.count("sdy.sharding_constraint") == names.count("sdy.sharding_group") == 1
    assert "stablehlo.tanh" in names and "stablehlo.custom_call" in names
    assert "stablehlo.case" not in names and "stablehlo.dot_general" not in names


CHAIN = f"""
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %2 = stablehlo.tanh %1 : {MATRIX}
  return %0 : {MATRIX}
}}"""


def test_what_nobody_uses_is_not_predicted() -> None:
    used, chain = (
        sdy.auto.partition(text, {"a": 2}, "generic")
        for text in (CHAIN.replace("%1 =", "%3 =").replace("%2 = stablehlo.tanh %1", "%2 = stablehlo.tanh %3"), CHAIN)
    )
    assert used.predicted == chain.predicted
    assert chain.estimated is not None and chain.predicted.step == pytest.approx(chain.estimated.step)
    assert chain.predicted.memory == chain.estimated.memory


# A computation with a name is one of names: in the program of a device its operands and results are what they were.
NAMED = f"""
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{
  %0 = sdy.named_computation<"layer">(%x, %w) (%y: {MATRIX}, %v: {MATRIX}) {{
    %1 = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
    sdy.return %1 : {MATRIX}
  }} : ({MATRIX}, {MATRIX}) -> {MATRIX}
  return %0 : {MATRIX}
}}"""


def test_a_small_program_fits_into_what_its_plan_takes_whatever_is_predicted() -> None:
    free = sdy.auto.partition(NAMED, None, "generic", memory_limit=math.inf)
    plan = sdy.auto.partition(NAMED, None, "generic", memory_limit=free.cost.memory)
    assert free.predicted.memory > free.cost.memory, "the test is of what is predicted to be more than it is"
    assert plan.cost == free.cost
    with pytest.raises(sdy.DiagnosticError, match="needs at least"):
        sdy.auto.partition(NAMED, None, "generic", memory_limit=free.cost.memory / 4)
