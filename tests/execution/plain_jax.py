"""Plain JAX beside sdy: the same function of no arguments, run by both."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding

import sdy.jax

REDUCE = {"sum": np.add, "max": np.maximum, "min": np.minimum}


def assert_same(run: Callable[[], Any]) -> Any:
    """`run`, which returns a pytree of arrays, gives the same with and without sdy; returns what it gives with it.

    The same are numbers, types, shardings, memory kinds and whether arrays are committed; or the types of exceptions.
    Where JAX stumbles over an assertion of its own, a fault of XLA, sdy need not. Only the combined values of unreduced
    arrays are compared: how they are made up of parts is for the compiler to say.
    """
    wanted = _outcome(run)
    with sdy.jax.partitioned():
        got = _outcome(run)
    if isinstance(wanted, AssertionError) and not isinstance(got, Exception):
        return got
    if isinstance(wanted, Exception) or isinstance(got, Exception):
        if type(wanted) is not type(got):
            raise AssertionError(f"plain JAX: {wanted!r}; sdy: {got!r}") from (
                got if isinstance(got, Exception) else wanted if isinstance(wanted, Exception) else None
            )
        return got
    assert jax.tree.structure(got) == jax.tree.structure(wanted)
    for ours, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        assert_same_array(ours, theirs)
    return got


def _outcome(run: Callable[[], Any]) -> Any:
    try:
        return jax.block_until_ready(run())
    except Exception as error:  # noqa: BLE001 - the other run has to end alike
        return error


def assert_same_array(ours: Any, theirs: Any) -> None:
    """What `assert_same` asserts about a pair of leaves."""
    assert type(ours) is type(theirs)
    if not isinstance(ours, jax.Array):
        np.testing.assert_array_equal(ours, theirs)
        return
    assert jax.typeof(ours) == jax.typeof(theirs)
    one, other = ours.sharding, theirs.sharding
    if isinstance(other, NamedSharding) and other.spec.unreduced:
        assert one == other
    else:
        assert one.is_equivalent_to(other, theirs.ndim), (one, other)
    assert one.memory_kind == other.memory_kind
    assert ours.committed == theirs.committed
    got, wanted = parts(ours), parts(theirs)
    assert got.keys() == wanted.keys()
    for place, part in got.items():
        exact = part.dtype.kind in "biu"
        pair = [each if exact else each.astype(np.complex128) for each in (part, wanted[place])]
        np.testing.assert_allclose(*pair, rtol=0 if exact else 1e-5, atol=0 if exact else 1e-5)


def parts(array: jax.Array) -> dict[Any, np.ndarray]:
    """The parts of an array by place in the mesh, those that make up one value combined; or by device."""
    if jnp.issubdtype(array.dtype, jax.dtypes.prng_key):
        array = jax.random.key_data(array)
    sharding = array.sharding
    if not isinstance(sharding, NamedSharding):
        return {shard.device: np.asarray(shard.data) for shard in array.addressable_shards}
    mesh, unreduced = sharding.mesh, sharding.spec.unreduced
    coordinates = {device: place for place, device in np.ndenumerate(mesh.devices)}
    found: dict[Any, list[np.ndarray]] = {}
    for shard in array.addressable_shards:
        named = zip(mesh.axis_names, coordinates[shard.device], strict=True)
        place = tuple(at for name, at in named if name not in unreduced)
        found.setdefault(place, []).append(np.asarray(shard.data))
    kind = REDUCE[getattr(getattr(sharding.spec, "unreduced_kind", None), "name", "sum")]
    return {place: functools.reduce(kind, listed) for place, listed in found.items()}
