"""Programs whose collectives overlap with computation, through `sdy.jax.jit` (spec: async, A15)."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests import depth

EXAMPLES = Path(__file__).parents[2] / "examples"
OVERLAP = sdy.Overlap()
HALF = sdy.Machine(flops=1e11, bandwidth=1e9, latency=0)
"""On it the transformer of the examples communicates about as long as it computes."""


def test_gathered_operand() -> None:
    """Rows that are gathered for a product and its gradients, with the option and with a partitioner."""
    mesh = Mesh(np.array(jax.devices()), ("x",))

    def loss(a: jax.Array, b: jax.Array) -> jax.Array:
        return (jax.lax.with_sharding_constraint(a @ b, NamedSharding(mesh, P(None, "x"))) ** 2).sum()

    rng = np.random.default_rng(0)
    a = jax.device_put(rng.integers(-3, 4, (16, 8)).astype(np.float32), NamedSharding(mesh, P("x")))
    b = jax.device_put(rng.integers(-3, 4, (8, 16)).astype(np.float32), NamedSharding(mesh, P(None, "x")))
    function = jax.value_and_grad(loss, (0, 1))
    plain = sdy.jax.jit(function)
    overlapping = sdy.jax.jit(function, overlap=OVERLAP)
    assert "collective_permute" in overlapping.lower(a, b).partitioned.text
    assert "async_start" not in plain.lower(a, b).partitioned.text
    by_partitioner = sdy.jax.jit(function, partitioner=sdy.jax.Partitioner(overlap=OVERLAP))
    assert by_partitioner.lower(a, b).partitioned.text == overlapping.lower(a, b).partitioned.text
    for have, want in zip(jax.tree.leaves(overlapping(a, b)), jax.tree.leaves(plain(a, b)), strict=True):
        np.testing.assert_array_equal(have, want)


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match=r"overlap must be a sdy.Overlap, not bool"):
        sdy.jax.jit(lambda x: x, overlap=True)  # pyright: ignore[reportArgumentType]


@pytest.mark.skipif(not depth.ALL, reason="trains the transformer twice; SDY_TESTS=all")
def test_transformer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses of five steps, and communication that is hidden on a machine where it takes half of the time."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    models: Any = __import__("models")
    example: Any = __import__("train_transformer")
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
    found = example.training(mesh, models.TransformerConfig())
    jitted = functools.partial(
        sdy.jax.jit,
        found.step,
        in_shardings=(found.state_shardings, *[found.batch_sharding] * 2),
        out_shardings=(found.state_shardings, None),
    )
    losses, texts = [], []
    for overlap in (None, sdy.Overlap(), sdy.Overlap(HALF)):
        step, state, values = jitted(overlap=overlap), found.state, []
        texts.append(step.lower(state, *found.batch).partitioned.text)
        for _ in range(5):
            state, value = step(state, *found.batch)
            values.append(float(value))
        losses.append(values)
    np.testing.assert_allclose(losses[1], losses[0], rtol=0, atol=1e-5)
    np.testing.assert_allclose(losses[2], losses[0], rtol=0, atol=1e-5)
    before, after = sdy.timeline(texts[0], HALF), sdy.timeline(texts[2], HALF)
    assert 0.25 < before.communication / before.total < 0.75
    assert after.total < before.total
    assert after.exposed < after.communication
    sys.modules.pop("models", None)
    sys.modules.pop("train_transformer", None)
