"""What a program of the benchmark is: a step of real size, of which nothing is said and nothing is allocated.

Every step takes its state and returns it, donated, as training loops do. Where an expert may want to say how a value
lies that is neither argument nor result, the program calls `put` with a name for what that is; unless somebody does,
nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

Put = Callable[[str, jax.Array], jax.Array]
"""Says how a value of that name lies."""

Step = Callable[[Any, Any, Put], tuple[Any, Any]]
"""From state and data to the new state and what else there is."""


def nothing_said(name: str, value: jax.Array) -> jax.Array:
    return value


@dataclass(frozen=True)
class Program:
    """A step of `state` and `data`, which are shapes; lowered for a `platform`, as that decides what ops JAX has."""

    name: str
    step: Step
    state: Any
    data: Any
    platform: str = "cpu"

    def lowered(self, shardings: tuple[Any, Any] | None = None, put: Put = nothing_said) -> jax.stages.Lowered:
        """The step for arguments of these shapes; `shardings` are those of state and data, if there are any."""

        def step(state: Any, data: Any) -> tuple[Any, Any]:
            return self.step(state, data, put)

        state, data, results = self.state, self.data, None
        if shardings is not None:
            state, data = jax.tree.map(
                lambda leaf, sharding: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding),
                (state, data),
                shardings,
            )
            results = (shardings[0], None)
        jitted = jax.jit(step, donate_argnums=0, out_shardings=results)
        return jitted.trace(state, data).lower(lowering_platforms=(self.platform,))

    def text(self, shardings: tuple[Any, Any] | None = None, put: Put = nothing_said) -> str:
        """The program as a text, with names of arguments."""
        return self.lowered(shardings, put).as_text(debug_info=True)


def training(
    name: str, loss: Callable[[Any, Any, Put], jax.Array], parameters: Any, data: Any, platform: str = "cpu"
) -> Program:
    """A training step that keeps a momentum of each parameter."""

    def step(state: Any, data: Any, put: Put) -> tuple[Any, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(state["parameters"], data, put)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, state["momentum"], gradients)
        parameters = jax.tree.map(lambda p, m: p - 0.01 * m, state["parameters"], momentum)
        return {"parameters": parameters, "momentum": momentum}, value

    return Program(name, step, {"parameters": parameters, "momentum": parameters}, data, platform)


def shape(*dims: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)
