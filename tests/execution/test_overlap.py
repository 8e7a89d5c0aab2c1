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
from tests.data.programs.registry import load, meshes_of_shape
from tests.numerics.harness import compare
from tests.numerics.test_data_programs import LARGE, argument_for, call

pytestmark = pytest.mark.skipif(
    jax.__version_info__ < (0, 12), reason="asynchronous StableHLO was seen to run from JAX 0.12 on"
)

EXAMPLES = Path(__file__).parents[2] / "examples"
OVERLAP = sdy.Overlap()
PROGRAMS = sorted(load().keys() - {*LARGE, "custom_partitioning", "shard_map_partial"})
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


@pytest.mark.skipif(not depth.ALL, reason="compiles each program three times; SDY_TESTS=all")
@pytest.mark.parametrize("mesh", [(4, 2), (8, 1)], ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, mesh: tuple[int, ...]) -> None:
    """The JAX programs of tests/data compute what they do without, and are not slower by the model."""

    def lowered(overlap: sdy.Overlap | None) -> tuple[Any, list[np.ndarray]]:
        # Each is lowered by itself, for a lowered program keeps what it was compiled to.
        with meshes_of_shape(*mesh), sdy.jax.partitioned(sdy.jax.Partitioner(overlap=overlap)):
            found = load()[name]()
            compiled = found.compile()
        arguments = jax.tree.map(argument_for, found.args_info)
        return found, list(map(np.asarray, jax.tree.leaves(call(compiled, arguments))))

    machine = sdy.Machine.parse("slow-links")
    plain, wanted = lowered(None)
    tolerance, of_largest = (0.02, 0.05) if "bf16" in name else (1e-5, None)
    for overlap in (sdy.Overlap(), sdy.Overlap(machine, mode="list")):
        for number, (have, want) in enumerate(zip(lowered(overlap)[1], wanted, strict=True)):
            compare(have, want, f"result {number}", tolerance, of_largest=of_largest)
    text = plain.as_text()
    before, after = (
        sdy.timeline(sdy.partition(text, num_devices=8, overlap=each), machine)
        for each in (None, sdy.Overlap(machine, mode="list"))
    )
    assert after.total <= before.total * (1 + 1e-9)
