"""A network on a graph: each edge makes a message of the nodes at its ends, each node adds up those of its edges."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.auto_partitioning.program import Program, Put, shape, training


def gnn(nodes: int = 2**17, edges: int = 2**20, layers: int = 3, width: int = 256, classes: int = 64) -> Program:
    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("nodes", data["features"] @ parameters["enter"])
        for layer in parameters["layers"]:
            sent, read = put("read nodes", x @ layer["send"]), put("read nodes", x @ layer["receive"])
            messages = put("edges", jax.nn.relu(sent[data["senders"]] + read[data["receivers"]]))
            summed = put("nodes", jax.ops.segment_sum(messages, data["receivers"], nodes))
            x = put("nodes", x + jax.nn.relu(summed @ layer["update"]))
        scores = jax.nn.log_softmax(x @ parameters["leave"])
        return -jnp.mean(jnp.take_along_axis(scores, data["labels"][:, None], axis=-1))

    parameters = {
        "enter": shape(width // 2, width),
        "layers": [{name: shape(width, width) for name in ("send", "receive", "update")}] * layers,
        "leave": shape(width, classes),
    }
    data = {
        "features": shape(nodes, width // 2),
        "labels": shape(nodes, dtype=jnp.int32),
        "senders": shape(edges, dtype=jnp.int32),
        "receivers": shape(edges, dtype=jnp.int32),
    }
    return training("gnn", loss, parameters, data)
