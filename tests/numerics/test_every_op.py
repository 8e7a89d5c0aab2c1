"""Random instances of every kind of op, sharded at random, evenly or not, against their unpartitioned runs."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import pytest

import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from tests import depth
from tests.generators.op_instances import GENERATORS, random_instance
from tests.numerics import one_op

DEVICE_CODE = ("all_", "collective_", "reduce_scatter", "cross-replica-sum")
"""What starts the names of ops that mean something else on every device."""

NOT_RUN = {
    "stablehlo.rng_bit_generator": "draws other numbers by design",
    "chlo.ragged_dot": "XLA has no code for it on a CPU",
}

KINDS = [
    kind
    for kind in GENERATORS
    if "." in kind
    and not kind.startswith(("mhlo.", "xla."))
    and not kind.removeprefix("stablehlo.").startswith(DEVICE_CODE)
    and kind not in NOT_RUN
]
"""Ops, without the targets of custom calls, most of which a CPU does not know."""


@pytest.fixture(autouse=True)
def wide_numbers() -> Iterator[None]:
    """Instances may have 64-bit types."""
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("seed", depth.seeds(len(KINDS), 2000))
def test_partitioned_equals_unpartitioned(seed: int) -> None:
    instance = random_instance(KINDS[seed % len(KINDS)], seed)
    if instance.name == "stablehlo.select_and_scatter" and instance.arguments[0] == "tensor<f32>":
        pytest.skip("XLA aborts the process on scalars")
    one_op.check(instance, seed)
