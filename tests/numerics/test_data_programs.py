"""The JAX programs of tests/data on several meshes: partitioned by sdy they compute what they compute on one device.

Programs with code for each device (`shard_map`, `custom_partitioning`) are compared with XLA's partitioning of them.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import sdy.jax
from sdy import execution
from sdy.running.placement import unpartitioned
from tests import depth
from tests.data.programs.registry import load, meshes_of_shape
from tests.numerics.harness import compare

MESHES = [(4, 2), (8, 1), (2, 2, 2)]
LARGE = ("transformer_24", "transformer_96", "transformer_24_functions", "transformer_96_functions")
"""Those with 2 layers have the same layers."""

PROGRAMS = sorted(load().keys() - set(LARGE))
PER_DEVICE = ("ring_attention", "shard_map_manual", "shard_map_partial", "custom_partitioning")

NOT_LOWERED = [("shard_map_partial", (2, 2, 2))]
"""JAX refuses: the program permutes along one axis of four devices."""

CASES = [(name, mesh) for name in PROGRAMS for mesh in MESHES if (name, mesh) not in NOT_LOWERED]


@pytest.mark.parametrize(("name", "mesh"), CASES if depth.ALL else CASES[::20])
def test_sharded_equals_unsharded(name: str, mesh: tuple[int, ...]) -> None:
    # Each is lowered by itself, for a lowered program keeps what it was compiled to.
    with meshes_of_shape(*mesh):
        lowered = load()[name]()
        with sdy.jax.partitioned():
            compiled = load()[name]().compile()
    arguments = jax.tree.map(argument_for, lowered.args_info)
    expected = jax.tree.leaves(_unsharded(name, lowered, arguments))
    got = jax.tree.leaves(call(compiled, arguments))
    # Numbers of 16 bits on the way are rounded, however small what is left of them.
    tolerance, of_largest = (0.02, 0.05) if "bf16" in name else (1e-5, None)
    for number, (have, want) in enumerate(zip(got, expected, strict=True)):
        compare(np.asarray(have), np.asarray(want), f"result {number}", tolerance, of_largest=of_largest)


def argument_for(info: Any) -> np.ndarray:
    """Small numbers around 0; whole numbers from 0 to 7."""
    generator = np.random.default_rng(0)
    if np.issubdtype(info.dtype, np.integer):
        return generator.integers(0, 8, info.shape).astype(info.dtype)
    return (generator.standard_normal(info.shape) / 8).astype(info.dtype)


def _unsharded(name: str, lowered: Any, arguments: Any) -> Any:
    if name in PER_DEVICE:
        return call(lowered.compile(), arguments)
    text = unpartitioned(lowered.as_text())
    results = sdy.partition(lowered.as_text(), num_devices=8).results
    return execution.compile_unpartitioned(text, results)(*jax.tree.leaves(arguments))


def call(compiled: Any, arguments: Any) -> Any:
    """Calls an executable with arguments placed as it wants them; those that may be donated are its own."""
    positional, keywords = arguments
    shardings, named_shardings = compiled.input_shardings
    placed = jax.tree.map(jax.device_put, tuple(positional), tuple(shardings))
    named = jax.tree.map(jax.device_put, keywords, named_shardings)
    return compiled(*placed, **named)
