"""What `sdy.jax.jit(auto=...)` takes as arguments, and for how many kinds of them it keeps plans."""

from __future__ import annotations

import gc
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

import sdy
import sdy.jax
from sdy.jax import automatic, compile_option
from tests import depth

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"
OPTIONS = sdy.auto.Options(mesh={"data": 4, "model": 2}, machine=MACHINE)


def draw(*dims: int, dtype: Any = jnp.float32) -> jax.Array:
    return jnp.asarray(np.random.default_rng(sum(dims)).standard_normal(dims), dtype)


def assert_as_by_jax(function: Any, *arguments: Any, tolerance: float = 1e-4, **named: Any) -> None:
    """Shapes, element types, whether these are weak, and numbers."""
    planned, plain = sdy.jax.jit(function, auto=OPTIONS), jax.jit(function)
    pairs = [(planned(*arguments, **named), plain(*arguments, **named))]
    assert planned.eval_shape(*arguments, **named) == plain.eval_shape(*arguments, **named)
    for have, want in zip(*map(jax.tree.leaves, zip(*pairs, strict=True)), strict=True):
        assert (have.shape, have.dtype, have.weak_type) == (want.shape, want.dtype, want.weak_type)
        np.testing.assert_allclose(np.float64(have), np.float64(want), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("rate", [2.0, 2, np.float32(2), jnp.float32(2), True])
def test_numbers_of_python_take_on_the_type_of_what_they_meet(rate: Any) -> None:
    assert_as_by_jax(lambda x, rate: x * rate, draw(64, 64, dtype=jnp.bfloat16), rate, tolerance=1e-2)
    assert_as_by_jax(lambda x, rate: (x.sum(), rate), draw(64, 64), rate, tolerance=1e-3)


def test_keys_of_random_numbers() -> None:
    """They are scalars to JAX, and vectors of words in programs."""

    def noisy(key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jax.random.split(key)[0], x + jax.random.normal(key, x.shape)

    planned = sdy.jax.jit(noisy, auto=OPTIONS)
    key, x = jax.random.key(7), draw(64, 64)
    plan = planned.plan(key, x)
    assert plan.in_shardings[0].spec == PartitionSpec()
    assert plan.what_if({"x": ("data", None)}).in_shardings[1].spec == PartitionSpec("data", None)
    (after, have), (_, want) = planned(key, x), noisy(key, x)
    np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6)
    assert jnp.issubdtype(after.dtype, jax.dtypes.prng_key)


def by_name(x: jax.Array, scale: float = 1.0, *, w: jax.Array, tanh: bool = False, **more: jax.Array) -> jax.Array:
    x = x @ w * scale + sum(more.values())
    return jnp.tanh(x) if tanh else x


def test_arguments_without_a_position_are_given_by_name() -> None:
    x, w, b = draw(64, 64), draw(64, 64) / 8, draw(64)
    assert_as_by_jax(by_name, x, w=w)
    assert_as_by_jax(by_name, x, scale=2.0, b=b, a=2 * b, w=w)
    planned = sdy.jax.jit(by_name, static_argnames="tanh", donate_argnames="w", auto=OPTIONS)
    plan = planned.plan(x, tanh=True, w=w, b=b)
    assert [one.name for one in plan.plan.arguments] == ["x", "b", "w"]
    assert plan is planned.plan(x, b=b, w=w, tanh=True) and plan is not planned.plan(x, b=b, w=w, tanh=False)
    placed = planned.place(x, b=b, tanh=True, w=w)
    want = by_name(x, w=w, tanh=True, b=b)
    np.testing.assert_allclose(planned(placed[0], b=placed[1], tanh=True, w=placed[2]), want, rtol=1e-4, atol=1e-4)
    assert placed[2].is_deleted() and not placed[0].is_deleted()


def test_many_arguments_in_a_row_and_one_by_name() -> None:
    assert_as_by_jax(lambda *given, last: sum(given) @ last, draw(64, 64), draw(64, 64), last=draw(64, 64))


def test_without_a_mesh_it_is_that_of_the_arguments() -> None:
    """Or of the devices that there are; what comes back lies on it, and is planned for no second time."""
    mesh = jax.make_mesh((2, 4), ("rows", "columns"), axis_types=(AxisType.Auto, AxisType.Auto))
    x, w = draw(64, 64), draw(64, 64)
    on_mesh = jax.device_put(x, NamedSharding(mesh, PartitionSpec("rows")))
    planned = sdy.jax.jit(lambda x, w: (x @ w, w), auto=sdy.auto.Options(machine=MACHINE))
    plan = planned.plan(on_mesh, w)
    assert (
        plan.mesh == mesh
        and planned.plan(jax.ShapeDtypeStruct((64, 64), x.dtype, sharding=on_mesh.sharding), w) is plan
    )
    chosen = planned.plan(x, w)
    assert chosen.mesh.size == len(jax.devices()) and chosen.mesh != mesh
    assert planned.plan(*planned(x, w)) is chosen
    other = jax.device_put(w, NamedSharding(chosen.mesh, PartitionSpec()))
    assert planned.plan(on_mesh, other) is chosen


def test_within_what_jax_transforms_it_is_the_function() -> None:
    planned = sdy.jax.jit(lambda w, x: jnp.tanh(x @ w).sum(), auto=OPTIONS)
    w, x = draw(64, 64), draw(128, 64)
    want = jax.grad(planned.__wrapped__)(w, x)
    np.testing.assert_allclose(jax.grad(planned)(w, x), want, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(jax.jit(jax.grad(planned))(w, x), want, rtol=1e-4, atol=1e-4)
    assert jax.vmap(planned, in_axes=(None, 0))(w, draw(3, 128, 64)).shape == (3,)
    with jax.disable_jit():
        np.testing.assert_allclose(planned(w, x), planned.__wrapped__(w, x))


def test_plans_for_more_devices_than_there_are() -> None:
    """Shapes suffice, and one's own computer: the mesh is abstract."""
    planned = sdy.jax.jit(lambda x, w: x @ w, auto=sdy.auto.Options(mesh={"data": 64, "model": 4}, machine="h100"))
    shape = jax.ShapeDtypeStruct((8192, 8192), jnp.float32)
    plan = planned.plan(shape, shape)
    assert plan.mesh.size == 256 and not plan.in_shardings[0].is_fully_replicated
    for use in (planned, planned.place):
        with pytest.raises(ValueError, match=f"the plan is for 256 devices, and there are {len(jax.devices())}"):
            use(jnp.zeros((8192, 8192)), jnp.zeros((8192, 8192)))


@depth.deep
def test_plans_of_kinds_that_were_not_used_longest_go(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And all that was compiled for them; those that were loaded stay."""
    monkeypatch.setattr(automatic, "MOST", 2)
    planned = sdy.jax.jit(lambda x: jnp.tanh(x) @ x.T, auto=OPTIONS)
    before = len(compile_option._names)
    plans = []
    for rows in (8, 16, 24, 32):
        planned(draw(rows, 64))
        plans.append(planned.plan(draw(rows, 64)))
        assert planned.plan(draw(8, 64)) is plans[0]
    assert planned.plan(draw(32, 64)) is plans[3] and planned.plan(draw(16, 64)) is not plans[1]
    plans[2].save(tmp_path / "plan.json")
    loaded = planned.load(tmp_path / "plan.json", draw(24, 64))
    for rows in (8, 16, 32):
        planned.plan(draw(rows, 64))
    assert planned.plan(draw(24, 64)) is loaded
    np.testing.assert_allclose(planned(draw(24, 64)), planned.__wrapped__(draw(24, 64)), rtol=1e-4, atol=1e-4)
    planned.clear_cache()
    gc.collect()
    # JAX may hold on to what ran last.
    assert len(compile_option._names) <= before + 1
    assert planned.plan(draw(24, 64)) is loaded and planned.plan(draw(8, 64)) is not plans[0]
