"""Six checks that projects write by hand over XLA's text, in a line each; each fails where the program was made worse.

The programs are of the kinds that such checks are written for: tensor-parallel layers, attention, FSDP, gradients of
microbatches, rematerialization, decoding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.testing import assert_communication

WIDTH, LAYERS = 64, 4
LAYER_BYTES = WIDTH * WIDTH * 4

Lower = Callable[[bool], sdy.jax.Lowered]


def floats(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, "float32")


def lowered(function: Any, specs: Any, out: Any, *shapes: Any) -> sdy.jax.Lowered:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    with jax.set_mesh(mesh):
        ins, outs = jax.tree.map(
            lambda spec: NamedSharding(mesh, spec), (specs, out), is_leaf=lambda leaf: isinstance(leaf, P)
        )
        return sdy.jax.jit(function, in_shardings=ins, out_shardings=outs).lower(*shapes)


def tensor_parallel(is_worse: bool) -> sdy.jax.Lowered:
    """Down is sharded along its columns by mistake."""
    down = P(None, "model") if is_worse else P("model", None)
    layer: Any = lambda x, up, down: jax.nn.gelu(x @ up) @ down  # noqa: E731
    shapes = floats(32, WIDTH), floats(WIDTH, 256), floats(256, WIDTH)
    return lowered(layer, (P("data"), P(None, "model"), down), P("data"), *shapes)


def attention(is_worse: bool) -> sdy.jax.Lowered:
    """The weights are constrained along the keys."""

    def attend(q: Any, k: Any, v: Any) -> Any:
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k))
        if is_worse:
            weights = jax.lax.with_sharding_constraint(weights, P("data", None, None, "model"))
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v)

    heads = P("data", None, "model")
    return lowered(attend, (heads,) * 3, heads, *[floats(8, 32, 4, 16)] * 3)


def fsdp(is_worse: bool) -> sdy.jax.Lowered:
    """All layers are gathered in front of the loop."""

    def forward(weights: Any, x: Any) -> Any:
        if is_worse:
            weights = jax.lax.with_sharding_constraint(weights, P())
        return jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, weights)[0]

    return lowered(forward, (P(None, "data"), P("data")), P("data"), floats(LAYERS, WIDTH, WIDTH), floats(512, WIDTH))


def microbatches(is_worse: bool) -> sdy.jax.Lowered:
    """Gradients are whole after each microbatch."""

    def step(w: Any, batches: Any) -> Any:
        def added(total: Any, x: Any) -> Any:
            gradient = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w)))(w)
            if is_worse:
                gradient = jax.lax.optimization_barrier(jax.lax.with_sharding_constraint(gradient, P()))
                gradient = jnp.minimum(gradient, 1.0)
            return total + gradient, None

        return jax.lax.scan(added, jnp.zeros_like(w), batches)[0]

    return lowered(step, (P(), P(None, "data")), P(), floats(WIDTH, WIDTH), floats(LAYERS, 2048, WIDTH))


def rematerialized(is_worse: bool) -> sdy.jax.Lowered:
    """Activations are kept."""

    def block(x: Any, w: Any) -> Any:
        return x + jnp.tanh(jnp.tanh(jnp.tanh(x @ w) @ w.T) @ w), None

    def loss(weights: Any, x: Any) -> Any:
        return jnp.mean(jax.lax.scan(block if is_worse else jax.checkpoint(block), x, weights)[0] ** 2)

    shapes = floats(LAYERS, WIDTH, WIDTH), floats(4096, WIDTH)
    return lowered(jax.grad(loss), (P(), P("data")), P(), *shapes)


def decoding(is_worse: bool) -> sdy.jax.Lowered:
    """The cache is sharded along its length."""
    kept = P(None, "data") if is_worse else P("data")

    def generate(cache: Any, x: Any) -> Any:
        def step(state: Any, at: Any) -> Any:
            cache, x = state
            cache = jax.lax.dynamic_update_slice(cache, x[:, None], (0, at, 0))
            weights = jax.nn.softmax(jnp.einsum("bd,btd->bt", x, cache))
            return (cache, jnp.einsum("bt,btd->bd", weights, cache)), None

        return jax.lax.scan(step, (cache, x), jnp.arange(8))[0]

    return lowered(generate, (kept, P("data")), (kept, P("data")), floats(8, 32, 16), floats(8, 16))


CHECKS: list[tuple[Lower, dict[str, Any]]] = [
    (tensor_parallel, {"none_of": ["all_gather"], "at_most": {"all_reduce over model": 1}}),
    (attention, {"none_of": ["all_to_all"]}),
    (fsdp, {"none_of": [f"all_gather above {LAYER_BYTES}"]}),
    (microbatches, {"at_most": {"all_reduce over data above 1000": 1}}),
    (rematerialized, {"max_temp_bytes": 4_000_000}),
    (decoding, {"none_of": ["any in loops"]}),
]


@pytest.mark.parametrize(("lower", "limits"), CHECKS, ids=[lower.__name__ for lower, _ in CHECKS])
def test_a_check_fails_where_the_program_is_worse(lower: Lower, limits: dict[str, Any]) -> None:
    assert_communication(lower(False), **limits)
    with pytest.raises(AssertionError, match="exceeds its communication budget"):
        assert_communication(lower(True), **limits)
