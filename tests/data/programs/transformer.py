"""Causal transformers in Megatron's layout: batch over `data`, heads and hidden units over `model`.

A training step is loss, gradients and an SGD update. Layers are written out, shared as a function that is called once
per layer, or scanned over. The decoder step reads and extends a cache of keys and values.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape

WIDTH, HEADS, HIDDEN, VOCABULARY, BATCH, LENGTH = 256, 8, 1024, 512, 16, 64

LAYER_SHAPES = {
    "scale1": (WIDTH,),
    "query_key_value": (WIDTH, 3 * WIDTH),
    "out": (WIDTH, WIDTH),
    "scale2": (WIDTH,),
    "up": (WIDTH, HIDDEN),
    "down": (HIDDEN, WIDTH),
}
LAYER_SPECS = {
    "scale1": P(),
    "query_key_value": P(None, "model"),
    "out": P("model", None),
    "scale2": P(),
    "up": P(None, "model"),
    "down": P("model", None),
}
SPLIT_SPECS = {
    name: P(*("data" if axis is None else axis for axis in spec)) if spec else P("data")
    for name, spec in LAYER_SPECS.items()
}
"""The same, split over `data` as well."""


def normalized(x: jax.Array, scale: jax.Array) -> jax.Array:
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-6) * scale


def attention(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
    batch, length, width = x.shape
    query_key_value = (x @ layer["query_key_value"]).reshape(batch, length, HEADS, 3, width // HEADS)
    q, k, v = (query_key_value[:, :, :, i] for i in range(3))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(width // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return mixed.reshape(batch, length, width) @ layer["out"]


def block(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
    x = x + attention(normalized(x, layer["scale1"]), layer)
    return x + jax.nn.gelu(normalized(x, layer["scale2"]) @ layer["up"]) @ layer["down"]


def loss(parameters: dict[str, Any], tokens: jax.Array, apply_layers: Any) -> jax.Array:
    x = apply_layers(parameters["embedding"][tokens[:, :-1]], parameters["layers"])
    scores = jax.nn.log_softmax(x @ parameters["embedding"].T)
    return -jnp.take_along_axis(scores, tokens[:, 1:, None], axis=-1).mean()


def train_step(parameters: Any, tokens: jax.Array, *, apply_layers: Any) -> tuple[Any, jax.Array]:
    value, gradients = jax.value_and_grad(loss)(parameters, tokens, apply_layers)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), value


def in_sequence(x: jax.Array, layers: list[dict[str, jax.Array]], apply: Any = block) -> jax.Array:
    for layer in layers:
        x = apply(x, layer)
    return x


def parameters_of(count: int) -> tuple[Any, Any]:
    """The parameters of so many layers as shapes, and as specs."""
    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    shapes = {"embedding": shape(VOCABULARY, WIDTH), "layers": layers}
    return shapes, {"embedding": P("model", None), "layers": [LAYER_SPECS] * count}


def _lowered(layers: Any, layer_specs: Any, apply_layers: Any, embedding_spec: P | None = None) -> jax.stages.Lowered:
    on = mesh(**DATA_MODEL)
    parameters = {"embedding": shape(VOCABULARY, WIDTH), "layers": layers}
    specs = placed(on, {"embedding": embedding_spec or P("model", None), "layers": layer_specs})
    step = jax.jit(
        functools.partial(train_step, apply_layers=apply_layers),
        in_shardings=(specs, placed(on, P("data"))),
        out_shardings=(specs, placed(on, P())),
        donate_argnums=0,
    )
    return step.lower(parameters, shape(BATCH, LENGTH + 1, dtype=jnp.int32))


@program("transformer_2", 2)
@program("transformer_24", 24)
@program("transformer_96", 96)
def transformer(count: int) -> jax.stages.Lowered:
    """Every layer written out."""
    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    return _lowered(layers, [LAYER_SPECS] * count, in_sequence)


@program("transformer_2_functions", 2)
@program("transformer_24_functions", 24)
@program("transformer_96_functions", 96)
def transformer_functions(count: int) -> jax.stages.Lowered:
    """Every layer a call of one function."""
    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    return _lowered(layers, [LAYER_SPECS] * count, functools.partial(in_sequence, apply=jax.jit(block)))


@program("transformer_scan", 12)
def transformer_scan(count: int) -> jax.stages.Lowered:
    """Layers stacked and scanned over, each recomputed in the backward pass."""

    def scanned(x: jax.Array, layers: dict[str, jax.Array]) -> jax.Array:
        step = jax.checkpoint(lambda carry, layer: (block(carry, layer), None))
        return jax.lax.scan(step, x, layers)[0]

    layers = {name: shape(count, *dims) for name, dims in LAYER_SHAPES.items()}
    return _lowered(layers, {name: P(None, *spec) for name, spec in LAYER_SPECS.items()}, scanned)


@program("transformer_fsdp", 2, jnp.float32)
@program("transformer_fsdp_bf16", 2, jnp.bfloat16)
def transformer_fsdp(count: int, dtype: Any) -> jax.stages.Lowered:
    """Parameters are also split over `data`, and converted to `dtype` where they are used; so is what lies between."""
    on = mesh(**DATA_MODEL)

    def converted(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
        x = jax.lax.with_sharding_constraint(x.astype(dtype), placed(on, P("data", None, None)))
        return block(x, {name: value.astype(dtype) for name, value in layer.items()})

    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    apply_layers = functools.partial(in_sequence, apply=converted)
    return _lowered(layers, [SPLIT_SPECS] * count, apply_layers, P("model", "data"))


@program("transformer_fsdp_scan", 4)
def transformer_fsdp_scan(count: int) -> jax.stages.Lowered:
    """Parameters are also split over `data`; layers are scanned over, and gather theirs once more to go back."""
    on = mesh(**DATA_MODEL)

    def placed_block(x: jax.Array, layer: dict[str, jax.Array]) -> tuple[jax.Array, None]:
        return jax.lax.with_sharding_constraint(block(x, layer), placed(on, P("data", None, None))), None

    def scanned(x: jax.Array, layers: dict[str, jax.Array]) -> jax.Array:
        return jax.lax.scan(jax.checkpoint(placed_block), x, layers)[0]

    layers = {name: shape(count, *dims) for name, dims in LAYER_SHAPES.items()}
    specs = {name: P(None, *spec) for name, spec in SPLIT_SPECS.items()}
    return _lowered(layers, specs, scanned, P("model", "data"))


@program("transformer_sequence_parallel", 2)
def transformer_sequence_parallel(count: int) -> jax.stages.Lowered:
    """Between the blocks the sequence is split over `model`, as constraints say."""
    on = mesh(**DATA_MODEL)

    def constrained(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
        x = jax.lax.with_sharding_constraint(x, placed(on, P("data", "model", None)))
        return block(x, layer)

    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    return _lowered(layers, [LAYER_SPECS] * count, functools.partial(in_sequence, apply=constrained))


@program("decode", 2)
def decode(count: int) -> jax.stages.Lowered:
    """One token per sequence: keys and values of earlier tokens come from a cache, which is donated and updated."""

    def step(parameters: Any, cache: Any, token: jax.Array, position: jax.Array) -> tuple[jax.Array, Any]:
        x = parameters["embedding"][token]
        updated = []
        for layer, (keys, values) in zip(parameters["layers"], cache, strict=True):
            query_key_value = normalized(x, layer["scale1"]) @ layer["query_key_value"]
            q, k, v = jnp.split(query_key_value.reshape(BATCH, HEADS, 3 * WIDTH // HEADS), 3, axis=-1)
            keys = jax.lax.dynamic_update_slice(keys, k[:, None], (0, position, 0, 0))
            values = jax.lax.dynamic_update_slice(values, v[:, None], (0, position, 0, 0))
            scores = jnp.einsum("bhd,bkhd->bhk", q, keys)
            scores = jnp.where(jnp.arange(LENGTH) <= position, scores, -1e9)
            x = x + jnp.einsum("bhk,bkhd->bhd", jax.nn.softmax(scores), values).reshape(BATCH, WIDTH) @ layer["out"]
            x = x + jax.nn.gelu(normalized(x, layer["scale2"]) @ layer["up"]) @ layer["down"]
            updated.append((keys, values))
        return jnp.argmax(x @ parameters["embedding"].T, axis=-1), updated

    on = mesh(**DATA_MODEL)
    layers = [{name: shape(*dims) for name, dims in LAYER_SHAPES.items()} for _ in range(count)]
    cached = shape(BATCH, LENGTH, HEADS, WIDTH // HEADS)
    parameters = {"embedding": shape(VOCABULARY, WIDTH), "layers": layers}
    specs = placed(on, {"embedding": P("model", None), "layers": [LAYER_SPECS] * count})
    cache_spec = placed(on, [(P("data", None, "model"),) * 2] * count)
    lowered = jax.jit(
        step,
        in_shardings=(specs, cache_spec, placed(on, P("data")), None),
        out_shardings=(placed(on, P("data")), cache_spec),
        donate_argnums=1,
    )
    token, position = shape(BATCH, dtype=jnp.int32), shape(dtype=jnp.int32)
    return lowered.lower(parameters, [(cached, cached)] * count, token, position)
