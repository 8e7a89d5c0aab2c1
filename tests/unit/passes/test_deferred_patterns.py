"""Patterns that are loaded for the first function with one of their roots."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sdy.passes.pattern_sets import Deferred, PatternOptions
from sdy.passes.registry import passes

OPTIONS = [each.options for each in passes().values() if each.options is not None]
SETS = [each for each in OPTIONS if issubclass(each, PatternOptions)]
DEFERRED = [each for one in SETS for each in one.PATTERNS if isinstance(each, Deferred)]


@pytest.mark.parametrize("deferred", DEFERRED, ids=lambda each: each.label)
def test_sets_say_what_the_pattern_says(deferred: Deferred) -> None:
    found = deferred.load()
    assert (deferred.label, set(deferred.roots)) == (found.label, set(found.roots))
    assert deferred.roots, "a pattern without roots runs in every function"


def test_is_loaded_for_a_function_with_a_root() -> None:
    source = """
import sys, sdy
def loaded(op):
    types = "(tensor<8xf32>, tensor<f32>) -> tensor<8xf32>"
    head = "func.func @main(%a: tensor<8xf32>, %b: tensor<f32>) -> tensor<8xf32>"
    text = f"{head} {{ %0 = {op} : {types} return %0 : tensor<8xf32> }}"
    sdy.run(sdy.parse(text), "func.func(sdy-normalize-ops)")
    return "sdy.passes.partitioning.normalize.slices_of_pads" in sys.modules
assert not loaded('"stablehlo.custom_call"(%a, %b) {call_target_name = "f"}')
assert loaded('stablehlo.pad %a, %b, low = [0], high = [0], interior = [0]')
"""
    subprocess.run([sys.executable, "-c", source], check=True)
