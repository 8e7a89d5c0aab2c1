"""Sequences that are split and shifted, in functions and outside: the numbers, and what is sent."""

from __future__ import annotations

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from sdy.report.communication_report import communication
from tests.numerics.harness import check

ROW = 2 * 4 * 4
"""Bytes of one element of the sequence: two texts of four numbers."""

IN_PARTS = P(None, "x", None)


def _text(function: Callable[[jax.Array], jax.Array], result: P = IN_PARTS) -> str:
    """`function` of a sequence of 32 elements that eight devices share, lowered."""
    mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    given, made = (NamedSharding(mesh, spec) for spec in (IN_PARTS, result))
    lowered = jax.jit(function, in_shardings=given, out_shardings=made).lower(
        jax.ShapeDtypeStruct((2, 32, 4), jnp.float32)
    )
    return str(lowered.compiler_ir("stablehlo"))


def _shifted(x: jax.Array) -> jax.Array:
    return jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]


def _convolved(x: jax.Array) -> jax.Array:
    padded = jnp.pad(x, ((0, 0), (3, 0), (0, 0)))
    return functools.reduce(jnp.add, [padded[:, i : i + 32] * (i + 1) for i in range(4)])


def _gradient(function: Callable[[jax.Array], jax.Array]) -> Callable[[jax.Array], jax.Array]:
    return lambda x: jax.grad(lambda y: (function(y) * x).sum())(x)


def _rotated(x: jax.Array) -> jax.Array:
    return jnp.concatenate([-x[:, 16:], x[:, :16]], axis=1) * 2


def _split_and_rotated(x: jax.Array) -> jax.Array:
    first, second = jnp.split(x, 2, axis=1)
    return jnp.concatenate([-second, first], axis=1)


def _turned(x: jax.Array) -> jax.Array:
    """Three parts, two of them negated, of which two change places."""
    return jnp.concatenate([x[:, :8], -x[:, 24:], -x[:, 8:24]], axis=1)


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        pytest.param(lambda x: x - _shifted(x), 1, id="token shift"),
        pytest.param(_convolved, 3 + 2 + 1, id="causal convolution"),
        pytest.param(_gradient(_convolved), 3 + 2 + 1, id="its gradient"),
    ],
)
def test_what_moves_across_borders_is_sent(function: Callable[[jax.Array], jax.Array], rows: int) -> None:
    assert communication(check(_text(function))).bytes_sent == rows * ROW


def test_parts_of_a_sequence_are_uneven_inside_of_functions() -> None:
    @jax.jit
    def layer(x: jax.Array) -> jax.Array:
        for number in range(10):
            x = jnp.abs(x) * 0.5 + number
        return x

    text = _text(lambda x: jnp.pad(layer(layer(x[:, :-1])), ((0, 0), (0, 1), (0, 0))))
    assert text.count("call @layer") == 2
    assert communication(check(text)).bytes_sent == 0


def _resized(count: int, spec: P) -> Callable[[jax.Array], jax.Array]:
    """An image whose sequence gets `count` elements, each the nearest one, of which each is weighted."""
    mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))

    def resize(x: jax.Array) -> jax.Array:
        made = jax.image.resize(x, (2, count, 4), "nearest")
        return jax.lax.with_sharding_constraint(made, NamedSharding(mesh, spec)) * jnp.arange(1.0, count + 1)[:, None]

    return resize


def _changed(x: jax.Array) -> jax.Array:
    """Inner points, every other one and every third one are replaced, added to and multiplied."""
    x = x.at[:, 1:-1].set(x[:, 2:] - x[:, :-2])
    x = x.at[:, ::2, 1:].add(-x[:, ::2, :-1])
    return x.at[1, 1::3].multiply(x[0, ::3] + 1).at[:, :-1].max(x[:, 1:] / 2)


@pytest.mark.parametrize(
    "function",
    [
        _rotated,
        _gradient(_rotated),
        _gradient(_split_and_rotated),
        _turned,
        _resized(16, P(None, "x")),
        jax.grad(lambda x: (_resized(96, P())(x) ** 2).sum()),
        _changed,
    ],
)
def test_rows_that_change_places(function: Callable[[jax.Array], jax.Array]) -> None:
    """Halves, nearest points, writes at known places: the numbers are right."""
    check(_text(function))
