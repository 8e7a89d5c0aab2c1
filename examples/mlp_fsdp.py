"""Trains a perceptron whose parameters are sharded over the data axis (FSDP), partitioned by sdy.

    python examples/mlp_fsdp.py [--steps 5] [--devices 8]

Batch and parameters are both split over the one mesh axis "data": the parameters of a layer are gathered where they are
used, and their gradients, one per part of the batch, are summed and split again.
"""

from __future__ import annotations

import argparse

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from models import Params, fsdp_specs, init_mlp, mlp_loss, momentum_step
from training import Training, run

WIDTHS = (64, 256, 256, 8)


def training(mesh: jax.sharding.Mesh, batch_size: int = 64) -> Training:
    """The training step, its first arguments, and how they are sharded on a mesh with the axis "data"."""
    params = init_mlp(jax.random.key(0), WIDTHS)
    x = jax.random.normal(jax.random.key(1), (batch_size, WIDTHS[0]))
    y = jnp.sin(x @ jax.random.normal(jax.random.key(2), (WIDTHS[0], WIDTHS[-1])))
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), fsdp_specs(params))

    def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
        """Gathers each parameter where it is used; the gradient of that is a scatter."""
        return mlp_loss(jax.lax.with_sharding_constraint(params, NamedSharding(mesh, P())), x, y)

    return Training(
        step=momentum_step(loss),
        unsharded_step=momentum_step(mlp_loss),
        state=(params, jax.tree.map(jnp.zeros_like, params)),
        batch=(x, y),
        state_shardings=(placed, placed),
        batch_sharding=NamedSharding(mesh, P("data")),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=5, help="number of training steps")
    parser.add_argument("--devices", type=int, default=8, help="devices along the mesh axis data")
    options = parser.parse_args()

    jax.config.update("jax_num_cpu_devices", options.devices)
    jax.config.update("jax_platforms", "cpu")
    mesh = jax.make_mesh((options.devices,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    print(f"perceptron of widths {WIDTHS} on {options.devices} devices")
    run(training(mesh), options.steps)


if __name__ == "__main__":
    main()
