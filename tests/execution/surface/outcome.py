"""What a case ends with, and whether two ends are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding


def outcome(run: Callable[[], Any]) -> Any:
    """What `run` returns, or the exception that it raises."""
    try:
        return jax.block_until_ready(run())
    except Exception as error:  # noqa: BLE001  (both sides may raise anything)
        return error


def differences(ours: Any, theirs: Any) -> list[str]:
    """What is not alike: structure, values, types, shardings, whether they are committed; or exceptions."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        said, wanted = (_said(one) for one in (ours, theirs))
        return [] if said == wanted else [f"{said}, but with jax.jit: {wanted}"]
    mine, tree = jax.tree_util.tree_flatten_with_path(ours)
    wanted, wanted_tree = jax.tree_util.tree_flatten_with_path(theirs)
    if tree != wanted_tree:
        return [f"{tree}, but with jax.jit: {wanted_tree}"]
    found: list[str] = []
    for (path, one), (_, other) in zip(mine, wanted, strict=True):
        found += [f"{jax.tree_util.keystr(path)}: {text}" for text in _leaf(one, other)]
    return found


def _said(end: Any) -> str:
    if not isinstance(end, Exception):
        return "no exception"
    lines = str(end).splitlines()
    return f"{type(end).__name__}: {lines[0].split(' at 0x')[0] if lines else ''}"


def _leaf(one: Any, other: Any) -> list[str]:
    if type(one) is not type(other):
        return [f"{type(one).__name__}, not {type(other).__name__}"]
    if not isinstance(one, jax.Array):
        return [] if np.array_equal(one, other) else [f"{one}, not {other}"]
    found = [
        f"{name} is {mine}, not {theirs}"
        for name in ("dtype", "shape", "weak_type", "committed", "is_fully_addressable")
        if (mine := getattr(one, name, None)) != (theirs := getattr(other, name, None))
    ]
    if _placed(one) != _placed(other) and not one.is_deleted():
        found.append(f"lies as {_placed(one)}, not {_placed(other)}")
    if one.is_deleted() or other.is_deleted():
        return found if one.is_deleted() == other.is_deleted() else [*found, "only one is deleted"]
    return found or _values(one, other)


def _placed(array: jax.Array) -> Any:
    sharding = array.sharding
    if isinstance(sharding, NamedSharding):
        spec = tuple(entry if isinstance(entry, tuple) else (entry,) if entry else () for entry in sharding.spec)
        while spec and not spec[-1]:
            spec = spec[:-1]
        return spec, sharding.spec.unreduced, sharding.memory_kind, sharding.mesh
    return type(sharding), sharding.memory_kind, sorted(device.id for device in sharding.device_set)


def _values(one: jax.Array, other: jax.Array) -> list[str]:
    if jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
        one, other = jax.random.key_data(one), jax.random.key_data(other)
    mine, theirs = np.asarray(one), np.asarray(other)
    if mine.dtype.kind in "biu":
        alike = np.array_equal(mine, theirs)
    else:
        wide = np.complex128 if np.iscomplexobj(mine) else np.float64
        tolerance = 2e-2 if mine.dtype.itemsize < 4 else 2e-5
        alike = np.allclose(mine.astype(wide), theirs.astype(wide), rtol=tolerance, atol=tolerance, equal_nan=True)
    return [] if alike else [f"values differ:\n{mine}\n{theirs}"]
