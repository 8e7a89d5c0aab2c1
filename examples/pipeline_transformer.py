"""Trains a transformer of 8 layers as a pipeline: 4 meshes of 2 devices, 8 microbatches, one forward one backward.

Each mesh holds two layers and splits a microbatch over its devices. The first mesh has the embedding besides, the last
one the logits and the loss. What is transferred, where the loss is added up and parameters are updated follows from the
names.

    python examples/pipeline_transformer.py          # one forward one backward
    python examples/pipeline_transformer.py ZB_H1    # another schedule
    python examples/pipeline_transformer.py auto     # the stages and the schedule that a model of an H100 finds
"""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from models import Params, TransformerConfig, attention, cross_entropy, init_transformer, layer_norm, mlp

from sdy.jax import mpmd

MESHES, DEVICES, MICROBATCHES, STEPS = 4, 2, 8, 3
SIZES = TransformerConfig(layers=8, width=32, heads=2, hidden=64, vocabulary=64, sequence=16, batch=4)


def embed(params: Params, tokens: jax.Array) -> jax.Array:
    return params["embedding"][tokens] + params["positions"]


def layer(params: Params, x: jax.Array) -> jax.Array:
    x = x + attention(params, layer_norm(params["norm1"], x))
    return x + mlp(params, layer_norm(params["norm2"], x))


def head(params: Params, x: jax.Array, targets: jax.Array) -> jax.Array:
    return cross_entropy(layer_norm(params["norm"], x) @ params["logits"], targets)


def loss(params: Params, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    """The loss of one microbatch; each part has a name."""
    first = {name: params[name] for name in ("embedding", "positions")}
    last = {name: params[name] for name in ("norm", "logits")}
    x = mpmd.named_computation(embed, name="embed")(first, tokens)
    for number, own in enumerate(params["layers"]):
        x = mpmd.named_computation(layer, name=f"layer_{number}")(own, x)
    return mpmd.named_computation(head, name="head")(last, x, targets)


def step(params: Params, tokens: tuple[jax.Array, ...], targets: tuple[jax.Array, ...]) -> tuple[Params, jax.Array]:
    """Gradient descent by the sum over microbatches; returns the new parameters and the mean loss."""

    def microbatch(carry: tuple[jax.Array, Params], _: jax.Array, pair: tuple[jax.Array, jax.Array]) -> tuple:
        value, gradients = jax.value_and_grad(loss)(params, *pair)
        return carry[0] + value, jax.tree.map(jnp.add, carry[1], gradients)

    zeros = jnp.zeros(()), jax.tree.map(jnp.zeros_like, params)
    pairs = [*zip(tokens, targets, strict=True)]
    total, gradients = mpmd.enumerated_for(microbatch, zeros, pairs)
    rate = 0.5 / len(tokens)
    return jax.tree.map(lambda p, g: p - rate * g, params, gradients), total / len(tokens)


def make_config(schedule: str = "ONE_FWD_ONE_BWD") -> mpmd.Config:
    """Two layers for each mesh."""
    devices = np.array(jax.devices()[: MESHES * DEVICES]).reshape(MESHES, DEVICES)
    topology = {f"stage{number}": Mesh(row, ("data",)) for number, row in enumerate(devices)}
    names = {f"layer_{number}": f"stage{number * MESHES // SIZES.layers}" for number in range(SIZES.layers)}
    names |= {"embed": "stage0", "head": f"stage{MESHES - 1}"}
    stages = {name: int(mesh.removeprefix("stage")) for name, mesh in names.items()}
    return mpmd.make_config(topology, names, name_to_stage_assignment=stages, pipeline_schedule=schedule)


def find_config() -> mpmd.Config:
    """The fastest pipeline by the model of a machine."""
    params = jax.eval_shape(lambda: init_transformer(jax.random.key(0), SIZES))
    devices = jax.devices()[: MESHES * DEVICES]
    config = mpmd.auto(step, params, *batch(0), devices=devices, in_specs=(P(), P("data"), P("data")), meshes=(MESHES,))
    print(config.found)
    return config


def batch(seed: int) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Tokens of each microbatch, and the next ones: each is the one before plus one or two."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 3, (MICROBATCHES, SIZES.batch, SIZES.sequence + 1))
    text = (np.cumsum(steps, axis=-1) % SIZES.vocabulary).astype(np.int32)
    return tuple(text[..., :-1]), tuple(text[..., 1:])


def lower(config: mpmd.Config) -> mpmd.Lowered:
    """The training step for the meshes; microbatches are split over the devices of a mesh."""
    params = init_transformer(jax.random.key(0), SIZES)
    whole, rows = (NamedSharding(config.sharding_mesh, spec) for spec in (P(), P("data")))
    data = (rows,) * MICROBATCHES
    jitted = mpmd.jit(
        step,
        config,
        in_shardings=(jax.tree.map(lambda _: whole, params), data, data),
        out_shardings=(jax.tree.map(lambda _: whole, params), whole),
        donate_argnums=0,
    )
    return jitted.lower(params, *batch(0))


def describe(lowered: mpmd.Lowered) -> None:
    """Prints what is known before anything runs."""
    print(f"order of forward and backward passes on each mesh\n{lowered.schedule()}\n")
    print(f"transfers\n{lowered.communication()}\n")
    print(f"on a machine like an H100\n{lowered.timeline('h100')}\n")


def train(lowered: mpmd.Lowered) -> list[tuple[float, float]]:
    """Trains beside the same step on one device; returns the losses of both."""
    compiled = lowered.compile()
    unpipelined = jax.jit(step)
    ours, *_ = compiled.put(init_transformer(jax.random.key(0), SIZES), *batch(0))
    theirs = init_transformer(jax.random.key(0), SIZES)
    losses = []
    print("step  loss      unpipelined")
    for number in range(STEPS):
        data = [*batch(number)]
        (ours, value), profile = compiled.profile(ours, *compiled.put(ours, *data)[1:])
        theirs, expected = unpipelined(theirs, *data)
        losses.append((float(value), float(expected)))
        print(f"{number:4}  {value:.6f}  {expected:.6f}")
    print(f"\nmeasured in the last step\n{profile}")
    return losses


def main() -> None:
    jax.config.update("jax_num_cpu_devices", MESHES * DEVICES)
    schedule = sys.argv[1] if len(sys.argv) > 1 else "ONE_FWD_ONE_BWD"
    lowered = lower(find_config() if schedule == "auto" else make_config(schedule))
    describe(lowered)
    for value, expected in train(lowered):
        assert abs(value - expected) < 1e-5 * expected, "a pipeline does not change the numbers"


if __name__ == "__main__":
    main()
