"""Layers of experts in the manner of Mixtral: each token goes to two of eight experts with gated perceptrons."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from benchmarks.programs.registry import program
from tests.data.programs.networks import lowered, train_step
from tests.data.programs.registry import DATA_MODEL, mesh, shape

TOKENS, WIDTH, HIDDEN, EXPERTS, CHOSEN = 256, 64, 128, 8, 2


def _by_einsum(p: dict[str, jax.Array], x: jax.Array, weights: jax.Array, chosen: jax.Array) -> jax.Array:
    """A mask says which token has which place of which expert."""
    capacity = 2 * TOKENS * CHOSEN // EXPERTS
    routed = jax.nn.one_hot(chosen, EXPERTS)
    flat = routed.reshape(-1, EXPERTS)
    place = ((jnp.cumsum(flat, axis=0) - 1) * flat).reshape(routed.shape)
    dispatch = jax.nn.one_hot(place, capacity) * routed[..., None]
    inputs = jnp.einsum("tkec,td->ecd", dispatch, x)
    hidden = jax.nn.silu(jnp.einsum("ecd,edh->ech", inputs, p["gate"])) * jnp.einsum("ecd,edh->ech", inputs, p["up"])
    return jnp.einsum("tkec,tk,ecd->td", dispatch, weights, jnp.einsum("ech,ehd->ecd", hidden, p["down"]))


def _by_sorting(p: dict[str, jax.Array], x: jax.Array, weights: jax.Array, chosen: jax.Array) -> jax.Array:
    """Tokens are sorted by expert, and each expert has as many places."""
    capacity = 2 * TOKENS * CHOSEN // EXPERTS
    expert = chosen.reshape(-1)
    order = jnp.argsort(expert)
    sorted_expert = expert[order]
    place = jnp.arange(order.size) - jnp.searchsorted(sorted_expert, sorted_expert)
    inputs = jnp.zeros((EXPERTS, capacity, WIDTH)).at[sorted_expert, place].set(x[order // CHOSEN], mode="drop")
    hidden = jax.nn.silu(jnp.einsum("ecd,edh->ech", inputs, p["gate"])) * jnp.einsum("ecd,edh->ech", inputs, p["up"])
    outputs = jnp.einsum("ech,ehd->ecd", hidden, p["down"])
    mixed = outputs.at[sorted_expert, place].get(mode="fill", fill_value=0) * weights.reshape(-1)[order][:, None]
    return jnp.zeros_like(x).at[order // CHOSEN].add(mixed)


def _by_ragged_dot(p: dict[str, jax.Array], x: jax.Array, weights: jax.Array, chosen: jax.Array) -> jax.Array:
    """Tokens are sorted by expert; products run over as many as each expert has."""
    expert = chosen.reshape(-1)
    order = jnp.argsort(expert)
    sizes = jnp.bincount(expert, length=EXPERTS).astype(jnp.int32)
    inputs = x[order // CHOSEN]
    hidden = jax.nn.silu(jax.lax.ragged_dot(inputs, p["gate"], sizes)) * jax.lax.ragged_dot(inputs, p["up"], sizes)
    mixed = jax.lax.ragged_dot(hidden, p["down"], sizes) * weights.reshape(-1)[order][:, None]
    return jnp.zeros_like(x).at[order // CHOSEN].add(mixed)


@program("mixtral_einsum", apply=_by_einsum)
@program("mixtral_sorted", apply=_by_sorting)
@program("mixtral_ragged", apply=_by_ragged_dot)
def mixtral(*, apply: Any) -> jax.stages.Lowered:
    """Trained with experts over `model` and tokens over `data`."""

    def loss(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        scores, chosen = jax.lax.top_k(x @ p["router"], CHOSEN)
        return ((x + apply(p, x, jax.nn.softmax(scores), chosen)) ** 2).mean()

    parameters = {
        "router": shape(WIDTH, EXPERTS),
        "gate": shape(EXPERTS, WIDTH, HIDDEN),
        "up": shape(EXPERTS, WIDTH, HIDDEN),
        "down": shape(EXPERTS, HIDDEN, WIDTH),
    }
    specs = {name: P() if name == "router" else P("model") for name in parameters}
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, (shape(TOKENS, WIDTH), P("data")))
