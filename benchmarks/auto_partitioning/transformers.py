"""Language models: layers written out and scanned over, in the shape of LLaMA, trained and generating a token."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.auto_partitioning.program import Program, Put, shape, training


def _norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def _loss_of(logits: jax.Array, targets: jax.Array) -> jax.Array:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1))


def transformer(
    layers: int = 2,
    width: int = 1024,
    heads: int = 16,
    hidden: int = 4096,
    vocabulary: int = 32768,
    batch: int = 32,
    length: int = 1024,
    name: str = "transformer",
) -> Program:
    def attention(x: jax.Array, layer: Any, put: Put) -> jax.Array:
        q, k, v = (put("heads", jnp.einsum("bsm,mhd->bshd", x, layer[name])) for name in ("query", "key", "value"))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(width // heads)
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
        return jnp.einsum("bqhd,hdm->bqm", put("heads", jnp.einsum("bhqk,bkhd->bqhd", weights, v)), layer["out"])

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("residual", parameters["embedding"][data["tokens"]])
        for layer in parameters["layers"]:
            x = put("residual", x + attention(put("normed", _norm(x, layer["norm1"])), layer, put))
            h = put("hidden", jax.nn.gelu(put("normed", _norm(x, layer["norm2"])) @ layer["up"]))
            x = put("residual", x + h @ layer["down"])
        logits = put("hidden", put("normed", _norm(x, parameters["norm"])) @ parameters["head"])
        return _loss_of(logits, data["targets"])

    layer = {
        **{name: shape(width, heads, width // heads) for name in ("query", "key", "value")},
        "out": shape(heads, width // heads, width),
        "up": shape(width, hidden),
        "down": shape(hidden, width),
        "norm1": shape(width),
        "norm2": shape(width),
    }
    parameters = {
        "embedding": shape(vocabulary, width),
        "head": shape(width, vocabulary),
        "norm": shape(width),
        "layers": [layer] * layers,
    }
    tokens = shape(batch, length, dtype=jnp.int32)
    return training(f"{name}_{layers}", loss, parameters, {"tokens": tokens, "targets": tokens})


def wide_transformer() -> Program:
    return transformer(2, width=8192, heads=64, hidden=32768, batch=8, name="wide")


def transformer_scan(layers: int = 12) -> Program:
    """Perceptrons only, with the layers stacked and scanned over."""
    base = transformer(1)
    first = base.state["parameters"]
    stacked = {
        **{name: first[name] for name in ("embedding", "head", "norm")},
        "layers": jax.tree.map(lambda leaf: shape(layers, *leaf.shape), first["layers"][0]),
    }

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        def layer_step(x: jax.Array, layer: Any) -> tuple[jax.Array, None]:
            h = put("hidden", jax.nn.gelu(put("normed", _norm(x, layer["norm2"])) @ layer["up"]))
            return put("residual", x + h @ layer["down"]), None

        x = put("residual", parameters["embedding"][data["tokens"]])
        x, _ = jax.lax.scan(layer_step, x, parameters["layers"])
        logits = put("hidden", put("normed", _norm(x, parameters["norm"])) @ parameters["head"])
        return _loss_of(logits, data["targets"])

    return training(f"scan_{layers}", loss, stacked, base.data)


# In the shape of LLaMA 3 8B ---------------------------------------------------------------------------

WIDTH, HEADS, GROUPS, HIDDEN, VOCABULARY, HALF = 4096, 32, 8, 14336, 128256, jnp.bfloat16
SIZE = WIDTH // HEADS


def _half_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=-1, keepdims=True) + 1e-5)).astype(HALF) * scale


def _angles(positions: jax.Array) -> jax.Array:
    return positions[..., None] / 5e5 ** (jnp.arange(SIZE // 2) / (SIZE // 2))


def _rotated(x: jax.Array, angles: jax.Array) -> jax.Array:
    """`x` is [batch, ..., heads, size], with the `angles` of the dimensions between first and last two."""
    first, second = jnp.split(x.astype(jnp.float32), 2, axis=-1)
    cos, sin = jnp.cos(angles)[None, ..., None, :], jnp.sin(angles)[None, ..., None, :]
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1).astype(HALF)


def _perceptron(h: jax.Array, layer: Any, put: Put) -> jax.Array:
    return put("hidden", jax.nn.silu(h @ layer["gate"]) * (h @ layer["up"])) @ layer["down"]


def _llama_parameters(layers: int) -> Any:
    layer = {
        "query": shape(WIDTH, HEADS, SIZE, dtype=HALF),
        "key": shape(WIDTH, GROUPS, SIZE, dtype=HALF),
        "value": shape(WIDTH, GROUPS, SIZE, dtype=HALF),
        "out": shape(HEADS, SIZE, WIDTH, dtype=HALF),
        "gate": shape(WIDTH, HIDDEN, dtype=HALF),
        "up": shape(WIDTH, HIDDEN, dtype=HALF),
        "down": shape(HIDDEN, WIDTH, dtype=HALF),
        "norm1": shape(WIDTH, dtype=HALF),
        "norm2": shape(WIDTH, dtype=HALF),
    }
    return {
        "embedding": shape(VOCABULARY, WIDTH, dtype=HALF),
        "head": shape(WIDTH, VOCABULARY, dtype=HALF),
        "norm": shape(WIDTH, dtype=HALF),
        "layers": [layer] * layers,
    }


def llama(layers: int = 32, batch: int = 16, length: int = 4096) -> Program:
    """Trained: grouped queries, rotary positions, gated perceptrons, no weights shared."""

    def attention(x: jax.Array, layer: Any, angles: jax.Array, put: Put) -> jax.Array:
        q, k, v = (put("heads", jnp.einsum("bsm,mhd->bshd", x, layer[name])) for name in ("query", "key", "value"))
        q, k = _rotated(q, angles), _rotated(k, angles)
        q = q.reshape(*q.shape[:2], GROUPS, HEADS // GROUPS, SIZE)
        scores = jnp.einsum("bqghd,bkgd->bghqk", q, k).astype(jnp.float32) / math.sqrt(SIZE)
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1).astype(HALF)
        found = jnp.einsum("bghqk,bkgd->bqghd", weights, v).reshape(*x.shape[:2], HEADS, SIZE)
        return jnp.einsum("bqhd,hdm->bqm", put("heads", found), layer["out"])

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        angles = _angles(jnp.arange(length))
        x = put("residual", parameters["embedding"][data["tokens"]])
        for layer in parameters["layers"]:
            h = put("normed", _half_norm(x, layer["norm1"]))
            x = put("residual", x + attention(h, layer, angles, put))
            x = put("residual", x + _perceptron(put("normed", _half_norm(x, layer["norm2"])), layer, put))
        logits = put("hidden", put("normed", _half_norm(x, parameters["norm"])) @ parameters["head"])
        return _loss_of(logits.astype(jnp.float32), data["targets"])

    tokens = shape(batch, length, dtype=jnp.int32)
    return training(f"llama_{layers}", loss, _llama_parameters(layers), {"tokens": tokens, "targets": tokens})


def decode(layers: int = 32, batch: int = 64, length: int = 4096) -> Program:
    """One token of each text, with the keys and values of those before; these are the state."""

    def attention(x: jax.Array, layer: Any, cache: Any, position: jax.Array, put: Put) -> tuple[jax.Array, Any]:
        angles = _angles(position)
        q, k, v = (put("heads", jnp.einsum("bm,mhd->bhd", x, layer[name])) for name in ("query", "key", "value"))
        new = {"keys": _rotated(k, angles), "values": v}
        cache = {name: jax.lax.dynamic_update_index_in_dim(cache[name], new[name], position, 1) for name in cache}
        q = _rotated(q, angles).reshape(-1, GROUPS, HEADS // GROUPS, SIZE)
        scores = jnp.einsum("bghd,btgd->bght", q, cache["keys"]).astype(jnp.float32) / math.sqrt(SIZE)
        weights = jax.nn.softmax(jnp.where(jnp.arange(length) <= position, scores, -1e9), axis=-1).astype(HALF)
        found = put("heads", jnp.einsum("bght,btgd->bghd", weights, cache["values"]).reshape(-1, HEADS, SIZE))
        return jnp.einsum("bhd,hdm->bm", found, layer["out"]), cache

    def step(state: Any, data: Any, put: Put) -> tuple[Any, jax.Array]:
        parameters, kept = data["parameters"], []
        x = put("residual", parameters["embedding"][data["tokens"]])
        for layer, cache in zip(parameters["layers"], state["cache"], strict=True):
            h = put("normed", _half_norm(x, layer["norm1"]))
            found, cache = attention(h, layer, cache, data["position"], put)
            kept.append(cache)
            x = put("residual", x + found)
            x = put("residual", x + _perceptron(put("normed", _half_norm(x, layer["norm2"])), layer, put))
        logits = put("hidden", put("normed", _half_norm(x, parameters["norm"])) @ parameters["head"])
        return {"cache": kept}, jnp.argmax(logits, axis=-1).astype(jnp.int32)

    cache = {name: shape(batch, length, GROUPS, SIZE, dtype=HALF) for name in ("keys", "values")}
    tokens = shape(batch, dtype=jnp.int32)
    data = {"parameters": _llama_parameters(layers), "tokens": tokens, "position": shape(dtype=jnp.int32)}
    return Program(f"decode_{layers}", step, {"cache": [cache] * layers}, data)
