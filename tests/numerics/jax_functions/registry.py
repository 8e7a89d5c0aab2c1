"""Functions of JAX by name, each with the arrays it takes.

add("jnp.cumsum", lambda x: jnp.cumsum(x, 1), real(8, 6))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray
Draw = Callable[[np.random.Generator], Array]
"""Makes one argument."""


@dataclass(frozen=True)
class Function:
    """A function, what draws its arguments, and how its results are compared.

    `differentiable`: whether its derivatives by the floating-point arguments are compared as well.
    `tolerance`: largest difference from the unpartitioned function, relative to the largest entry of the result; 0 for
    functions that only move data. Their derivatives add, and may differ by 1e-5.
    """

    call: Callable[..., Any]
    arguments: tuple[Draw, ...]
    differentiable: bool = True
    tolerance: float = 1e-5


FUNCTIONS: dict[str, Function] = {}


def add(
    name: str, call: Callable[..., Any], *arguments: Draw, differentiable: bool = True, tolerance: float = 1e-5
) -> None:
    """Declares a function under a name of its own."""
    assert name not in FUNCTIONS, name
    FUNCTIONS[name] = Function(call, arguments, differentiable, tolerance)


def add_moving(name: str, call: Callable[..., Any], *arguments: Draw, differentiable: bool = True) -> None:
    """Declares a function that computes nothing: its results have to be equal."""
    add(name, call, *arguments, differentiable=differentiable, tolerance=0.0)


def add_whole(name: str, call: Callable[..., Any], *arguments: Draw, tolerance: float = 1e-5) -> None:
    """Declares a function without derivatives."""
    add(name, call, *arguments, differentiable=False, tolerance=tolerance)


# Arguments -------------------------------------------------------------------------------------------


def real(*shape: int) -> Draw:
    """Numbers around 0."""
    return lambda rng: rng.standard_normal(shape).astype(np.float32)


def positive(*shape: int) -> Draw:
    """Numbers from 0.25 to 2."""
    return lambda rng: rng.uniform(0.25, 2, shape).astype(np.float32)


def unit(*shape: int) -> Draw:
    """Numbers within 0 and 1."""
    return lambda rng: rng.uniform(0.05, 0.95, shape).astype(np.float32)


def distinct(*shape: int) -> Draw:
    """Numbers in random order of which no two are close."""
    return lambda rng: (rng.permutation(int(np.prod(shape))).reshape(shape) - 3.25).astype(np.float32)


def cast(dtype: Any, *shape: int) -> Draw:
    """Numbers around 0, of another floating-point type."""
    return lambda rng: rng.standard_normal(shape).astype(dtype)


def imaginary(*shape: int) -> Draw:
    """Complex numbers."""
    return lambda rng: (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def whole(high: int, *shape: int, dtype: Any = np.int32, low: int = 0) -> Draw:
    """Whole numbers from `low` to `high` - 1."""
    return lambda rng: rng.integers(low, high, shape).astype(dtype)


def flags(*shape: int) -> Draw:
    """Booleans."""
    return lambda rng: rng.random(shape) < 0.5


def definite(*shape: int) -> Draw:
    """Symmetric, positive definite matrices, with leading dimensions for a batch of them."""

    def draw(rng: np.random.Generator) -> Array:
        roots = rng.standard_normal((*shape, shape[-1]))
        return (roots @ roots.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])).astype(np.float32)

    return draw


def regular(*shape: int) -> Draw:
    """Matrices far from singular."""

    def draw(rng: np.random.Generator) -> Array:
        size = shape[-1]
        return (rng.standard_normal((*shape, size)) / size + np.diag(1 + np.arange(size))).astype(np.float32)

    return draw
