"""From a function to what runs, part by part, `sdy.jax.jit` beside `jax.jit`: on a first start and on a second one.

    python -m benchmarks.compile_time                       # some programs of tests/data, and 12 layers
    python -m benchmarks.compile_time --runs=5 mlp_fsdp     # more pairs of one of them

Each start is a process of its own, with a compilation cache of JAX's that is empty for the first and filled for the
second; whose turn it is alternates. Times are those of processors, from the start of the process on. Python keeps its
bytecode, as that of what is installed is kept. The small program is also compiled behind another one of the process,
which has loaded what it takes. Goals: on a second start at most 1.1 of `jax.jit`; partitioning of
programs below 50 ops at most 0.3 of what XLA takes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from tempfile import TemporaryDirectory
from typing import Any

RUNS = 3
LATER = "small_later"
PROGRAMS = ("small", LATER, "mlp_fsdp", "transformer_2", "transformer_12")
SIDES = ("ours", "jax")
PARTS = ("import", "trace and lower", "find", "partition", "hand over", "XLA", "the rest")

Times = dict[str, float]


def main() -> None:
    if len(sys.argv) == 5 and sys.argv[1] == "--start":
        print(json.dumps(_start(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs per program")
    given = parser.parse_args()
    with TemporaryDirectory() as bytecode:
        for name in given.programs:
            _pair(name, bytecode)  # compiles the sources
            _print(name, [_pair(name, bytecode) for _ in range(given.runs)])


def _pair(name: str, bytecode: str) -> dict[tuple[str, str], Times]:
    """The parts of a first and a second start of both sides."""
    found = {}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = bytecode
    with TemporaryDirectory() as ours, TemporaryDirectory() as theirs:
        for start in ("first", "second"):
            for side, folder in zip(SIDES, (ours, theirs), strict=True):
                command = [sys.executable, "-m", "benchmarks.compile_time", "--start", name, side, folder]
                run = subprocess.run(command, capture_output=True, text=True, env=environment)
                if run.returncode:
                    raise RuntimeError(run.stderr[-2000:])
                found[start, side] = json.loads(run.stdout.splitlines()[-1])
    return found


def _print(name: str, pairs: list[dict[tuple[str, str], Times]]) -> None:
    for start in ("first", "second"):
        print(f"{f'{name}, {start} start':<44}{'ours':>10}{'jax.jit':>12}{'ratio':>8}   ({len(pairs)} pairs, CPU)")
        for part in (*PARTS, "all behind the import", "all"):
            own, other = ([_sum(pair[start, side], part) for pair in pairs] for side in SIDES)
            ratio = f"{statistics.median(a / b for a, b in zip(own, other, strict=True)):>8.2f}" if min(other) else ""
            print(f"  {part:<42}{statistics.median(own):>8.3f} s{statistics.median(other):>10.3f} s{ratio}")
        print(flush=True)


def _sum(times: Times, part: str) -> float:
    if not part.startswith("all"):
        return times.get(part, 0.0)
    return sum(times.values()) - (times["import"] if part != "all" else 0.0)


# One start, in a process of its own --------------------------------------------------------------------------------


def _start(name: str, side: str, folder: str) -> Times:
    import jax

    if side == "ours":
        import sdy.jax
    times = {"import": time.process_time()}
    jax.config.update("jax_num_cpu_devices", 8)
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    make = _program(name)
    jax.devices()
    with sdy.jax.partitioned() if side == "ours" else nullcontext():
        if name == LATER:
            _small(rows=128).compile()
        _watch(times, side)
        started = time.process_time()
        lowered = make()
        times["trace and lower"] = time.process_time() - started
        lowered.compile()
        took = time.process_time() - started
    return times | {"the rest": took - (sum(times.values()) - times["import"])}


def _watch(times: Times, side: str) -> None:
    """Has the parts note what they take."""
    from jax._src import compiler

    def noted(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            started = time.process_time()
            result = function(*arguments, **named)
            times[part] = times.get(part, 0.0) + time.process_time() - started
            return result

        return call

    # Asked for on a first start only: on a second one there is what it compiled before.
    compiler.backend_compile_and_load = noted("XLA", compiler.backend_compile_and_load)
    if side == "jax":
        return
    from sdy.jax import Partitioner, context
    from sdy.jax.caching import kept_programs

    Partitioner.partition = noted("partition", Partitioner.partition)
    Partitioner.wrapped = noted("hand over", Partitioner.wrapped)
    context.place_of = noted("find", kept_programs.place_of)
    kept_programs.Place.find = noted("find", kept_programs.Place.find)
    kept_programs.Place.keep = noted("hand over", kept_programs.Place.keep)


def _program(name: str) -> Callable[[], Any]:
    """What traces and lowers the program."""
    if name in ("small", LATER):
        return _small
    if name == "transformer_12":
        from tests.data.programs.transformer import transformer

        return lambda: transformer(12)
    from tests.data.programs.registry import load

    return load()[name]


def _small(rows: int = 64) -> Any:
    """A layer: a dozen ops."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    shapes = (((rows, 32), P("data", None)), ((32, 64), P(None, "model")), ((64, 32), P("model", None)))
    arguments = [jax.ShapeDtypeStruct(dims, "float32", sharding=NamedSharding(mesh, spec)) for dims, spec in shapes]
    return jax.jit(lambda x, v, w: jnp.tanh(x @ v) @ w + x).lower(*arguments)


if __name__ == "__main__":
    main()
