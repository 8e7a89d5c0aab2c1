"""Programs with explicit shardings, alone and mixed with automatic and manual axes, beside plain JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, NamedSharding, auto_axes, explicit_axes

import sdy.jax
from tests.execution.plain_jax import assert_same

P: Any = jax.sharding.PartitionSpec
pytestmark = pytest.mark.skipif(not hasattr(jax.sharding, "UnreducedKind"), reason="the types of this JAX say less")

A = (np.arange(128, dtype=np.float32).reshape(8, 16) - 50) / 10
ROUND = [(i, (i + 1) % 4) for i in range(4)]


@jax.custom_jvp
def doubled_slope(a: jax.Array) -> jax.Array:
    return jnp.sin(a)


doubled_slope.defjvp(lambda given, tangents: (doubled_slope(*given), 2 * tangents[0]))


@jax.custom_vjp
def doubled(a: jax.Array) -> jax.Array:
    return a * 2


doubled.defvjp(lambda a: (a * 2, a), lambda a, g: (g * a,))

EXPLICIT: dict[str, Callable[[jax.Array], Any]] = {
    "elementwise": lambda a: (
        jnp.tanh(a), -a, a**3, a.astype(jnp.int32), a.astype(jnp.int4), a > 0, lax.clamp(0.0, a, 1.0), lax.erf(a),
        jnp.where(a > 0, a, -a), lax.complex(a, a), lax.bitcast_convert_type(a, jnp.int16), jnp.nan_to_num(a),
    ),
    "reductions": lambda a: (
        a.sum(0), a.sum(1), a.sum(), a.max(0), a.min(1), (a > 0).any(0), jnp.argmax(a, 0), a.var(1),
        jax.nn.softmax(a, -1), jax.nn.logsumexp(a, axis=1), jnp.linalg.norm(a),
    ),
    "shapes": lambda a: (
        a.T, a[None], a[:, None][:, 0], jnp.broadcast_to(a, (3, 8, 16)), a.reshape(8, 16, 1), a.reshape(4, 2, 16),
        lax.reshape(a, (128,), out_sharding=P(("x", "y"))), lax.broadcast(a, (2,)),
    ),
    "parts": lambda a: (
        a[:, ::2], jax.reshard(a, P(None, "y"))[2:4], jnp.pad(a, ((0, 0), (2, 2))), jnp.split(a, 2, 1),
        jnp.concatenate([a, a], 1), jnp.stack([a, a]), a.at[jnp.array([0, 3])].get(out_sharding=P(None, "y")),
        lax.dynamic_update_slice(a, a, (0, 0)),
    ),
    "made": lambda a: (
        jnp.ones((8, 16), out_sharding=P("x", "y")) * a, jnp.zeros((8,), out_sharding=P("x")), jnp.full_like(a, 2.0),
        jnp.arange(8, out_sharding=P("x")), lax.broadcasted_iota(jnp.int32, (8, 16), 0, out_sharding=P("x", "y")),
        a + jnp.arange(16.0), jax.random.bits(jax.random.key(0), (8,), out_sharding=P("x")),
        jax.random.normal(jax.random.key(0), (8, 16), out_sharding=P("x", "y")),
    ),
    "keys": lambda a: (
        jax.reshard(jax.random.split(jax.random.key(0), 8), P("x")), jax.random.fold_in(jax.random.key(1), 2), a,
    ),
    "products": lambda a: (
        jnp.einsum("ab,ab->a", a, a, out_sharding=P("x")), jnp.einsum("ab,cb->ac", a, a, out_sharding=P("x", None)),
        jnp.dot(a, a.T, out_sharding=P(None, "x")), a.T @ jax.reshard(a, P()),
    ),
    "control": lambda a: (
        lax.scan(lambda c, r: (c + r, c * r), jnp.zeros((8,), out_sharding=P("x")), jax.reshard(a.T, P(None, "x"))),
        lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 0.5), (0, a)),
        lax.fori_loop(0, 3, lambda i, c: c + i, a), lax.cond(a.sum() > 0, lambda b: b * 2, lambda b: b - 1, a),
        lax.switch(1, [lambda b: b, lambda b: b + 1], a), jax.jit(lambda b: b * 2)(a), jax.checkpoint(jnp.sin)(a),
        lax.optimization_barrier((a, a + 1)),
    ),
    "derivatives": lambda a: (
        jax.grad(lambda b: jnp.sin(b).sum())(a), jax.jvp(jax.grad(lambda b: (b**3).sum()), (a,), (a,)),
        jax.grad(lambda b: doubled(b).sum())(a), jax.grad(lambda b: doubled_slope(b).sum())(a),
        jax.grad(lambda b: jnp.einsum("ab,cb->ac", b, b, out_sharding=P("x", None)).sum())(a),
        jax.vjp(jnp.multiply, a, a)[1](a), jax.linear_transpose(lambda b: b * 2, a)(a), jax.vmap(lambda r: r * 2)(a),
    ),
    "moved": lambda a: [jax.reshard(a, P(*to)) for to in (("y", "x"), (None, "x"), (), (("y", "x"), None), ("x",))],
    "automatic inside": lambda a: (
        auto_axes(lambda b: b @ b.T, out_sharding=P("x", None))(a),
        auto_axes(lambda b: jnp.sort(b, 0)[::-1], axes="x", out_sharding=P("x", "y"))(a),
    ),
    "manual inside": lambda a: (
        jax.shard_map(lambda s: lax.psum(s, "x"), out_specs=P(None, "y"))(a),
        jax.shard_map(lambda s: s * lax.axis_index("x"), in_specs=P("x"), out_specs=P("x"), axis_names={"x"})(
            jax.reshard(a, P("x"))
        ),
        jax.shard_map(lambda s: lax.ppermute(s, "x", ROUND), out_specs=P("x", "y"))(a),
        jax.shard_map(lambda s: lax.all_to_all(s, "y", 0, 1, tiled=True), out_specs=P(("x", "y"), None))(a),
        jax.shard_map(lambda s: lax.psum(s, ("x", "y")), out_specs=P(), check_vma=False)(a),
        jax.grad(lambda b: jax.shard_map(lambda s: lax.psum(jnp.sin(s), ("x", "y")), out_specs=P())(b).sum())(a),
    ),
    "refused": lambda a: a @ a.T + jnp.sort(a, 0),
}  # fmt: skip

MIXED: dict[str, Callable[[jax.Array], Any]] = {
    "operations": lambda a: (
        jnp.tanh(a), a.sum(0), a.sum(1), a.T, a[None], jnp.pad(a, ((0, 0), (1, 1))), jax.nn.softmax(a, -1),
        jnp.concatenate([a, a]), lax.fori_loop(0, 3, lambda i, c: c + i, a), jax.vmap(lambda r: r * 2)(a),
        jax.grad(lambda b: jnp.sin(b).sum())(a), jax.checkpoint(jnp.sin)(a), jax.jit(lambda b: b * 2)(a),
    ),
    "made explicit": lambda a: explicit_axes(lambda b: jnp.sin(b) * 2, in_sharding=P("x", "y"))(a),
    "manual on both": lambda a: (
        jax.shard_map(lambda s: lax.psum(s, ("x", "y")), in_specs=P("x", "y"), out_specs=P(), check_vma=False)(a),
        jax.shard_map(lambda s: lax.pmean(jnp.tanh(s), "x"), in_specs=P("x", "y"), out_specs=P(None, "y"))(a),
        jax.shard_map(
            lambda s: lax.fori_loop(0, 3, lambda _, c: c + lax.ppermute(s, "x", ROUND), s),
            in_specs=P("x", "y"),
            out_specs=P("x", "y"),
        )(a),
    ),
    "manual on one": lambda a: (
        jax.shard_map(lambda s: lax.psum(s, "x") * 2, in_specs=P("x"), out_specs=P(), axis_names={"x"})(a),
        jax.shard_map(lambda s: lax.psum(s * 2, "y"), in_specs=P(None, "y"), out_specs=P(), axis_names={"y"})(a),
    ),
    "nested": lambda a: jax.shard_map(
        lambda s: jax.shard_map(
            lambda t: lax.psum(t, "y"), in_specs=P(None, "y"), out_specs=P(), axis_names={"y"}
        )(s) + 1,
        in_specs=P("x"), out_specs=P("x"), axis_names={"x"},
    )(a),
    "constrained": lambda a: (
        lax.with_sharding_constraint(a @ a.T, P("x", "y")), lax.with_sharding_constraint(a, P(P.UNCONSTRAINED, "y")),
    ),
}  # fmt: skip

REFUSED = {("constrained", "explicit, automatic")}
KINDS = {"explicit, automatic": (AxisType.Explicit, AxisType.Auto), "automatic": (AxisType.Auto, AxisType.Auto)}


@pytest.mark.parametrize("name", EXPLICIT)
def test_explicit(name: str) -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)

    def run() -> Any:
        return jax.jit(EXPLICIT[name])(jax.device_put(A, NamedSharding(mesh, P("x", "y"))))

    with jax.set_mesh(mesh):
        result = assert_same(run)
    assert isinstance(result, Exception) == (name == "refused"), result


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("name", MIXED)
def test_mixed(name: str, kinds: str) -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=KINDS[kinds])

    def run() -> Any:
        spec = P("x") if kinds == "automatic" or name in ("operations", "manual on one", "nested") else P()
        return jax.jit(MIXED[name])(jax.device_put(A, NamedSharding(mesh, spec)))

    with jax.set_mesh(mesh):
        result = assert_same(run)
    assert isinstance(result, Exception) == ((name, kinds) in REFUSED), result


def test_eagerly() -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)

    def run() -> Any:
        a = jax.device_put(A, NamedSharding(mesh, P("x", "y")))
        reduced = a.sum(1), jnp.einsum("ab,cb->ac", a, a, out_sharding=P("x", None))
        return a * 2 + a, a.T, reduced, jax.reshard(a, P("y", "x")), jax.grad(lambda b: (b * b).sum())(a), a > 0

    with jax.set_mesh(mesh):
        assert_same(run)


def test_reduction_that_leaves_some_axes_to_the_result() -> None:
    """XLA adds up what belongs to different elements of the result."""
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
    with jax.set_mesh(mesh), sdy.jax.partitioned():
        a = jax.device_put(A, P(("x", "y"), None))
        partial = jax.jit(lambda a: lax.reduce_sum(a, axes=(0,), out_sharding=P("x", unreduced=frozenset({"y"}))))(a)
        np.testing.assert_allclose(jax.reshard(partial, P()), A.sum(0), rtol=1e-5)
