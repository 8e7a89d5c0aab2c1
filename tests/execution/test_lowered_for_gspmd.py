"""The JAX programs of tests/data, lowered for GSPMD, are sharded, communicate and compute as lowered for Shardy.

Numbers are compared three ways: XLA's own partitioning, what is imported partitioned by XLA with Shardy, and by sdy.
What sdy exports of the programs, in each encoding, compiles in XLA and computes the same.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jaxlib import _jax  # type: ignore[attr-defined]

import sdy
from sdy import execution
from sdy.dialect.sharding_text.from_sharding import tiles_of
from sdy.partitioned_module import PartitionedModule
from sdy.running.boundary import dtype_of
from tests.data.generate import names, program
from tests.data.programs import load
from tests.depth import ALL
from tests.execution import gspmd_programs
from tests.execution.by_xla import run_by_xla
from tests.numerics.harness import compare
from tests.oracle import requires_reference

NOT_LOWERED = ("custom_partitioning",)
"""JAX refuses: its function says by a sharding rule how it is sharded, which GSPMD does not know."""

LARGE = ("transformer_24", "transformer_96", "transformer_24_functions", "transformer_96_functions")
"""Those with 2 layers have the same layers; compiling these takes minutes."""

LOWERED = [name for name in names() if name not in NOT_LOWERED]
RUN = [name for name in LOWERED if name not in LARGE]

WITH_RULES_OF_OURS = ("sort_topk",)
"""Programs with ops of CHLO that get a rule where they are partitioned, and none where they are exported."""

SQUARES = ("adam_zero",)
"""Programs that take roots of what they are given."""


@pytest.mark.parametrize("name", LOWERED if ALL else ("cholesky", "shard_map_manual", "shard_map_partial"))
def test_shardings_and_collectives_are_those_of_shardy(name: str) -> None:
    """So no sharding is lost on the way, which numbers would not show."""
    assert_sharded_alike(sdy.partition(lowered_for_gspmd(name)), partitioned(name))


@pytest.mark.parametrize("name", LOWERED if ALL else ("shard_map_partial",))
def test_what_is_exported_of_them_is_sharded_as_they_are(name: str) -> None:
    """In each encoding, large programs too. What is propagated before chooses without what saves communication."""
    expected = partitioned(name)
    assert_sharded_alike(sdy.partition(str(sdy.export_shardings(program(name), "strings"))), expected)
    for encoding in ("named", "tiles"):
        got = sdy.partition(str(sdy.export_shardings(program(name), encoding)))
        assert got.num_devices == expected.num_devices > 1
        assert tiles(got) == tiles(expected) or name in WITH_RULES_OF_OURS


@pytest.mark.parametrize("name", gspmd_programs.PROGRAMS if ALL else ("in_each_step", "no_operand", "two_deep"))
def test_small_programs(name: str) -> None:
    x = gspmd_programs.argument()
    function = jax.jit(gspmd_programs.PROGRAMS[name])
    with for_gspmd():
        text = function.lower(x).as_text()
    got = sdy.partition(text)
    assert_sharded_alike(got, sdy.partition(function.lower(x)))
    wanted = jax.tree.leaves(function(jax.device_put(gspmd_programs.X, x.sharding)))
    for have, want in zip(execution.compile(got)(gspmd_programs.X), wanted, strict=True):
        np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=1e-5, atol=1e-5)


@requires_reference
@pytest.mark.skipif(not ALL, reason="converts each program twice")
@pytest.mark.parametrize("name", gspmd_programs.PROGRAMS)
def test_small_programs_in_hlo_text(name: str, tmp_path: Path) -> None:
    """What XLA writes of either lowering as HLO, loops with tuples included, is sharded as the lowering itself."""
    function = jax.jit(gspmd_programs.PROGRAMS[name])
    with for_gspmd():
        texts = [function.lower(gspmd_programs.argument()).as_text()]
    for text in (*texts, function.lower(gspmd_programs.argument()).as_text()):
        (tmp_path / "module.hlo").write_text(in_hlo(text))
        command = [sys.executable, "-m", "sdy.tools.sdy_hlo", str(tmp_path / "module.hlo"), "--to-mlir"]
        converted = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert_sharded_alike(sdy.partition(converted), sdy.partition(text))


@pytest.mark.parametrize("name", RUN if ALL else ("shard_map_partial",))
def test_numbers_are_those_of_shardy(name: str) -> None:
    text = lowered_for_gspmd(name)
    got = execution.compile(sdy.partition(text))(*inputs(name))
    _assert_alike(name, got)
    if ALL:
        _assert_alike(name, run_by_xla(text, *inputs(name), is_shardy_on=False))
        _assert_alike(name, run_by_xla(imported(text), *inputs(name), is_shardy_on=True))


@requires_reference
@pytest.mark.skipif(not ALL, reason="compiles each program four times")
@pytest.mark.parametrize("name", RUN)
def test_what_is_exported_of_them_runs_in_xla(name: str) -> None:
    for encoding in ("strings", "named", "tiles"):
        text = sdy.export_shardings(program(name), encoding).operation.get_asm()
        _assert_alike(name, run_by_xla(text, *inputs(name), is_shardy_on=True))
        if encoding == "tiles":
            _assert_alike(name, run_by_xla(text, *inputs(name), is_shardy_on=False))


def in_hlo(text: str) -> str:
    """What XLA makes of a lowering."""
    return _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False).as_hlo_text()


def imported(text: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, "sdy-import-foreign-shardings")
    return sdy.print_module(module)


def lowered_for_gspmd(name: str) -> str:
    with for_gspmd():
        text = load()[name]().as_text()
    assert "sdy." not in text
    return text


@contextmanager
def for_gspmd() -> Iterator[None]:
    """What JAX lowers inside is for GSPMD."""
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)


@cache
def partitioned(name: str) -> PartitionedModule:
    return sdy.partition(program(name))


@cache
def inputs(name: str) -> list[np.ndarray]:
    return [_drawn(name, argument, seed) for seed, argument in enumerate(partitioned(name).arguments)]


@cache
def _expected(name: str) -> list[np.ndarray]:
    """What the program computes, lowered for Shardy and partitioned by sdy."""
    return [np.asarray(result) for result in execution.compile(partitioned(name))(*inputs(name))]


def assert_sharded_alike(got: PartitionedModule, expected: PartitionedModule) -> None:
    assert got.num_devices == expected.num_devices > 1
    assert tiles(got) == tiles(expected)
    assert _collectives(got) == _collectives(expected)


def tiles(of: PartitionedModule) -> list[str]:
    """How arguments and results lie on the devices, whatever the axes are called."""
    return [str(tiles_of(one.sharding, of.mesh)) for one in (*of.arguments, *of.results)]


def _collectives(of: PartitionedModule) -> Counter[tuple[str, int, int, int | None]]:
    return Counter((one.kind, one.group_size, one.operand_bytes, one.times) for one in of.collectives)


def _assert_alike(name: str, got: Sequence[Any]) -> None:
    tolerance, of_largest = (0.02, 0.05) if "bf16" in name else (1e-5, None)
    for number, (have, want) in enumerate(zip(got, _expected(name), strict=True)):
        compare(np.asarray(have), want, f"result {number}", tolerance, of_largest=of_largest)


def _drawn(name: str, argument: Any, seed: int) -> np.ndarray:
    """Small numbers around 0; whole numbers from 0 to 7, which suit what is looked up."""
    rng = np.random.default_rng(seed)
    dtype = dtype_of(argument.element)
    if dtype.kind in "iu":
        return rng.integers(0, 8, argument.shape).astype(dtype)
    drawn = rng.standard_normal(argument.shape) / 8
    return (abs(drawn) if name in SQUARES else drawn).astype(dtype)
