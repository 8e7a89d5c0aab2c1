"""A callback that raises gives an error, whatever the other devices do with its result; the process goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import dispatch
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.mlir import ir
from sdy.running.deferred_failures import NO_FAILURE, Failures, defer_failures, keeping_failures
from tests.execution import random_effects


class Caller:
    """Functions to call back: they note that they were called, and one raises as long as it is told to."""

    def __init__(self) -> None:
        self.fails = True
        self.calls: list[str] = []

    def raising(self, *values: Any) -> Any:
        self.calls.append("raising")
        if self.fails:
            raise ValueError("not today")
        return values[0]

    def after(self, *values: Any) -> Any:
        self.calls.append("after")
        return values[0]


def _like(x: Any, dtype: Any = None) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, dtype or x.dtype)


def _pair(caller: Caller, x: Any) -> Any:
    def both(value: Any) -> Any:
        return np.asarray(caller.raising(value)).astype(np.complex64), np.asarray(value) > 3

    return jax.pure_callback(both, (_like(x, jnp.complex64), _like(x, jnp.bool)), x)


def _on(device: int) -> Callable:
    def program(caller: Caller, x: Any) -> Any:
        where = SingleDeviceSharding(jax.devices()[device])
        return io_callback(caller.raising, _like(x), x, sharding=where)

    return program


def _ordered(caller: Caller, x: Any) -> Any:
    first = io_callback(caller.raising, _like(x), x, ordered=True)
    second = io_callback(caller.after, _like(x), x, ordered=True)
    return first, second


def _in_a_function(caller: Caller, x: Any) -> Any:
    """It has one callback, which is called twice."""
    call = jax.jit(lambda x: jax.pure_callback(caller.raising, _like(x), x), inline=False)
    return call(call(x))


PROGRAMS: dict[str, tuple[Callable[[Caller, Any], Any], Callable[[np.ndarray], Any]]] = {
    "returned": (lambda caller, x: jax.pure_callback(caller.raising, _like(x), x), lambda x: x),
    "used": (lambda caller, x: jax.pure_callback(caller.raising, _like(x), x) @ x, lambda x: x @ x),
    "used by the next": (
        lambda caller, x: jax.pure_callback(caller.after, _like(x), jax.pure_callback(caller.raising, _like(x), x) @ x),
        lambda x: x @ x,
    ),
    "complex and boolean": (_pair, lambda x: (x.astype(np.complex64), x > 3)),
    "on another device": (_on(3), lambda x: x),
    "ordered": (_ordered, lambda x: (x, x)),
    "in a function": (_in_a_function, lambda x: x),
    "scalar": (
        lambda caller, x: x + jax.pure_callback(caller.raising, jax.ShapeDtypeStruct((), x.dtype), x[1, 1]),
        lambda x: x + x[1, 1],
    ),
}
"""Programs, and what they compute if nothing fails."""


@pytest.fixture(scope="module")
def argument() -> jax.Array:
    mesh: Mesh = random_effects.square_mesh()
    values = np.arange(64, dtype=np.float32).reshape(8, 8) / 4
    return jax.device_put(values, NamedSharding(mesh, P("data", "model")))


@pytest.mark.parametrize("name", PROGRAMS)
def test_error_is_raised_and_the_next_call_succeeds(name: str, argument: jax.Array) -> None:
    caller = Caller()
    program, wanted = PROGRAMS[name]
    compiled = sdy.jax.jit(lambda x: program(caller, x))
    for _ in range(2):
        with pytest.raises(jax.errors.JaxRuntimeError, match="not today"):
            _finish(compiled(argument))
        _forget_tokens()
    assert caller.calls == ["raising"] * 2  # what comes after a failure on its device is not called
    caller.fails = False
    result = _finish(compiled(argument))
    jax.tree.map(np.testing.assert_array_equal, result, wanted(np.asarray(argument)))
    for one in jax.tree.leaves(result):
        for shard in one.addressable_shards:
            np.testing.assert_array_equal(shard.data, np.asarray(one)[shard.index])


def test_callback_that_is_in_a_loop_and_outside(argument: jax.Array) -> None:
    """It is called in both ways."""

    @jax.jit
    def step(x: Any) -> Any:
        return jax.pure_callback(lambda value: value + 1, _like(x), x)

    result = sdy.jax.jit(lambda x: jax.lax.fori_loop(0, 2, lambda i, x: step(x), step(x)))(argument)
    np.testing.assert_array_equal(_finish(result), np.asarray(argument) + 3)


def _finish(result: Any) -> Any:
    jax.block_until_ready(result)
    jax.effects_barrier()
    return result


def _forget_tokens() -> None:
    """What JAX would wait for at the end of the process, and would find failed again."""
    dispatch.runtime_tokens.clear()


def test_message_is_that_of_jax(argument: jax.Array) -> None:
    """But for the line of the function around the callback, which stands among those of JAX."""
    messages: list[list[str]] = []
    for jit in (jax.jit, sdy.jax.jit):
        compiled = jit(lambda x: jax.pure_callback(Caller().raising, _like(x), x))
        with pytest.raises(jax.errors.JaxRuntimeError) as caught:
            jax.block_until_ready(compiled(argument))
        ours = ("failing_callbacks", "deferred_failures")
        messages.append([line for line in str(caught.value).splitlines() if not any(file in line for file in ours)])
        _forget_tokens()
    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    "program",
    [
        lambda x: jax.debug.callback(lambda value: None, x[0, 0]),
        lambda x: jax.debug.callback(lambda value: None, x, partitioned=True),
        lambda x: x + 1,
    ],
    ids=["without result", "on parts", "none"],
)
def test_nothing_changes_where_nobody_waits(program: Callable, argument: jax.Array) -> None:
    module = sdy.parse(sdy.jax.jit(program).lower(argument).partitioned.text)
    before = str(module)
    with module.context, ir.Location.unknown():
        assert defer_failures(module.operation, [lambda *values: ()]) is None
    assert str(module) == before


def test_failures_are_told_once_and_by_number() -> None:
    failures = Failures()

    def callback(value: np.ndarray) -> tuple[np.ndarray]:
        if value < 0:
            raise ValueError(str(value))
        return (value,)

    kept = keeping_failures(callback, [np.zeros(())], failures)
    none = np.int32(NO_FAILURE)
    assert kept(np.int32(5), none) == (5, 0)
    first, second = kept(np.int32(-1), none)[1], kept(np.int32(-2), none)[1]
    assert kept(np.int32(5), first) == (0, first)
    assert failures.raise_(none) == ()
    with pytest.raises(ValueError, match="-2"):
        failures.raise_(second)
    with pytest.raises(ValueError, match="-1"):
        failures.raise_(first)
    assert failures.raise_(first) == ()
