"""What JAX's libraries offer, sharded at random: partitioned by sdy it computes what it computes on one device."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding

import sdy.jax
from sdy.passes import partitioning
from tests import depth
from tests.numerics.harness import compare
from tests.numerics.jax_functions import FUNCTIONS, Function
from tests.numerics.random_shardings import random_mesh, random_sharding

SAMPLE = 40
"""One function in so many is called, unless everything is tested."""


def _names() -> list[str]:
    """The functions to call: others whenever the partitioner has changed, the same ones as long as it has not."""
    names = sorted(FUNCTIONS)
    if depth.ALL:
        return names
    state = 0
    for file in sorted(Path(partitioning.__path__[0]).rglob("*.py")):
        state = zlib.crc32(file.read_bytes(), state)
    return names[state % SAMPLE :: SAMPLE]


CASES = [(name, seed) for name in _names() for seed in depth.seeds(1, 1)]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_sharded_equals_unsharded(name: str, seed: int) -> None:
    function = FUNCTIONS[name]
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
    arguments = [draw(rng) for draw in function.arguments]
    mesh = random_mesh(rng)
    call = with_derivatives(function)
    placed = [jax.device_put(argument, random_sharding(rng, mesh, argument.shape, even=True)) for argument in arguments]
    got = sdy.jax.jit(constrained(call, rng, mesh, arguments))(*placed)
    wanted = jax.jit(call)(*arguments)
    for part, (have, want) in enumerate(zip(got, wanted, strict=True)):
        tolerance = function.tolerance if part == 0 else max(function.tolerance, 1e-4)
        for number, (one, other) in enumerate(zip(jax.tree.leaves(have), jax.tree.leaves(want), strict=True)):
            what = f"{'derivative' if part else 'result'} {number}"
            compare(np.asarray(one), np.asarray(other), what, tolerance, of_largest=tolerance)


def with_derivatives(function: Function) -> Callable[..., Any]:
    """The results, and the derivatives of a weighted sum of them by the floating-point arguments."""

    def weighted_sum(*arguments: Any) -> Any:
        results = jax.tree.leaves(function.call(*arguments))
        return sum(jnp.sum(_weights(x) * jnp.real(x)) for x in results if jnp.issubdtype(x.dtype, jnp.inexact))

    def call(*arguments: Any) -> Any:
        if not function.differentiable:
            return (function.call(*arguments),)
        floats = [number for number, x in enumerate(arguments) if jnp.issubdtype(x.dtype, jnp.inexact)]
        return function.call(*arguments), jax.grad(weighted_sum, floats)(*arguments) if floats else ()

    return call


def _weights(x: Any) -> Any:
    """Numbers that differ everywhere."""
    return jnp.cos(jnp.arange(x.size, dtype=jnp.float32)).reshape(x.shape)


def constrained(
    call: Callable[..., Any], rng: np.random.Generator, mesh: Mesh, arguments: Sequence[np.ndarray]
) -> Callable[..., Any]:
    """`call` with arguments and results sharded inside at random, unevenly too."""
    inside = [random_sharding(rng, mesh, x.shape, even=False) if rng.random() < 0.5 else None for x in arguments]
    seed = int(rng.integers(1 << 30))

    def constrain(value: Any, sharding: NamedSharding | None) -> Any:
        return value if sharding is None else jax.lax.with_sharding_constraint(value, sharding)

    def program(*values: Any) -> Any:
        results = call(*map(constrain, values, inside))
        draw = np.random.default_rng(seed)
        return jax.tree.map(
            lambda x: constrain(x, random_sharding(draw, mesh, x.shape, even=False) if draw.random() < 0.3 else None),
            results,
        )

    return program
