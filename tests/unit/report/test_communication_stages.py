"""The communication report: the same at all stages of a program, and the same as in XLA's own text."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from jaxlib._jax import mlir

import sdy
from sdy import hlo
from sdy.dialect.replica_groups import group_axes
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.passes.manager import run_pipeline
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline
from sdy.report.communication_report import Total
from tests import depth
from tests.data.generate import program
from tests.unit.report.communication_programs import contraction, moves, report

pytestmark = pytest.mark.slow


UNMARKED = "func.func(sdy-insert-explicit-reshards{enable-full-version=true})"
PROGRAMS = ["transformer_2", "shard_map_manual", "transformer_2_functions", "while_cond"]
"""Programs that keep the layouts of propagation. The shardings of ops in what comes of a stage count as the user's."""


@cache
def totals(name: str) -> tuple[Total, ...]:
    return sdy.communication(program(name)).totals


@pytest.mark.parametrize(
    ("name", "dense"),
    [*product(PROGRAMS, [True, False])] if depth.ALL else [*zip(PROGRAMS, [True, False] * 2, strict=True)][:2],
)
def test_all_stages_give_the_same_totals(name: str, dense: bool) -> None:
    module = sdy.parse(program(name))
    for step in partition_pipeline(PartitionOptions(dense_replica_groups=dense, keep_records=True)):
        run_pipeline(module, [step])
        assert sdy.communication(module).totals == totals(name), step.name


@pytest.mark.parametrize("name", PROGRAMS)
def test_export_with_and_without_collectives(name: str) -> None:
    for pipeline in ("", "enable-insert-explicit-collectives=true"):
        module = sdy.parse(program(name))
        sdy.run(module, f"sdy-propagation-pipeline{{{pipeline}}}")
        assert sdy.communication(module).totals == totals(name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_partial_results_without_a_mark(name: str) -> None:
    module = sdy.parse(program(name))
    sdy.run(module, "sdy-propagation-pipeline{avoid-export-for-partitioning=true}", "sdy-remove-sharding-groups")
    sdy.run(module, "func.func(sdy-sharding-constraint-to-reshard)", "sdy-close-shardings", UNMARKED)
    assert sdy.communication(module).totals == totals(name)


def test_partitioned_modules() -> None:
    partitioned = sdy.partition(contraction())
    assert moves(sdy.communication(partitioned)) == moves(report(contraction()))
    devices = sdy.communication(partitioned.text)
    assert moves(devices) == [("all_reduce", (AxisRef("devices"),), 8, 896)]


@pytest.mark.parametrize("kind", ["dense<0> : tensor<0x0xi64>", "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"])
def test_local_programs_without_a_mesh(kind: str) -> None:
    text = f"""
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {{
  %0 = "stablehlo.all_reduce"(%a) <{{replica_groups = {kind}}}> ({{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }}) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}}
"""
    (one,) = report(text).transfers
    assert one.group_size == (1 if "0x0" in kind else 2)


# The same as in HLO ----------------------------------------------------------------------------------


HLO_PROGRAMS = (
    "cnn",
    "mlp_fsdp",
    "moe",
    "shard_map_partial",
    "transformer_2",
    "transformer_2_functions",
    "transformer_fsdp_bf16",
)


@pytest.mark.parametrize(
    ("name", "rounds"),
    [*((name, 1) for name in HLO_PROGRAMS), ("lstm", 20), pytest.param("transformer_scan", 12, marks=depth.deep)],
)
def test_totals_are_those_of_the_hlo_text(name: str, rounds: int) -> None:
    found = sdy.communication(program(name))
    partitioned = sdy.partition(program(name))
    lowered = mlir.mlir_module_to_xla_computation(partitioned.text, use_tuple_args=False, return_tuple=False)
    summary = hlo.summary(hlo.collectives(lowered.as_hlo_text(), partitioned.num_devices, rounds))
    ours: dict[tuple[str, int], tuple[int, float]] = {}
    for one in found.totals:
        ops, sent = ours.get((one.kind, one.group_size), (0, 0.0))
        ours[one.kind, one.group_size] = (ops + one.ops, sent + one.bytes_sent)
    assert ours == {key: (tensors, moved) for key, (_, tensors, _, moved) in summary.items()}


@pytest.mark.parametrize(
    ("size", "groups", "expected"),
    [
        (8, ((0, 1, 2, 3, 4, 5, 6, 7),), '"a"'),
        (8, ((5, 1, 3, 7), (0, 2, 4, 6)), '"a":(1)4'),
        (8, ((0, 1), (2, 3), (4, 5), (6, 7)), '"a":(4)2'),
        (8, ((0, 1, 4, 5), (2, 3, 6, 7)), None),
        (8, ((0, 3), (1, 2), (4, 7), (5, 6)), None),
        (8, ((0, 6), (1, 7), (2, 4), (3, 5)), None),
        (6, ((0, 1, 2, 3), (4, 5)), None),
        (6, ((0, 1, 3), (2, 4, 5)), None),
        (3, ((0, 2), (1,)), None),
    ],
)
def test_axes_of_groups(size: int, groups: tuple[tuple[int, ...], ...], expected: str | None) -> None:
    """Groups along no axis, or no part of one, have none."""
    found = group_axes(Mesh.of(a=size), groups)
    assert (None if found is None else ", ".join(map(str, found))) == expected
