"""Programs on sequences that are split over devices: what a position needs of its neighbours is sent."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from benchmarks.programs.registry import program
from tests.data.programs.networks import lowered, train_step
from tests.data.programs.registry import mesh, placed, shape

BATCH, LENGTH, WIDTH = 4, 256, 32
SPLIT = P(None, "data", None)


def _inference(function: Any, *arguments: tuple[tuple[int, ...], P]) -> jax.stages.Lowered:
    on = mesh(data=8)
    jitted = jax.jit(function, in_shardings=tuple(placed(on, spec) for _, spec in arguments))
    return jitted.lower(*(shape(*dims) for dims, _ in arguments))


@program("token_shift")
def token_shift() -> jax.stages.Lowered:
    """Each token is mixed with the one before it, as in RWKV."""

    def mixed(x: jax.Array, share: jax.Array) -> jax.Array:
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        return x * share + before * (1 - share)

    return _inference(mixed, ((BATCH, LENGTH, WIDTH), SPLIT), ((WIDTH,), P()))


def _by_shifts(x: jax.Array, kernel: jax.Array) -> jax.Array:
    padded = jnp.pad(x, ((0, 0), (3, 0), (0, 0)))
    shifted = [padded[:, i : i + x.shape[1]] * kernel[i] for i in range(4)]
    return functools.reduce(jnp.add, shifted)


@program("causal_convolution")
def causal_convolution() -> jax.stages.Lowered:
    """A depthwise convolution over four tokens, written as four shifts."""

    return _inference(_by_shifts, ((BATCH, LENGTH, WIDTH), SPLIT), ((4, WIDTH), P()))


@program("causal_convolution_gradient")
def causal_convolution_gradient() -> jax.stages.Lowered:
    """The same with gradients of the kernel and the input."""

    def loss(kernel: jax.Array, x: jax.Array) -> jax.Array:
        return (_by_shifts(x, kernel) ** 2).sum()

    return lowered(jax.grad(loss, (0, 1)), mesh(data=8), shape(4, WIDTH), P(), (shape(BATCH, LENGTH, WIDTH), SPLIT))


def _loss_of_next(scores: jax.Array, tokens: jax.Array) -> jax.Array:
    return -jnp.take_along_axis(jax.nn.log_softmax(scores), tokens[..., None], axis=-1).mean()


@program("shifted_loss")
def shifted_loss() -> jax.stages.Lowered:
    """The loss of a language model: scores of all but the last token, compared with all tokens but the first."""

    def loss(embedding: jax.Array, tokens: jax.Array) -> jax.Array:
        scores = embedding[tokens] @ embedding.T
        return _loss_of_next(scores[:, :-1], tokens[:, 1:])

    tokens = shape(BATCH, LENGTH, dtype=jnp.int32)
    return lowered(train_step(loss), mesh(data=8), shape(64, WIDTH), P(), (tokens, P(None, "data")))


@program("shifted_loss_by_roll")
def shifted_loss_by_roll() -> jax.stages.Lowered:
    """The same with targets that are rolled, and a mask for the last one."""

    def loss(embedding: jax.Array, tokens: jax.Array) -> jax.Array:
        scores = jax.nn.log_softmax(embedding[tokens] @ embedding.T)
        targets = jnp.roll(tokens, -1, axis=1)
        found = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
        return -jnp.where(jnp.arange(LENGTH) < LENGTH - 1, found, 0).mean()

    tokens = shape(BATCH, LENGTH, dtype=jnp.int32)
    return lowered(train_step(loss), mesh(data=8), shape(64, WIDTH), P(), (tokens, P(None, "data")))


# State spaces ------------------------------------------------------------------------------------


@program("mamba_associative", by_time=False, sequence=False)
@program("mamba_associative_sequence", by_time=False, sequence=True)
@program("mamba_scan", by_time=True, sequence=False)
def mamba(*, by_time: bool, sequence: bool) -> jax.stages.Lowered:
    """A selective state space; channels over `model` and images over `data`, or the sequence over both."""
    width, states, inner = 32, 8, 64

    def combined(a: tuple[jax.Array, jax.Array], b: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        return a[0] * b[0], b[0] * a[1] + b[1]

    def scanned(decay: jax.Array, fed: jax.Array) -> jax.Array:
        if not by_time:
            return jax.lax.associative_scan(combined, (decay, fed), axis=1)[1]

        def step(state: jax.Array, given: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            state = given[0] * state + given[1]
            return state, state

        over_time = (jnp.moveaxis(decay, 1, 0), jnp.moveaxis(fed, 1, 0))
        return jnp.moveaxis(jax.lax.scan(step, jnp.zeros_like(fed[:, 0]), over_time)[1], 0, 1)

    def block(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        h = jax.nn.silu(_by_shifts(x @ p["in"], p["convolution"]))
        step = jax.nn.softplus(h * p["step"])
        decay = jnp.exp(-step[..., None] * jnp.exp(p["decay"]))
        fed = (step * h)[..., None] * (h @ p["feed"])[:, :, None, :]
        state = scanned(decay, fed)
        read = jnp.einsum("btcn,btn->btc", state, h @ p["read"])
        return (read * jax.nn.silu(x @ p["gate"])) @ p["out"]

    def loss(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        return ((x + block(p, x)) ** 2).mean()

    shapes = {
        "in": shape(width, inner),
        "gate": shape(width, inner),
        "convolution": shape(4, inner),
        "step": shape(inner),
        "decay": shape(inner, states),
        "feed": shape(inner, states),
        "read": shape(inner, states),
        "out": shape(inner, width),
    }
    if sequence:
        specs, on, at = dict.fromkeys(shapes, P()), mesh(data=8), P(None, "data", None)
    else:
        specs = {name: P("model") for name in shapes}
        specs |= {name: P(None, "model") for name in ("in", "gate", "convolution")}
        on, at = mesh(data=4, model=2), P("data", None, None)
    return lowered(train_step(loss), on, shapes, specs, (shape(8, 64, width), at))


@program("rotary_attention_split_heads")
def rotary_attention_split_heads() -> jax.stages.Lowered:
    """Scores of attention whose heads themselves are split over devices, with rotated halves, trained."""

    def rotated(x: jax.Array, angles: jax.Array) -> jax.Array:
        first, second = jnp.split(x, 2, axis=-1)
        return x * jnp.cos(angles) + jnp.concatenate([-second, first], axis=-1) * jnp.sin(angles)

    def loss(w: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        angles = jnp.outer(jnp.arange(x.shape[1]), 1e-4 ** jnp.linspace(0, 1, WIDTH))
        q, k = (rotated(x @ w[name], angles) for name in ("query", "key"))
        return (jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k)) ** 2).mean()

    weights = {"query": shape(WIDTH, WIDTH), "key": shape(WIDTH, WIDTH)}
    specs = dict.fromkeys(weights, P(None, "model"))
    batch = (shape(BATCH, LENGTH, WIDTH), P("data", None, None))
    return lowered(train_step(loss), mesh(data=2, model=4), weights, specs, batch)


@program("split_vocabulary", tokens=P())
@program("split_vocabulary_and_texts", tokens=P("data"))
def split_vocabulary(*, tokens: P) -> jax.stages.Lowered:
    """Words looked up in a table that is split along them, and predicted by it, trained."""

    def loss(w: dict[str, jax.Array], words: jax.Array) -> jax.Array:
        scores = jax.nn.relu(w["table"][words] @ w["hidden"]) @ w["table"].T
        return -jnp.take_along_axis(jax.nn.log_softmax(scores), words[..., None], axis=-1).mean()

    weights = {"table": shape(LENGTH, WIDTH), "hidden": shape(WIDTH, WIDTH)}
    specs = {"table": P("model"), "hidden": P()}
    batch = (shape(BATCH, 64, dtype=jnp.int32), tokens)
    return lowered(train_step(loss), mesh(data=2, model=4), weights, specs, batch)
