"""Modules compiled by XLA's own partitioner for eight devices, and run."""

from __future__ import annotations

import jax
import numpy as np
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jax._src.sharding_impls import GSPMDSharding
from jax.extend.mlir import ir
from jaxlib import xla_client


def run_by_xla(text: str, *arguments: np.ndarray, is_shardy_on: bool) -> list[jax.Array]:
    """The results of `main` for whole arguments; each device gets the parts that XLA asks for."""
    options = compiler.get_compile_options(
        num_replicas=1, num_partitions=8, device_assignment=np.arange(8).reshape(1, 8)
    )
    options.executable_build_options.use_shardy_partitioner = is_shardy_on
    backend = xla_bridge.get_backend()
    devices = tuple(backend.local_devices())
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)
        for name, count in (("partitions", 8), ("replicas", 1)):
            number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), count)
            module.operation.attributes[f"mhlo.num_{name}"] = number
        executable = backend.compile_and_load(module, xla_client.DeviceList(devices), options)
    ins, outs = executable.get_parameter_shardings(), executable.get_output_shardings()
    placed = [
        jax.device_put(one, GSPMDSharding(devices, sharding)) for one, sharding in zip(arguments, ins, strict=True)
    ]
    results = executable.execute_sharded(placed).disassemble_into_single_device_arrays()
    return [_whole(parts, GSPMDSharding(devices, sharding)) for parts, sharding in zip(results, outs, strict=True)]


def _whole(parts: list[jax.Array], sharding: GSPMDSharding) -> jax.Array:
    """One array of the parts of all devices; those that are to be alike are."""
    shape = parts[0].shape
    tiles = sharding.shard_shape(tuple(10**6 for _ in shape))
    whole = tuple(size * (10**6 // tile) for size, tile in zip(shape, tiles, strict=True))
    array = jax.make_array_from_single_device_arrays(whole, sharding, parts)
    for shard in array.addressable_shards:
        np.testing.assert_array_equal(np.asarray(shard.data), np.asarray(array)[shard.index])
    return array
