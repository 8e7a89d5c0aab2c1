"""Meshes of all sorts under `sdy.jax.jit`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests import depth
from tests.execution.plain_jax import assert_same

X = np.arange(128, dtype=np.float32).reshape(8, 16)


def f(a: jax.Array) -> jax.Array:
    return jnp.cumsum(a, 0) + a.sum(1, keepdims=True)


EXPECTED = np.cumsum(X, 0) + X.sum(1, keepdims=True)


@pytest.mark.parametrize("order", [(3, 1, 7, 5, 0, 2, 6, 4), (4, 5, 6, 7), (6, 2)])
def test_any_devices_in_any_order(order: tuple[int, ...]) -> None:
    devices = np.array(jax.devices())[list(order)].reshape(-1, 2)
    sharding = NamedSharding(Mesh(devices, ("data", "model")), P("data", "model"))
    np.testing.assert_allclose(sdy.jax.jit(f)(jax.device_put(X, sharding)), EXPECTED)


def test_replicated_arguments_only(mesh: Mesh) -> None:
    result = sdy.jax.jit(f)(jax.device_put(X, NamedSharding(mesh, P())))
    np.testing.assert_allclose(result, EXPECTED)
    assert result.sharding.is_fully_replicated


def test_no_arguments(mesh: Mesh) -> None:
    sharding = NamedSharding(mesh, P("data"))
    result = sdy.jax.jit(lambda: jnp.arange(8), out_shardings=sharding)()
    assert result.sharding == sharding
    np.testing.assert_array_equal(result, np.arange(8))


def test_two_meshes_over_the_same_devices(mesh: Mesh) -> None:
    flat = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
    a = jax.device_put(X, NamedSharding(mesh, P("data", "model")))
    b = jax.device_put(X, NamedSharding(flat, P("d")))
    np.testing.assert_array_equal(sdy.jax.jit(lambda a, b: a + 2 * b)(a, b), 3 * X)


def test_axes_of_size_one() -> None:
    mesh = jax.make_mesh((1, 8, 1), ("a", "b", "c"), axis_types=(AxisType.Auto,) * 3)
    sharding = NamedSharding(mesh, P("a", ("b", "c")))
    result = sdy.jax.jit(f, out_shardings=sharding)(jax.device_put(X, sharding))
    assert result.sharding == sharding
    np.testing.assert_allclose(result, EXPECTED)


def test_eager_operations_in_the_context(mesh: Mesh) -> None:
    with sdy.jax.partitioned():
        a = jax.device_put(X, NamedSharding(mesh, P("data", "model")))
        np.testing.assert_allclose((a * 2 + a.sum(0)).T @ a, (X * 2 + X.sum(0)).T @ X)
        np.testing.assert_allclose(jax.grad(lambda a: jnp.square(a).sum())(a), 2 * X)


def test_shard_map_over_some_axes(mesh: Mesh) -> None:
    inner = jax.shard_map(
        lambda shard: jax.lax.psum(shard, "data"), mesh=mesh, in_specs=P("data"), out_specs=P(), axis_names={"data"}
    )

    def g(a: jax.Array) -> jax.Array:
        return inner(jax.lax.with_sharding_constraint(a, NamedSharding(mesh, P(P.UNCONSTRAINED, "model")))) * 2

    result = sdy.jax.jit(g)(jax.device_put(X, NamedSharding(mesh, P("data", "model"))))
    np.testing.assert_allclose(result, X.reshape(4, 2, 16).sum(0) * 2)


# Several meshes over the same devices ------------------------------------------------------------------


def mesh_of(shape: tuple[int, ...], names: str, order: Any = None) -> Mesh:
    """A mesh with axes of one letter; over the first devices, or those with these numbers."""
    numbers = list(range(int(np.prod(shape))) if order is None else order)
    grid = np.array(jax.devices())[numbers].reshape(shape)
    return Mesh(grid, tuple(names), axis_types=(AxisType.Auto,) * len(names))


GRID = ((4, 2), "xy", None)
PLACES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "grid": (GRID, ("x", "y")),
    "grid, minor axis": (GRID, ("y",)),
    "grid, replicated": (GRID, ()),
    "other grid": (((2, 4), "ab", None), ("b", "a")),
    "other grid, major axis": (((2, 4), "ab", None), ("a",)),
    "flat": (((8,), "d", None), (None, "d")),
    "cube": (((2, 2, 2), "pqr", None), ("p", ("r", "q"))),
    "axes of size one": (((1, 8, 1), "uvw", None), ("u", "v")),
    "reversed": (((4, 2), "xy", range(7, -1, -1)), ("x", "y")),
    "reversed, minor axis": (((4, 2), "xy", range(7, -1, -1)), ("y",)),
    "shuffled": (((2, 2, 2), "pqr", (3, 1, 7, 5, 0, 2, 6, 4)), ("r", ("p", "q"))),
}
IN_ORDER = [name for name, (mesh, _) in PLACES.items() if mesh[2] is None]


def place(name: str) -> NamedSharding:
    mesh, spec = PLACES[name]
    return NamedSharding(mesh_of(*mesh), P(*spec))


@pytest.mark.parametrize("distance", range(1, len(PLACES)) if depth.ALL else (2, 5))
def test_arrays_move_between_meshes(distance: int) -> None:
    """Any order of devices, any division of them."""
    sources = list(PLACES)
    targets = [*sources[distance:], *sources[:distance]]

    def run() -> Any:
        return [jax.device_put(jax.device_put(X, place(a)), place(b)) for a, b in zip(sources, targets, strict=True)]

    assert_same(run)


def one_of_all(x: jax.Array, y: jax.Array, target: NamedSharding) -> Any:
    constrained = jax.lax.with_sharding_constraint(x * 3, target)
    return x * 2, y * 2, x.sum(0), y.sum(1), x @ y.T, x + y, constrained


PAIRS = [(a, b) for a in IN_ORDER for b in IN_ORDER if a != b]


@pytest.mark.parametrize(("first", "second"), PAIRS if depth.ALL else PAIRS[3::13])
def test_one_program_on_two_meshes(first: str, second: str) -> None:
    """Shardings travel from one mesh to the other where both divide the devices alike, as in XLA."""

    def run() -> Any:
        x, y = (jax.device_put(X, place(name)) for name in (first, second))
        return jax.jit(one_of_all, static_argnums=2)(x, y, place(second))

    assert_same(run)


def test_meshes_that_divide_the_devices_otherwise() -> None:
    """Neither mesh has the shardings of the other."""
    one, other = mesh_of((2, 3), "ab"), mesh_of((3, 2), "cd")
    y = np.arange(36, dtype=np.float32).reshape(6, 6)
    by_one, by_other = NamedSharding(one, P("a", "b")), NamedSharding(other, P("c", "d"))

    def inner(x: jax.Array) -> jax.Array:
        return jax.shard_map(lambda s: jax.lax.psum(s, "c"), mesh=other, in_specs=P("c"), out_specs=P())(x)

    def run() -> Any:
        a, b = jax.device_put(y, by_one), jax.device_put(y, by_other)
        mixed = jax.jit(lambda a, b: (a @ b, a, b, b.sum(0), a.sum(1)))(a, b)
        moved = jax.jit(lambda a: 2 * a, out_shardings=by_other)(a)
        constrained = jax.jit(lambda a: 2 * jax.lax.with_sharding_constraint(a + 1, by_other))(a)
        return mixed, moved, constrained, jax.jit(lambda a: inner(a) + 1)(a), jax.device_put(a, by_other)

    assert_same(run)


def test_manual_regions_on_another_mesh() -> None:
    flat, other = mesh_of((8,), "d"), mesh_of((2, 4), "ab")

    def by_rows(s: jax.Array) -> jax.Array:
        return s * jax.lax.axis_index("d") + jax.lax.psum(s, "d")

    def run() -> Any:
        x = jax.device_put(X, place("grid"))
        rows = jax.shard_map(by_rows, mesh=flat, in_specs=P("d"), out_specs=P("d"))
        sums = jax.shard_map(lambda s: jax.lax.psum(s, "a"), mesh=other, in_specs=P("a"), out_specs=P())
        abstract = jax.shard_map(
            lambda s: jax.lax.psum(s, "x"), mesh=place("grid").mesh.abstract_mesh, in_specs=P("x"), out_specs=P()
        )
        return jax.jit(lambda x: (rows(x) + 1, sums(x) * 2, abstract(x)))(x)

    assert_same(run)


def test_eager_operations_on_two_meshes() -> None:
    def run() -> Any:
        x, y, z = (jax.device_put(X, place(name)) for name in ("grid", "flat", "reversed"))
        return x + y, jnp.concatenate([x, y]), z[2:5], z[3], z.reshape(4, 2, 16)

    assert_same(run)


@pytest.mark.parametrize("target", ["grid", "reversed", "flat"])
def test_programs_exported_for_other_devices(target: str) -> None:
    export = pytest.importorskip("jax.export")
    one_device = mesh_of((1,), "i")

    def exported(f: Any, sharding: Any) -> Any:
        shardings = {} if sharding is None else {"in_shardings": sharding}
        return export.export(jax.jit(f, **shardings))(X)

    def run() -> Any:
        x = jax.device_put(X, place(target))
        for_one = exported(lambda a: jnp.sin(a) + 1, NamedSharding(one_device, P("i")))
        for_none = exported(lambda a: a @ a.T, None)
        for_eight = exported(lambda a: a @ a.T, place("grid"))
        called = [jax.jit(one.call)(x) for one in (for_one, for_none)]
        inside = jax.jit(lambda a: for_one.call(2 * a) + a)(x)
        return called, inside, jax.jit(for_eight.call, in_shardings=place(target))(X)

    assert_same(run)


def test_arrays_on_one_of_the_devices() -> None:
    def run() -> Any:
        device = jax.devices()[3]
        alone, grid = jax.device_put(X, device), jax.device_put(X, place("grid"))
        mesh = NamedSharding(mesh_of((1,), "i", [3]), P("i"))
        moved = jax.device_put(grid, device), jax.device_put(alone, place("flat")), jax.device_put(grid, mesh)
        return moved, jax.jit(lambda a: a + 1)(alone), jax.jit(lambda a, b: a + b)(grid, jnp.ones((8, 16)))

    assert_same(run)
    grid = place("grid")
    refused = assert_same(lambda: jax.jit(jnp.add)(jax.device_put(X, grid), jax.device_put(X, jax.devices()[3])))
    assert isinstance(refused, ValueError)


def test_pmap() -> None:
    def run() -> Any:
        summed = jax.pmap(lambda a: jax.lax.psum(a, "i") + a, axis_name="i")(X)
        gathered = jax.pmap(lambda a, b: (a * b, jax.lax.all_gather(a, "i")), axis_name="i", in_axes=(0, None))(X, X[0])
        around = [(i, (i + 1) % 4) for i in range(4)]
        shifted = jax.pmap(lambda a: jax.lax.ppermute(a, "i", around), axis_name="i", devices=jax.devices()[4:])(X[:4])
        gradient = jax.pmap(jax.grad(lambda a: jax.lax.psum((a**2).sum(), "i")), axis_name="i")(X)
        return summed, gathered, shifted, gradient, jax.jit(lambda a: a.sum(0))(summed)

    assert_same(run)


def test_memory_kinds_and_donation_between_meshes() -> None:
    def run() -> Any:
        grid, other = place("grid"), place("other grid")
        on_host = NamedSharding(grid.mesh, P("y"), memory_kind="pinned_host")
        x = jax.device_put(X, grid)
        hosted = jax.device_put(x, on_host), jax.jit(lambda a: a * 2, out_shardings=on_host)(x)
        there = jax.jit(lambda a: jax.device_put(a, NamedSharding(grid.mesh, P("x"), memory_kind="pinned_host")))(x)
        given, moved = jax.device_put(X, grid), jax.device_put(X, grid)
        results = jax.jit(lambda a: a + 1, donate_argnums=0, out_shardings=grid)(given)
        elsewhere = jax.device_put(moved, place("reversed"), donate=True)
        kept = jax.jit(lambda a: a + 1, out_shardings=other)(x)
        return hosted, there, results, elsewhere, kept, [given.is_deleted(), moved.is_deleted()]

    assert_same(run)


def test_programs_lowered_for_gspmd() -> None:
    x = jax.device_put(X, place("grid"))
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        plain = jax.jit(lambda a: a @ a.T)
        lowered = plain.lower(x)
        np.testing.assert_allclose(sdy.jax.jit(lambda a: a @ a.T)(x), X @ X.T, rtol=1e-5)
        with sdy.jax.partitioned():
            np.testing.assert_allclose(plain(x), X @ X.T, rtol=1e-5)
            np.testing.assert_allclose(lowered.compile()(x), X @ X.T, rtol=1e-5)
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)
