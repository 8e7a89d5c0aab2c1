"""Types of JAX that it has no names for."""

from __future__ import annotations

from typing import Any, TypeAlias

import jax

PyTree: TypeAlias = Any
"""A pytree of arrays, shapes or shardings: one of them, or containers with them, which may be classes of users."""

AnyMesh: TypeAlias = "jax.sharding.Mesh | jax.sharding.AbstractMesh"
"""A mesh with or without devices."""
