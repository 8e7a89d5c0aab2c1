"""Functions that say themselves how they are partitioned (`jax.experimental.custom_partitioning`)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.mlir.diagnostics import DiagnosticError


@pytest.fixture
def x(mesh: Mesh) -> jax.Array:
    values = np.arange(128, dtype=np.float32).reshape(8, 16) / 100
    return jax.device_put(values, NamedSharding(mesh, P("data", "model")))


def product() -> Any:
    """A matrix product whose parts are summed up."""

    @custom_partitioning
    def multiply(a: jax.Array, b: jax.Array) -> jax.Array:
        return a @ b

    def partition(mesh: Mesh, arguments: Any, result: Any) -> Any:
        rows, inner = arguments[0].sharding.spec

        def local(a: jax.Array, b: jax.Array) -> jax.Array:
            return lax.psum(a @ b, inner) if inner else a @ b

        shardings = NamedSharding(mesh, P(rows, inner)), NamedSharding(mesh, P(inner, None))
        return mesh, local, NamedSharding(mesh, P(rows, None)), shardings

    multiply.def_partition(partition=partition, sharding_rule="i k, k j -> i j")
    return multiply


def row_sums() -> Any:
    """Two results, rows whole: other shardings than those that are suggested."""

    @custom_partitioning
    def sums(a: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jnp.cumsum(a, axis=1), a.sum(1)

    def partition(mesh: Mesh, arguments: Any, results: Any) -> Any:
        rows = NamedSharding(mesh, P(arguments[0].sharding.spec[0]))
        return mesh, lambda a: (jnp.cumsum(a, axis=1), a.sum(1)), (rows, rows), (rows,)

    sums.def_partition(partition=partition, sharding_rule="i j -> i j, i")
    return sums


def test_its_collectives_become_part_of_the_program(x: jax.Array) -> None:
    multiply = product()
    lowered = sdy.jax.jit(lambda a: multiply(a, a.T) * 2).lower(x)
    assert [one.kind for one in lowered.partitioned.collectives].count("all_reduce") == 1
    np.testing.assert_allclose(lowered.compile()(x), np.asarray(x) @ np.asarray(x).T * 2, rtol=1e-5)


def test_its_collectives_are_in_the_communication_report(x: jax.Array) -> None:
    multiply = product()
    lowered = sdy.jax.jit(lambda a: multiply(a, a.T) * 2).lower(x)
    found = sdy.communication(lowered.as_text())
    assert "all_reduce" in [one.kind for one in found.transfers]
    assert found.bytes_sent == sdy.communication(lowered.partitioned).bytes_sent


def test_shardings_other_than_the_suggested_ones(x: jax.Array) -> None:
    sums = row_sums()
    cumulative, total = sdy.jax.jit(lambda a: sums(a + 1))(x)
    np.testing.assert_allclose(cumulative, np.cumsum(np.asarray(x) + 1, axis=1), rtol=1e-5)
    np.testing.assert_allclose(total, (np.asarray(x) + 1).sum(1), rtol=1e-5)


def test_several_calls_in_loops_and_functions(x: jax.Array) -> None:
    multiply, sums = product(), row_sums()

    def f(a: jax.Array) -> Any:
        looped = lax.scan(lambda carry, _: (multiply(carry, jnp.eye(16)), sums(carry)[1]), a, length=2)
        return looped, jax.jit(lambda b: multiply(b, b.T))(a)

    for ours, theirs in zip(jax.tree.leaves(sdy.jax.jit(f)(x)), jax.tree.leaves(jax.jit(f)(x)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_a_function_that_fails_is_an_error_at_its_call(x: jax.Array) -> None:
    @custom_partitioning
    def sine(a: jax.Array) -> jax.Array:
        return jnp.sin(a)

    def partition(mesh: Mesh, arguments: Any, result: Any) -> Any:
        raise RuntimeError("no idea")

    sine.def_partition(partition=partition, sharding_rule="i j -> i j")
    with pytest.raises(DiagnosticError, match="failed: no idea"):
        sdy.jax.jit(lambda a: sine(a))(x)
