"""Training steps of language models whose parameters are split over all devices, like the batch."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from benchmarks.programs.registry import program
from tests.data.programs.networks import lowered, train_step
from tests.data.programs.registry import mesh, placed, shape

HEADS, LAYERS = 4, 4


def _shapes(width: int) -> dict[str, Any]:
    return {
        "scale1": shape(width),
        "query": shape(width, width),
        "key": shape(width, width),
        "value": shape(width, width),
        "out": shape(width, width),
        "scale2": shape(width),
        "up": shape(width, 4 * width),
        "down": shape(4 * width, width),
    }


def _normalized(x: jax.Array, scale: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6) * scale


def block(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
    """Attention to earlier tokens, and a perceptron."""
    h = _normalized(x, layer["scale1"])
    q, k, v = ((h @ layer[name]).reshape(*x.shape[:2], HEADS, -1) for name in ("query", "key", "value"))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape) @ layer["out"]
    return x + jax.nn.gelu(_normalized(x, layer["scale2"]) @ layer["up"]) @ layer["down"]


def _accumulated(loss: Any, count: int) -> Any:
    """A step whose gradients are added up over `count` parts of the batch."""

    def step(parameters: Any, tokens: jax.Array) -> Any:
        def add(state: Any, part: jax.Array) -> tuple[Any, None]:
            value, gradients = jax.value_and_grad(loss)(parameters, part)
            return jax.tree.map(jnp.add, state, (gradients, value)), None

        parts = tokens.reshape(-1, count, tokens.shape[1]).swapaxes(0, 1)
        start = jax.tree.map(jnp.zeros_like, parameters), jnp.zeros(())
        (gradients, value), _ = jax.lax.scan(add, start, parts)
        return jax.tree.map(lambda p, g: p - 0.1 / count * g, parameters, gradients), value / count

    return step


def _loss(on: Mesh, *, scan: bool, remat: bool, constrained: bool) -> Any:
    def layer(x: jax.Array, parameters: Any) -> jax.Array:
        if constrained:
            x = jax.lax.with_sharding_constraint(x, placed(on, P("data", None, None)))
        return block(x, parameters)

    each = jax.checkpoint(layer) if remat else layer

    def loss(parameters: Any, tokens: jax.Array) -> jax.Array:
        x = parameters["embedding"][tokens]
        if scan:
            x = jax.lax.scan(lambda y, one: (each(y, one), None), x, parameters["layers"])[0]
        else:
            x = functools.reduce(each, parameters["layers"], x)
        scores = jax.nn.log_softmax(x @ parameters["embedding"].T)
        return -jnp.take_along_axis(scores, tokens[..., None], axis=-1).mean()

    return loss


@program("gpt_fsdp", scan=False, remat=False)
@program("gpt_fsdp_remat", scan=False, remat=True)
@program("gpt_fsdp_scan", scan=True, remat=False)
@program("gpt_fsdp_scan_remat", scan=True, remat=True)
@program("gpt_fsdp_scan_remat_accumulated", scan=True, remat=True, parts=4)
@program("gpt_fsdp_unconstrained", scan=False, remat=False, constrained=False)
@program("gpt_data_scan", scan=True, remat=False, split=False)
@program("gpt_data_scan_remat", scan=True, remat=True, split=False)
def gpt(
    *,
    scan: bool,
    remat: bool,
    parts: int = 1,
    constrained: bool = True,
    split: bool = True,
    columns: bool = False,
    width: int = 128,
    count: int = LAYERS,
    vocabulary: int = 512,
    tokens: tuple[int, int] = (8, 128),
) -> jax.stages.Lowered:
    """A training step. Parameters are split over `data`, by rows or `columns`, or on every device unless `split`.

    `count` is the number of layers, `tokens` the shape of the batch, which is read in so many `parts`.
    """
    on = mesh(data=8)
    loss = _loss(on, scan=scan, remat=remat, constrained=constrained)
    if scan:
        layers: Any = {name: shape(count, *one.shape) for name, one in _shapes(width).items()}
        specs: Any = {name: _split(one.shape[1:], columns, (None,)) if split else P() for name, one in layers.items()}
    else:
        layers = [_shapes(width)] * count
        specs = [{name: _split(one.shape, columns) for name, one in _shapes(width).items()}] * count
    embedding = _split((vocabulary, width), columns) if split else P()
    parameters = {"embedding": shape(vocabulary, width), "layers": layers}
    step = _accumulated(loss, parts) if parts > 1 else train_step(loss)
    batch = (shape(tokens[0] * parts, tokens[1], dtype=jnp.int32), P("data"))
    return lowered(step, on, parameters, {"embedding": embedding, "layers": specs}, batch)


def _split(dims: tuple[int, ...], columns: bool, before: tuple[None, ...] = ()) -> P:
    return P(*before, None, "data") if columns and len(dims) == 2 else P(*before, "data")
