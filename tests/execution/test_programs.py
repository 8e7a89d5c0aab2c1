"""JAX programs of many kinds: partitioned by sdy they compute what they compute on one device."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax

BOTH = ("data", "model")


@dataclasses.dataclass(frozen=True)
class Program:
    """A function of float32 arrays of the given shapes, sharded as given; the results' shardings are found."""

    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    specs: tuple[P, ...]
    out_specs: P | None = None


def scan(x: jax.Array, w: jax.Array) -> jax.Array:
    return lax.scan(lambda carry, _: (jnp.tanh(carry @ w), None), x, length=3)[0]


def while_loop(x: jax.Array) -> jax.Array:
    return lax.while_loop(lambda state: state.sum() < 1000, lambda state: state * 2 + 1, jnp.abs(x))


def cond(x: jax.Array) -> jax.Array:
    return lax.cond(x.sum() > 0, lambda a: a @ a.T, lambda a: -(a @ a.T), x)


def lookup(table: jax.Array, x: jax.Array) -> jax.Array:
    return table[jnp.abs(x * 10).astype(jnp.int32) % table.shape[0]]


def histogram(x: jax.Array) -> jax.Array:
    return jnp.zeros(32).at[jnp.abs(x * 10).astype(jnp.int32) % 32].add(x)


def normalized_gradient(w: jax.Array, x: jax.Array) -> Any:
    value, gradient = jax.value_and_grad(lambda w: jnp.square(jnp.tanh(x @ w)).mean())(w)
    return value, gradient / jnp.linalg.norm(gradient)


def constrained(x: jax.Array) -> jax.Array:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    y = lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P(None, "data")))
    return lax.with_sharding_constraint(y * y, NamedSharding(mesh, P("model", "data")))


def convolution(x: jax.Array, kernel: jax.Array) -> jax.Array:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def inner_jit(x: jax.Array, w: jax.Array) -> jax.Array:
    double = jax.jit(lambda a: jnp.tanh(2 * a))
    return double(x @ w) + double(x @ w).sum()


def shifted(x: jax.Array) -> jax.Array:
    return jnp.pad(x, ((1, 1), (0, 0)))[:-2] + x[::-1] + jnp.roll(x, 1, axis=0)


def sorted_top(x: jax.Array) -> Any:
    values, indices = lax.top_k(x, 3)
    return jnp.sort(x, axis=-1), values, indices


def max_pool_gradient(x: jax.Array) -> jax.Array:
    def pooled(x: jax.Array) -> jax.Array:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    return jax.grad(lambda x: pooled(x).sum())(x)


def convolution_gradient(x: jax.Array, kernel: jax.Array) -> jax.Array:
    return jax.grad(lambda kernel: jnp.square(convolution(x, kernel)).sum())(kernel)


def dropout(x: jax.Array) -> jax.Array:
    return jnp.where(jax.random.bernoulli(jax.random.key(1), 0.5, x.shape), x / 0.5, 0)


def solve(a: jax.Array, b: jax.Array) -> jax.Array:
    return jnp.linalg.solve(a @ a.swapaxes(-1, -2) + 10 * jnp.eye(8), b)


def moving_window(x: jax.Array) -> jax.Array:
    start = jnp.argmax(x.sum(1)) % 4
    return lax.dynamic_update_slice(x, jnp.ones((2, 16)), (start, 0)) + lax.dynamic_slice(x, (start, 0), (1, 16))


def rotary(x: jax.Array) -> jax.Array:
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([-b, a], -1)


def scattered(x: jax.Array) -> jax.Array:
    return x.at[jnp.arange(4) * 2, 3].set(7.0).at[:, 2:5].multiply(2.0)


def embedding_gradient(table: jax.Array, x: jax.Array) -> jax.Array:
    return jax.grad(lambda table: jnp.square(lookup(table, x)).sum())(table)


def experts(x: jax.Array, w: jax.Array) -> jax.Array:
    gates = jax.nn.softmax(x @ w[0, :, :4])
    return jnp.einsum("be,edf,bd->bf", gates, w, x)


def gelu(x: jax.Array, w: jax.Array) -> jax.Array:
    return jax.nn.gelu(jnp.square(x) @ w, approximate=False)


PROGRAMS = {
    "elementwise": Program(lambda a, b: jnp.exp(a) * b, ((8, 16), (16,)), (P("data", "model"), P("model"))),
    "matmul_contracting": Program(jnp.matmul, ((8, 16), (16, 32)), (P("data", "model"), P("model"))),
    "matmul_gathered": Program(jnp.matmul, ((8, 16), (16, 32)), (P("data"), P("data", "model"))),
    "batched_attention": Program(
        lambda q, k, v: jax.nn.softmax(q @ k.transpose(0, 2, 1)) @ v,
        ((8, 16, 4), (8, 16, 4), (8, 16, 4)),
        (P("data", "model"), P("data"), P("data")),
    ),
    "reductions": Program(lambda x: (x.sum(0), x.max(1), x.mean(), x.argmax(1)), ((8, 16),), (P("data", "model"),)),
    "transpose_reshape": Program(lambda x: x.T.reshape(4, 4, 8) + 1, ((8, 16),), (P("data", "model"),)),
    "resharded_result": Program(lambda x: x * 2, ((8, 16),), (P("data", "model"),), P("model", "data")),
    "moved_axes": Program(lambda x: x * 2, ((8, 16),), (P("data", None),), P(None, "data")),
    "scan": Program(scan, ((8, 16), (16, 16)), (P("data"), P(None, "model"))),
    "while_loop": Program(while_loop, ((8, 16),), (P("data", "model"),)),
    "cond": Program(cond, ((8, 16),), (P("data", "model"),)),
    "lookup_batch": Program(lookup, ((32, 16), (8,)), (P(), P("data"))),
    "lookup_vocabulary": Program(lookup, ((32, 16), (8,)), (P("model"), P("data"))),
    "histogram": Program(histogram, ((64,),), (P("data"),)),
    "gradient": Program(normalized_gradient, ((16, 32), (8, 16)), (P(None, "model"), P("data"))),
    "constraints": Program(constrained, ((8, 16),), (P("data"),)),
    "convolution": Program(convolution, ((8, 4, 8, 8), (8, 4, 3, 3)), (P("data"), P("model"))),
    "inner_jit": Program(inner_jit, ((8, 16), (16, 32)), (P("data"), P(None, "model"))),
    "shifted": Program(shifted, ((8, 16),), (P("data"),)),
    "sort_and_top_k": Program(sorted_top, ((8, 16),), (P("data"),)),
    "iota": Program(lambda x: x + jnp.arange(16.0), ((8, 16),), (P("data", "model"),)),
    "concatenate": Program(lambda a, b: jnp.concatenate([a, b], 1), ((8, 4), (8, 6)), (P("data"), P("data"))),
    "cumsum": Program(lambda x: jnp.cumsum(x, axis=1), ((8, 16),), (P("data"),)),
    "max_pool_gradient": Program(max_pool_gradient, ((8, 4, 8, 8),), (P("data", None, "model"),)),
    "convolution_gradient": Program(convolution_gradient, ((8, 4, 8, 8), (8, 4, 3, 3)), (P("data"), P("model"))),
    "dropout": Program(dropout, ((8, 16),), (P("data", "model"),)),
    "solve": Program(solve, ((8, 8, 8), (8, 8, 4)), (P("data", "model"), P("data"))),
    "approximate_top_k": Program(lambda x: lax.approx_max_k(x, 3), ((8, 64),), (P(None, "data"),)),
    "sort_sharded": Program(lambda x: (jnp.sort(x, 0), jnp.median(x, 1)), ((8, 16),), (P("data", "model"),)),
    "fft": Program(lambda x: jnp.abs(jnp.fft.fft(x)), ((8, 16),), (P("data", "model"),)),
    "fft_between_gathers": Program(
        lambda x: jnp.abs(jnp.fft.fftn(x)), ((4, 8, 6),), (P(None, "data"),), P(None, None, "model")
    ),
    "least_squares": Program(lambda x, y: jnp.polyfit(x, y, 2), ((16,), (16,)), (P("data"), P("data"))),
    "moving_window": Program(moving_window, ((8, 16),), (P("data", "model"),)),
    "rotary": Program(rotary, ((8, 16),), (P("data", "model"),)),
    "scattered": Program(scattered, ((8, 16),), (P("data", "model"),)),
    "strided": Program(lambda x: x[::2, 1::3], ((8, 16),), (P("data", "model"),)),
    "interior_padding": Program(lambda x: lax.pad(x, 0.0, ((1, 2, 1), (0, 0, 0))), ((8, 16),), (P("data", "model"),)),
    "embedding_gradient": Program(embedding_gradient, ((32, 16), (8,)), (P("model"), P("data"))),
    "experts": Program(experts, ((8, 16), (4, 16, 16)), (P("data"), P("model"))),
    "gelu": Program(gelu, ((8, 16), (16, 32)), (P("data"), P(None, "model"))),
    "two_axes_on_one_dimension": Program(lambda x: x - x.mean(-1, keepdims=True), ((8, 16),), (P(None, BOTH),)),
    "cumulative": Program(lambda x: (jnp.cumsum(x, 0), lax.cummax(x, axis=0)), ((8, 16),), (P("data", "model"),)),
    "outer": Program(jnp.outer, ((8,), (16,)), (P("data"), P("data"))),
    "uneven_inside": Program(lambda x: (x[:5] * 2).sum(1), ((8, 16),), (P("data", "model"),)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_sharded_equals_unsharded(name: str, mesh: Mesh) -> None:
    program = PROGRAMS[name]
    generator = np.random.default_rng(0)
    arguments = [generator.standard_normal(shape).astype(np.float32) for shape in program.shapes]
    shardings = tuple(NamedSharding(mesh, spec) for spec in program.specs)
    options: dict[str, Any] = {}
    if program.out_specs is not None:
        options["out_shardings"] = NamedSharding(mesh, program.out_specs)
    results = sdy.jax.jit(program.function, in_shardings=shardings, **options)(*arguments)
    expected = jax.jit(program.function)(*arguments)
    for ours, theirs in zip(jax.tree.leaves(results), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def test_shardings_of_approximate_searches_are_those_of_jax(mesh: Mesh) -> None:
    """Which sorts where no device has such a search: the largest elements stay in parts if they can."""
    shardings = NamedSharding(mesh, P(None, "data"))
    x = jax.device_put(np.arange(512.0, dtype=np.float32).reshape(8, 64), shardings)
    results, expected = (jit(lambda x: lax.approx_max_k(x, 8))(x) for jit in (sdy.jax.jit, jax.jit))
    assert [each.sharding.spec for each in results] == [each.sharding.spec for each in expected]


def test_shard_map_inside(mesh: Mesh) -> None:
    def body(x: jax.Array) -> jax.Array:
        return lax.psum(x, "model") + lax.axis_index("data")

    inner = jax.shard_map(body, mesh=mesh, in_specs=P("data", "model"), out_specs=P("data"))
    x = np.arange(128, dtype=np.float32).reshape(8, 16)
    argument = jax.device_put(x, NamedSharding(mesh, P("data", "model")))
    result = sdy.jax.jit(lambda a: inner(a * 2) + 1)(argument)
    np.testing.assert_allclose(result, jax.jit(lambda a: inner(a * 2) + 1)(argument))


def test_explicit_mesh() -> None:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)
    x = np.arange(128, dtype=np.float32).reshape(8, 16)
    w = np.ones((16, 4), np.float32)
    with jax.set_mesh(mesh):
        a = jax.device_put(x, NamedSharding(mesh, P("data", None)))
        b = jax.device_put(w, NamedSharding(mesh, P(None, "model")))
        result = sdy.jax.jit(lambda a, b: jnp.sin(a @ b))(a, b)
    assert result.sharding.spec == P("data", "model")
    np.testing.assert_allclose(result, np.sin(x @ w), rtol=1e-4, atol=1e-4)
