"""Passes without an op that they need change nothing, so that they have not to be loaded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

import sdy
from benchmarks.texts import FAMILIES, programs
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.manager import has_one_of, plan, run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline
from sdy.passes.registry import NEEDED_OPS, Pass, expand, find, step
from sdy.passes.steps import FUNCTION, Step
from tests import depth

RANDOM = 200 if depth.ALL else 3
OPTIONS = (PartitionOptions(executable=True, keep_records=True, embedded=True), PartitionOptions(overlap=True))


def all_steps() -> Iterator[Step]:
    for options in OPTIONS:
        yield from expand(list(partition_pipeline(options)))


def test_steps_run_on_what_their_passes_do() -> None:
    """Known before a pass is loaded only from the step."""
    for one in all_steps():
        found = find(one.name)
        if one.only_with:
            assert isinstance(found, Pass)
            assert one.on_func == (found.anchor == FUNCTION), one.name


def test_each_is_a_pass_of_the_partition_pipeline() -> None:
    assert set(NEEDED_OPS) - {one.name for one in all_steps()} == set()


def test_pass_is_loaded_for_an_op_that_it_needs() -> None:
    source = """
import sys, sdy
def loaded(op):
    head = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32>"
    text = f"{head} {{ %0 = {op} %a, %a : tensor<8xf32> return %0 : tensor<8xf32> }}"
    module = sdy.parse(text)
    sdy.run(module, "sdy-partition-pipeline")
    return "sdy.passes.executable.partitioner_calls" in sys.modules
from sdy.passes.registry import NEEDED_OPS
NEEDED_OPS["sdy-resolve-partitioner-calls"] = ("stablehlo.multiply",)
assert not loaded("stablehlo.add")
assert loaded("stablehlo.multiply")
"""
    subprocess.run([sys.executable, "-c", source], check=True)


@pytest.mark.parametrize("options", OPTIONS, ids=["executable", "overlap"])
@pytest.mark.parametrize("family", FAMILIES if depth.ALL else sorted({*FAMILIES} - {"data"}))
def test_without_them_nothing_changes(family: str, options: PartitionOptions) -> None:
    steps = expand(list(partition_pipeline(options)))
    for name, text in programs([family], RANDOM):
        module = sdy.parse(text, context=sdy.make_context(allow_unregistered_dialects=True))
        try:
            for one in steps:
                before = str(module)
                if one.only_with and not has_one_of(module.operation, one.only_with):
                    run_nested(module, [replace(one, only_with=())])
                    assert str(module) == before, f"{one.name} changes {name}"
                else:
                    run_nested(module, [one])
        except DiagnosticError:
            continue  # a program that is refused


def test_plans_are_kept_while_passes_are_loaded() -> None:
    steps = [step("sdy-normalize-ops", on_func=True)]
    assert plan(steps) is plan(steps)
