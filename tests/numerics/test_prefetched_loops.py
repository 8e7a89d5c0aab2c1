"""Collectives sent one round ahead: the same numbers and bytes, and a shorter step (spec: async, A14)."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from tests import depth

pytestmark = pytest.mark.skipif(
    jax.__version_info__ < (0, 12), reason="asynchronous StableHLO was seen to run from JAX 0.12 on"
)

PASS = "sdy-partition-pipeline{kept-bytes=0},sdy-prefetch-in-loops"
MACHINE = "flops=1e9 bandwidth=1e9 latency=0"
LAYERS = 5


def loss(weights: jax.Array, x: jax.Array) -> jax.Array:
    """Layers that are scanned over, and the way back, which scans over them from the last one."""
    return (jax.lax.scan(lambda y, w: (jnp.tanh(y @ w), None), x, weights)[0] ** 2).sum()


def placed() -> tuple[jax.Array, jax.Array]:
    mesh = Mesh(np.array(jax.devices()).reshape(8), ("data",))
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((LAYERS, 16, 16)).astype(np.float32) / 4
    x = rng.standard_normal((16, 16)).astype(np.float32)
    return (
        jax.device_put(weights, NamedSharding(mesh, P(None, "data"))),
        jax.device_put(x, NamedSharding(mesh, P("data"))),
    )


def test_layers_that_are_scanned() -> None:
    function = jax.value_and_grad(loss) if depth.ALL else loss
    inputs = placed()
    plain, ahead = (
        sdy.jax.jit(function, partitioner=sdy.jax.Partitioner(pipeline))
        for pipeline in ("sdy-partition-pipeline{kept-bytes=0}", PASS)
    )
    before, after = (each.lower(*inputs).partitioned.text for each in (plain, ahead))
    assert "async_start" in after
    assert "async_start" not in before
    assert sdy.communication(after).bytes_sent == sdy.communication(before).bytes_sent
    assert (
        sdy.timeline(after, sdy.Machine.parse(MACHINE)).total < sdy.timeline(before, sdy.Machine.parse(MACHINE)).total
    )
    for have, want in zip(jax.tree.leaves(ahead(*inputs)), jax.tree.leaves(plain(*inputs)), strict=True):
        np.testing.assert_allclose(have, want, rtol=0, atol=1e-6 * np.abs(want).max())


@pytest.mark.skipif(not depth.ALL, reason="a loop of every length and step; SDY_TESTS=all")
@pytest.mark.parametrize("rounds", [2, 3, 7])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_counters(rounds: int, step: int) -> None:
    """Integers, bit for bit, for counters that go up and down."""

    def program(weights: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        start, end = (0, rounds * step) if step > 0 else (rounds - 1, -1)

        def body(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            i, y = state
            return i + step, y @ weights[i] + i

        return jax.lax.while_loop(
            lambda state: state[0] < end if step > 0 else state[0] > end, body, (jnp.int32(start), x)
        )

    mesh = Mesh(np.array(jax.devices()).reshape(8), ("data",))
    rng = np.random.default_rng(rounds)
    weights = rng.integers(-9, 9, (rounds * abs(step), 16, 16)).astype(np.int32)
    x = rng.integers(-9, 9, (16, 16)).astype(np.int32)
    inputs = (
        jax.device_put(weights, NamedSharding(mesh, P(None, "data"))),
        jax.device_put(x, NamedSharding(mesh, P("data"))),
    )
    ahead = sdy.jax.jit(program, partitioner=sdy.jax.Partitioner(PASS))
    assert "async_start" in ahead.lower(*inputs).partitioned.text
    for have, want in zip(ahead(*inputs), jax.jit(program)(*inputs), strict=True):
        np.testing.assert_array_equal(have, want)
