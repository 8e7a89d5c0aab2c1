"""Runs a program partitioned and unpartitioned on the same inputs, and compares.

    check(PROGRAM)                      # with sdy-partition-pipeline
    check(PROGRAM, pipeline="...")      # with other passes

Inputs are whole numbers that differ everywhere, so that sums are exact in any order and a misplaced element shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np

from sdy import execution
from sdy.partition import partition
from sdy.partitioned_module import PartitionedModule
from sdy.passes.partitioning.partition_options import PIPELINE
from sdy.running.boundary import Boundary, dtype_of
from sdy.running.placement import unpartitioned

DEVICES = 8
"""Most devices that a mesh may have."""

ROUNDINGS = 16
"""How many units in the last place of the largest entry of a result any entry may be off."""


def inputs_for(arguments: Sequence[Boundary], seed: int) -> list[np.ndarray]:
    """Whole numbers, shuffled; booleans are random."""
    rng = np.random.default_rng(seed)
    return [_random(rng, argument.shape, dtype_of(argument.element)) for argument in arguments]


def _random(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    count = int(np.prod(shape))
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    numbers = rng.permutation(count).reshape(shape)
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        return (numbers % min(info.max, 1000)).astype(dtype)
    if np.issubdtype(dtype, np.complexfloating):
        return (numbers - count // 2 + 1j * rng.permutation(count).reshape(shape)).astype(dtype)
    return (numbers % 251 - min(count, 251) // 2).astype(dtype)


def run_partitioned(partitioned: PartitionedModule, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of the partitioned program, gathered."""
    return [np.asarray(result) for result in execution.compile(partitioned)(*inputs)]


def run_unpartitioned(text: str, partitioned: PartitionedModule, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of the program on one device."""
    compiled = execution.compile_unpartitioned(unpartitioned(text), partitioned.results)
    with jax.default_device(jax.devices()[0]):
        return [np.asarray(result) for result in compiled(*inputs)]


def check(
    text: str,
    *,
    seed: int = 0,
    pipeline: str = PIPELINE,
    inputs: Sequence[np.ndarray] | None = None,
    tolerance: float = 1e-5,
) -> PartitionedModule:
    """Asserts that the partitioned program of `text` computes what `text` means; returns it.

    Integers and booleans have to be equal, other numbers up to `tolerance` of each; see `compare`.
    """
    partitioned = partition(text, pipeline=pipeline)
    given = inputs_for(partitioned.arguments, seed) if inputs is None else inputs
    got = run_partitioned(partitioned, given)
    expected = run_unpartitioned(text, partitioned, given)
    for number, (have, want) in enumerate(zip(got, expected, strict=True)):
        compare(have, want, f"result {number}", tolerance)
    return partitioned


def compare(
    have: np.ndarray, want: np.ndarray, what: str, tolerance: float, *, of_largest: float | None = None
) -> None:
    """Asserts that two arrays agree.

    Integers and booleans have to be equal. Any other entry may be off by `tolerance` of itself, and by `of_largest` of
    the largest entry, as where large numbers cancel: a few units in its last place, unless said otherwise.
    """
    assert have.shape == want.shape and have.dtype == want.dtype, f"{what}: {have.dtype}{have.shape}"
    if np.issubdtype(want.dtype, np.integer) or want.dtype == np.bool_:
        np.testing.assert_array_equal(have, want, err_msg=what)
        return
    kind = np.complex128 if np.issubdtype(want.dtype, np.complexfloating) else np.float64
    wide_have, wide_want = have.astype(kind), want.astype(kind)
    finite = np.isfinite(wide_want)
    np.testing.assert_array_equal(np.isfinite(wide_have), finite, err_msg=what)
    np.testing.assert_array_equal(np.where(finite, 0, wide_have), np.where(finite, 0, wide_want), err_msg=what)
    if np.dtype(want.dtype).itemsize < 4:
        tolerance = max(tolerance, 0.02)
    if of_largest is None:
        of_largest = min(tolerance, ROUNDINGS * float(np.finfo(_narrow(want.dtype)).eps))
    wanted = np.where(finite, wide_want, 0)
    allowed = tolerance * np.abs(wanted) + of_largest * float(np.max(np.abs(wanted), initial=0.0))
    off = np.abs(np.where(finite, wide_have, 0) - wanted)
    assert (off <= allowed).all(), f"{what}: off by up to {off.max()}, {(off > allowed).sum()} entries\n{have}\n{want}"


def _narrow(dtype: np.dtype) -> np.dtype:
    """A NumPy float of about the precision of `dtype`."""
    known = {np.complex64: np.float32, np.complex128: np.float64, np.float32: np.float32, np.float64: np.float64}
    return np.dtype(known.get(dtype.type, np.float16))
