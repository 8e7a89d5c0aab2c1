"""Models of sequences that are no decoders: an encoder with a decoder, a vision transformer, a state-space model."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.auto_partitioning.program import Program, Put, shape, training


def _norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * scale


def _attention(query: jax.Array, key: jax.Array, value: jax.Array, heads: int, *, is_causal: bool) -> jax.Array:
    query, key, value = (each.reshape(*each.shape[:2], heads, -1) for each in (query, key, value))
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / math.sqrt(query.shape[-1])
    if is_causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), value)
    return mixed.reshape(*mixed.shape[:2], -1)


def _layer(
    layer: Any, x: jax.Array, put: Put, heads: int, others: jax.Array | None = None, *, is_causal: bool = False
) -> jax.Array:
    """Attention to `others`, or to `x` itself, and a perceptron."""
    h = put("normed", _norm(x, layer["norm1"]))
    read = h if others is None else others
    mixed = _attention(h @ layer["query"], read @ layer["key"], read @ layer["value"], heads, is_causal=is_causal)
    x = put("residual", x + put("heads", mixed) @ layer["out"])
    h = put("normed", _norm(x, layer["norm2"]))
    return put("residual", x + put("hidden", jax.nn.gelu(h @ layer["up"])) @ layer["down"])


def _layers(count: int, width: int, hidden: int) -> list[Any]:
    layer = {
        **{name: shape(width, width) for name in ("query", "key", "value", "out")},
        "up": shape(width, hidden),
        "down": shape(hidden, width),
        "norm1": shape(width),
        "norm2": shape(width),
    }
    return [layer] * count


def _loss_of(logits: jax.Array, targets: jax.Array) -> jax.Array:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1))


def encoder_decoder(
    layers: int = 4, width: int = 1024, hidden: int = 4096, vocabulary: int = 32768, batch: int = 64, length: int = 512
) -> Program:
    """The table of tokens is that of what is read, of what is written, and of the last product."""

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        table, heads = parameters["embedding"], width // 64
        x, y = table[data["source"]], table[data["target"][:, :-1]]
        for layer in parameters["encoder"]:
            x = _layer(layer, x, put, heads)
        for own, across in zip(parameters["decoder"], parameters["across"], strict=True):
            y = _layer(own, y, put, heads, is_causal=True)
            y = _layer(across, y, put, heads, x)
        return _loss_of(_norm(y, parameters["norm"]) @ table.T, data["target"][:, 1:])

    parts = {name: _layers(layers, width, hidden) for name in ("encoder", "decoder", "across")}
    parameters = {"embedding": shape(vocabulary, width), "norm": shape(width), **parts}
    data = {"source": shape(batch, length, dtype=jnp.int32), "target": shape(batch, length + 1, dtype=jnp.int32)}
    return training("encoder_decoder", loss, parameters, data)


def vision_transformer(
    layers: int = 6, width: int = 1024, hidden: int = 4096, batch: int = 256, size: int = 224, patch: int = 16
) -> Program:
    """An odd number of tokens: those of the patches, and one of which the class is read."""

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        patches = jax.lax.conv_general_dilated(
            data["images"], parameters["kernel"], (patch, patch), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        first = jnp.broadcast_to(parameters["class"], (batch, 1, width))
        x = jnp.concatenate([first, patches.reshape(batch, -1, width)], axis=1) + parameters["positions"]
        for layer in parameters["layers"]:
            x = _layer(layer, x, put, width // 64)
        return _loss_of(_norm(x, parameters["norm"])[:, 0] @ parameters["head"], data["labels"])

    parameters = {
        "kernel": shape(patch, patch, 3, width),
        "class": shape(width),
        "positions": shape((size // patch) ** 2 + 1, width),
        "norm": shape(width),
        "head": shape(width, 1000),
        "layers": _layers(layers, width, hidden),
    }
    data = {"images": shape(batch, size, size, 3), "labels": shape(batch, dtype=jnp.int32)}
    return training("vision_transformer", loss, parameters, data)


def state_space(layers: int = 2, width: int = 1024, states: int = 16, batch: int = 32, length: int = 2048) -> Program:
    """Selective state spaces (https://arxiv.org/abs/2312.00752), whose recurrence is an associative scan."""

    def combined(left: Any, right: Any) -> Any:
        return left[0] * right[0], right[0] * left[1] + right[1]

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = data["inputs"]
        for layer in parameters["layers"]:
            entering, gate = jnp.split(_norm(x, layer["norm"]) @ layer["up"], 2, axis=-1)
            step = jax.nn.softplus(entering @ layer["step"])
            decay = jnp.exp(-step[..., None] * jnp.exp(layer["rates"]))
            taken = (step * entering)[..., None] * (entering @ layer["write"])[:, :, None]
            _, held = jax.lax.associative_scan(combined, (decay, taken), axis=1)
            found = jnp.einsum("btdn,btn->btd", held, entering @ layer["read"])
            x = put("residual", x + (found * jax.nn.silu(gate)) @ layer["down"])
        return jnp.mean((x - data["targets"]) ** 2)

    inner = 2 * width
    layer = {
        "norm": shape(width),
        "up": shape(width, 2 * inner),
        "step": shape(inner, inner),
        "rates": shape(inner, states),
        "write": shape(inner, states),
        "read": shape(inner, states),
        "down": shape(inner, width),
    }
    tensor = shape(batch, length, width)
    return training("state_space", loss, {"layers": [layer] * layers}, {"inputs": tensor, "targets": tensor})
