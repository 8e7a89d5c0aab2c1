"""Layers that are scanned over or written out, forth and back, sharded at random: what they share is sent once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sdy.jax
from sdy.passes.partitioning.collectives import gather_before_loops, hoist_collectives
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.report.communication_report import communication
from tests import depth
from tests.numerics.harness import compare
from tests.numerics.random_shardings import random_mesh, random_sharding

LAYERS, BATCH, WIDTH, HIDDEN = 3, 8, 8, 16
SHAPES = ((LAYERS, WIDTH, HIDDEN), (LAYERS, HIDDEN, WIDTH), (LAYERS, WIDTH), (BATCH, WIDTH))

FEW_ROUNDINGS = 4e-6
"""Part of the largest number by which f32 sums in another order may be off."""

NARROW = jnp.bfloat16
"""Type in which one of the layers multiplies."""

Step = Callable[[jax.Array, Sequence[jax.Array], jax.Array], jax.Array]

STEPS: tuple[Step, ...] = (
    lambda x, layer, i: jnp.tanh(x @ layer[0]) @ layer[1],
    lambda x, layer, i: x + jnp.sin(x @ layer[0] @ layer[1]),
    lambda x, layer, i: (x - x.mean(-1, keepdims=True)) * layer[2],
    lambda x, layer, i: x * jnp.cos(i.astype(x.dtype)),
    lambda x, layer, i: x + (x.astype(NARROW) @ layer[0].astype(NARROW)).astype(x.dtype)[:, :WIDTH],
    lambda x, layer, i: x - x.mean(0) + layer[2],
    lambda x, layer, i: jnp.roll(x, 1, axis=1) * layer[1][0],
    lambda x, layer, i: jax.nn.softmax(x @ layer[0]) @ layer[0].T,
)


def training_step(rng: np.random.Generator) -> Callable[..., Any]:
    """The sum and the derivatives of a few random steps per layer, some of them computed once more on the way back."""
    steps = [STEPS[number] for number in rng.integers(len(STEPS), size=rng.integers(1, 4))]
    is_recomputed, is_reversed, unroll = rng.random() < 0.8, rng.random() < 0.3, int(rng.integers(1, LAYERS + 1))

    def layer(state: tuple[jax.Array, jax.Array], weights: Sequence[jax.Array]) -> tuple[Any, None]:
        x, i = state
        for step in steps:
            x = step(x, weights, i)
        return (x, i + 1), None

    def total(*arguments: jax.Array) -> jax.Array:
        *weights, x = arguments
        each = jax.checkpoint(layer) if is_recomputed else layer
        start = (x, jnp.int32(0))
        (x, _), _ = jax.lax.scan(each, start, tuple(weights), reverse=is_reversed, unroll=unroll)
        return jnp.sum(x * jnp.cos(jnp.arange(x.size, dtype=x.dtype).reshape(x.shape)))

    return jax.value_and_grad(total, argnums=tuple(range(len(SHAPES))))


def sharded(seed: int) -> tuple[Callable[..., Any], list[jax.Array]]:
    """A random step, and its arguments on a random mesh."""
    rng = np.random.default_rng(seed)
    step, mesh = training_step(rng), random_mesh(rng)
    values = [(rng.standard_normal(shape) / 4).astype(np.float32) for shape in SHAPES]
    return step, [jax.device_put(value, random_sharding(rng, mesh, value.shape, even=True)) for value in values]


KEPT = 1 << 30
"""Bytes that may be kept so that something is sent once: more than any of the programs takes."""

KEEPING = f"sdy-partition-pipeline{{kept-bytes={KEPT}}}"

IN_LOOPS = (7,)
WRITTEN_OUT = (54, 76)
"""Seeds of programs that send something once that is needed twice."""

NEWER_JAX = pytest.mark.skipif(jax.__version_info__ < (0, 12), reason="JAX before 0.12 calls a function for each layer")


@pytest.mark.parametrize("seed", depth.seeds(0, 300) or (*IN_LOOPS, *WRITTEN_OUT))
def test_sharded_equals_unsharded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In bf16, where it occurs, and in f32: as close as XLA's own partitioner is, where sums cancel."""
    if _is_rounded(seed):
        _check(seed, 2e-2, of_largest=0.0 if seed in (*IN_LOOPS, *WRITTEN_OUT) else 0.1)
    monkeypatch.setattr(f"{__name__}.NARROW", jnp.float32)
    _check(seed, 1e-4)


def _check(seed: int, tolerance: float, of_largest: float = 0.0) -> None:
    step, arguments = sharded(seed)
    with sdy.jax.partitioned(sdy.jax.Partitioner(KEEPING)):
        got = jax.jit(step)(*arguments)
    wanted, xlas = (jax.jit(step)(*given) for given in ([np.asarray(each) for each in arguments], arguments))
    results = zip(*map(jax.tree.leaves, (got, wanted, xlas)), strict=True)
    for number, (have, want, xla) in enumerate(results):
        far = max(of_largest, 2 * _off(xla, want))
        what = f"result {number}"
        compare(np.asarray(have), np.asarray(want), what, tolerance, of_largest=max(far, FEW_ROUNDINGS))


def _off(have: jax.Array, want: jax.Array) -> float:
    """Return the largest difference, by the largest number."""
    ours, wanted = np.asarray(have, np.float64), np.asarray(want, np.float64)
    finite = np.isfinite(wanted)
    largest = float(np.max(np.abs(wanted[finite]), initial=0))
    return float(np.max(np.abs(ours - wanted)[finite], initial=0)) / (largest or 1.0)


def _is_rounded(seed: int) -> bool:
    """Whether a step multiplies rounded numbers, so that the order of sums shows."""
    step, arguments = sharded(seed)
    return "bf16" in str(jax.make_jaxpr(step)(*arguments))


@pytest.mark.parametrize("seed", [*IN_LOOPS, *(pytest.param(seed, marks=NEWER_JAX) for seed in WRITTEN_OUT)])
def test_what_is_shared_is_sent_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    step, arguments = sharded(seed)
    text = jax.jit(step).lower(*arguments).as_text()
    kept = communication(text, options=PartitionOptions(kept_bytes=KEPT))
    for keeping in (gather_before_loops, hoist_collectives):
        chooses = "_chosen" if keeping is gather_before_loops else "within_remat_budget"
        monkeypatch.setattr(keeping, chooses, lambda *_: [])
    assert kept.bytes_sent < communication(text).bytes_sent
