"""Programs with the shardings that were found for them compute what they compute on one device."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import pytest

import sdy
from tests import depth
from tests.execution import random_programs
from tests.numerics.harness import check

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"


def attention(x: jax.Array, q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    def loss(q: jax.Array) -> jax.Array:
        scores = jnp.einsum("bqh,bkh->bqk", x @ q, x @ k)
        weights = jax.nn.softmax(scores * 1e-3, axis=-1)
        return jnp.sum(jnp.einsum("bqk,bkh->bqh", weights, x @ v))

    return q - 1e-3 * jax.grad(loss)(q)


def scan(x: jax.Array, weights: jax.Array) -> jax.Array:
    def body(carry: jax.Array, weight: jax.Array) -> tuple[jax.Array, jax.Array]:
        carry = jnp.maximum(carry @ weight, 0) * 1e-4
        return carry, jnp.sum(carry, axis=0)

    return jax.lax.scan(body, x, weights)[1]


def f32(*dims: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, jnp.float32)


PROGRAMS = {
    "attention": (attention, [f32(8, 64, 32), f32(32, 32), f32(32, 32), f32(32, 32)]),
    "scan": (scan, [f32(64, 32), f32(4, 32, 32)]),
}


ON = [("attention", {"x": 4, "y": 2}), ("scan", {"x": 2, "y": 2, "z": 2})]
ALL = [(name, mesh) for name in PROGRAMS for _, mesh in ON]


@pytest.mark.parametrize(("name", "mesh"), ALL if depth.ALL else ON)
def test_same_numbers(name: str, mesh: dict[str, int]) -> None:
    function, arguments = PROGRAMS[name]
    text = jax.jit(function).lower(*arguments).as_text()
    plan = sdy.auto.partition(text, mesh, MACHINE, annotate="full")
    partitioned = check(plan.text, tolerance=1e-4)
    assert partitioned.collectives or plan.cost.communication == 0
    assert any(one.sharding is not None and not one.sharding.is_fully_replicated for one in plan.arguments)


@pytest.mark.parametrize("seed", depth.seeds(3, 1000))
def test_random_programs_with_some_shardings(seed: int) -> None:
    """What is said stays, a plan is no worse than none, as predicted or measured, and the numbers are the same."""
    text = random_programs.program(seed)
    plan = sdy.auto.partition(text, None, MACHINE, annotate="full" if seed % 2 else "values")
    assert plan.cost.step <= plan.replicated.step
    assert random_programs.compare(plan.text, seed) < 1


@pytest.mark.parametrize(("seed", "verify"), [(333, 0), (334, 1), (344, 2)])
def test_no_plan_is_worse_than_full_replication_by_the_costs_that_are_reported(seed: int, verify: int) -> None:
    plan = sdy.auto.partition(random_programs.program(seed), None, MACHINE, verify=verify)
    assert plan.cost.step <= plan.replicated.step
    assert (plan.estimated is None) == (verify == 0)


def test_what_is_only_predicted_to_be_fast_is_not_taken() -> None:
    """Of a small program plans are measured, too, and here one is best that sends nothing."""
    features = random_programs.FEATURES
    text = random_programs.program(4215, replace(features, ops=(features.ops or frozenset()) - {"rng_bit_generator"}))
    predicted, plan = (sdy.auto.partition(text, None, MACHINE, verify=verify) for verify in (0, 1))
    assert predicted.cost.communication < 1e-7
    real = sdy.auto.estimate(predicted.text, MACHINE)
    assert real.exposed > 1e-6
    assert plan.cost.communication == 0 and plan.cost.step < real.step
