"""Loops over a sharded batch, of which each element goes on for as long as it needs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy.report.communication_report import communication
from tests.numerics.harness import compare, run_partitioned

State = tuple[jax.Array, jax.Array]


def _halved(x: jax.Array, w: jax.Array) -> Any:
    """Vectors are multiplied by `w` and halved until they are short; and how often."""
    return lax.while_loop(
        lambda state: jnp.sum(state[0] ** 2) > 1.0, lambda state: (state[0] @ w / 2, state[1] + 1), (x, jnp.int32(0))
    )


def _nested(x: jax.Array, w: jax.Array) -> Any:
    """A loop in a loop, with rounds of their own."""

    def outer(state: State) -> State:
        found, rounds = _halved(state[0] * (state[1] + 2), w)
        return found, state[1] + rounds

    return lax.while_loop(lambda state: state[1] < 9, outer, (x, jnp.int32(0)))


def _drawn(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(count)
    vectors = (rng.standard_normal((count, 8)) * 4.0 ** np.arange(count)[:, None]).astype(np.float32)
    return [vectors, np.linalg.qr(rng.standard_normal((8, 8)))[0].astype(np.float32)]


def _partitioned(call: Any, given: list[np.ndarray], x: P, w: P, inside: P) -> Any:
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))
    placed = [
        jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=NamedSharding(mesh, spec))
        for each, spec in zip(given, (x, w), strict=True)
    ]

    def of_batch(x: jax.Array, w: jax.Array) -> Any:
        return jax.vmap(call, (0, None))(lax.with_sharding_constraint(x, NamedSharding(mesh, inside)), w)

    return sdy.partition(jax.jit(of_batch).lower(*placed).as_text())


@pytest.mark.parametrize("call", [_halved, _nested])
@pytest.mark.parametrize("spec", [P("x"), P(("x", "y"))])
def test_devices_agree_whether_any_goes_on(call: Any, spec: P) -> None:
    given = _drawn(8)
    partitioned = _partitioned(call, given, spec, P(), spec)
    assert communication(partitioned).bytes_sent < 4, "a bit for each loop"
    wanted = jax.jit(jax.vmap(call, (0, None)))(*given)
    for have, want in zip(run_partitioned(partitioned, given), wanted, strict=True):
        compare(have, np.asarray(want), str(spec), 1e-5)
    assert len(set(np.asarray(wanted[1]).tolist())) > 3


@pytest.mark.parametrize(
    ("count", "x", "w", "inside"), [(8, P("x"), P("y"), P("x", "y")), (7, P(), P(), P("x")), (8, P(), P("x"), P())]
)
def test_devices_that_send_in_the_loop_agree(count: int, x: P, w: P, inside: P) -> None:
    """Where products are added up in each round, and where parts are uneven."""
    given = _drawn(count)
    partitioned = _partitioned(_halved, given, x, w, inside)
    for have, want in zip(
        run_partitioned(partitioned, given), jax.jit(jax.vmap(_halved, (0, None)))(*given), strict=True
    ):
        compare(have, np.asarray(want), str(inside), 1e-5)
