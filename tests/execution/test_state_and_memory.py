"""Programs with checks, state, foreign functions and memory spaces give what `jax.jit` gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import buffer_callback, checkify, compute_on, io_callback
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests.execution.random_effects import square_mesh
from tests.execution.test_effects import numbers

Jit = Callable[..., Any]
BOTH = P("data", "model")


@pytest.fixture(scope="module")
def square() -> Mesh:
    return square_mesh()


def checks(jit: Jit, mesh: Mesh) -> Any:
    def f(x: jax.Array) -> jax.Array:
        checkify.check(x.sum() < 0, "the sum is {total}", total=x.sum())
        return jnp.log(x)

    error, result = jit(checkify.checkify(f, errors=checkify.all_checks))(numbers(mesh))
    return error.get().splitlines()[0], result


def checks_in_a_loop(jit: Jit, mesh: Mesh) -> Any:
    def body(carry: jax.Array, _: Any) -> Any:
        checkify.check(carry.sum() < 1000, "too much")
        return carry * 2, carry.sum()

    error, result = jit(checkify.checkify(lambda x: jax.lax.scan(body, x, None, length=3)))(numbers(mesh))
    return error.get().splitlines()[0], result


def no_nans(jit: Jit, mesh: Mesh) -> Any:
    with jax.debug_nans(True), pytest.raises(FloatingPointError) as caught:
        jit(lambda x: jnp.log(x - 1))(numbers(mesh))
    return str(caught.value).splitlines()[0]


def references(jit: Jit, mesh: Mesh) -> Any:
    outer = jax.new_ref(numbers(mesh))
    seen: list[float] = []

    def f(given: Any, y: float) -> jax.Array:
        inner = jax.new_ref(given[...])
        inner[0] += y
        given[...] += y
        io_callback(lambda a: seen.append(float(a)), None, given[0].sum(), ordered=True)
        return jax.freeze(inner)

    results = [jit(f)(outer, y) for y in (1.0, 2.0)]
    jax.effects_barrier()
    return results, outer[...], seen


def keys(jit: Jit, mesh: Mesh) -> Any:
    given = jax.device_put(jax.random.split(jax.random.key(1), 8), NamedSharding(mesh, P("data")))

    def f(given: jax.Array) -> Any:
        io_callback(lambda data: None, None, jax.random.key_data(given), ordered=True)
        return jax.random.key_data(jax.vmap(lambda key: jax.random.split(key)[0])(given)), jax.vmap(jax.random.bits)(
            given
        )

    return jit(f)(given)


def no_arguments(jit: Jit, mesh: Mesh) -> Any:
    calls: list[int] = []

    def f() -> jax.Array:
        io_callback(lambda: calls.append(1), None, ordered=True)
        return jnp.arange(8.0)

    result = jit(f, out_shardings=NamedSharding(mesh, P("data")))()
    jax.effects_barrier()
    return result, calls


def compiled_ahead_of_time(jit: Jit, mesh: Mesh) -> Any:
    calls: list[tuple[int, ...]] = []

    def f(x: jax.Array) -> jax.Array:
        io_callback(lambda a: calls.append(a.shape), None, x, ordered=True)
        return x

    compiled = jit(f).lower(numbers(mesh)).compile()
    results = [compiled(numbers(mesh)) for _ in range(2)]
    jax.effects_barrier()
    return results, calls


def foreign_function(jit: Jit, mesh: Mesh) -> Any:
    jnp.linalg.inv(np.eye(2, dtype=np.float32))  # loads LAPACK
    factors = (
        jax.ShapeDtypeStruct((8, 8), np.float32),
        jax.ShapeDtypeStruct((8,), np.int32),
        jax.ShapeDtypeStruct((), np.int32),
    )
    return jit(lambda x: jax.ffi.ffi_call("lapack_sgetrf_ffi", factors)(x)[0])(numbers(mesh))


def buffers(jit: Jit, mesh: Mesh) -> Any:
    shapes: list[tuple[int, ...]] = []

    def twice(context: Any, out: Any, x: Any) -> None:
        shapes.append(np.asarray(x).shape)
        np.asarray(out)[...] = np.asarray(x) * 2

    def f(x: jax.Array, **options: Any) -> jax.Array:
        return buffer_callback.buffer_callback(twice, jax.ShapeDtypeStruct(x.shape, x.dtype), **options)(x) + 1

    own = jax.shard_map(lambda x: f(x, has_side_effect=True), mesh=mesh, in_specs=BOTH, out_specs=BOTH, check_vma=False)
    results = jax.block_until_ready((jit(f)(numbers(mesh)), jit(own)(numbers(mesh))))
    return results, sorted(shapes)


def host_memory(jit: Jit, mesh: Mesh) -> Any:
    there = NamedSharding(mesh, BOTH, memory_kind="pinned_host")
    back = there.with_memory_kind("device")
    offloaded = jit(lambda x: (jax.device_put(x * 2, there), jax.device_put(x, back) + 1))(numbers(mesh))
    result = jit(lambda x: x * 2, out_shardings=there)(numbers(mesh))
    given = jit(lambda x: jax.device_put(x, back) * 2)(jax.device_put(numbers(mesh), there))
    arrays = [*offloaded, result, given]
    return arrays, [one.sharding.memory_kind for one in arrays]


def offloaded_for_the_derivative(jit: Jit, mesh: Mesh) -> Any:
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[],
        names_which_can_be_offloaded=["kept"],
        offload_src="device",
        offload_dst="pinned_host",
    )

    def f(x: jax.Array) -> jax.Array:
        return jnp.sin(checkpoint_name(jnp.sin(x), "kept")).sum()

    return jit(jax.grad(jax.checkpoint(f, policy=policy)))(numbers(mesh))


def computed_on_the_host(jit: Jit, mesh: Mesh) -> Any:
    make: Any = compute_on.compute_on
    if "out_memory_spaces" in inspect.signature(make).parameters:
        on_host = make(compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)
    else:
        on_host = make("device_host")
    return jit(lambda x: on_host(jax.jit(lambda y: y * 3))(x) + x)(numbers(mesh))


def axes_in_types(jit: Jit, mesh: Mesh) -> Any:
    explicit = Mesh(mesh.devices, mesh.axis_names, axis_types=(AxisType.Explicit,) * 2)
    shapes: list[tuple[int, ...]] = []

    def f(x: jax.Array) -> jax.Array:
        io_callback(lambda a: shapes.append(a.shape), None, x, ordered=True)
        jax.debug.callback(lambda a: shapes.append(a.shape), x, partitioned=True)
        y = jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct((8, 8), np.float32), x)
        return jax.reshard(y, P("data")) + 1

    with jax.set_mesh(explicit):
        result = jit(f)(jax.device_put(np.ones((8, 8), np.float32), BOTH))
    jax.effects_barrier()
    return result, sorted(shapes)


PROGRAMS = [
    checks,
    checks_in_a_loop,
    no_nans,
    references,
    keys,
    no_arguments,
    compiled_ahead_of_time,
    foreign_function,
    buffers,
    host_memory,
    offloaded_for_the_derivative,
    computed_on_the_host,
    axes_in_types,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_jit(program: Callable[[Jit, Mesh], Any], square: Mesh) -> None:
    wanted, got = program(jax.jit, square), program(sdy.jax.jit, square)
    assert jax.tree.structure(got) == jax.tree.structure(wanted)
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        if not isinstance(theirs, jax.Array):
            assert mine == theirs
            continue
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
        assert mine.sharding.is_equivalent_to(theirs.sharding, mine.ndim)
