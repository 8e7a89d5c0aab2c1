"""Meshes of the devices that there are, and shardings on them, at random."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MESHES = (((4, 2), ("x", "y")), ((8,), ("x",)), ((2, 2, 2), ("x", "y", "z")), ((2, 3), ("x", "y")))


def random_mesh(rng: np.random.Generator) -> Mesh:
    shape, axes = MESHES[rng.integers(len(MESHES))]
    devices = np.array(jax.devices()[: np.prod(shape)])
    order = rng.permutation(devices.size) if rng.random() < 0.3 else np.arange(devices.size)
    return Mesh(devices[order].reshape(shape), axes, axis_types=(jax.sharding.AxisType.Auto,) * len(axes))


def random_sharding(rng: np.random.Generator, mesh: Mesh, shape: Sequence[int], *, even: bool) -> NamedSharding:
    """Each axis of the mesh shards some dimension, or none."""
    dims: list[list[str]] = [[] for _ in shape]
    parts = [1] * len(shape)
    for name in rng.permutation(mesh.axis_names):
        dim = int(rng.integers(len(shape) + 1))
        if dim == len(shape):
            continue
        shards = parts[dim] * mesh.shape[name]
        if shape[dim] % shards == 0 if even else shape[dim] > 0:
            dims[dim].append(str(name))
            parts[dim] = shards
    return NamedSharding(mesh, P(*(tuple(axes) or None for axes in dims)))
