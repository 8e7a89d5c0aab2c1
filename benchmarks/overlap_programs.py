"""Training steps of the sizes at which communication matters, for `benchmarks.overlap`; nothing of them is ever run.

A transformer of two layers of 4096 units in bfloat16, sharded in the usual ways; a layer of experts; attention around a
ring. All are for eight devices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

WIDTH, HEADS, HIDDEN, VOCABULARY, BATCH, LENGTH, LAYERS = 4096, 32, 16384, 32768, 8, 2048, 2
DTYPE = jnp.bfloat16

SHAPES = {
    "scale1": (WIDTH,),
    "query": (WIDTH, WIDTH),
    "key": (WIDTH, WIDTH),
    "value": (WIDTH, WIDTH),
    "out": (WIDTH, WIDTH),
    "scale2": (WIDTH,),
    "up": (WIDTH, HIDDEN),
    "down": (HIDDEN, WIDTH),
}
ACROSS, ALONG = P(None, "model"), P("model", None)
MEGATRON = {
    "scale1": P(),
    "query": ACROSS,
    "key": ACROSS,
    "value": ACROSS,
    "out": ALONG,
    "scale2": P(),
    "up": ACROSS,
    "down": ALONG,
}
FULLY_SHARDED = {name: P("data") for name in SHAPES}


def mesh(data: int, model: int) -> Mesh:
    return Mesh(np.array(jax.devices()[: data * model]).reshape(data, model), ("data", "model"))


def shape(*dims: int, dtype: Any = DTYPE) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)


def placed(on: Mesh, specs: Any) -> Any:
    return jax.tree.map(lambda spec: NamedSharding(on, spec), specs, is_leaf=lambda leaf: isinstance(leaf, P))


# Transformers ------------------------------------------------------------------------------------


def normalized(x: jax.Array, scale: jax.Array) -> jax.Array:
    variance = jnp.mean(jnp.square(x.astype(jnp.float32)), axis=-1, keepdims=True)
    return (x * jax.lax.rsqrt(variance + 1e-6)).astype(x.dtype) * scale


def block(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
    h = normalized(x, layer["scale1"])
    q, k, v = ((h @ layer[name]).reshape(*x.shape[:2], HEADS, -1) for name in ("query", "key", "value"))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * (WIDTH // HEADS) ** -0.5
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(x.dtype), v)
    x = x + mixed.reshape(x.shape) @ layer["out"]
    return x + jax.nn.gelu(normalized(x, layer["scale2"]) @ layer["up"]) @ layer["down"]


def _step(apply_layers: Callable[[jax.Array, Any], jax.Array]) -> Callable[..., Any]:
    def loss(parameters: Any, tokens: jax.Array) -> jax.Array:
        x = apply_layers(parameters["embedding"][tokens], parameters["layers"])
        scores = jax.nn.log_softmax((x @ parameters["embedding"].T).astype(jnp.float32))
        return -jnp.take_along_axis(scores, tokens[..., None], axis=-1).mean()

    def step(parameters: Any, tokens: jax.Array) -> Any:
        value, gradients = jax.value_and_grad(loss)(parameters, tokens)
        return jax.tree.map(lambda p, g: p - (0.1 * g).astype(p.dtype), parameters, gradients), value

    return step


def _transformer(on: Mesh, specs: dict[str, P], between: P, embedding: P, *, scanned: bool) -> jax.stages.Lowered:
    """A training step; activations between the layers are sharded as `between` says."""

    def layer(x: jax.Array, parameters: Any) -> jax.Array:
        return block(jax.lax.with_sharding_constraint(x, placed(on, between)), parameters)

    def apply_layers(x: jax.Array, layers: Any) -> jax.Array:
        if scanned:
            return jax.lax.scan(jax.checkpoint(lambda y, each: (layer(y, each), None)), x, layers)[0]
        return functools.reduce(layer, layers, x)

    count = 2 * LAYERS if scanned else LAYERS
    if scanned:
        layers: Any = {name: shape(count, *dims) for name, dims in SHAPES.items()}
        layer_specs: Any = {name: P(None, *spec) for name, spec in specs.items()}
    else:
        layers, layer_specs = [{name: shape(*dims) for name, dims in SHAPES.items()}] * count, [specs] * count
    parameters = {"embedding": shape(VOCABULARY, WIDTH), "layers": layers}
    shardings = placed(on, {"embedding": embedding, "layers": layer_specs})
    jitted = jax.jit(
        _step(apply_layers),
        in_shardings=(shardings, placed(on, P("data"))),
        out_shardings=(shardings, None),
        donate_argnums=0,
    )
    return jitted.lower(parameters, shape(BATCH, LENGTH, dtype=jnp.int32))


def tensor_parallel(*, scanned: bool) -> jax.stages.Lowered:
    """Megatron: heads and hidden units over `model`, sums of the products behind them."""
    return _transformer(mesh(2, 4), MEGATRON, P("data", None, None), ALONG, scanned=scanned)


def sequence_parallel(*, scanned: bool) -> jax.stages.Lowered:
    """The same, with the sequence over `model` between the blocks: sums are scattered and gathered again."""
    return _transformer(mesh(2, 4), MEGATRON, P("data", "model", None), ALONG, scanned=scanned)


def fully_sharded(*, scanned: bool) -> jax.stages.Lowered:
    """Parameters are split like the batch, and gathered where they are needed."""
    return _transformer(mesh(8, 1), FULLY_SHARDED, P("data", None, None), P("data", None), scanned=scanned)


# Others ------------------------------------------------------------------------------------------


def experts() -> jax.stages.Lowered:
    """A layer of experts over `model`; tokens are dispatched and combined by einsums with a mask."""
    on, count, tokens, capacity = mesh(2, 4), 8, 4096, 1024

    def loss(parameters: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        gates = jax.nn.softmax((x @ parameters["router"]).astype(jnp.float32))
        routed = jax.nn.one_hot(jnp.argmax(gates, axis=-1), count)
        position = jnp.cumsum(routed, axis=0) * routed - 1
        dispatch = (jax.nn.one_hot(position, capacity) * routed[..., None]).astype(x.dtype)
        inputs = jnp.einsum("tec,td->ecd", dispatch, x)
        hidden = jax.nn.gelu(jnp.einsum("ecd,edh->ech", inputs, parameters["up"]))
        outputs = jnp.einsum("ech,ehd->ecd", hidden, parameters["down"])
        combine = dispatch * gates.max(-1)[:, None, None].astype(x.dtype)
        return (jnp.einsum("tec,ecd->td", combine, outputs) ** 2).astype(jnp.float32).mean()

    parameters = {
        "router": shape(WIDTH, count),
        "up": shape(count, WIDTH, HIDDEN // 4),
        "down": shape(count, HIDDEN // 4, WIDTH),
    }
    specs = placed(on, ({"router": P(), "up": P("model"), "down": P("model")}, P("data")))
    jitted = jax.jit(jax.value_and_grad(loss), in_shardings=specs, out_shardings=(None, specs[0]))
    return jitted.lower(parameters, shape(tokens, WIDTH))


def ring_attention() -> jax.stages.Lowered:
    """Attention over a sequence that is split over `model`; keys and values go round, products around it do not."""
    on, heads, length = mesh(2, 4), 16, 8192
    devices, width = on.shape["model"], 2048

    def ring(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
        def step(state: Any, _: None) -> tuple[Any, None]:
            k, v, largest, total, mixed = state
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * q.shape[-1] ** -0.5
            larger = jnp.maximum(largest, scores.max(-1))
            weights, kept = jnp.exp(scores - larger[..., None]), jnp.exp(largest - larger)
            total = total * kept + weights.sum(-1)
            mixed = mixed * kept[..., None] + jnp.einsum("bhqk,bkhd->bhqd", weights.astype(v.dtype), v)
            around = [(i, (i + 1) % devices) for i in range(devices)]
            k, v = (jax.lax.ppermute(x, "model", around) for x in (k, v))
            return (k, v, larger, total, mixed), None

        zeros = jnp.einsum("bqhd->bhq", q).astype(jnp.float32) * 0
        start = (k, v, zeros - 1e9, zeros, jnp.einsum("bqhd->bhqd", q).astype(jnp.float32) * 0)
        (_, _, _, total, mixed), _ = jax.lax.scan(step, start, length=devices)
        return jnp.einsum("bhqd->bqhd", mixed / total[..., None]).astype(q.dtype)

    split = P(None, "model")
    attention = jax.shard_map(ring, mesh=on, in_specs=(split,) * 3, out_specs=split, axis_names={"model"})

    def loss(parameters: Any, x: jax.Array) -> jax.Array:
        q, k, v = ((x @ parameters[name]).reshape(*x.shape[:2], heads, -1) for name in ("query", "key", "value"))
        return jnp.mean(((attention(q, k, v).reshape(x.shape) @ parameters["out"]) ** 2).astype(jnp.float32))

    parameters = {name: shape(width, width) for name in ("query", "key", "value", "out")}
    specs = placed(on, (dict.fromkeys(parameters, P()), P("data", "model")))
    jitted = jax.jit(jax.value_and_grad(loss), in_shardings=specs, out_shardings=(None, specs[0]))
    return jitted.lower(parameters, shape(2, length, width))


PROGRAMS: dict[str, Callable[[], jax.stages.Lowered]] = {
    "tensor parallel": functools.partial(tensor_parallel, scanned=False),
    "tensor parallel, scan": functools.partial(tensor_parallel, scanned=True),
    "sequence parallel": functools.partial(sequence_parallel, scanned=False),
    "sequence parallel, scan": functools.partial(sequence_parallel, scanned=True),
    "fully sharded": functools.partial(fully_sharded, scanned=False),
    "fully sharded, scan": functools.partial(fully_sharded, scanned=True),
    "experts": experts,
    "ring attention": ring_attention,
}
"""The lowered programs by name."""
