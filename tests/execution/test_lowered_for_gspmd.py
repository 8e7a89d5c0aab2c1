"""The JAX programs of tests/data, lowered for GSPMD, compute what they compute lowered for Shardy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import pytest

import sdy
from sdy import execution
from sdy.running.element_types import dtype_of
from tests.data.generate import names, program
from tests.data.programs import load
from tests.depth import ALL
from tests.execution.by_xla import run_by_xla

_HERE = ("shard_map_partial",)
"""The one of the ordinary tests."""

_LEFT_OUT = {
    "custom_partitioning": "the call names a Python function of this process by a number",
    "random": "random bits depend on how they are sharded, which propagation decides",
}


def _is_run(name: str) -> bool:
    is_large = name.startswith(("transformer_24", "transformer_96"))
    return name not in _LEFT_OUT and (name in _HERE or (ALL and not is_large))


@pytest.mark.parametrize("name", [name for name in names() if _is_run(name)])
def test_numbers_are_those_of_shardy(name: str) -> None:
    expected_by = sdy.partition(program(name))
    inputs = [_drawn(argument, seed) for seed, argument in enumerate(expected_by.arguments)]
    expected = execution.compile(expected_by)(*inputs)
    text = lowered_for_gspmd(name)
    partitioned = sdy.partition(text)
    assert partitioned.num_devices == expected_by.num_devices
    _assert_alike(name, execution.compile(partitioned)(*inputs), expected)
    if ALL:
        _assert_alike(name, run_by_xla(text, *inputs, is_shardy_on=False), expected)
        _assert_alike(name, run_by_xla(imported(text), *inputs, is_shardy_on=True), expected)


@pytest.mark.skipif(not ALL, reason="compiles each program three times")
@pytest.mark.parametrize("encoding", ["strings", "named", "tiles"])
@pytest.mark.parametrize(
    "name", ["lstm", "mlp_fsdp", "ring_attention", "shard_map_partial", "transformer_2", "while_cond"]
)
def test_what_is_exported_of_them_runs_in_xla(name: str, encoding: str) -> None:
    whole = sdy.partition(program(name))
    inputs = [_drawn(argument, seed) for seed, argument in enumerate(whole.arguments)]
    text = sdy.export_shardings(program(name), encoding).operation.get_asm()
    got = run_by_xla(text, *inputs, is_shardy_on=encoding != "tiles")
    _assert_alike(name, got, execution.compile(whole)(*inputs))


def imported(text: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, "sdy-import-foreign-shardings")
    return sdy.print_module(module)


def _assert_alike(name: str, got: Sequence[Any], expected: Sequence[Any]) -> None:
    rtol, atol = (2e-2, 2e-3) if "bf16" in name else (1e-3, 1e-4)
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(_plain(one), _plain(other), rtol=rtol, atol=atol)


def lowered_for_gspmd(name: str) -> str:
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        text = load()[name]().as_text()
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)
    assert "sdy." not in text
    return text


def _drawn(argument: Any, seed: int) -> np.ndarray:
    """Small numbers, which suit weights as well as what is looked up."""
    rng = np.random.default_rng(seed)
    dtype = dtype_of(argument.element)
    if dtype.kind in "iu":
        return rng.integers(0, 4, argument.shape).astype(dtype)
    if dtype.kind == "b":
        return rng.random(argument.shape) < 0.5
    return (rng.random(argument.shape) * 0.2).astype(dtype)


def _plain(value: Any) -> np.ndarray:
    return np.asarray(value).astype(np.float64) if np.asarray(value).dtype.kind != "c" else np.asarray(value)
