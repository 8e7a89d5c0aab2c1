"""Trains a small causal transformer on a mesh of 8 devices, partitioned by sdy, and compares with an unsharded run.

    python examples/train_transformer.py [--steps 5] [--data 4] [--model 2]

The batch is split over the mesh axis "data"; the weights are split over "model" as in Megatron, two all-reduces per
layer and direction. Everything else follows from propagation.
"""

from __future__ import annotations

import argparse

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from models import (
    TransformerConfig,
    init_transformer,
    momentum_step,
    transformer_loss,
    transformer_specs,
)
from training import Training, run


def random_tokens(key: jax.Array, config: TransformerConfig) -> jax.Array:
    """Text to learn from: each token is followed by a fixed other one, with some noise; [b, s + 1]."""
    first, noise = jax.random.split(key)
    start = jax.random.randint(first, (config.batch, 1), 0, config.vocabulary)
    regular = (start + 7 * jnp.arange(config.sequence + 1)) % config.vocabulary
    random = jax.random.randint(noise, regular.shape, 0, config.vocabulary)
    return jnp.where(random % 8 == 0, random, regular)


def training(mesh: jax.sharding.Mesh, config: TransformerConfig) -> Training:
    """The training step, its first arguments, and how they are sharded on a mesh with the axes "data" and "model"."""
    params = init_transformer(jax.random.key(0), config)
    tokens = random_tokens(jax.random.key(1), config)
    specs = transformer_specs(config)
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda leaf: isinstance(leaf, P))
    step = momentum_step(transformer_loss)
    return Training(
        step=step,
        unsharded_step=step,
        state=(params, jax.tree.map(jnp.zeros_like, params)),
        batch=(tokens[:, :-1], tokens[:, 1:]),
        state_shardings=(placed, placed),
        batch_sharding=NamedSharding(mesh, P("data")),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=5, help="number of training steps")
    parser.add_argument("--data", type=int, default=4, help="devices along the mesh axis data")
    parser.add_argument("--model", type=int, default=2, help="devices along the mesh axis model")
    options = parser.parse_args()

    jax.config.update("jax_num_cpu_devices", options.data * options.model)
    jax.config.update("jax_platforms", "cpu")
    auto = (jax.sharding.AxisType.Auto,) * 2
    mesh = jax.make_mesh((options.data, options.model), ("data", "model"), axis_types=auto)
    config = TransformerConfig()
    print(f"transformer with {config.layers} layers on a {options.data}x{options.model} mesh (data x model)")
    run(training(mesh, config), options.steps)


if __name__ == "__main__":
    main()
