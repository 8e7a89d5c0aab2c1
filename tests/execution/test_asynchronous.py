"""Asynchronous operations of users: what they compute, on CPU devices."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import sdy
import sdy.jax
from sdy import execution
from sdy.running.placement import unpartitioned

SUM_AND_NEGATE = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%arg1: tensor<2xf32>) {
    %s = hlo_async.start(%arg1) (%a: tensor<2xf32>) {
      %3 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %4 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      hlo_async.return %3 : tensor<2xf32>
    } : (tensor<2xf32>) -> !hlo_async.bundle<[tensor<2xf32>], [tensor<2xf32>], []>
    %d = hlo_async.done %s : !hlo_async.bundle<[tensor<2xf32>], [tensor<2xf32>], []> -> tensor<2xf32>
    sdy.return %d : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %t = hlo_async.start(%0) (%a: tensor<8xf32>) {
    %3 = stablehlo.negate %a : tensor<8xf32>
    hlo_async.return %3 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %e = hlo_async.done %t : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  return %e : tensor<8xf32>
}
"""


pytestmark = pytest.mark.skipif(
    jax.__version_info__ < (0, 12), reason="asynchronous StableHLO was seen to run from JAX 0.12 on"
)


def test_of_the_dialect() -> None:
    """A collective stays asynchronous, as one of StableHLO; what XLA cannot start becomes synchronous."""
    partitioned = sdy.partition(SUM_AND_NEGATE)
    assert '"stablehlo.async_start"' in partitioned.text
    assert "hlo_async" not in partitioned.text
    assert [str(each) for each in partitioned.remarks] == [
        "-:19:10: remark: 'hlo_async.start' op 'stablehlo.negate' becomes synchronous: "
        "XLA does not start it from StableHLO"
    ]
    x = np.arange(8, dtype=np.float32)
    (y,) = execution.compile(partitioned)(x)
    np.testing.assert_array_equal(y, -np.tile(x.reshape(4, 2).sum(0), 4))


SLICED = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<10x2xf32> {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<16x2xf32>):
    %2 = stablehlo.slice %arg1 [3:13, 0:2] : (tensor<16x2xf32>) -> tensor<10x2xf32>
    stablehlo.return %2 : tensor<10x2xf32>
  }) : (tensor<16x2xf32>) -> !stablehlo.future<tensor<10x2xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<10x2xf32>>) -> tensor<10x2xf32>
  return %1 : tensor<10x2xf32>
}
"""


def test_slice_of_shards() -> None:
    """Devices exchange what the slice needs of each other, for which it is made synchronous."""
    partitioned = sdy.partition(SLICED)
    assert any("stays synchronous" in str(each) for each in partitioned.remarks)
    x = np.arange(32, dtype=np.float32).reshape(16, 2)
    (y,) = execution.compile(partitioned)(x)
    np.testing.assert_array_equal(y, x[3:13])
    assert "async" not in unpartitioned(SLICED)


def test_slice_of_parts() -> None:
    """Each device cuts what it has; that is asynchronous in the local program, and synchronous for XLA."""
    text = SLICED.replace('[{"x"}, {}]', '[{}, {"x"}]').replace("x2x", "x4x").replace("0:2]", "0:4]")
    local = sdy.parse(text)
    sdy.run(local, "sdy-partition-pipeline")
    assert '"stablehlo.async_start"' in str(local) and "tensor<10x1xf32>" in str(local)
    partitioned = sdy.partition(text)
    assert "'stablehlo.slice' becomes synchronous" in str(partitioned.remarks[0])
    x = np.arange(64, dtype=np.float32).reshape(16, 4)
    (y,) = execution.compile(partitioned)(x)
    np.testing.assert_array_equal(y, x[3:13])


def test_of_jax() -> None:
    """What JAX starts in a `shard_map` is started in the program of each device."""
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("x")

    def scattered(x: jax.Array, y: jax.Array) -> jax.Array:
        started = jax.lax.psum_scatter_start(x, "x", tiled=True)  # pyright: ignore[reportAttributeAccessIssue]
        total = jax.numpy.sin(y).sum()
        return started.done() + total

    mapped = jax.shard_map(scattered, mesh=mesh, in_specs=(spec, spec), out_specs=spec)
    program = sdy.jax.jit(lambda x, y: 2 * mapped(jax.numpy.tanh(x), y))
    x, y = np.arange(16, dtype=np.float32), np.arange(4, dtype=np.float32)
    assert "-start" in program.lower(x, y).as_text()
    wanted = 2 * (np.tanh(x).reshape(4, 4).sum(0) + np.sin(y))
    np.testing.assert_allclose(program(x, y), wanted, rtol=1e-6)
