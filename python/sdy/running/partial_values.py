"""Unreduced arguments and results of programs that take and return global values, in a region manual on all axes."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from sdy.dialect.values.sharding import Reduction


def partial_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the device's part of an unreduced value: the value on the first device, zeros on the others.

    Maxima and minima do not mind how often a value counts.
    """
    if kind.is_idempotent:
        return value
    nothing = jnp.asarray(-0.0 if jnp.issubdtype(value.dtype, jnp.inexact) else 0).astype(value.dtype)
    return jnp.where(lax.axis_index(axes) == 0, value, nothing)


def combined_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the value combined from the devices' parts along these axes."""
    combine: Any = {Reduction.SUM: lax.psum, Reduction.MAX: lax.pmax, Reduction.MIN: lax.pmin}[kind]
    if value.dtype == jnp.bool_:
        return combine(value.astype(jnp.int8), axes).astype(jnp.bool_)
    return combine(value, axes)
