"""The models of the examples: pure functions of parameters and data, and how their parameters are sharded.

Shapes are named by one letter per dimension: b batch, s sequence, d model width, t the three of query/key/value,
h heads, k head width, f hidden width, v vocabulary.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

Params = dict[str, Any]


# A causal transformer --------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class TransformerConfig:
    """Sizes of the transformer."""

    layers: int = 2
    width: int = 64
    heads: int = 4
    hidden: int = 256
    vocabulary: int = 128
    sequence: int = 32
    batch: int = 16

    @property
    def head_width(self) -> int:
        return self.width // self.heads


def init_transformer(key: jax.Array, config: TransformerConfig) -> Params:
    """Random parameters, float32."""
    d, h, k, f = config.width, config.heads, config.head_width, config.hidden
    keys = iter(jax.random.split(key, 3 + 4 * config.layers))

    def normal(*shape: int, scale: float) -> jax.Array:
        return scale * jax.random.normal(next(keys), shape)

    def layer() -> Params:
        return {
            "norm1": {"scale": jnp.ones(d), "bias": jnp.zeros(d)},
            "qkv": normal(3, d, h, k, scale=d**-0.5),
            "out": normal(h, k, d, scale=d**-0.5),
            "norm2": {"scale": jnp.ones(d), "bias": jnp.zeros(d)},
            "up": normal(d, f, scale=d**-0.5),
            "up_bias": jnp.zeros(f),
            "down": normal(f, d, scale=f**-0.5),
            "down_bias": jnp.zeros(d),
        }

    return {
        "embedding": normal(config.vocabulary, d, scale=0.1),
        "positions": normal(config.sequence, d, scale=0.1),
        "layers": [layer() for _ in range(config.layers)],
        "norm": {"scale": jnp.ones(d), "bias": jnp.zeros(d)},
        "logits": normal(d, config.vocabulary, scale=d**-0.5),
    }


def transformer_specs(config: TransformerConfig) -> Params:
    """Megatron's tensor parallelism: heads and hidden units are split over the mesh axis "model", the rest replicated.

    Each layer then multiplies first by a matrix split on its columns, then by one split on its rows, and only the
    product of the second has to be summed over "model".
    """
    replicated = {"scale": P(), "bias": P()}
    layer = {
        "norm1": replicated,
        "qkv": P(None, None, "model", None),
        "out": P("model", None, None),
        "norm2": replicated,
        "up": P(None, "model"),
        "up_bias": P("model"),
        "down": P("model", None),
        "down_bias": P(),
    }
    layers = [layer] * config.layers
    return {"embedding": P(), "positions": P(), "layers": layers, "norm": replicated, "logits": P()}


def layer_norm(params: Params, x: jax.Array) -> jax.Array:
    mean = x.mean(axis=-1, keepdims=True)
    variance = jnp.square(x - mean).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * params["scale"] + params["bias"]


def attention(params: Params, x: jax.Array) -> jax.Array:
    """Causal multi-head self-attention, [b, s, d] to [b, s, d]."""
    with jax.named_scope("attention"):
        query, key, value = jnp.einsum("bsd,tdhk->tbshk", x, params["qkv"])
        scores = jnp.einsum("bqhk,bshk->bhqs", query, key) * query.shape[-1] ** -0.5
        causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
        mixed = jnp.einsum("bhqs,bshk->bqhk", weights, value)
        return jnp.einsum("bqhk,hkd->bqd", mixed, params["out"])


def mlp(params: Params, x: jax.Array) -> jax.Array:
    """Two dense layers with an exact GELU between them, [b, s, d] to [b, s, d]."""
    with jax.named_scope("mlp"):
        hidden = jax.nn.gelu(x @ params["up"] + params["up_bias"], approximate=False)
        return hidden @ params["down"] + params["down_bias"]


def transformer(params: Params, tokens: jax.Array) -> jax.Array:
    """Logits [b, s, v] of the next token for `tokens` [b, s]."""
    with jax.named_scope("embed"):
        x = params["embedding"][tokens] + params["positions"]
    for number, layer in enumerate(params["layers"]):
        with jax.named_scope(f"layer{number}"):
            x = x + attention(layer, layer_norm(layer["norm1"], x))
            x = x + mlp(layer, layer_norm(layer["norm2"], x))
    with jax.named_scope("logits"):
        return layer_norm(params["norm"], x) @ params["logits"]


def cross_entropy(logits: jax.Array, targets: jax.Array) -> jax.Array:
    """Mean over all positions of -log p(target)."""
    with jax.named_scope("loss"):
        log_probabilities = jax.nn.log_softmax(logits)
        return -jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1).mean()


def transformer_loss(params: Params, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    return cross_entropy(transformer(params, tokens), targets)


# A perceptron ----------------------------------------------------------------------------------------


def init_mlp(key: jax.Array, widths: tuple[int, ...]) -> Params:
    """Random parameters of dense layers between the given widths, float32."""
    keys = jax.random.split(key, len(widths) - 1)
    shapes = zip(keys, widths, widths[1:], strict=False)
    return {
        f"dense{number}": {"kernel": n_in**-0.5 * jax.random.normal(k, (n_in, n_out)), "bias": jnp.zeros(n_out)}
        for number, (k, n_in, n_out) in enumerate(shapes)
    }


def fsdp_specs(params: Params) -> Params:
    """Every parameter is split over the mesh axis "data" along its first dimension."""
    return jax.tree.map(lambda leaf: P("data"), params)


def mlp_loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Mean squared error of the perceptron on inputs [b, d] and wanted outputs [b, e]."""
    *hidden, last = params
    for name in hidden:
        with jax.named_scope(name):
            x = jax.nn.relu(x @ params[name]["kernel"] + params[name]["bias"])
    with jax.named_scope(last):
        x = x @ params[last]["kernel"] + params[last]["bias"]
    with jax.named_scope("loss"):
        return jnp.square(x - y).mean()


# Training --------------------------------------------------------------------------------------------


def momentum_step(loss: Any, learning_rate: float = 0.1, momentum: float = 0.9) -> Any:
    """A full training step of gradient descent with momentum.

    The step is a function ``((params, velocity), *batch) -> ((params, velocity), loss)``; `loss` is a function of
    parameters and batch.
    """

    def step(state: tuple[Params, Params], *batch: jax.Array) -> tuple[tuple[Params, Params], jax.Array]:
        params, velocity = state
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        with jax.named_scope("update"):
            velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, gradients)
            params = jax.tree.map(lambda p, v: p - learning_rate * v, params, velocity)
        return (params, velocity), value

    return step


def relative_difference(ours: Params, theirs: Params) -> float:
    """The largest difference of any two corresponding arrays, relative to the largest entry of the second."""
    pairs = zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True)
    return max(float(jnp.abs(a - b).max() / jnp.maximum(jnp.abs(b).max(), 1e-30)) for a, b in pairs)
