"""What XLA dumps of programs as HLO, in front of propagation and behind it, is imported, and computes the same.

There calls are inlined, so that what is computed on each device stands among the rest, and XLA has put ops that pieces
have in common where it likes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import sdy
from sdy import execution
from sdy.hlo_conversion import from_hlo
from sdy.partitioned_module import PartitionedModule
from tests.depth import ALL, seeds
from tests.execution import gspmd_programs
from tests.execution.random_manual_programs import draw
from tests.execution.test_lowered_for_gspmd import assert_sharded_alike, for_gspmd, in_hlo, tiles
from tests.oracle import requires_reference

pytestmark = requires_reference

STAGES = ("before_optimizations", "before_sharding-propagation", "before_shardy-xla", "before_spmd-partitioning")
"""Where dumps are from, as their names end; behind propagation other shardings are chosen than by sdy."""

CHOSEN_BY_GSPMD = ("gradient_of_constraints", "place_along_one_axis")
"""Programs whose results GSPMD shards otherwise."""


@pytest.mark.skipif(not ALL, reason="compiles all programs")
@pytest.mark.parametrize("encoding", ["tiles", "named", "strings"])
def test_dumps_of_small_programs(encoding: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.execution.dump_programs", str(tmp_path), encoding]
    subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=True)
    for name, program in gspmd_programs.PROGRAMS.items():
        lowered = sdy.partition(jax.jit(program).lower(gspmd_programs.argument()))
        found = [path for stage in STAGES for path in tmp_path.glob(f"*.jit_{name}.*{stage}.txt")]
        assert len(found) == 3, (name, found)
        for path in found:
            got = sdy.partition(from_hlo(path.read_text(), isolate=False))
            if STAGES[-1] in path.name:
                assert got.num_devices == lowered.num_devices
                assert tiles(got) == tiles(lowered) or (encoding == "tiles" and name in CHOSEN_BY_GSPMD), path.name
            else:
                assert_sharded_alike(got, lowered)
            _assert_computes(got, program)


@pytest.mark.parametrize("seed", seeds(1, 100))
def test_random_programs(seed: int) -> None:
    """On each device in turn, nested, in loops and branches, of nothing; lowered both ways, and as HLO."""
    program = draw(seed)
    lowered = jax.jit(program).lower(gspmd_programs.argument()).as_text()
    with for_gspmd():
        for_tiles = jax.jit(program).lower(gspmd_programs.argument()).as_text()
    expected = sdy.partition(lowered)
    for text in (lowered, for_tiles):
        for module in (text, from_hlo(in_hlo(text), isolate=False)):
            got = sdy.partition(module)
            assert tiles(got) == tiles(expected)
            if ALL or module is not text:
                _assert_computes(got, program)


def _assert_computes(got: PartitionedModule, program: gspmd_programs.Program) -> None:
    x = gspmd_programs.argument()
    wanted = jax.tree.leaves(jax.jit(program)(jax.device_put(gspmd_programs.X, x.sharding)))
    for have, want in zip(execution.compile(got)(gspmd_programs.X), wanted, strict=True):
        np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=2e-5, atol=2e-5)
