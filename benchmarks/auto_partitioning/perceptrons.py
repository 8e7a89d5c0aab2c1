"""Perceptrons, experts of which each token sees some, tables that are looked up, and pairs that are told apart."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.auto_partitioning.program import Program, Put, shape, training


def mlp(width: int = 2048, hidden: int = 8192, batch: int = 4096) -> Program:
    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("narrow", data["inputs"])
        x = put("wide", jax.nn.relu(x @ parameters["first"]))
        x = put("wider", jax.nn.relu(x @ parameters["second"]))
        return jnp.mean((put("narrow", x @ parameters["third"]) - data["targets"]) ** 2)

    parameters = {"first": shape(width, hidden), "second": shape(hidden, hidden), "third": shape(hidden, width)}
    return training("mlp", loss, parameters, {"inputs": shape(batch, width), "targets": shape(batch, width)})


def moe(experts: int = 16, groups: int = 32, tokens: int = 1024, width: int = 1024, hidden: int = 4096) -> Program:
    """In each group of tokens every expert has as many places; masks say who goes where."""
    capacity = 2 * tokens // experts

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("groups", data["inputs"])
        gates = jax.nn.softmax(jnp.einsum("gsm,me->gse", x, parameters["router"]))
        expert = jnp.argmax(gates, axis=-1)
        chosen = jax.nn.one_hot(expert, experts)
        position = jnp.cumsum(chosen, axis=1) * chosen - 1
        dispatch = chosen[..., None] * jax.nn.one_hot(position.astype(jnp.int32), capacity)
        combine = dispatch * jnp.max(gates, axis=-1)[..., None, None]
        inside = put("dispatched", put("grouped", jnp.einsum("gsec,gsm->egcm", dispatch, x)))
        inside = put("dispatched", jax.nn.relu(jnp.einsum("egcm,emh->egch", inside, parameters["up"])))
        inside = put("grouped", put("dispatched", jnp.einsum("egch,ehm->egcm", inside, parameters["down"])))
        x = put("groups", jnp.einsum("gsec,egcm->gsm", combine, inside))
        return jnp.mean((x - data["targets"]) ** 2)

    parameters = {
        "router": shape(width, experts),
        "up": shape(experts, width, hidden),
        "down": shape(experts, hidden, width),
    }
    tensor = shape(groups, tokens, width)
    return training("moe", loss, parameters, {"inputs": tensor, "targets": tensor})


def moe_ragged(
    tokens: int = 16384, width: int = 2048, hidden: int = 7168, experts: int = 8, chosen: int = 2
) -> Program:
    """Tokens are sorted by expert, and products run over as many as each has; no token is dropped."""

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("tokens", data["inputs"])
        scores, picked = jax.lax.top_k(x @ parameters["router"], chosen)
        order = jnp.argsort(picked.reshape(-1))
        sizes = jnp.bincount(picked.reshape(-1), length=experts).astype(jnp.int32)
        rows = put("rows", x[order // chosen])
        gate, up = (jax.lax.ragged_dot(rows, parameters[name], sizes) for name in ("gate", "up"))
        found = put("rows", jax.lax.ragged_dot(put("hidden rows", jax.nn.silu(gate) * up), parameters["down"], sizes))
        weights = jax.nn.softmax(scores).reshape(-1)[order]
        x = put("tokens", jnp.zeros_like(x).at[order // chosen].add(found * weights[:, None]))
        return jnp.mean((x - data["targets"]) ** 2)

    parameters = {
        "router": shape(width, experts),
        **{name: shape(experts, width, hidden) for name in ("gate", "up")},
        "down": shape(experts, hidden, width),
    }
    # For CPUs JAX writes ragged products out as masked ones, of all tokens with all experts.
    data = {"inputs": shape(tokens, width), "targets": shape(tokens, width)}
    return training("moe_ragged", loss, parameters, data, platform="tpu")


def recommender(batch: int = 16384, tables: int = 16, rows: int = 1 << 20, width: int = 128) -> Program:
    """Products of what is looked up in large tables, and of what a perceptron makes of numbers."""

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        found = [parameters["tables"][number][data["ids"][:, number]] for number in range(tables)]
        dense = jax.nn.relu(jax.nn.relu(data["numbers"] @ parameters["first"]) @ parameters["second"])
        features = put("features", jnp.stack([*found, dense], axis=1))
        pairs = jnp.einsum("bnd,bmd->bnm", features, features).reshape(batch, -1)
        hidden = jax.nn.relu(jnp.concatenate([pairs, dense], axis=1) @ parameters["up"])
        logits = (jax.nn.relu(hidden @ parameters["down"]) @ parameters["last"])[:, 0]
        return jnp.mean(jnp.logaddexp(0, logits) - logits * data["clicks"])

    parameters = {
        "tables": [shape(rows, width)] * tables,
        "first": shape(13, 512),
        "second": shape(512, width),
        "up": shape((tables + 1) ** 2 + width, 1024),
        "down": shape(1024, 1024),
        "last": shape(1024, 1),
    }
    data = {"ids": shape(batch, tables, dtype=jnp.int32), "numbers": shape(batch, 13), "clicks": shape(batch)}
    return training("recommender", loss, parameters, data)


def contrastive(batch: int = 4096, width: int = 1024, hidden: int = 4096, common: int = 512) -> Program:
    """Pairs of images and texts, each of which is compared with all the others."""

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        def embedded(name: str) -> jax.Array:
            tower = parameters[name]
            found = put("narrow", jax.nn.gelu(put("wide", data[name] @ tower["up"])) @ tower["down"])
            return found / jnp.linalg.norm(found, axis=-1, keepdims=True)

        scores, own = 10 * embedded("images") @ embedded("texts").T, jnp.arange(batch)
        of_texts, of_images = (jax.nn.log_softmax(scores, axis=axis)[own, own] for axis in (0, 1))
        return -jnp.mean(of_texts + of_images)

    tower = {"up": shape(width, hidden), "down": shape(hidden, common)}
    both = ("images", "texts")
    return training("contrastive", loss, dict.fromkeys(both, tower), dict.fromkeys(both, shape(batch, width)))
