"""Steps of the partition pipeline need and give what they say, on every program."""

from __future__ import annotations

import pytest

import sdy
from benchmarks.texts import FAMILIES, programs
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import FACTS, partition_pipeline
from sdy.passes.steps import Step
from tests import depth
from tests.unit.passes.facts_of_steps import FIRST_BREACH, breaches

RANDOM = 100 if depth.ALL else 3
OPTIONS = {
    "default": PartitionOptions(),
    "executable": PartitionOptions(executable=True, keep_records=True, embedded=True),
    "overlap": PartitionOptions(overlap=True),
    "plain": PartitionOptions(save_communication=False),
    "propagated": PartitionOptions(propagate=False),
}


def steps_of(options: PartitionOptions) -> list[Step]:
    return list(partition_pipeline(options))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_what_a_step_needs_an_earlier_one_gives(options: PartitionOptions) -> None:
    given: set[str] = set()
    for one in steps_of(options):
        assert {*one.needs, *one.gives} <= FACTS.keys(), one.name
        assert set(one.needs) <= given, f"{one.name} needs {set(one.needs) - given}"
        given |= set(one.gives)


def test_each_fact_is_needed_or_the_result_and_checked() -> None:
    assert FIRST_BREACH.keys() == FACTS.keys()
    steps = [one for options in OPTIONS.values() for one in steps_of(options)]
    assert {name for one in steps for name in (*one.needs, *one.gives)} == FACTS.keys()


def check(text: str, options: PartitionOptions) -> list[str]:
    """Run the pipeline step by step; return the broken contracts, none for a program that is refused."""
    module, broken = sdy.parse(text, context=sdy.make_context(allow_unregistered_dialects=True)), []
    try:
        for number, one in enumerate(steps_of(options)):
            broken += [f"{number} {one.name} needs {name}" for name, _ in breaches(module.operation, one.needs)]
            run_nested(module, [one])
            broken += [f"{number} {one.name} gives {name}" for name, _ in breaches(module.operation, one.gives)]
    except DiagnosticError:
        return []
    return broken


@pytest.mark.parametrize("options", OPTIONS.values() if depth.ALL else [OPTIONS["overlap"]])
@pytest.mark.parametrize("family", FAMILIES if depth.ALL else sorted({*FAMILIES} - {"data"}))
def test_contracts_hold(family: str, options: PartitionOptions) -> None:
    for name, text in programs([family], RANDOM):
        assert check(text, options) == [], name


SHARDED = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> tensor<7xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<7xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<7xf32>
  %2 = stablehlo.negate %1 {
    sdy.asynchronous = {}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32>
  return %2 : tensor<7xf32>
}
"""


def test_a_breach_is_found() -> None:
    module = sdy.parse(SHARDED)
    found = {name for name, _ in breaches(module.operation, tuple(FACTS))}
    assert found == set(FACTS) - {"no-started-ops", "no-shared-budget"}
