"""What a call costs on the host: `sdy.jax.jit`, and `jax.jit` inside `sdy.jax.partitioned()`, beside `jax.jit`.

    python -m benchmarks.dispatch             # on 8 CPU devices
    python -m benchmarks.dispatch --runs=101  # more pairs, which a busy machine needs

The functions compute next to nothing, so a call is what JAX does to find the compiled program and to hand over its
arguments. A pair is some hundred calls of ours and as many of `jax.jit` on the same arrays, one directly after the
other; they take turns in going first, and results are waited for outside of the time. Goal: at most 2 us more.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from benchmarks.common import Clock

DEVICES = 8
CALLS = 200
RUNS = 41
COUNTS = (1, 100)
"""Arguments of the functions."""

CLOCKS: dict[str, Clock] = {
    "wall time": time.perf_counter,
    "CPU of the process": time.process_time,
    "CPU of the caller": time.thread_time,
}
"""What is measured; the last is that of the thread that calls, without those that compute, and the least disturbed."""

Arrays = Sequence[jax.Array]
Calls = Callable[[Arrays], Any]
"""Makes CALLS calls with these arguments and returns the last result."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs per row")
    runs = parser.parse_args().runs
    jax.config.update("jax_num_cpu_devices", DEVICES)
    for name, clock in CLOCKS.items():
        print(f"{f'one call, {name}':<44}{'ours':>10}{'jax.jit':>12}{'more':>12}   ({runs} paired runs, median)")
        for count in COUNTS:
            for label, ours, theirs in _compared():
                print(
                    _row(
                        f"{label}, {count} argument{'s' * (count > 1)}",
                        _pairs(ours, theirs, _arguments(count), runs, clock),
                    )
                )
        print(flush=True)


def _compared() -> list[tuple[str, Calls, Calls]]:
    """What is compared, each compiled for itself."""
    inside = jax.jit(_first)
    return [
        ("sdy.jax.jit", _many(sdy.jax.jit(_first)), _many(jax.jit(_first))),
        ("with overlap", _many(sdy.jax.jit(_first, overlap=sdy.Overlap())), _many(jax.jit(_first))),
        ("in partitioned()", _inside(_many(inside)), _many(jax.jit(_first))),
        ("entering partitioned()", _many(_entering(inside)), _many(jax.jit(_first))),
    ]


def _first(*arrays: jax.Array) -> jax.Array:
    return arrays[0] + 1.0


def _many(function: Callable[..., Any]) -> Calls:
    def calls(arguments: Arrays) -> Any:
        result = None
        for _ in range(CALLS):
            result = function(*arguments)
        return result

    return calls


def _inside(calls: Calls) -> Calls:
    def inside(arguments: Arrays) -> Any:
        with sdy.jax.partitioned():
            return calls(arguments)

    return inside


def _entering(function: Callable[..., Any]) -> Callable[..., Any]:
    def entering(*arguments: jax.Array) -> Any:
        with sdy.jax.partitioned():
            return function(*arguments)

    return entering


def _arguments(count: int) -> Arrays:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    return [jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("data", "model"))) for _ in range(count)]


def _pairs(ours: Calls, theirs: Calls, arguments: Arrays, runs: int, clock: Clock) -> list[tuple[float, float]]:
    """Microseconds of one call, of ours and of theirs."""
    for calls in (ours, theirs):
        _microseconds(calls, arguments, clock)
    pairs: list[tuple[float, float]] = []
    for run in range(runs):
        if run % 2:
            other, own = (_microseconds(calls, arguments, clock) for calls in (theirs, ours))
        else:
            own, other = (_microseconds(calls, arguments, clock) for calls in (ours, theirs))
        pairs.append((own, other))
    return pairs


def _microseconds(calls: Calls, arguments: Arrays, clock: Clock) -> float:
    started = clock()
    last = calls(arguments)
    spent = clock() - started
    jax.block_until_ready(last)
    return spent / CALLS * 1e6


def _row(label: str, pairs: Sequence[tuple[float, float]]) -> str:
    own, other = (statistics.median(each) for each in zip(*pairs, strict=True))
    more = statistics.median(a - b for a, b in pairs)
    return f"  {label:<42}{own:>7.1f} us{other:>9.1f} us{more:>+9.1f} us"


if __name__ == "__main__":
    main()
