"""Local programs in which devices are replicas, with collectives in both forms: run as such, they compute the same."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax._src import compiler
from jax._src.lib import _jax  # pyright: ignore[reportPrivateImportUsage]
from jax.extend.mlir import ir as jax_ir
from jax.interpreters import mlir as jax_mlir
from jax.sharding import NamedSharding

import sdy
from sdy import execution
from sdy.partition import partition
from sdy.partitioned_module import PartitionedModule
from sdy.running.placement import Placement
from tests.numerics.harness import run_unpartitioned

STEPS = """
    sdy-propagation-pipeline{avoid-export-for-partitioning=true},
    func.func(sdy-sharding-constraint-to-reshard),
    sdy-close-shardings,
    func.func(sdy-insert-explicit-reshards{enable-full-version=true}),
    sdy-resolve-permutation-factors{COUNT},
    func.func(sdy-reshard-to-collectives),
    sdy-pad-for-divisibility,
    func.func(sdy-resolve-single-device-sharding{COUNT}),
    sdy-convert-global-to-local{COUNT enable-rgv3=RGV3},
    sdy-drop-sharding-and-mesh{keep-module-sharding-metadata=true}
    """

PROGRAM = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}, tensor<8xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<16x8xf32>, tensor<8x12xf32>) -> tensor<16x12xf32>
  %1 = stablehlo.slice %a [1:13, 0:8] : (tensor<16x8xf32>) -> tensor<12x8xf32>
  %2 = stablehlo.iota dim = 0 : tensor<16xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [1]
    : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
  %4 = stablehlo.add %2, %3 : tensor<16xf32>
  %5 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = stablehlo.add %5, %5 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return %0, %1, %4, %6 : tensor<16x12xf32>, tensor<12x8xf32>, tensor<16xf32>, tensor<8xf32>
}
"""


def steps(count: str, rgv3: bool) -> str:
    return STEPS.replace("COUNT", count).replace("RGV3", str(rgv3).lower())


@pytest.mark.parametrize("rgv3", [False, True])
def test_partitions(rgv3: bool) -> None:
    partitioned = partition(PROGRAM, pipeline=steps("partition-count=8", rgv3))
    inputs = _inputs()
    results = [np.asarray(result) for result in execution.compile(partitioned)(*inputs)]
    _compare(partitioned, inputs, results)


def test_mesh_axes_form_names_the_axes() -> None:
    module = sdy.parse(PROGRAM)
    sdy.run(module, steps("partition-count=8", rgv3=True))
    text = sdy.print_module(module)
    assert "#stablehlo.replica_group_mesh_axes<mesh = @mesh" in text
    assert "sdy.mesh @mesh" in text


def test_replicas() -> None:
    partitioned = partition(PROGRAM, pipeline=steps("replica-count=8", rgv3=False))
    assert "stablehlo.replica_id" in partitioned.text
    assert "stablehlo.partition_id" not in partitioned.text
    inputs = _inputs()
    _compare(partitioned, inputs, _run_replicas(partitioned, inputs))


def _inputs() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(-9, 9, shape).astype(np.float32) for shape in ((16, 8), (8, 12))]


def _compare(partitioned: PartitionedModule, inputs: list[np.ndarray], results: list[np.ndarray]) -> None:
    for have, want in zip(results, run_unpartitioned(PROGRAM, partitioned, inputs), strict=True):
        np.testing.assert_array_equal(have, want)


def _run_replicas(partitioned: PartitionedModule, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """Compiles for eight replicas of one partition, which only JAX's own parts can do (spec: jax-execution, 3)."""
    placement = Placement.of(partitioned)
    devices = tuple(placement.mesh.devices.flat)
    client = devices[0].client
    options = compiler.get_compile_options(
        num_replicas=len(devices),
        num_partitions=1,
        backend=client,
        device_assignment=np.array([[device.id] for device in devices]),
    )
    options.executable_build_options.use_spmd_partitioning = False
    options.executable_build_options.use_shardy_partitioner = False
    with jax_mlir.make_ir_context():
        module = jax_ir.Module.parse(partitioned.text)
        executable = client.compile_and_load(module, _jax.DeviceList(devices), options)
    shardings = [placement.named(one) for one in partitioned.in_shardings]
    arguments = [jax.device_put(value, sharding) for value, sharding in zip(inputs, shardings, strict=True)]
    shards = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    results = zip(partitioned.results, shards, strict=True)
    return [_assembled(one.shape, placement.named(one.sharding), parts) for one, parts in results]


def _assembled(shape: tuple[int, ...], sharding: NamedSharding, parts: list[jax.Array]) -> np.ndarray:
    return np.asarray(jax.make_array_from_single_device_arrays(shape, sharding, parts))
