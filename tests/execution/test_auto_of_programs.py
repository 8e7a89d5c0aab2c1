"""The JAX programs of tests/data, planned inside or from nothing: predictions hold, and numbers stay.

Programs with code for each device are as their users wrote them; what is around them is planned.
"""

from __future__ import annotations

import math
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sdy
import sdy.jax
from sdy import execution
from sdy.jax.automatic import pipeline_of
from sdy.running.placement import unpartitioned
from tests import depth
from tests.data.programs.registry import load
from tests.execution import random_manual_programs
from tests.numerics.harness import compare
from tests.numerics.test_data_programs import LARGE, PER_DEVICE, argument_for, call

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"
PROGRAMS = sorted(load().keys() - set(LARGE) - {"custom_partitioning"})


def free(text: str) -> str:
    """A program that says nothing of its arguments and results."""
    text = re.sub(r"sdy\.sharding = #sdy\.sharding<[^>]*>, ", "", text)
    return re.sub(r"(, )?sdy\.sharding = #sdy\.sharding<[^>]*>", "", text)


@pytest.mark.parametrize("name", PROGRAMS if depth.ALL else ["mlp_fsdp"])
def test_predictions_are_within_a_tenth(name: str) -> None:
    """Of small programs on a machine on which starting an op takes most of the time, which is hardest to foresee."""
    text = load()[name]().as_text()
    for given in (text, free(text)):
        mesh = None if "sdy.mesh" in given else {"data": 4, "model": 2}
        plan = sdy.auto.partition(given, mesh, "generic", memory_limit=math.inf)
        assert plan.estimated is not None
        assert plan.predicted.step == pytest.approx(plan.estimated.step, rel=0.11)


@pytest.mark.parametrize(
    "name", [one for one in (PROGRAMS if depth.ALL else ["decode", "mlp_fsdp"]) if one not in PER_DEVICE]
)
def test_planned_inside_it_computes_what_it_does_on_one_device(name: str) -> None:
    options = sdy.auto.Options(machine=MACHINE, inside=True)
    lowered = load()[name]()
    with sdy.jax.partitioned(sdy.jax.Partitioner(pipeline_of(options))):
        compiled = load()[name]().compile()
    arguments = jax.tree.map(argument_for, lowered.args_info)
    results = sdy.partition(lowered.as_text(), num_devices=8).results
    run = execution.compile_unpartitioned(unpartitioned(lowered.as_text()), results)
    tolerance, of_largest = (0.02, 0.05) if "bf16" in name else (1e-4, None)
    pairs = zip(jax.tree.leaves(call(compiled, arguments)), run(*jax.tree.leaves(arguments)), strict=True)
    for number, (have, want) in enumerate(pairs):
        compare(np.asarray(have), np.asarray(want), f"result {number}", tolerance, of_largest=of_largest)


@pytest.mark.parametrize("seed", range(300) if depth.ALL else (2,))
def test_what_is_computed_on_each_device_leaves_axes_that_are_planned(seed: int) -> None:
    """Of programs that map along one axis or two, nested, in loops and branches."""
    program = random_manual_programs.draw(seed)
    x = jnp.asarray(np.random.default_rng(seed).normal(size=(8, 8)), jnp.float32)
    options = sdy.auto.Options(machine=MACHINE, annotate="full" if seed % 2 else "values")
    with sdy.jax.partitioned(sdy.jax.Partitioner(pipeline_of(options))):
        compiled = jax.jit(program).lower(x).compile()
    for have, want in zip(compiled(x), jax.jit(program)(x), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-5)
