"""Steps of real size for eight GPUs, measured on one: XLA compiles for all of them, and runs the part of the first.

    python -m benchmarks.mocked_gpus                        # ours beside jax.jit: memory, and time to compute
    python -m benchmarks.mocked_gpus mlp transformer_2
    python -m benchmarks.mocked_gpus --plans mlp            # many plans of a program: predicted beside measured
    python -m benchmarks.mocked_gpus --cpu --devices 8      # the same on CPU devices, which do send

JAX's client for GPUs can stand for several processes of which one is there (`jax_mock_gpu_topology`). Collectives send
nothing then, so that a step takes what its device computes, and numbers are those of no program. Memory is what XLA
assigns buffers for. Time that collectives take is not measured by this.

The table of plans sets what a plan is predicted to compute, by the figures of the device as `sdy.auto.measure` has
them, beside what it takes: the rank correlation says whether the model of a device orders plans as the device does.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

import sdy.jax
from benchmarks.auto_partitioning.experts import Expert, experts_of
from benchmarks.auto_partitioning.measured import drawn_rule
from benchmarks.auto_partitioning.program import Program
from benchmarks.auto_partitioning.programs import PROGRAMS
from benchmarks.auto_partitioning.rules import Layout, fitted
from sdy.report.text_table import columns

SIZES = {"data": 4, "model": 2}
DEFAULT = ("mlp", "moe", "cnn", "gnn", "transformer_2", "unet")
DRAWN = 14
RUNS = 5
ENOUGH = 0.1
"""Seconds that the steps of one measurement take at least."""


@dataclass(frozen=True)
class Placed:
    """A program with the shardings that an expert gives it, on devices of which some are here."""

    program: Program
    expert: Expert
    mesh: Mesh

    def lowered(self, mesh: Any = None) -> jax.stages.Lowered:
        on = self.mesh if mesh is None else mesh

        def put(name: str, value: jax.Array) -> jax.Array:
            layout = self.expert.inside.get(name)
            return value if layout is None else jax.lax.with_sharding_constraint(value, self._at(on, layout, value))

        return self.program.lowered(self.shardings(on), put)

    def shardings(self, mesh: Any) -> Any:
        def of_leaf(path: Any, leaf: Any) -> NamedSharding:
            return self._at(mesh, self.expert.rule(jax.tree_util.keystr(path), leaf.shape), leaf)

        return jax.tree_util.tree_map_with_path(of_leaf, (self.program.state, self.program.data))

    def arguments(self) -> tuple[Any, Any]:
        """Of each tensor what lies on the devices that are here: small numbers, which are the same everywhere."""

        def filled(leaf: Any, sharding: NamedSharding) -> jax.Array:
            local = np.asarray(
                np.random.default_rng(0).uniform(0, 0.1, sharding.shard_shape(leaf.shape)).astype(leaf.dtype)
            )
            parts = [jax.device_put(local, device) for device in sharding.addressable_devices]
            return jax.make_array_from_single_device_arrays(leaf.shape, sharding, parts)

        return jax.tree.map(filled, (self.program.state, self.program.data), self.shardings(self.mesh))

    @staticmethod
    def _at(mesh: Any, layout: Layout, tensor: Any) -> NamedSharding:
        return NamedSharding(mesh, PartitionSpec(*fitted(layout, tensor.shape, dict(mesh.shape))))


@dataclass(frozen=True)
class Measured:
    """Seconds of a step, and bytes of temporary memory."""

    step: float
    temporary: int


def measured(compiled: jax.stages.Compiled, arguments: Callable[[], tuple[Any, Any]]) -> Measured:
    """The median of some runs, in which each step takes the state that the one before it leaves."""
    state, data = arguments()

    def seconds(count: int) -> float:
        nonlocal state
        started = time.perf_counter()
        for _ in range(count):
            state, _ = compiled(state, data)
        jax.block_until_ready(state)
        return (time.perf_counter() - started) / count

    seconds(2)
    count = max(1, math.ceil(ENOUGH / seconds(1)))
    memory = compiled.memory_analysis()
    assert memory is not None
    return Measured(statistics.median(seconds(count) for _ in range(RUNS)), memory.temp_size_in_bytes)


def beside_jit(name: str, mesh: Mesh) -> Iterator[tuple[str, ...]]:
    """A line for each of the experts' plans that only say how arguments lie."""
    program = for_platform(PROGRAMS[name](), mesh)
    for title, expert in list(experts_of(name, dict(mesh.shape)).items())[:4]:
        placed = Placed(program, expert, mesh)
        try:
            theirs = measured(placed.lowered().compile(), placed.arguments)
            with sdy.jax.partitioned():
                compiled = placed.lowered().compile()
            ours = measured(compiled, placed.arguments)
        except Exception as error:  # noqa: BLE001  (any failure of either side, which is what the row says)
            yield (name, title, (str(error).splitlines() or [type(error).__name__])[0][:120])
            continue
        yield (
            name,
            title,
            f"{ours.step * 1e3:.2f}",
            f"{theirs.step * 1e3:.2f}",
            f"{ours.step / theirs.step:.2f}",
            f"{ours.temporary / 2**20:,.1f}",
            f"{theirs.temporary / 2**20:,.1f}",
            f"{ours.temporary / theirs.temporary:.2f}" if theirs.temporary else "-",
        )


def plans(name: str, mesh: Mesh, machine: sdy.Machine) -> Iterator[tuple[str, float, float]]:
    """Of experts' plans, and of some that are drawn: what each is predicted to compute, and what it takes."""
    program, sizes = for_platform(PROGRAMS[name](), mesh), dict(mesh.shape)
    abstract = jax.sharding.AbstractMesh(tuple(sizes.values()), tuple(sizes), axis_types=(AxisType.Auto,) * len(sizes))
    listed = {**experts_of(name, sizes), **{f"drawn {seed}": Expert(drawn_rule(seed, sizes)) for seed in range(DRAWN)}}
    for title, expert in listed.items():
        placed = Placed(program, expert, mesh)
        predicted = sdy.auto.estimate(placed.lowered(abstract).as_text(debug_info=True), machine).compute
        with sdy.jax.partitioned():
            compiled = placed.lowered().compile()
        yield title, predicted, measured(compiled, placed.arguments).step


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, of numbers most of which differ."""
    one, other = (np.argsort(np.argsort(np.asarray(each))) for each in (first, second))
    return float(np.corrcoef(one, other)[0, 1])


def for_platform(program: Program, mesh: Mesh) -> Program:
    """The program as JAX lowers it for the devices of a mesh."""
    platform = mesh.devices.flat[0].platform
    platform = "cuda" if platform == "gpu" else platform
    return Program(program.name, program.step, program.state, program.data, platform)


def _machine(given: argparse.Namespace) -> sdy.Machine:
    """As measured in a process of its own, which has the device alone."""
    if given.machine:
        return sdy.Machine.parse(given.machine)
    code = "import sdy.auto; print(sdy.auto.measure(1).to_json(indent=None))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return sdy.Machine.from_json(found)


def _mesh(given: argparse.Namespace) -> Mesh:
    if given.cpu:
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_num_cpu_devices", given.devices)
        # Steps that are under way at the same time can wait for one another's threads.
        jax.config.update("jax_cpu_enable_async_dispatch", False)
    else:
        jax.config.update("jax_mock_gpu_topology", f"1x{given.devices}x1")
    sizes = {"data": given.devices // 2, "model": 2}
    return jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=(AxisType.Auto,) * 2)


def main(arguments: list[str] | None = None) -> None:
    """In a process of its own, which has the devices."""
    subprocess.run([sys.executable, "-m", "benchmarks.mocked_gpus", *(arguments or [])], check=True)


def _run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []])
    parser.add_argument("--plans", action="store_true", help="many plans of each program")
    parser.add_argument("--cpu", action="store_true", help="CPU devices, all of which are here")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--machine", help="instead of measuring: a name, figures, or a file")
    given = parser.parse_args()
    machine = _machine(given) if given.plans else None
    mesh = _mesh(given)
    print(f"{mesh.devices.size} x {mesh.devices.flat[0].device_kind}, of which {len(mesh.local_devices)} are here")
    if machine is None:
        headings = ("program", "plan", "ours ms", "jax.jit", "ratio", "temporary MiB", "jax.jit", "ratio")
        for name in given.programs or DEFAULT:
            print(columns([headings, *beside_jit(name, mesh)]), flush=True)
        return
    print(machine)
    for name in given.programs or DEFAULT[:1]:
        found = list(plans(name, mesh, machine))
        rows = [(title, *(f"{1e3 * seconds:.2f}" for seconds in each)) for title, *each in found]
        print(columns([(name, "predicted ms", "measured"), *rows]))
        _, predicted, taken = zip(*found, strict=True)
        best = taken[int(np.argmin(predicted))]
        print(f"  rank correlation {rank_correlation(predicted, taken):.2f},", end=" ")
        print(f"best predicted over best measured {best / min(taken):.3f}", flush=True)


if __name__ == "__main__":
    _run()
