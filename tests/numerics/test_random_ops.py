"""Random programs of the ops that the partitioner rewrites, sharded at random, against their unpartitioned runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import jax
import pytest

from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from tests import depth
from tests.execution.random_programs import program
from tests.generators.programs import ALL
from tests.numerics.harness import DEVICES, check
from tests.parity.case_features import DENSE

NO_PLAIN_MEANING = frozenset({"custom_call", "custom_call_topk", "rng", "rng_bit_generator", "chlo", "chlo_top_k"})
"""Kinds of ops whose results are not determined by their operands, or that a CPU does not execute."""

BASE = replace(
    DENSE,
    ops=ALL - NO_PLAIN_MEANING,
    manual=False,
    named=False,
    device_ids=False,
    small_meshes=True,
    runs=True,
    max_ops=6,
)

FAMILIES = {
    "moves": ("slice", "pad", "concatenate", "reverse", "reshape", "dynamic_update_slice", "dynamic_slice"),
    "indexing": ("gather", "scatter"),
    "sums": ("reduce", "dot_general", "dot", "convolution"),
    "windows": ("sort", "reduce_window", "select_and_scatter"),
    "control": ("while", "case", "call", "optimization_barrier"),
}


@pytest.fixture(autouse=True)
def wide_numbers() -> Iterator[None]:
    """Programs may have 64-bit types."""
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", depth.seeds(4, 100))
def test_partitioned_equals_unpartitioned(family: str, seed: int) -> None:
    """Arguments or results of uneven parts, of which there are some in one program of ten, cannot be passed."""
    rng = Random(seed)
    for _ in range(4):
        try:
            partitioned = check(program(rng, replace(BASE, focus=frozenset(FAMILIES[family]))), seed=seed)
        except (DiagnosticError, DiagnosticErrors) as error:
            if "shards do not divide" not in str(error):
                raise
            continue
        assert partitioned.num_devices <= DEVICES
        return
    pytest.fail("nothing but uneven parts")
