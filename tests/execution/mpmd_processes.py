"""A pipeline of as many meshes as processes, each with two devices.

test_mpmd_processes.py runs it in one process, and as ``RANK COUNT PORT SOCKET FOLDER`` in several. The last process
lowers another schedule in the end, which all have to notice.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from sdy.jax import mpmd

STAGES, BATCHES = 4, 4


def loss(weights: Any, x: jax.Array) -> jax.Array:
    for number, weight in enumerate(weights):
        x = mpmd.named_computation(lambda w, x: x + jnp.tanh(x @ w), name=f"f{number}")(weight, x)
    return jnp.sum(x**2)


def step(weights: Any, xs: Any) -> Any:
    def microbatch(carry: Any, x: jax.Array) -> Any:
        value, gradients = jax.value_and_grad(loss)(weights, x)
        return carry[0] + value, jax.tree.map(jnp.add, carry[1], gradients)

    carry = jnp.zeros(()), jax.tree.map(jnp.zeros_like, weights)
    for number, x in enumerate(xs):
        carry = mpmd.call(microbatch, call_counter=number)(carry, x)
    return carry[0], jax.tree.map(lambda w, g: w - 0.01 * g, weights, carry[1])


def arguments() -> Any:
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return (rng.standard_normal(shape) / 4).astype(np.float32)

    return tuple(normal(8, 8) for _ in range(STAGES)), tuple(normal(4, 8) for _ in range(BATCHES))


def lowered(meshes: int, schedule: str = "1F1B") -> mpmd.Lowered:
    """The step on meshes of two devices each, in the order of all devices."""
    config = mpmd.make_config(
        {f"m{number}": Mesh(np.array(jax.devices()[2 * number :][:2]), ("data",)) for number in range(meshes)},
        {f"f{number}": f"m{number * meshes // STAGES}" for number in range(STAGES)},
        name_to_stage_assignment={f"f{number}": number * meshes // STAGES for number in range(STAGES)},
        partitioning_options={"mpmd_pipeline_schedule": schedule},
    )
    whole, rows = (NamedSharding(config.sharding_mesh, spec) for spec in (P(), P("data")))
    return mpmd.jit(step, config, in_shardings=((whole,) * STAGES, (rows,) * BATCHES)).lower(*arguments())


def run(lowered: mpmd.Lowered) -> list[jax.Array]:
    compiled = lowered.compile()
    meshes = {run.mesh for run in lowered.program.runs if run.callee in compiled.fragments}
    print(f"runs the fragments of {', '.join(meshes)}")
    results: list[jax.Array] = []
    placed = compiled.put(*arguments())
    for _ in range(2):
        results = jax.tree.leaves(compiled(*placed))
    return results


def main() -> None:
    rank, count, port, socket, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]
    jax.config.update("jax_num_cpu_devices", 2)
    jax.config.update("jax_cross_host_transfer_socket_address", f"127.0.0.1:{socket}")
    jax.config.update("jax_cross_host_transport_addresses", "127.0.0.1:0")
    jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=count, process_id=rank)
    # Devices have the ids that they have in one process, so that parts can be compared by device.
    place = {device: number for number, device in enumerate(jax.devices())}
    results = run(lowered(count))
    parts = {
        f"{number}_{place[shard.device]}": np.asarray(shard.data)
        for number, each in enumerate(results)
        for shard in each.addressable_shards
    }
    np.savez(Path(folder) / f"{rank}.npz", **parts)  # pyright: ignore[reportArgumentType]
    try:
        lowered(count, "GPipe" if rank == count - 1 else "1F1B").compile()
    except RuntimeError as error:
        print(error)
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
