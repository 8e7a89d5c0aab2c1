"""Six checks that users of JAX write by hand over XLA's text, with `sdy.testing`: each fails for a worse program.

Each is held by both partitioners: what `jax.jit` lowers is compiled by XLA, what `sdy.jax.jit` lowers is not.
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

Build = Callable[..., Any]
"""`jax.jit` or `sdy.jax.jit`."""


def mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def placed(*axes: Any) -> NamedSharding:
    return NamedSharding(mesh(), P(*axes))


def floats(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, "float32")


def constrained(value: Any, *axes: Any) -> Any:
    return jax.lax.with_sharding_constraint(value, placed(*axes))


def tensor_parallel_layer(jit: Build, is_worse: bool) -> None:
    """One all_reduce behind the second product, and no all_gather of activations."""
    down = placed(None, "model") if is_worse else placed("model", None)
    layer = jit(
        lambda x, up, down: jax.nn.gelu(x @ up) @ down,
        in_shardings=(placed("data"), placed(None, "model"), down),
        out_shardings=placed("data"),
    )
    lowered = layer.lower(floats(64, 128), floats(128, 512), floats(512, 128))
    assert_communication(lowered, none_of=["all_gather"], at_most={"all_reduce over model": 1})


def no_all_to_all(jit: Build, is_worse: bool) -> None:
    """Attention over sharded heads needs no other layout in between."""

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k))
        if is_worse:
            scores = constrained(scores, "data", None, "model")
        return jnp.einsum("bhqk,bkhd->bqhd", scores, v)

    heads = placed("data", None, "model")
    lowered = jit(attention, in_shardings=(heads,) * 3, out_shardings=heads).lower(*[floats(8, 32, 4, 16)] * 3)
    assert_communication(lowered, none_of=["all-to-all", "any above 1000"])


def no_full_gather_of_weights(jit: Build, is_worse: bool) -> None:
    """FSDP gathers the weights of a layer, never those of all layers."""

    def forward(weights: Any, x: Any) -> Any:
        if is_worse:
            weights = constrained(weights)
        step = lambda x, w: (constrained(jnp.tanh(x @ constrained(w)), "data"), None)  # noqa: E731
        return jax.lax.scan(step, x, weights)[0]

    lowered = jit(forward, in_shardings=(placed(None, "data"), placed("data")), out_shardings=placed("data")).lower(
        floats(8, 64, 64), floats(32, 64)
    )
    layer = 64 * 64 * 4
    assert_communication(lowered, none_of=[f"all_gather above {layer}"], at_most={"all_gather": 8})


def gradient_reduced_once(jit: Build, is_worse: bool) -> None:
    """Gradients of microbatches are summed on each device, and reduced behind the loop."""

    def gradient(w: Any, batches: Any) -> Any:
        def local(w: Any, batches: Any) -> Any:
            def add(total: Any, batch: Any) -> Any:
                found = jax.grad(lambda w: jnp.sum(jnp.tanh(batch @ w)))(w)
                return total + (jax.lax.psum(found, "data") if is_worse else found), None

            total = jax.lax.scan(add, jnp.zeros_like(w), batches)[0]
            return total if is_worse else jax.lax.psum(total, "data")

        specs = (P(), P(None, "data"))
        return jax.shard_map(local, mesh=mesh(), in_specs=specs, out_specs=P(), check_vma=False)(w, batches)

    lowered = jit(gradient, in_shardings=(placed(), placed(None, "data"))).lower(floats(32, 32), floats(4, 64, 32))
    assert_communication(lowered, at_most={"all_reduce over data above 1000": 1})


def temporaries_are_bounded(jit: Build, is_worse: bool) -> None:
    """Layers that are computed again keep their inputs alone."""

    def loss(weights: Any, x: Any) -> Any:
        def layer(x: Any, w: Any) -> Any:
            for _ in range(4):
                x = jnp.sin(x @ w)
            return x, None

        body = layer if is_worse else jax.checkpoint(layer)
        return jnp.sum(jax.lax.scan(body, x, weights)[0])

    step = jit(jax.grad(loss), in_shardings=(placed(), placed("data")))
    lowered = step.lower(floats(16, 64, 64), floats(1024, 64))
    assert_communication(lowered, max_temp_bytes=4_000_000)


def nothing_in_loops(jit: Build, is_worse: bool) -> None:
    """A loop over steps whose state is sharded along the batch sends nothing."""

    def decode(state: Any, w: Any) -> Any:
        return jax.lax.fori_loop(0, 16, lambda _, state: jnp.tanh(state @ w), state)

    rows = placed(None, "model") if is_worse else placed()
    lowered = jit(decode, in_shardings=(placed("data"), rows), out_shardings=placed("data")).lower(
        floats(32, 64), floats(64, 64)
    )
    assert_communication(lowered, none_of=["any in loops"])


CHECKS = [
    tensor_parallel_layer,
    no_all_to_all,
    no_full_gather_of_weights,
    gradient_reduced_once,
    temporaries_are_bounded,
    nothing_in_loops,
]


@pytest.mark.parametrize("jit", [jax.jit, sdy.jax.jit], ids=["jax", "sdy"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_check_fails_where_the_program_is_worse(check: Callable[[Build, bool], None], jit: Build) -> None:
    check(jit, False)
    with pytest.raises(AssertionError, match=r"the program exceeds its communication budget\n  .*, at most"):
        check(jit, True)


def test_what_is_lowered_says_what_it_is() -> None:
    lowered = sdy.jax.jit(jnp.tanh, in_shardings=placed("data")).lower(floats(8, 4))
    assert repr(lowered) == '<sdy.jax.Lowered jit(tanh): 1 arguments, 128 bytes, on <["data"=4, "model"=2]>>'
