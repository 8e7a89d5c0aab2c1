"""One of two processes, each with the mesh of one stage; run by test_mpmd_processes.py as ``RANK PORT SOCKET``."""

from __future__ import annotations

import sys

import jax
import numpy as np

rank, port, socket = int(sys.argv[1]), sys.argv[2], sys.argv[3]
jax.config.update("jax_num_cpu_devices", 2)
jax.config.update("jax_cross_host_transfer_socket_address", f"127.0.0.1:{socket}")
jax.config.update("jax_cross_host_transport_addresses", "127.0.0.1:0")
jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=2, process_id=rank)

import jax.numpy as jnp  # noqa: E402
from jax.sharding import Mesh, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from sdy.jax import mpmd  # noqa: E402

config = mpmd.make_config(
    {f"m{number}": Mesh(np.array(jax.devices()[2 * number :][:2]), ("data",)) for number in range(2)},
    {"f": "m0", "g": "m1"},
    name_to_stage_assignment={"f": 0, "g": 1},
    partitioning_options={"mpmd_pipeline_schedule": "1F1B"},
)


def loss(weights, x):
    hidden = mpmd.named_computation(lambda w, x: jnp.tanh(x @ w), name="f")(weights[0], x)
    return mpmd.named_computation(lambda w, x: jnp.sum((x @ w) ** 2), name="g")(weights[1], hidden)


def step(weights, xs):
    def microbatch(carry, x):
        value, gradients = jax.value_and_grad(loss)(weights, x)
        return carry[0] + value, jax.tree.map(jnp.add, carry[1], gradients)

    carry = jnp.zeros(()), jax.tree.map(jnp.zeros_like, weights)
    for number, x in enumerate(xs):
        carry = mpmd.call(microbatch, call_counter=number)(carry, x)
    return carry[0], jax.tree.map(lambda w, g: w - 0.01 * g, weights, carry[1])


rng = np.random.default_rng(0)
weights = tuple(rng.standard_normal((8, 8)).astype(np.float32) for _ in range(2))
xs = tuple(rng.standard_normal((4, 8)).astype(np.float32) for _ in range(3))
whole, rows = (NamedSharding(config.sharding_mesh, spec) for spec in (P(), P("data")))
lowered = mpmd.jit(step, config, in_shardings=((whole, whole), (rows,) * 3)).lower(weights, xs)
compiled = lowered.compile()
assert {*compiled.fragments} == {run.callee for run in lowered.program.runs if run.mesh == f"m{rank}"}

placed = compiled.put(weights, xs)
local = jax.local_devices()[0]
with jax.default_device(local):
    expected = jax.jit(step)(*jax.device_put((weights, xs), local))
for _ in range(2):
    results = compiled(*placed)
    for result, value in zip(jax.tree.leaves(results), jax.tree.leaves(expected), strict=True):
        for shard in result.addressable_shards:
            np.testing.assert_allclose(shard.data, np.asarray(value)[shard.index], rtol=1e-5, atol=1e-6)
assert [len(each.addressable_shards) for each in jax.tree.leaves(results)] == ([2, 0, 2] if rank else [0, 2, 0])
print("equal")
jax.distributed.shutdown()
