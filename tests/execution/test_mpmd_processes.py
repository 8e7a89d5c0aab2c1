"""Pipelines on several processes, each of which has the devices of one mesh."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np
import pytest

from tests.depth import deep
from tests.execution import mpmd_processes
from tests.execution.processes import run_processes


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=deep)])
def test_processes_give_the_bits_of_one_process_and_refuse_to_run_different_programs(
    count: int, tmp_path: Path
) -> None:
    outputs = run_processes("mpmd_processes.py", count, str(tmp_path))
    for rank, output in enumerate(outputs):
        assert "has another program (" in output, output
        assert f"runs the fragments of m{rank}" in output, output
    expected = mpmd_processes.run(mpmd_processes.lowered(count))
    seen = 0
    for rank in range(count):
        with np.load(tmp_path / f"{rank}.npz") as parts:
            for name, part in parts.items():
                number, device = map(int, name.split("_"))
                shard = next(each for each in expected[number].addressable_shards if each.device.id == device)
                np.testing.assert_array_equal(part, shard.data)
                seen += 1
    assert seen == sum(len(each.addressable_shards) for each in expected)
    with jax.default_device(jax.devices()[0]):
        plain = jax.tree.leaves(jax.jit(mpmd_processes.step)(*mpmd_processes.arguments()))
    for value, other in zip(expected, plain, strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-6)
