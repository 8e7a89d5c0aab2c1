"""The road of a program: the same phases for `sdy.partition`, `sdy.communication` and sdy-opt."""

from __future__ import annotations

import dataclasses

import pytest

import sdy
from sdy.mlir import ir
from sdy.passes.manager import run_pipeline
from sdy.passes.phases import Phases
from sdy.passes.registry import PipelineError, expand, phases_of, step

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @f(%a: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xi32> {
  %0 = chlo.mulhi %a, %a : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  stablehlo.custom_call @InspectSharding(%0) {backend_config = "0", has_side_effect = true} : (tensor<8x8xi32>) -> ()
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xi32>) -> tensor<8x8xi32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
  return %2 : tensor<8x8xi32>
}
"""


def test_parts_of_phases() -> None:
    one, two, three = step("canonicalize"), step("cse"), step("symbol-dce")
    phases = Phases.of(first=[one], empty=[], last=[two, three])
    assert [*phases] == [one, two, three]
    assert [*phases.until("last")] == [one]
    assert phases.since("empty").names == ("empty", "last")
    assert phases.only("last", "first").names == ("first", "last")
    assert phases.without("first").names == ("empty", "last")
    with pytest.raises(KeyError, match="no phase 'next'; there are first, empty, last"):
        phases.only("next")
    with pytest.raises(dataclasses.FrozenInstanceError):
        phases.phases = ()  # type: ignore[misc]


def test_phases_of_pipelines() -> None:
    found = phases_of(step("sdy-partition-pipeline", executable=True))
    assert expand([*found]) == expand([step("sdy-partition-pipeline", executable=True)])
    assert phases_of(step("sdy-export-pipeline")).names == ("sdy-export-pipeline",)
    with pytest.raises(PipelineError, match="'sdy-close-shardings' is no pipeline"):
        phases_of(step("sdy-close-shardings"))


def test_a_program_is_propagated_once() -> None:
    for embedded in (False, True):
        names = [one.name for one in expand([step("sdy-partition-pipeline", executable=True, embedded=embedded)])]
        assert names.count("sdy-user-priority-propagate") == 1


def test_sdy_opt_gives_what_partition_gives() -> None:
    partitioned = sdy.partition(PROGRAM)
    module = sdy.parse(PROGRAM)
    run_pipeline(module, "sdy-partition-pipeline{executable=true}")
    with module.context, ir.Location.unknown():
        for name in [name for name in module.operation.attributes if name.startswith("sdy.")]:
            del module.operation.attributes[name]
    assert module.operation.get_asm(enable_debug_info=True) == partitioned.text
    assert [(one.key, one.shape) for one in partitioned.inspections] == [('"0"', (8, 8))]
    assert partitioned.mesh.device_ids == (3, 2, 1, 0)


def test_inspections_change_nothing() -> None:
    """The program is the same without the question."""
    plain = "\n".join(line if "Inspect" not in line else "" for line in PROGRAM.splitlines())
    assert sdy.partition(PROGRAM).text == sdy.partition(plain).text


def test_what_a_pipeline_leaves_undone_is_refused() -> None:
    steps = "sdy-propagation-pipeline,sdy-close-shardings,sdy-reshard-to-collectives,sdy-convert-global-to-local"
    with pytest.raises(sdy.DiagnosticError, match="has to run sdy-take-inspections"):
        sdy.partition(
            PROGRAM.replace("chlo.mulhi %a, %a : tensor<8x8xi32>,", "chlo.mulhi %a, %a : tensor<8x8xi32>,"),
            pipeline=steps,
        )


def test_there_is_a_device() -> None:
    with pytest.raises(ValueError, match="num_devices is at least 1, not 0"):
        sdy.partition(PROGRAM, num_devices=0)
