"""Training steps without any annotation, at real sizes, and what an expert would shard.

Nothing is allocated: programs are lowered for abstract values. Every step takes its state and returns it, donated, as
training loops do; the optimiser keeps a momentum of each parameter.

An expert's plan is a function from the path of a leaf and its shape to the axes of each dimension, written down as
people write such rules down; what is inside of the step follows by propagation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

Axes = tuple[str | tuple[str, ...] | None, ...]
Rule = Callable[[str, tuple[int, ...], dict[str, int]], Axes]
"""What a plan says of a leaf: of its path, its shape, and the sizes of the mesh axes."""


@dataclass(frozen=True)
class Program:
    """A training step: `loss` of parameters and batch, given as shapes."""

    name: str
    loss: Callable[[Any, Any], jax.Array]
    parameters: Any
    batch: Any

    def lowered(self, shardings: Any = None) -> jax.stages.Lowered:
        """The step for arguments of these shapes; `shardings` are those of state and batch, if there are any."""
        state = {"parameters": self.parameters, "momentum": self.parameters}
        if shardings is not None:
            state, batch = jax.tree.map(
                lambda leaf, sharding: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding),
                (state, self.batch),
                shardings,
            )
            step = jax.jit(self.step, donate_argnums=0, out_shardings=(shardings[0], None))
            return step.trace(state, batch).lower(lowering_platforms=("cpu",))
        return jax.jit(self.step, donate_argnums=0).trace(state, self.batch).lower(lowering_platforms=("cpu",))

    def step(self, state: Any, batch: Any) -> Any:
        loss, gradients = jax.value_and_grad(self.loss)(state["parameters"], batch)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, state["momentum"], gradients)
        parameters = jax.tree.map(lambda p, m: p - 0.01 * m, state["parameters"], momentum)
        return {"parameters": parameters, "momentum": momentum}, loss


def shape(*dims: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)


# Programs --------------------------------------------------------------------------------------------


def mlp(width: int = 2048, hidden: int = 8192, batch: int = 4096) -> Program:
    def loss(parameters: Any, batch: Any) -> jax.Array:
        x, target = batch["inputs"], batch["targets"]
        x = jax.nn.relu(x @ parameters["first"])
        x = jax.nn.relu(x @ parameters["second"])
        return jnp.mean((x @ parameters["third"] - target) ** 2)

    parameters = {"first": shape(width, hidden), "second": shape(hidden, hidden), "third": shape(hidden, width)}
    return Program("mlp", loss, parameters, {"inputs": shape(batch, width), "targets": shape(batch, width)})


def moe(experts: int = 16, groups: int = 32, tokens: int = 1024, width: int = 1024, hidden: int = 4096) -> Program:
    capacity = 2 * tokens // experts

    def loss(parameters: Any, batch: Any) -> jax.Array:
        x = batch["inputs"]
        gates = jax.nn.softmax(jnp.einsum("gsm,me->gse", x, parameters["router"]))
        expert = jnp.argmax(gates, axis=-1)
        chosen = jax.nn.one_hot(expert, experts)
        position = jnp.cumsum(chosen, axis=1) * chosen - 1
        dispatch = chosen[..., None] * jax.nn.one_hot(position.astype(jnp.int32), capacity)
        combine = dispatch * jnp.max(gates, axis=-1)[..., None, None]
        inside = jnp.einsum("gsec,gsm->egcm", dispatch, x)
        inside = jax.nn.relu(jnp.einsum("egcm,emh->egch", inside, parameters["up"]))
        inside = jnp.einsum("egch,ehm->egcm", inside, parameters["down"])
        x = jnp.einsum("gsec,egcm->gsm", combine, inside)
        return jnp.mean((x - batch["targets"]) ** 2)

    parameters = {
        "router": shape(width, experts),
        "up": shape(experts, width, hidden),
        "down": shape(experts, hidden, width),
    }
    data = shape(groups, tokens, width)
    return Program("moe", loss, parameters, {"inputs": data, "targets": data})


def cnn(batch: int = 256, size: int = 64, channels: tuple[int, ...] = (3, 64, 128, 256)) -> Program:
    def loss(parameters: Any, batch: Any) -> jax.Array:
        x = batch["inputs"]
        for kernel in parameters["kernels"]:
            x = jax.lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(x)
        logits = jnp.mean(x, axis=(1, 2)) @ parameters["head"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(batch["targets"], 1000), axis=-1))

    kernels = [shape(3, 3, a, b) for a, b in zip(channels, channels[1:], strict=False)]
    data = {"inputs": shape(batch, size, size, channels[0]), "targets": shape(batch, dtype=jnp.int32)}
    return Program("cnn", loss, {"kernels": kernels, "head": shape(channels[-1], 1000)}, data)


def transformer(
    layers: int = 2,
    width: int = 1024,
    heads: int = 16,
    hidden: int = 4096,
    vocabulary: int = 32768,
    batch: int = 32,
    length: int = 1024,
) -> Program:
    def norm(x: jax.Array, scale: jax.Array) -> jax.Array:
        return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale

    def attention(x: jax.Array, layer: Any) -> jax.Array:
        q, k, v = (jnp.einsum("bsm,mhd->bshd", x, layer[name]) for name in ("query", "key", "value"))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(width // heads)
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
        return jnp.einsum("bqhd,hdm->bqm", jnp.einsum("bhqk,bkhd->bqhd", weights, v), layer["out"])

    def loss(parameters: Any, batch: Any) -> jax.Array:
        x = parameters["embedding"][batch["tokens"]]
        for layer in parameters["layers"]:
            x = x + attention(norm(x, layer["norm1"]), layer)
            x = x + jax.nn.gelu(norm(x, layer["norm2"]) @ layer["up"]) @ layer["down"]
        logits = norm(x, parameters["norm"]) @ parameters["head"]
        taken = jnp.take_along_axis(jax.nn.log_softmax(logits), batch["targets"][..., None], axis=-1)
        return -jnp.mean(taken)

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
    return Program(f"transformer_{layers}", loss, parameters, {"tokens": tokens, "targets": tokens})


def wide_transformer() -> Program:
    found = transformer(2, width=8192, heads=64, hidden=32768, batch=8)
    return Program("wide", found.loss, found.parameters, found.batch)


def transformer_scan(layers: int = 12) -> Program:
    """The same with the layers stacked and scanned over."""
    base = transformer(1)
    stacked = {
        **{name: base.parameters[name] for name in ("embedding", "head", "norm")},
        "layers": jax.tree.map(lambda leaf: shape(layers, *leaf.shape), base.parameters["layers"][0]),
    }

    def norm(x: jax.Array, scale: jax.Array) -> jax.Array:
        return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale

    def loss(parameters: Any, batch: Any) -> jax.Array:
        def layer_step(x: jax.Array, layer: Any) -> tuple[jax.Array, None]:
            return x + jax.nn.gelu(norm(x, layer["norm2"]) @ layer["up"]) @ layer["down"], None

        x = parameters["embedding"][batch["tokens"]]
        x, _ = jax.lax.scan(layer_step, x, parameters["layers"])
        logits = norm(x, parameters["norm"]) @ parameters["head"]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), batch["targets"][..., None], axis=-1))

    return Program(f"scan_{layers}", loss, stacked, base.batch)


def llama(layers: int = 32, batch: int = 16, length: int = 4096) -> Program:
    """In the shape of LLaMA 3 8B: grouped queries, rotary positions, gated perceptrons, no weights shared."""
    width, heads, groups, hidden, vocabulary = 4096, 32, 8, 14336, 128256
    size, half = width // heads, jnp.bfloat16

    def norm(x: jax.Array, scale: jax.Array) -> jax.Array:
        wide = x.astype(jnp.float32)
        return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=-1, keepdims=True) + 1e-5)).astype(half) * scale

    def rotated(x: jax.Array, angles: jax.Array) -> jax.Array:
        first, second = jnp.split(x.astype(jnp.float32), 2, axis=-1)
        cos, sin = jnp.cos(angles)[None, :, None], jnp.sin(angles)[None, :, None]
        return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1).astype(half)

    def attention(x: jax.Array, layer: Any, angles: jax.Array) -> jax.Array:
        q = rotated(jnp.einsum("bsm,mhd->bshd", x, layer["query"]), angles)
        k = rotated(jnp.einsum("bsm,mhd->bshd", x, layer["key"]), angles)
        v = jnp.einsum("bsm,mhd->bshd", x, layer["value"])
        q = q.reshape(*q.shape[:2], groups, heads // groups, size)
        scores = jnp.einsum("bqghd,bkgd->bghqk", q, k).astype(jnp.float32) / math.sqrt(size)
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1).astype(half)
        found = jnp.einsum("bghqk,bkgd->bqghd", weights, v).reshape(*x.shape[:2], heads, size)
        return jnp.einsum("bqhd,hdm->bqm", found, layer["out"])

    def loss(parameters: Any, batch: Any) -> jax.Array:
        angles = jnp.arange(length)[:, None] / 5e5 ** (jnp.arange(size // 2) / (size // 2))
        x = parameters["embedding"][batch["tokens"]]
        for layer in parameters["layers"]:
            x = x + attention(norm(x, layer["norm1"]), layer, angles)
            h = norm(x, layer["norm2"])
            x = x + (jax.nn.silu(h @ layer["gate"]) * (h @ layer["up"])) @ layer["down"]
        logits = (norm(x, parameters["norm"]) @ parameters["head"]).astype(jnp.float32)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), batch["targets"][..., None], axis=-1))

    layer = {
        "query": shape(width, heads, size, dtype=half),
        "key": shape(width, groups, size, dtype=half),
        "value": shape(width, groups, size, dtype=half),
        "out": shape(heads, size, width, dtype=half),
        "gate": shape(width, hidden, dtype=half),
        "up": shape(width, hidden, dtype=half),
        "down": shape(hidden, width, dtype=half),
        "norm1": shape(width, dtype=half),
        "norm2": shape(width, dtype=half),
    }
    parameters = {
        "embedding": shape(vocabulary, width, dtype=half),
        "head": shape(width, vocabulary, dtype=half),
        "norm": shape(width, dtype=half),
        "layers": [layer] * layers,
    }
    tokens = shape(batch, length, dtype=jnp.int32)
    return Program(f"llama_{layers}", loss, parameters, {"tokens": tokens, "targets": tokens})


PROGRAMS: dict[str, Callable[[], Program]] = {
    "mlp": mlp,
    "moe": moe,
    "cnn": cnn,
    "transformer_2": transformer,
    "transformer_12": partial(transformer, 12),
    "transformer_24": partial(transformer, 24),
    "wide": wide_transformer,
    "scan_12": transformer_scan,
    "llama_32": llama,
}


# Experts ---------------------------------------------------------------------------------------------


def data_parallel(path: str, dims: tuple[int, ...], mesh: dict[str, int]) -> Axes:
    """The batch over all axes, parameters everywhere."""
    return (tuple(mesh),) if _is_batch(path) else ()


def megatron(path: str, dims: tuple[int, ...], mesh: dict[str, int]) -> Axes:
    """The batch over all axes but the last, and over that heads, hidden units, experts, vocabulary, output channels."""
    model = list(mesh)[-1]
    if _is_batch(path):
        return (tuple(mesh)[:-1],)
    places = {
        "query": 1, "key": 1, "value": 1, "out": 0, "up": 1, "down": 0, "embedding": 0, "head": 1, "gate": 1,
        "first": 1, "second": 0, "third": 1,
    }  # fmt: skip
    name = next((name for name in places if f"'{name}'" in path), None)
    if "kernels" in path:
        place = 3
    elif name is None:
        return ()
    else:
        place = 0 if name in ("up", "down") and len(dims) == 3 else places[name]
    return tuple(model if dim == place and dims[dim] % mesh[model] == 0 else None for dim in range(len(dims)))


def fsdp(path: str, dims: tuple[int, ...], mesh: dict[str, int]) -> Axes:
    """Batch, parameters and their state over all axes, each leaf along its largest dimension."""
    if _is_batch(path):
        return (tuple(mesh),)
    return _with_largest((None,) * len(dims), dims, tuple(mesh), mesh)


def megatron_fsdp(path: str, dims: tuple[int, ...], mesh: dict[str, int]) -> Axes:
    """Megatron with parameters over the other axes, too."""
    found = megatron(path, dims, mesh)
    if _is_batch(path):
        return found
    return _with_largest((*found, *(None,) * (len(dims) - len(found))), dims, tuple(mesh)[:-1], mesh)


def _with_largest(axes: Axes, dims: tuple[int, ...], more: tuple[str, ...], mesh: dict[str, int]) -> Axes:
    count = math.prod(mesh[name] for name in more)
    free = [dim for dim in range(len(dims)) if axes[dim] is None and dims[dim] % count == 0]
    if not free or not more:
        return axes
    largest = max(free, key=lambda dim: dims[dim])
    return tuple(more if dim == largest else one for dim, one in enumerate(axes))


def _is_batch(path: str) -> bool:
    return path.startswith("[1]")


EXPERTS: dict[str, Rule] = {
    "data parallel": data_parallel,
    "megatron": megatron,
    "fsdp": fsdp,
    "megatron + fsdp": megatron_fsdp,
}
