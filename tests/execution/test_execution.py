"""Device-local programs on devices: `sdy.execution`, without any pass."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sdy
from sdy import execution
from sdy.dialect.values.axes import AxisRef, axes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.partition import partition
from sdy.partitioned_module import PartitionedModule
from sdy.running.boundary import Boundary, dtype_of
from sdy.running.placement import Placement, unpartitioned

MESH = Mesh.of(data=4, model=2)

SUM_OVER_DATA = """
func.func @main(%a: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = func.call @squared(%0) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.constant dense<7> : tensor<ui32>
  return %1, %2 : tensor<2x8xf32>, tensor<ui32>
}
func.func private @squared(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = chlo.square %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
"""

NUMBER = """
func.func @main() -> tensor<1xui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.reshape %0 : (tensor<ui32>) -> tensor<1xui32>
  return %1 : tensor<1xui32>
}
"""


def program(mesh: Mesh = MESH) -> PartitionedModule:
    value = Boundary("f32", (8, 16), (2, 8), TensorSharding.from_axes(MESH, [axes("data"), axes("model")]))
    number = Boundary("ui32", (), (), TensorSharding.closed(MESH, 0))
    return PartitionedModule("summed", SUM_OVER_DATA, mesh, (value,), (value, number))


def numbers(mesh: Mesh, *axis_refs: AxisRef) -> PartitionedModule:
    """Each device returns its own number."""
    sharding = TensorSharding.from_axes(Mesh(mesh.axes), [axis_refs])
    return PartitionedModule("numbers", NUMBER, mesh, (), (Boundary("ui32", (8,), (1,), sharding),))


INPUT = np.arange(128, dtype=np.float32).reshape(8, 16)
OUTPUT = np.tile(INPUT.reshape(4, 2, 16).sum(0), (4, 1)) ** 2


def test_compiled_program_runs_on_all_devices() -> None:
    result, number = execution.compile(program())(INPUT)
    np.testing.assert_array_equal(result, OUTPUT)
    assert int(number) == 7
    assert {shard.data.shape for shard in result.addressable_shards} == {(2, 8)}


def test_devices_can_be_given() -> None:
    devices = jax.devices()[::-1]
    for given in (devices, jax.sharding.Mesh(np.array(devices).reshape(2, 4), ("a", "b"))):
        result, _ = execution.compile(program(), given)(INPUT)
        np.testing.assert_array_equal(result, OUTPUT)
        assert {shard.device: shard.index for shard in result.addressable_shards} == {
            device: (slice(2 * (i // 2), 2 * (i // 2) + 2), slice(8 * (i % 2), 8 * (i % 2) + 8))
            for i, device in enumerate(devices)
        }


def test_device_ids_of_the_mesh_say_where_shards_lie() -> None:
    order = (7, 6, 5, 4, 3, 2, 1, 0)
    (result,) = execution.compile(numbers(Mesh.of(order, data=4, model=2), *axes("data", "model")))()
    np.testing.assert_array_equal(result, np.arange(8))
    ids = {shard.device.id: int(shard.data[0]) for shard in result.addressable_shards}
    assert ids == {7 - number: number for number in range(8)}


def test_parts_of_axes_become_axes_of_the_jax_mesh() -> None:
    major, minor = AxisRef.sub("data", 1, 2), AxisRef.sub("data", 2, 2)
    partitioned = numbers(MESH, minor, AxisRef("model"), major)
    placement = Placement.of(partitioned)
    assert placement.mesh.axis_names == ("data:(1)2", "data:(2)2", "model")
    (result,) = execution.compile(partitioned)()
    np.testing.assert_array_equal(result, [0, 4, 1, 5, 2, 6, 3, 7])


def test_donation() -> None:
    run = execution.compile(program(), donate_argnums=0)
    placement = Placement.of(program())
    argument = jax.device_put(INPUT, placement.named(program().in_shardings[0]))
    run(argument)
    assert argument.is_deleted()


def test_splice_in_a_loop() -> None:
    partitioned = program()
    summed = execution.splice(partitioned)

    @jax.jit
    def loop(x: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda carry, _: (jnp.tanh(summed(carry)[0]), None), x, length=3)[0]

    expected = INPUT / 1000
    for _ in range(3):
        expected = np.tanh(np.tile(expected.reshape(4, 2, 16).sum(0), (4, 1)) ** 2)
    argument = jax.device_put(INPUT / 1000, Placement.of(partitioned).named(partitioned.in_shardings[0]))
    np.testing.assert_allclose(loop(argument), expected, rtol=1e-5)


def test_tokens_are_made_by_each_call() -> None:
    text = """
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%t: !stablehlo.token, %a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
          %u: !stablehlo.token) -> (!stablehlo.token, tensor<4xf32>, !stablehlo.token) {
        %0 = stablehlo.after_all %t, %u : !stablehlo.token
        %1:2 = stablehlo.optimization_barrier %0, %a : !stablehlo.token, tensor<4xf32>
        return %1#0, %1#1, %u : !stablehlo.token, tensor<4xf32>, !stablehlo.token
      }"""
    partitioned = partition(text)
    assert [one.is_token for one in partitioned.arguments] == [True, False, True]
    assert partitioned.results[0].type == partitioned.results[0].local_type == "!stablehlo.token"
    numbers = np.arange(4, dtype=np.float32)
    plain = execution.compile_unpartitioned(unpartitioned(text), partitioned.results)
    for run in (execution.compile(partitioned), plain):
        (result,) = run(numbers)
        np.testing.assert_array_equal(result, numbers)


def test_too_few_devices() -> None:
    with pytest.raises(ValueError, match="needs 8 devices, but there are only 4"):
        execution.compile(program(), jax.devices()[:4])


def test_unreduced_arguments_and_results_are_values() -> None:
    text = """
    sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(
        %sum: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>},
        %rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        %max: tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x", "y"}>})
        -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>},
            tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>},
            tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x", "y"}>}, tensor<8xi1>) {
      %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %0 = stablehlo.add %sum, %sum : tensor<8xf32>
      %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}], unreduced={"x"}> : tensor<8xf32>
      %2 = stablehlo.reduce(%rows init: %lowest) applies stablehlo.maximum across dimensions = [0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{}], unreduced=max{"x"}> : tensor<4xf32>
      %4 = sdy.sharding_constraint %max <@mesh, [{}]> : tensor<8xi1>
      return %1, %3, %max, %4 : tensor<8xf32>, tensor<4xf32>, tensor<8xi1>, tensor<8xi1>
    }"""
    total, rows, flags = np.arange(8, dtype=np.float32), INPUT[:, :4], np.arange(8) % 3 == 0
    results = execution.compile(partition(text))(total, rows, flags)
    for result, expected in zip(results, (2 * total, rows.max(0), flags, flags), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_sums_of_several_tensors_at_once() -> None:
    """XLA takes them one by one; the second is on a channel that is new."""
    text = """
    sdy.mesh @mesh = <["data"=4, "model"=2]>
    func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
        %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> (tensor<2x6xf32>, tensor<2xf32>) {
      %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}]>]
          out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}]>] manual_axes={"data"}
          (%c: tensor<2x6xf32>, %d: tensor<2xf32>) {
        %1:2 = "stablehlo.all_reduce"(%c, %d) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
            replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.add %p, %q : tensor<f32>
            stablehlo.return %s : tensor<f32>
        }) : (tensor<2x6xf32>, tensor<2xf32>) -> (tensor<2x6xf32>, tensor<2xf32>)
        sdy.return %1#0, %1#1 : tensor<2x6xf32>, tensor<2xf32>
      } : (tensor<8x6xf32>, tensor<8xf32>) -> (tensor<2x6xf32>, tensor<2xf32>)
      return %0#0, %0#1 : tensor<2x6xf32>, tensor<2xf32>
    }"""
    a, b = np.arange(48, dtype=np.float32).reshape(8, 6), np.arange(8, dtype=np.float32)
    partitioned = partition(text)
    assert [one.kind for one in partitioned.collectives] == ["all_reduce"]
    results = execution.compile(partitioned)(a, b)
    for result, given in zip(results, (a, b), strict=True):
        np.testing.assert_array_equal(result, given.reshape(4, 2, *given.shape[1:]).sum(0))


@pytest.mark.parametrize(
    ("element", "name"),
    [
        ("i1", "bool"),
        ("i4", "int4"),
        ("ui8", "uint8"),
        ("i64", "int64"),
        ("bf16", "bfloat16"),
        ("f64", "float64"),
        ("complex<f32>", "complex64"),
        ("f8E4M3FN", "float8_e4m3fn"),
        ("f8E5M2", "float8_e5m2"),
        ("f4E2M1FN", "float4_e2m1fn"),
    ],
)
def test_element_types(element: str, name: str) -> None:
    assert dtype_of(element).name == name


def test_element_type_without_arrays() -> None:
    with pytest.raises(ValueError, match="no arrays of index"):
        dtype_of("index")


@pytest.mark.parametrize(
    ("element", "given", "said"),
    [
        ("i64", np.arange(8), "is int64[8], not int32[8]; JAX makes arrays of 64 bits only after jax.config.update"),
        ("i32", np.ones(8, np.float32), "is int32[8], not float32[8]"),
        ("i32", np.arange(4, dtype=np.int32), "is int32[8], not int32[4]"),
    ],
)
def test_arrays_that_the_program_does_not_take(element: str, given: np.ndarray, said: str) -> None:
    type_ = f"tensor<8x{element}>"
    run = execution.compile(sdy.partition(f"func.func @main(%a: {type_}) -> {type_} {{ return %a : {type_} }}"))
    with pytest.raises(ValueError, match=re.escape(f"argument 0 of the program {said}")):
        run(given)
