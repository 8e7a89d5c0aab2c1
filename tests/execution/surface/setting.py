"""Meshes and arrays that cases work on."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

X = (np.arange(32, dtype=np.float32) * 37 % 41).reshape(8, 4) / 16 - 1
"""Numbers that differ everywhere."""


class At:
    """A 4x2 mesh, once with axes that are Auto and once Explicit, and arrays on it.

    `x` (8x4) is sharded by both axes, `rows` and `columns` are the same numbers sharded by one, `whole` by none; `v`
    (8) and `w` (4x8) go with them; `i` (8) are whole numbers; `host` is no JAX array.
    """

    def __init__(self) -> None:
        devices = np.array(jax.devices()[:8]).reshape(4, 2)
        self.mesh = Mesh(devices, ("data", "model"), axis_types=(AxisType.Auto,) * 2)
        self.explicit = Mesh(devices, ("data", "model"), axis_types=(AxisType.Explicit,) * 2)
        self.mixed = Mesh(devices, ("data", "model"), axis_types=(AxisType.Auto, AxisType.Explicit))
        self.cube = Mesh(devices.reshape(2, 2, 2), ("a", "b", "c"), axis_types=(AxisType.Auto,) * 3)
        self.line = Mesh(devices.reshape(8), ("data",), axis_types=(AxisType.Auto,))
        self.host = X

    def on(self, *spec: Any, mesh: Mesh | None = None, **more: Any) -> NamedSharding:
        return NamedSharding(mesh or self.mesh, P(*spec), **more)

    def put(self, value: Any, *spec: Any, **more: Any) -> jax.Array:
        return jax.device_put(value, self.on(*spec, **more))

    @functools.cached_property
    def x(self) -> jax.Array:
        return self.put(X, "data", "model")

    @functools.cached_property
    def rows(self) -> jax.Array:
        return self.put(X, "data")

    @functools.cached_property
    def columns(self) -> jax.Array:
        return self.put(X, None, "model")

    @functools.cached_property
    def whole(self) -> jax.Array:
        return self.put(X)

    @functools.cached_property
    def v(self) -> jax.Array:
        return self.put(X[:, 0], "data")

    @functools.cached_property
    def w(self) -> jax.Array:
        return self.put(np.cos(np.arange(32, dtype=np.float32)).reshape(4, 8), "model")

    @functools.cached_property
    def i(self) -> jax.Array:
        return self.put(np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32), "data")

    @functools.cached_property
    def e(self) -> jax.Array:
        """`x` on the mesh with Explicit axes."""
        return self.put(X, "data", "model", mesh=self.explicit)

    @functools.cached_property
    def ew(self) -> jax.Array:
        """`w` on the mesh with Explicit axes."""
        return self.put(np.asarray(self.w), "model", None, mesh=self.explicit)

    def copy(self, array: jax.Array) -> jax.Array:
        """For donation."""
        return jnp.copy(array)
