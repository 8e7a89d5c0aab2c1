"""Functions that say themselves how they are partitioned (`jax.experimental.custom_partitioning`)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, Severity, collecting

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"


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


def columns() -> Any:
    """A product that has no more than columns in parts, and fails unless its result has the same."""

    @custom_partitioning
    def multiply(a: jax.Array, b: jax.Array) -> jax.Array:
        return a @ b

    def partition(mesh: Mesh, arguments: Any, result: Any) -> Any:
        left, right = (one.sharding for one in arguments)
        if any(left.spec) or right.spec[:1] != (None,) or right.spec[1:] != result.sharding.spec[1:]:
            raise RuntimeError(f"columns alone, not {left.spec}, {right.spec} and {result.sharding.spec}")
        return mesh, lambda a, b: a @ b, result.sharding, (left, right)

    multiply.def_partition(partition=partition, sharding_rule="i j, j k -> i k")
    return multiply


def test_plans_that_a_function_refuses_are_left_out(mesh: Mesh) -> None:
    multiply = columns()
    sizes = {"data": 4, "model": 2}
    options = sdy.auto.Options(mesh=sizes, machine=MACHINE)
    a, b = np.ones((512, 64), np.float32), np.full((64, 256), 0.01, np.float32)
    f = sdy.jax.jit(lambda a, b: jnp.tanh(multiply(a, b)).sum(0), auto=options)
    np.testing.assert_allclose(f(a, b), np.tanh(a @ b).sum(0), rtol=1e-4)
    # The arguments as they lie would be the first thing to be tried, with everything else everywhere.
    shardings = NamedSharding(mesh, P()), NamedSharding(mesh, P(None, ("data", "model")))
    lowered = jax.jit(lambda a, b: multiply(a, b).sum(0), in_shardings=shardings).lower(
        a, b
    )  # which holds the function
    text = lowered.as_text()
    plan = sdy.auto.partition(text, None, MACHINE)
    assert plan.refusals and all("columns alone" in one for one in plan.refusals)
    assert "plans were left out: " in plan.report() and "columns alone" in plan.to_json()
    assert plan.estimated is not None and plan.cost.step < plan.replicated.step
    module = sdy.parse(text)
    found: list[Diagnostic] = []
    with collecting(found.append):
        sdy.run(module, f"sdy-auto-partition{{machine='{MACHINE}'}}")
    assert [one.severity for one in found] == [Severity.REMARK] * len(plan.refusals)
    assert "a plan was left out" in str(found[0]) and "columns alone" in str(found[0])


def failing_sine() -> Any:
    """A function whose partitioning fails whatever the shardings are."""

    @custom_partitioning
    def sine(a: jax.Array) -> jax.Array:
        return jnp.sin(a)

    def partition(mesh: Mesh, arguments: Any, result: Any) -> Any:
        raise RuntimeError("no idea")

    sine.def_partition(partition=partition, sharding_rule="i j -> i j")
    return sine


def test_a_function_that_refuses_all_plans_is_an_error_at_its_call(mesh: Mesh) -> None:
    sine = failing_sine()
    lowered = jax.jit(sine, in_shardings=NamedSharding(mesh, P("data"))).lower(jnp.ones((64, 64)))
    text = lowered.as_text()
    for limit in (None, "soft", "1KB"):
        with pytest.raises(DiagnosticError, match="failed: no idea"):
            sdy.auto.partition(text, None, MACHINE, memory_limit=limit)


def test_a_function_that_fails_is_an_error_at_its_call(x: jax.Array) -> None:
    sine = failing_sine()
    with pytest.raises(DiagnosticError, match="failed: no idea"):
        sdy.jax.jit(lambda a: sine(a))(x)


def test_no_device_is_asked_for(mesh: Mesh, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may be compiled ahead of time for devices that are not there."""
    a, b = (
        jax.ShapeDtypeStruct((64, 64), jnp.float32, sharding=NamedSharding(mesh, spec))
        for spec in (P("data", "model"), P("model", None))
    )
    multiply = product()  # the program knows it by its address
    text = jax.jit(multiply).lower(a, b).as_text()
    monkeypatch.setattr(jax, "devices", lambda *_: [])
    partitioned = sdy.partition(text)
    sizes = dict(mesh.shape)
    assert [(one.kind, one.group_size) for one in partitioned.collectives] == [("all_reduce", sizes["model"])]
    assert partitioned.results[0].local_shape == (64 // sizes["data"], 64)


def test_explicit_axes_of_the_caller_are_not_those_of_parts(mesh: Mesh) -> None:
    """The function of a part is traced on no mesh, even if the caller has set one."""
    explicit = jax.make_mesh(tuple(mesh.shape.values()), mesh.axis_names, axis_types=(AxisType.Explicit,) * 2)
    twice = custom_partitioning(lambda a: jnp.sin(a) * 2)
    twice.def_partition(
        partition=lambda mesh, arguments, result: (
            mesh,
            lambda a: jnp.sin(a) * 2,
            result.sharding,
            (arguments[0].sharding,),
        ),
        sharding_rule="i j -> i j",
    )
    values = np.arange(128, dtype=np.float32).reshape(8, 16) / 100
    with jax.set_mesh(explicit):
        x = jax.device_put(values, NamedSharding(explicit, P("data", "model")))
        lowered = sdy.jax.jit(lambda a: twice(a) + 1).lower(x)
        assert sdy.communication(lowered).bytes_sent == 0
        np.testing.assert_allclose(lowered.compile()(x), np.sin(values) * 2 + 1, rtol=1e-5)
