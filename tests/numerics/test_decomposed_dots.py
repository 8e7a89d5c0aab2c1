"""Products cut into steps compute what they did, and send what was sent (spec: async, A11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy import execution
from tests import depth
from tests.generators.collective_dots import GROUPS, PATTERNS, Case, Rows, case, function

ELEMENTS = ("i32", "f32", "bf16", "f64", "i8", "f16")
PASS = "sdy-decompose-collective-dots"
PAIRS = "true" if jax.__version_info__ >= (0, 12) else "false"
"""Asynchronous StableHLO was seen to run from JAX 0.12 on."""
OPTIONS = tuple(
    f"direction={direction} form={form} asynchronous={PAIRS}"
    for direction in ("one", "both")
    for form in ("unrolled", "loop")
)
TOLERANCES = {"f32": 1e-6, "f64": 1e-6, "bf16": 2**-7, "f16": 2**-10}
"""Of the largest entry, once for each time that sums of narrow numbers are rounded."""


def decomposed(text: str, options: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, f"{PASS}{{{options} all-reduces=true}}")
    return str(module)


def results_of(texts: Sequence[str], cases: Sequence[Case], seed: int) -> list[list[np.ndarray]]:
    """What the programs give on the same inputs, other ones on each device; all in one program of XLA's."""
    count = 1 + max(device for one in cases for row in one.groups for device in row)
    mesh = Mesh(np.array(jax.devices()[:count]), ("devices",))
    types = [_parsed(one.result) for one in cases]
    inputs = [_numbers(*_parsed(each), count, seed) for one in cases for each in one.arguments]

    def program(*shards: jax.Array) -> list[Any]:
        local = [shard[0] for shard in shards]
        return [
            [value[None] for value in execution._program.bind(*local, text=text, types=tuple(types))] for text in texts
        ]

    mapped = jax.shard_map(program, mesh=mesh, in_specs=P("devices"), out_specs=P("devices"), check_vma=False)
    placed = [jax.device_put(one, NamedSharding(mesh, P("devices"))) for one in inputs]
    return [[np.asarray(value) for value in values] for values in jax.jit(mapped)(*placed)]


def _parsed(type_: str) -> tuple[tuple[int, ...], np.dtype]:
    *shape, element = type_.removeprefix("tensor<").removesuffix(">").split("x")
    return tuple(map(int, shape)), np.dtype({"f32": "float32", "i32": "int32", "i8": "int8", "ui32": "uint32"}[element])


def _numbers(shape: tuple[int, ...], dtype: np.dtype, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype.kind in "iu":
        return rng.integers(-100, 100, (count, *shape)).astype(dtype)
    return rng.standard_normal((count, *shape)).astype(dtype)


def check(cases: Sequence[Case], options: Sequence[str], seed: int) -> None:
    """Asserts that all that can be cut is cut, and that what is computed and sent stays the same."""
    text = function(cases)
    texts = [decomposed(text, each) for each in options]
    before = sdy.communication(text).bytes_sent
    for each in texts:
        report = sdy.communication(each)
        assert report.bytes_sent == pytest.approx(before - sum(one.saved for one in cases))
        ops = Counter[str]()
        for total in report.totals:
            ops[total.kind] += total.ops
        assert ops.pop("all_gather", 0) == sum(one.pattern == "all_reduce" for one in cases)
        assert ops == {"collective_permute": sum(one.size - 1 for one in cases)}
    wanted, *given = results_of([text, *texts], cases, seed)
    for option, got in zip(options, given, strict=True):
        for one, have, want in zip(cases, got, wanted, strict=True):
            _compare(have, want, one, option)


def _compare(have: np.ndarray, want: np.ndarray, one: Case, option: str) -> None:
    said = f"{one.pattern} of {one.element} over {one.groups}, {option}"
    if have.dtype.kind in "iu":
        np.testing.assert_array_equal(have, want, err_msg=said)
    else:
        roundings = one.size - 1 if one.element in ("bf16", "f16") else 1
        tolerance = TOLERANCES[one.element] * roundings * np.abs(want).max()
        np.testing.assert_allclose(have, want, rtol=0, atol=tolerance, err_msg=said)


def fitting(count: int) -> list[Any]:
    """The groups of as many devices."""
    return [rows for rows in GROUPS if sum(map(len, rows)) == count]


@depth.deep
def test_forty_programs() -> None:
    """Ten products, each cut in four ways."""
    rng = Random(0)
    groups = fitting(8)
    elements = ("i32", "f32", "bf16")
    patterns = [PATTERNS[at % len(PATTERNS)] for at in range(10)]
    cases = [case(rng, pattern, elements[at % 3], groups[at % len(groups)]) for at, pattern in enumerate(patterns)]
    check(cases, OPTIONS, 0)


@pytest.mark.skipif(not depth.ALL, reason="takes minutes; SDY_TESTS=all")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rows", GROUPS, ids=str)
def test_matrix(rows: Rows, seed: int) -> None:
    """Each pattern of each element type over each kind of groups: 720 random programs, each cut in all ways."""
    rng = Random(f"{rows} {seed}")
    for elements in (ELEMENTS[:3], ELEMENTS[3:]):
        cases = [case(rng, pattern, each, rows) for pattern in PATTERNS for each in elements]
        check(cases, OPTIONS, seed)
