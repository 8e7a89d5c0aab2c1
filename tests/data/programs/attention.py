"""Attention in other layouts: grouped queries with a cache over several steps, and a ring of devices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape
from tests.data.programs.transformer import normalized

BATCH, WIDTH, QUERIES, GROUPS, SIZE, LENGTH, VOCABULARY = 16, 128, 8, 2, 16, 32, 256


@program("gqa_decode", 2, 4)
def gqa_decode(layers: int, steps: int) -> jax.stages.Lowered:
    """Several tokens per sequence, each from the one before: queries in groups share keys and values, which are cached.

    Positions enter by rotations. Batch over `data`, heads, hidden units and vocabulary over `model`.
    """

    def attended(x: jax.Array, layer: Any, cache: Any, position: jax.Array) -> tuple[jax.Array, Any]:
        q = rotated((x @ layer["query"]).reshape(BATCH, GROUPS, QUERIES // GROUPS, SIZE), position)
        k = rotated((x @ layer["key"]).reshape(BATCH, 1, GROUPS, SIZE), position)
        v = (x @ layer["value"]).reshape(BATCH, 1, GROUPS, SIZE)
        keys = jax.lax.dynamic_update_slice(cache[0], k, (0, position, 0, 0))
        values = jax.lax.dynamic_update_slice(cache[1], v, (0, position, 0, 0))
        scores = jnp.einsum("bgqd,btgd->bgqt", q, keys) / jnp.sqrt(SIZE)
        scores = jnp.where(jnp.arange(LENGTH) <= position, scores, -jnp.inf)
        mixed = jnp.einsum("bgqt,btgd->bgqd", jax.nn.softmax(scores), values)
        return mixed.reshape(BATCH, QUERIES * SIZE) @ layer["out"], (keys, values)

    def generated(parameters: Any, cache: Any, token: jax.Array, position: jax.Array) -> tuple[jax.Array, Any]:
        def step(state: Any, _: None) -> tuple[Any, jax.Array]:
            cache, token, position = state
            x, updated = parameters["embedding"][token], []
            for layer, kept in zip(parameters["layers"], cache, strict=True):
                mixed, kept = attended(normalized(x, layer["scale1"]), layer, kept, position)
                x = x + mixed
                hidden = normalized(x, layer["scale2"])
                x = x + (jax.nn.silu(hidden @ layer["gate"]) * (hidden @ layer["up"])) @ layer["down"]
                updated.append(kept)
            token = jnp.argmax(x @ parameters["embedding"].T, axis=-1).astype(jnp.int32)
            return (updated, token, position + 1), token

        (cache, _, _), tokens = jax.lax.scan(step, (cache, token, position), length=steps)
        return tokens, cache

    on = mesh(**DATA_MODEL)
    across, along, hidden = P(None, "model"), P("model", None), 2 * WIDTH
    described = {
        "query": (shape(WIDTH, QUERIES * SIZE), across),
        "key": (shape(WIDTH, GROUPS * SIZE), across),
        "value": (shape(WIDTH, GROUPS * SIZE), across),
        "out": (shape(QUERIES * SIZE, WIDTH), along),
        "gate": (shape(WIDTH, hidden), across),
        "up": (shape(WIDTH, hidden), across),
        "down": (shape(hidden, WIDTH), along),
        "scale1": (shape(WIDTH), P()),
        "scale2": (shape(WIDTH), P()),
    }
    shapes = {name: dims for name, (dims, _) in described.items()}
    specs = {name: spec for name, (_, spec) in described.items()}
    cache = [(shape(BATCH, LENGTH, GROUPS, SIZE),) * 2] * layers
    cache_specs = placed(on, [(P("data", None, "model"),) * 2] * layers)
    jitted = jax.jit(
        generated,
        in_shardings=(
            placed(on, {"embedding": along, "layers": [specs] * layers}),
            cache_specs,
            placed(on, P("data")),
            None,
        ),
        out_shardings=(placed(on, P(None, "data")), cache_specs),
        donate_argnums=1,
    )
    parameters = {"embedding": shape(VOCABULARY, WIDTH), "layers": [shapes] * layers}
    return jitted.lower(parameters, cache, shape(BATCH, dtype=jnp.int32), shape(dtype=jnp.int32))


def rotated(x: jax.Array, position: jax.Array) -> jax.Array:
    """Halves of the last dimension, turned by angles that grow with the position."""
    half = x.shape[-1] // 2
    angles = position * 100.0 ** (-jnp.arange(half) / half)
    first, second = x[..., :half], x[..., half:]
    sine, cosine = jnp.sin(angles), jnp.cos(angles)
    return jnp.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=-1)


@program("ring_attention")
def ring_attention() -> jax.stages.Lowered:
    """Loss and gradients of attention over a long sequence that is split over `model`: keys and values go round.

    Only `model` is manual; batch over `data` is left to propagation, and so are the projections around it.
    """
    on = mesh(**DATA_MODEL)
    devices, heads = on.shape["model"], 4

    def ring(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
        def step(state: Any, _: None) -> tuple[Any, None]:
            k, v, largest, total, mixed = state
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
            larger = jnp.maximum(largest, scores.max(-1))
            weights = jnp.exp(scores - larger[..., None])
            kept = jnp.exp(largest - larger)
            total = total * kept + weights.sum(-1)
            mixed = mixed * kept[..., None] + jnp.einsum("bhqk,bkhd->bhqd", weights, v)
            around = [(i, (i + 1) % devices) for i in range(devices)]
            k, v = (jax.lax.ppermute(x, "model", around) for x in (k, v))
            return (k, v, larger, total, mixed), None

        zeros = jnp.einsum("bqhd->bhq", q) * 0
        start = (k, v, zeros - 1e9, zeros, jnp.einsum("bqhd->bhqd", q) * 0)
        (_, _, _, total, mixed), _ = jax.lax.scan(step, start, length=devices)
        return jnp.einsum("bhqd->bqhd", mixed / total[..., None])

    split = P(None, "model")
    attention = jax.shard_map(ring, mesh=on, in_specs=(split,) * 3, out_specs=split, axis_names={"model"})

    def loss(parameters: Any, x: jax.Array) -> jax.Array:
        q, k, v = ((x @ parameters[name]).reshape(*x.shape[:2], heads, -1) for name in ("query", "key", "value"))
        return jnp.mean((attention(q, k, v).reshape(x.shape) @ parameters["out"]) ** 2)

    parameters = {name: shape(64, 64) for name in ("query", "key", "value", "out")}
    specs = placed(on, (dict.fromkeys(parameters, P()), P("data", "model")))
    jitted = jax.jit(jax.value_and_grad(loss), in_shardings=specs, out_shardings=(placed(on, P()), specs[0]))
    return jitted.lower(parameters, shape(16, 64, 64))
