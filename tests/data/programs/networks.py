"""Training steps of other networks: MLP with sharded parameters, convolutions, recurrence, experts, graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape


def train_step(loss: Callable[..., jax.Array]) -> Callable[..., tuple[Any, jax.Array]]:
    """Gradient descent on the first argument of `loss`."""

    def step(parameters: Any, *batch: jax.Array) -> tuple[Any, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(parameters, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), value

    return step


def lowered(step: Any, on: Any, parameters: Any, specs: Any, *batch: tuple[Any, P]) -> jax.stages.Lowered:
    """A training step with the parameters laid out by `specs`; a batch entry is a shape and its spec."""
    shardings = placed(on, specs)
    jitted = jax.jit(
        step,
        in_shardings=(shardings, *(placed(on, spec) for _, spec in batch)),
        out_shardings=(shardings, placed(on, P())),
        donate_argnums=0,
    )
    return jitted.lower(parameters, *(argument for argument, _ in batch))


@program("mlp_fsdp")
def mlp_fsdp() -> jax.stages.Lowered:
    """Parameters and batch both over all devices; weights are gathered where they are used."""

    def loss(weights: list[jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
        for weight in weights[:-1]:
            x = jax.nn.relu(x @ weight)
        return ((x @ weights[-1] - y) ** 2).mean()

    widths = [64, 256, 256, 256, 16]
    weights = [shape(a, b) for a, b in zip(widths, widths[1:], strict=False)]
    batch = [(shape(32, widths[0]), P("data")), (shape(32, widths[-1]), P("data"))]
    return lowered(train_step(loss), mesh(data=8), weights, [P("data")] * len(weights), *batch)


@program("cnn")
def cnn() -> jax.stages.Lowered:
    """Two convolutions with batch norm, pooling and a classifier; batch over `data`, channels over `model`."""

    def normalized(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset

    def loss(parameters: dict[str, jax.Array], images: jax.Array, labels: jax.Array) -> jax.Array:
        x = images
        for layer in ("1", "2"):
            numbers = ("NHWC", "HWIO", "NHWC")
            x = jax.lax.conv_general_dilated(x, parameters["kernel" + layer], (1, 1), "SAME", dimension_numbers=numbers)
            x = jax.nn.relu(normalized(x, parameters["scale" + layer], parameters["offset" + layer]))
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        scores = jax.nn.log_softmax(x.reshape(x.shape[0], -1) @ parameters["dense"])
        return -(jax.nn.one_hot(labels, 10) * scores).sum(-1).mean()

    parameters = {
        "kernel1": shape(3, 3, 3, 16),
        "kernel2": shape(3, 3, 16, 32),
        "dense": shape(8 * 8 * 32, 10),
        **{f"{name}{i}": shape(channels) for i, channels in ((1, 16), (2, 32)) for name in ("scale", "offset")},
    }
    specs = {
        name: P(None, None, None, "model") if "kernel" in name else P() if name == "dense" else P("model")
        for name in parameters
    }
    batch = [(shape(16, 32, 32, 3), P("data")), (shape(16, dtype=jnp.int32), P("data"))]
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, *batch)


@program("lstm")
def lstm() -> jax.stages.Lowered:
    """A recurrent network scanned over time, hidden units over `model`."""
    width, batch, length = 64, 16, 20

    def loss(parameters: dict[str, jax.Array], xs: jax.Array, target: jax.Array) -> jax.Array:
        def cell(carry: tuple[jax.Array, jax.Array], x: jax.Array) -> tuple[tuple[jax.Array, jax.Array], None]:
            hidden, memory = carry
            gates = x @ parameters["input"] + hidden @ parameters["recurrent"]
            i, f, g, o = jnp.split(gates, 4, axis=-1)
            memory = jax.nn.sigmoid(f) * memory + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(memory), memory), None

        start = jnp.zeros((batch, width))
        (hidden, _), _ = jax.lax.scan(cell, (start, start), xs)
        return ((hidden - target) ** 2).mean()

    parameters = {"input": shape(width, 4 * width), "recurrent": shape(width, 4 * width)}
    specs = dict.fromkeys(parameters, P(None, "model"))
    data = [(shape(length, batch, width), P(None, "data")), (shape(batch, width), P("data"))]
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, *data)


@program("moe")
def moe() -> jax.stages.Lowered:
    """Experts over `model`; tokens are dispatched to them and combined again by einsums with a mask."""
    tokens, width, hidden, experts, capacity = 64, 32, 64, 4, 16

    def loss(parameters: dict[str, jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
        gates = jax.nn.softmax(x @ parameters["router"])
        chosen = jnp.argmax(gates, axis=-1)
        routed = jax.nn.one_hot(chosen, experts)
        position = jnp.cumsum(routed, axis=0) * routed - 1
        dispatch = jax.nn.one_hot(position, capacity) * routed[..., None]
        inputs = jnp.einsum("tec,td->ecd", dispatch, x)
        outputs = jax.nn.gelu(jnp.einsum("ecd,edh->ech", inputs, parameters["up"]))
        outputs = jnp.einsum("ech,ehd->ecd", outputs, parameters["down"])
        combine = dispatch * gates.max(-1)[:, None, None]
        return ((jnp.einsum("tec,ecd->td", combine, outputs) - y) ** 2).mean()

    parameters = {
        "router": shape(width, experts),
        "up": shape(experts, width, hidden),
        "down": shape(experts, hidden, width),
    }
    specs = {"router": P(), "up": P("model"), "down": P("model")}
    data = [(shape(tokens, width), P("data"))] * 2
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, *data)


@program("gnn")
def gnn() -> jax.stages.Lowered:
    """Messages along edges: gathered from the nodes, summed at the nodes by a scatter."""
    nodes, edges, width = 32, 128, 16

    def loss(parameters: dict[str, jax.Array], x: jax.Array, senders: jax.Array, receivers: jax.Array) -> jax.Array:
        for name in ("first", "second"):
            messages = jax.nn.relu(x[senders] @ parameters[name])
            x = x + jax.ops.segment_sum(messages, receivers, nodes)
        return (x**2).mean()

    parameters = {"first": shape(width, width), "second": shape(width, width)}
    specs = dict.fromkeys(parameters, P(None, "model"))
    data = [
        (shape(nodes, width), P()),
        (shape(edges, dtype=jnp.int32), P("data")),
        (shape(edges, dtype=jnp.int32), P("data")),
    ]
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, *data)
