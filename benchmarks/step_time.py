"""Wall time of a step on 8 CPU devices: `sdy.jax.jit` beside `jax.jit` with the same shardings.

    python -m benchmarks.step_time                            # the models of examples/ and of tests/data
    python -m benchmarks.step_time transformer_2 cnn          # only these
    python -m benchmarks.step_time --dump=FOLDER transformer_2   # also writes what XLA compiles, optimized
    python -m benchmarks.step_time --cpu --runs=31 moe        # time of processors, more pairs

A pair is some steps of ours and as many of `jax.jit`, one directly after the other on the same arguments; they take
turns in going first. `--cpu` measures what all threads spend on processors instead, which a busy machine changes less.
The last row is a program that computes next to nothing: what a call costs on the host. Goal: a ratio of 1.0.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from benchmarks.common import Clock, Row, print_table
from tests.data.programs.registry import load

DEVICES = 8
RUNS = 9
ENOUGH = 0.05
"""Seconds that the steps of one measurement take at least."""

TOO_LARGE = ("_24", "_96")
"""Ends of names of programs that XLA compiles for minutes."""

EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Step:
    """A function compiled both ways, `ours` and `theirs`, and arguments; those that are donated are copied before."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    arguments: tuple[Any, ...]
    donated: tuple[int, ...] = ()


# Programs --------------------------------------------------------------------------------------------


def steps(wanted: list[str]) -> Iterator[Step | str]:
    """The programs one after the other; for one that cannot run, a text that says why."""
    lowered = load()
    listed = wanted or [name for name in lowered if not any(part in name for part in TOO_LARGE)]
    for name in listed:
        if name in lowered:
            try:
                yield _of_program(name, lowered[name])
            except Exception as error:  # noqa: BLE001  (any failure of either side, which is what the row says)
                yield f"{name}: {str(error).splitlines()[0]}"
    for name, make in (("example transformer", _transformer), ("example mlp_fsdp", _perceptron)):
        if not wanted or name in wanted:
            yield make(name)
    if not wanted:
        yield _nothing()


def _of_program(name: str, lower: Callable[[], jax.stages.Lowered]) -> Step:
    """Each side has a lowering of its own, since JAX keeps what it once compiled of one."""
    theirs = lower().compile()
    with sdy.jax.partitioned():
        ours = lower().compile()
    generator = np.random.default_rng(0)
    infos = jax.tree.leaves(theirs.args_info)
    placements = jax.tree.leaves(theirs.input_shardings[0])
    leaves = [jax.device_put(_random(info, generator), at) for info, at in zip(infos, placements, strict=True)]
    arguments = jax.tree.unflatten(theirs.in_tree, leaves)[0]
    donated = [jax.tree.leaves(info)[0].donated if jax.tree.leaves(info) else False for info in theirs.args_info[0]]
    return Step(name, ours, theirs, tuple(arguments), tuple(i for i, is_donated in enumerate(donated) if is_donated))


def _random(info: Any, generator: np.random.Generator) -> np.ndarray:
    shape, dtype = info.shape, info.dtype
    if jnp.issubdtype(dtype, jnp.inexact):
        return np.asarray(generator.normal(size=shape) * 0.1).astype(dtype)
    return generator.integers(0, 2, size=shape).astype(dtype)


def _transformer(name: str) -> Step:
    sys.path.insert(0, str(EXAMPLES))
    import train_transformer
    from models import TransformerConfig

    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    return _of_training(name, train_transformer.training(mesh, TransformerConfig()))


def _perceptron(name: str) -> Step:
    sys.path.insert(0, str(EXAMPLES))
    import mlp_fsdp

    return _of_training(
        name, mlp_fsdp.training(jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,)))
    )


def _of_training(name: str, training: Any) -> Step:
    shardings = (training.state_shardings, *[training.batch_sharding] * len(training.batch))
    theirs = jax.jit(
        training.step, in_shardings=shardings, out_shardings=(training.state_shardings, None), donate_argnums=0
    )
    arguments = jax.device_put((training.state, *training.batch), shardings)
    return Step(name, training.partitioned(), theirs, arguments, donated=(0,))


def _nothing() -> Step:
    mesh = jax.make_mesh((DEVICES,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    at = NamedSharding(mesh, P("data"))
    x = jax.device_put(jnp.zeros(8), at)
    options: dict[str, Any] = {"in_shardings": at, "out_shardings": at}
    return Step("a call", sdy.jax.jit(lambda x: x + 1, **options), jax.jit(lambda x: x + 1, **options), (x,))


# Timing ----------------------------------------------------------------------------------------------


def measure(step: Step, runs: int, clock: Clock) -> Row:
    """Medians over pairs, in seconds per step."""
    sides = step.ours, step.theirs
    assert min(_seconds(step, side, 1, clock) for side in sides) > 0
    count = max(1, round(ENOUGH / min(_seconds(step, side, 1, time.perf_counter) for side in sides)))
    pairs: list[tuple[float, float]] = []
    for run in range(runs):
        order = sides if run % 2 else sides[::-1]
        spent = {side: _seconds(step, side, count, clock) for side in order}
        pairs.append((spent[step.ours], spent[step.theirs]))
    ours, theirs = (statistics.median(each) for each in zip(*pairs, strict=True))
    return Row(step.name, ours, theirs, statistics.median(a / b for a, b in pairs))


def _seconds(step: Step, function: Callable[..., Any], count: int, clock: Clock) -> float:
    """Seconds per step of `count` steps."""
    prepared = [_copied(step) for _ in range(count)] if step.donated else [step.arguments] * count
    jax.block_until_ready(prepared)
    started = clock()
    for arguments in prepared:
        result = function(*arguments)
    jax.block_until_ready(result)
    return (clock() - started) / count


def _copied(step: Step) -> tuple[Any, ...]:
    return tuple(
        jax.tree.map(jnp.copy, argument) if number in step.donated else argument
        for number, argument in enumerate(step.arguments)
    )


def main(arguments: list[str] | None = None) -> None:
    """In a process of its own, which has the devices."""
    subprocess.run([sys.executable, "-m", "benchmarks.step_time", *(arguments or [])], check=True)


def _run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--dump", type=Path, help="folder for the optimized HLO of both sides")
    parser.add_argument("--cpu", action="store_true", help="time of processors instead of wall time")
    parser.add_argument("--runs", type=int, default=RUNS, help="number of pairs")
    options = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    clock, what = (time.process_time, "CPU time") if options.cpu else (time.perf_counter, "wall time")
    rows: list[Row] = []
    for step in steps(options.programs):
        if isinstance(step, str):
            print(f"  not run: {step}", flush=True)
            continue
        if options.dump:
            _dump(step, options.dump)
        rows.append(measure(step, options.runs, clock))
        print(f"  {rows[-1].label:<30}{rows[-1].ratio:>8.2f}", flush=True)
    print_table(f"{what} of a step, {DEVICES} CPU devices", rows, options.runs, peer="jax.jit")
    print(f"  {'geometric mean of the ratios':<30}{statistics.geometric_mean(row.ratio for row in rows):>8.2f}")


def _dump(step: Step, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for side, function in (("ours", step.ours), ("jax", step.theirs)):
        compiled = function if isinstance(function, jax.stages.Compiled) else function.lower(*step.arguments).compile()
        (folder / f"{step.name.replace(' ', '_')}.{side}.hlo").write_text(compiled.as_text() or "")


if __name__ == "__main__":
    _run()
