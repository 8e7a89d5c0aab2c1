"""One of two processes that share 8 CPU devices; run by test_two_processes.py as ``RANK COUNT PORT SOCKET``."""

from __future__ import annotations

import sys

import jax
import numpy as np

rank, port = int(sys.argv[1]), sys.argv[3]
jax.config.update("jax_num_cpu_devices", 4)
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=2, process_id=rank)

import jax.numpy as jnp  # noqa: E402
from jax.experimental import io_callback  # noqa: E402
from jax.sharding import NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import sdy.jax  # noqa: E402

mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
x_sharding, w_sharding = NamedSharding(mesh, P("data", "model")), NamedSharding(mesh, P("model"))
x = np.arange(128, dtype=np.float32).reshape(8, 16) / 100
w = np.cos(np.arange(16 * 32, dtype=np.float32)).reshape(16, 32)
args = [
    jax.make_array_from_callback(whole.shape, sharding, lambda index, whole=whole: whole[index])
    for whole, sharding in ((x, x_sharding), (w, w_sharding))
]
step = sdy.jax.jit(
    lambda x, w: jnp.tanh(x @ w), in_shardings=(x_sharding, w_sharding), out_shardings=NamedSharding(mesh, P("data"))
)
result = step(*args)
assert [one.kind for one in step.lower(*args).partitioned.collectives] == ["all_reduce"]
assert len(result.addressable_shards) == 4
for shard in result.addressable_shards:
    np.testing.assert_allclose(shard.data, np.tanh(x @ w)[shard.index], rtol=1e-5, atol=1e-6)


def effects(jit):
    """The calls that this process gets, in order: the first device makes them, with the whole array."""
    calls = []

    def body(carry, _):
        io_callback(lambda a: calls.append(float(a.sum())), None, carry, ordered=True)
        return 2 * carry, None

    jax.block_until_ready(jit(lambda a: jax.lax.scan(body, a, None, length=3)[0])(args[0]))
    jax.effects_barrier()
    return calls


ours, plain = effects(sdy.jax.jit), effects(jax.jit)
assert ours == plain, (ours, plain)
assert len(ours) == (3 if rank == 0 else 0)
print("equal")
jax.distributed.shutdown()
