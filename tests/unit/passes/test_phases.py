"""The road of a program: the same phases for `sdy.partition`, `sdy.communication` and sdy-opt."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

import sdy
import sdy.jax
from sdy.mlir import ir, users_code
from sdy.passes.manager import run_pipeline
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline
from sdy.passes.propagation.engine.session import Session
from sdy.passes.registry import expand, step
from sdy.passes.steps import Phases
from sdy.tools.opt import opt_tool

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
    found = partition_pipeline(PartitionOptions(executable=True))
    assert expand([*found]) == expand([step("sdy-partition-pipeline", executable=True)])


def _by_jax() -> None:
    mesh = jax.make_mesh((2, 2), ("x", "y"), (AxisType.Auto,) * 2, devices=jax.devices()[:4])
    square = sdy.jax.jit(lambda a: a @ a, in_shardings=NamedSharding(mesh, PartitionSpec("x", "y")))
    lowered = square.lower(jax.ShapeDtypeStruct((8, 8), "float32"))
    assert lowered.partitioned.num_devices == 4
    lowered.compile()


def _by_sdy_opt(folder: Path) -> None:
    file = folder / "program.mlir"
    file.write_text(PROGRAM)
    assert opt_tool.main([str(file), "--sdy-partition-pipeline", "-o", os.devnull]) == 0


ROADS: dict[str, Callable[[Path], object]] = {
    "sdy.partition": lambda folder: sdy.partition(PROGRAM),
    "sdy.communication": lambda folder: sdy.communication(PROGRAM, machine="h100"),
    "sdy.jax.jit": lambda folder: _by_jax(),
    "sdy-opt": _by_sdy_opt,
}


@pytest.mark.parametrize("road", ROADS)
def test_a_program_is_propagated_once(road: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time that propagation reads a program counts, whichever pass it is a part of."""
    read: list[ir.Operation] = []

    def start(session: Session, module: ir.Operation, *given: Any, **named: Any) -> None:
        read.append(module)
        started(session, module, *given, **named)

    started = Session.__init__
    monkeypatch.setattr(Session, "__init__", start)
    monkeypatch.setattr(users_code, "_declared", [])  # with code of users a program may be partitioned each time
    ROADS[road](tmp_path)
    assert len(read) == 1


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
    with pytest.raises(sdy.DiagnosticError, match="has to run sdy-resolve-partitioner-calls"):
        sdy.partition(
            PROGRAM.replace("chlo.mulhi %a, %a : tensor<8x8xi32>,", "chlo.mulhi %a, %a : tensor<8x8xi32>,"),
            pipeline=steps,
        )


def test_there_is_a_device() -> None:
    with pytest.raises(ValueError, match="num_devices is at least 1, not 0"):
        sdy.partition(PROGRAM, num_devices=0)
