"""Asynchronous and placed collectives on CPU devices: bit for bit what synchronous ones give, effects in order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy import execution
from sdy.partitioned_module import PartitionedModule
from tests import depth

MACHINE = "machine={flops=1e9 bandwidth=1e8 overhead=1e-7}"
FORMS = {
    "asynchronous": ("sdy-async-collectives",),
    "placed": ("sdy-async-collectives", "sdy-place-collectives"),
    "limited": ("sdy-async-collectives", "sdy-place-collectives{in-flight-bytes=600}"),
    "listed": ("sdy-async-collectives", f"sdy-place-collectives{{mode=list {MACHINE}}}"),
    "pinned": ("sdy-async-collectives", "sdy-place-collectives{pin=true}"),
    "split": ("sdy-async-collectives{split-variadic=true}", "sdy-place-collectives"),
}


def formed(partitioned: PartitionedModule, form: str) -> PartitionedModule:
    module = sdy.parse(partitioned.text)
    sdy.run(module, *(f"func.func({one})" for one in FORMS[form]))
    return replace(partitioned, text=module.operation.get_asm(enable_debug_info=True))


def placed(mesh: Mesh, array: np.ndarray, *spec: Any) -> jax.Array:
    return jax.device_put(array, NamedSharding(mesh, P(*spec)))


def moving(x: jax.Array, w: jax.Array) -> Any:
    """Every kind of collective, in a function, in a loop and in a branch."""
    product = x @ w
    turned = (product @ w.T).sum(0)
    looped = jax.lax.fori_loop(0, 3, lambda i, y: jnp.roll(y, 1, axis=0) + (y @ w) @ w.T, x)
    branch = jax.lax.cond(turned.sum() > 0, lambda y: jnp.sort(y, axis=0), lambda y: y - y.sum(0), x)
    return product, turned, looped, branch, x.T[::-1] + 1, jnp.vdot(x, x)


def constrained(mesh: Mesh) -> Any:
    def function(x: jax.Array, w: jax.Array) -> Any:
        def to(y: jax.Array, *spec: Any) -> jax.Array:
            return jax.lax.with_sharding_constraint(y, NamedSharding(mesh, P(*spec)))

        crossed = to(jax.lax.optimization_barrier(to(x * 2, None, "x")), "x", None)
        return to(crossed + 1, None, None), to(x.T @ w, "x", None), moving(x, w)

    return function


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32) / 4


@pytest.mark.parametrize("devices", [2, 4, 8] if depth.ALL else [2, 8])
def test_values_are_those_of_synchronous_collectives(devices: int) -> None:
    mesh = jax.make_mesh((devices,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=jax.devices()[:devices])
    x, w = placed(mesh, numbers(16, 16), "x", None), placed(mesh, numbers(16, 16), None, "x")
    partitioned = sdy.jax.jit(constrained(mesh)).lower(x, w).partitioned
    wanted = execution.compile(partitioned)(x, w)
    kinds = {one.kind for one in partitioned.collectives}
    assert {"all_gather", "all_to_all", "all_reduce", "collective_permute"} <= kinds
    for form in FORMS if depth.ALL else ("listed",):
        text = formed(partitioned, form)
        assert "async_start" in text.text
        for have, want in zip(execution.compile(text)(x, w), wanted, strict=True):
            assert np.array_equal(have, want), form


def test_donated_arguments() -> None:
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=jax.devices()[:4])
    x, w = placed(mesh, numbers(16, 16), "x", None), placed(mesh, numbers(16, 16), None, "x")
    partitioned = sdy.jax.jit(lambda x, w: (x + (x @ w), x.sum())).lower(x, w).partitioned
    wanted = [np.array(one) for one in execution.compile(partitioned)(x, w)]
    have = execution.compile(formed(partitioned, "placed"), donate_argnums=0)(x, w)
    assert x.is_deleted()
    assert all(np.array_equal(*pair) for pair in zip(have, wanted, strict=True))


@pytest.mark.parametrize("form", ["placed", "listed"])
def test_callbacks_keep_their_order(form: str) -> None:
    """Of ordered callbacks, which hand on a token, and of others with effects; collectives stay between them."""
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=jax.devices()[:4])

    def function(x: jax.Array) -> jax.Array:
        io_callback(print, None, x.sum(), ordered=True)
        io_callback(print, None, x[0, 0], ordered=False)
        y = x @ x.T
        io_callback(print, None, y.max(), ordered=True)
        return y

    x = placed(mesh, numbers(8, 8), "x", None)
    partitioned = sdy.jax.jit(function).lower(x).partitioned
    before, after = effects(formed(partitioned, "asynchronous")), effects(formed(partitioned, form))
    assert len(before) == 3
    assert before == after


def effects(partitioned: PartitionedModule) -> list[str]:
    """The callbacks, by what they call, and how many collectives start, and are done, before each."""
    found, starts, dones = [], 0, 0
    for line in partitioned.text.splitlines():
        starts += "stablehlo.async_start" in line
        dones += "stablehlo.async_done" in line
        if "callback" in line and "custom_call" in line:
            found.append(f"{starts} {dones} {line[line.index('index =') :].partition('loc(')[0]}")
    return found
