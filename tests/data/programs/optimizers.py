"""Training steps with Adam, whose state is split over `data` where the parameters are not."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.registry import DATA_MODEL, mesh, placed, program, shape
from tests.data.programs.transformer import BATCH, LENGTH, SPLIT_SPECS, in_sequence, loss, parameters_of


@program("adam_zero", 1)
def adam_zero(count: int) -> jax.stages.Lowered:
    """Each device keeps and updates a part of both moments (ZeRO); gradients arrive in parts, parameters are whole."""
    on = mesh(**DATA_MODEL)
    parameters, specs = parameters_of(count)
    split = placed(on, {"embedding": P("model", "data"), "layers": [SPLIT_SPECS] * count})
    state = {"mean": parameters, "square": parameters, "step": shape()}
    state_specs = {"mean": split, "square": split, "step": placed(on, P())}

    def step(parameters: Any, state: Any, tokens: jax.Array) -> tuple[Any, Any, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(parameters, tokens, in_sequence)
        gradients = jax.lax.with_sharding_constraint(gradients, split)
        return *adam(parameters, state, gradients), value

    specs = placed(on, specs)
    jitted = jax.jit(
        step,
        in_shardings=(specs, state_specs, placed(on, P("data"))),
        out_shardings=(specs, state_specs, placed(on, P())),
        donate_argnums=(0, 1),
    )
    return jitted.lower(parameters, state, shape(BATCH, LENGTH + 1, dtype=jnp.int32))


def adam(parameters: Any, state: Any, gradients: Any) -> tuple[Any, Any]:
    """The parameters and the state after a step, with the moments' bias corrected."""
    rate, decay, decay_square = 0.001, 0.9, 0.999
    count = state["step"] + 1
    mean = jax.tree.map(lambda m, g: decay * m + (1 - decay) * g, state["mean"], gradients)
    square = jax.tree.map(lambda v, g: decay_square * v + (1 - decay_square) * g**2, state["square"], gradients)

    def updated(parameter: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        corrected = jnp.sqrt(v / (1 - decay_square**count)) + 1e-3
        return parameter - rate * m / (1 - decay**count) / corrected

    return jax.tree.map(updated, parameters, mean, square), {"mean": mean, "square": square, "step": count}
