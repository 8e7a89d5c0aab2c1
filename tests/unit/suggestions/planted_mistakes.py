"""Ten steps of JAX, each right and with one mistake: what an expert writes, and what a cure has to come up to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.jax.stages import Lowered


def _mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def _placed(*axes: Any) -> NamedSharding:
    return NamedSharding(_mesh(), P(*axes))


def _floats(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, "float32")


def _ints(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, "int32")


def _constrained(value: Any, *axes: Any) -> Any:
    return jax.lax.with_sharding_constraint(value, _placed(*axes))


def _lowered(step: Callable, shapes: Any, shardings: Any, out: Any = None) -> Lowered:
    given = {} if out is None else {"out_shardings": out}
    return sdy.jax.jit(step, in_shardings=shardings, **given).lower(*shapes)


def _mlp_loss(params: Any, x: Any, y: Any) -> Any:
    return jnp.mean((jax.nn.gelu(x @ params["up"]) @ params["down"] - y) ** 2)


_MLP = {"up": _floats(1024, 4096), "down": _floats(4096, 1024)}
_MLP_AXES = {"up": _placed(None, "model"), "down": _placed("model", None)}
_ROWS = _placed("data")


def transposed_weight(is_right: bool) -> Lowered:
    """The second matrix of an MLP is sharded along its columns, as the first one is."""
    axes = _MLP_AXES | {} if is_right else _MLP_AXES | {"down": _placed(None, "model")}

    def step(params: Any, x: Any, y: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(_mlp_loss)(params, x, y))

    return _lowered(step, (_MLP, _floats(16384, 1024), _floats(16384, 1024)), (axes, _ROWS, _ROWS), axes)


def batch_on_the_wrong_axis(is_right: bool) -> Lowered:
    """Inputs and targets are sharded over the axis of the weights."""
    rows = _ROWS if is_right else _placed("model")

    def step(params: Any, x: Any, y: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(_mlp_loss)(params, x, y))

    return _lowered(step, (_MLP, _floats(16384, 1024), _floats(16384, 1024)), (_MLP_AXES, rows, rows), _MLP_AXES)


def uneven_heads(is_right: bool) -> Lowered:
    """Six heads are sharded over four devices, in place of the two that divide them."""
    axis = "model" if is_right else "data"
    rows = "data" if is_right else "model"

    def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
        batch, length, _ = x.shape
        q, k, v = ((x @ w).reshape(batch, length, 6, -1) for w in (wq, wk, wv))
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), -1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, length, -1) @ wo

    shapes = (_floats(8, 1024, 768), *[_floats(768, 768)] * 4)
    shardings = (_placed(rows), *[_placed(None, axis)] * 3, _placed(axis, None))
    return _lowered(attention, shapes, shardings, _placed(rows))


def optimizer_state_not_sharded(is_right: bool) -> Lowered:
    """The momentum of sharded weights is replicated, so that gradients are gathered for it."""
    weights = {"up": _placed("data", "model"), "down": _placed("model", "data")}
    momentum = weights if is_right else dict.fromkeys(weights, _placed())

    def step(params: Any, momentum: Any, x: Any, y: Any) -> Any:
        grads = jax.grad(_mlp_loss)(params, x, y)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
        return jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum), momentum

    shapes = (_MLP, _MLP, _floats(16384, 1024), _floats(16384, 1024))
    return _lowered(step, shapes, (weights, momentum, _ROWS, _ROWS), (weights, momentum))


def constraint_left_over(is_right: bool) -> Lowered:
    """A constraint of an earlier attempt shards the activations in the middle the other way round."""

    def loss(params: Any, x: Any, y: Any) -> Any:
        hidden = jax.nn.gelu(x @ params["up"])
        if not is_right:
            hidden = _constrained(hidden, "model", "data")
        return jnp.mean((hidden @ params["down"] - y) ** 2)

    def step(params: Any, x: Any, y: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params, x, y))

    return _lowered(step, (_MLP, _floats(16384, 1024), _floats(16384, 1024)), (_MLP_AXES, _ROWS, _ROWS), _MLP_AXES)


def results_not_sharded(is_right: bool) -> Lowered:
    """The new weights are returned replicated, and gathered for it."""
    weights = {"up": _placed("data", "model"), "down": _placed("model", "data")}
    results = weights if is_right else dict.fromkeys(weights, _placed())

    def step(params: Any, x: Any, y: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(_mlp_loss)(params, x, y))

    return _lowered(step, (_MLP, _floats(16384, 1024), _floats(16384, 1024)), (weights, _ROWS, _ROWS), results)


def head_along_the_contraction(is_right: bool) -> Lowered:
    """The matrix of the vocabulary is sharded along the features, so that all logits are partial sums."""
    head = _placed(None, "model") if is_right else _placed("model", None)

    def loss(head: Any, x: Any, targets: Any) -> Any:
        logits = jax.nn.log_softmax(x @ head)
        return -jnp.mean(jnp.take_along_axis(logits, targets[:, None], -1))

    shapes = (_floats(512, 32768), _floats(4096, 512), _ints(4096))
    return _lowered(loss, shapes, (head, _ROWS, _ROWS))


def cache_along_the_sequence(is_right: bool) -> Lowered:
    """The cache of a decoder is sharded along the positions, of which each step looks at all."""
    cache = _placed("data", None, "model") if is_right else _placed("data", "model")

    def decode(q: Any, keys: Any, values: Any, new_key: Any, new_value: Any, at: Any) -> Any:
        keys = jax.lax.dynamic_update_slice(keys, new_key, (0, at, 0, 0))
        values = jax.lax.dynamic_update_slice(values, new_value, (0, at, 0, 0))
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, keys), -1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, values), keys, values

    one, many, heads = _floats(64, 1, 32, 128), _floats(64, 2048, 32, 128), _placed("data", None, "model")
    shapes = (one, many, many, one, one, jax.ShapeDtypeStruct((), "int32"))
    return _lowered(decode, shapes, (heads, cache, cache, heads, heads, _placed()), (heads, cache, cache))


def sequence_in_place_of_the_batch(is_right: bool) -> Lowered:
    """Inputs are sharded along the wrong dimension, the sequence, where a convolution over time needs neighbours."""
    rows = _placed("data") if is_right else _placed(None, "data")

    def forward(kernel: Any, x: Any) -> Any:
        numbers = jax.lax.conv_dimension_numbers(x.shape, kernel.shape, ("NWC", "WIO", "NWC"))
        for _ in range(3):
            x = jnp.tanh(jax.lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=numbers))
        return jnp.mean(jax.nn.softmax(x, 1) ** 2)

    return _lowered(forward, (_floats(5, 512, 512), _floats(64, 2048, 512)), (_placed(), rows))


MISTAKES = (
    transposed_weight,
    batch_on_the_wrong_axis,
    uneven_heads,
    optimizer_state_not_sharded,
    constraint_left_over,
    results_not_sharded,
    head_along_the_contraction,
    cache_along_the_sequence,
    sequence_in_place_of_the_batch,
)


def no_constraint_behind_a_gather(is_right: bool) -> Lowered:
    """What is looked up in a table takes the sharding of its rows' features, not that of the batch."""
    params = {"table": _floats(32768, 1024), **_MLP}
    axes = {"table": _placed(None, "data"), "up": _placed("data", "model"), "down": _placed("model", "data")}

    def loss(params: Any, tokens: Any) -> Any:
        x = params["table"][tokens]
        if is_right:
            x = _constrained(x, "data")
        return jnp.mean((jax.nn.gelu(x @ params["up"]) @ params["down"]) ** 2)

    def step(params: Any, tokens: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params, tokens))

    return _lowered(step, (params, _ints(64, 256)), (axes, _ROWS), axes)


def scanned_layers_without_a_constraint(is_right: bool) -> Lowered:
    """FSDP and tensor parallelism over a scan, a table whose features take the axis of the batch to the activations."""
    shapes = {"table": _floats(1024, 128), "in": _floats(4, 128, 512), "out": _floats(4, 512, 128)}
    specs = {
        "table": _placed("model", "data"),
        "in": _placed(None, "data", "model"),
        "out": _placed(None, "model", "data"),
    }

    def loss(params: Any, tokens: Any) -> Any:
        x = params["table"][tokens]
        if is_right:
            x = _constrained(x, "data")

        def block(x: Any, w: Any) -> tuple[Any, None]:
            scaled = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
            return x + jax.nn.gelu(scaled @ w["in"]) @ w["out"], None

        x, _ = jax.lax.scan(block, x, {"in": params["in"], "out": params["out"]})
        return -jnp.mean(jax.nn.log_softmax(x @ params["table"].T)[..., 0])

    def step(params: Any, tokens: Any) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params, tokens))

    return _lowered(step, (shapes, _ints(16, 64)), (specs, _ROWS), specs)
