"""A program as an expert shards it, as it is sharded at random, and as it is planned: what a step takes.

Every plan is partitioned, and what is priced is the program of one device, by the same formulas (`sdy.auto.estimate`).
"""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import jax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

import sdy
from benchmarks.auto_partitioning.experts import Expert
from benchmarks.auto_partitioning.program import Program
from benchmarks.auto_partitioning.rules import Layout, fitted
from sdy.report.step_estimate import Estimate

MACHINE = "generic efficiency=1 directions=1 bandwidth=1e11"
MESHES = {
    "8": ({"data": 8}, MACHINE),
    "4x2": ({"data": 4, "model": 2}, MACHINE),
    "2x2x2": ({"data": 2, "tensor": 2, "model": 2}, MACHINE),
    "slow": ({"data": 2, "model": 4}, f"{MACHINE} bandwidth.data=2.5e10 bandwidth.model=3e11"),
    "16x16": ({"data": 16, "model": 16}, MACHINE),
}
"""Sizes of the axes, and the machine; `slow` has a slow outer axis."""

_OPTIONS = sdy.PartitionOptions()


def expert_text(program: Program, expert: Expert, sizes: Mapping[str, int]) -> str:
    """The program with the shardings that an expert gives it, and its state back as it was."""
    mesh = AbstractMesh(tuple(sizes.values()), tuple(sizes), axis_types=(AxisType.Auto,) * len(sizes))

    def sharding(layout: Layout, dims: tuple[int, ...]) -> NamedSharding:
        return NamedSharding(mesh, PartitionSpec(*fitted(layout, dims, sizes)))

    def of_leaf(path: Any, leaf: Any) -> NamedSharding:
        return sharding(expert.rule(jax.tree_util.keystr(path), leaf.shape), leaf.shape)

    def put(name: str, value: jax.Array) -> jax.Array:
        layout = expert.inside.get(name)
        if layout is None:
            return value
        return jax.lax.with_sharding_constraint(value, sharding(layout, value.shape))

    shardings = jax.tree_util.tree_map_with_path(of_leaf, (program.state, program.data))
    return program.text(shardings, put)


def of_expert(program: Program, expert: Expert, mesh: str, options: sdy.PartitionOptions = _OPTIONS) -> Estimate:
    sizes, machine = MESHES[mesh]
    return sdy.auto.estimate(expert_text(program, expert, sizes), machine, options=options)


def of_random(program: Program, mesh: str, count: int = 20) -> Estimate:
    """The best of several ways to shard the arguments that are drawn; equal layers, and momentum, are alike."""
    sizes, _ = MESHES[mesh]
    found = (of_expert(program, Expert(drawn_rule(seed, sizes)), mesh) for seed in range(count))
    return min(found, key=lambda one: one.step)


def drawn_rule(seed: int, sizes: Mapping[str, int]) -> Callable[[str, tuple[int, ...]], Layout]:
    """Axes of arguments, drawn; equal layers, and momentum, are alike."""

    def rule(path: str, dims: tuple[int, ...]) -> Layout:
        drawn = random.Random(f"{seed} {re.sub(r'[0-9]+', '', path).replace('momentum', 'parameters')} {dims}")
        layout: list[tuple[str, ...]] = [()] * len(dims)
        for axis in sizes:
            place = drawn.randrange(-1, len(dims))
            if place >= 0:
                layout[place] += (axis,)
        return tuple(layout)

    return rule


def planned(text: str, sizes: Mapping[str, int] | None, machine: str, **options: Any) -> tuple[Any, float]:
    """The plan for a program, and the seconds of CPU that it takes to find it."""
    module = sdy.parse(text)
    started = time.process_time()
    plan = sdy.auto.partition(module, sizes, machine, memory_limit=math.inf, **options)
    return plan, time.process_time() - started


def phases(text: str, sizes: Mapping[str, int], machine: str) -> tuple[float, float]:
    """Seconds of CPU until the first descent is done, and until the search is; what is left is to measure plans."""
    first, search = (planned(text, sizes, machine, verify=0, effort=effort)[1] for effort in ("fast", "default"))
    return first, search
