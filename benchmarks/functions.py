"""What functions of JAX cost, each dimension of their arguments sharded, forth and with derivatives: ours beside XLA's.

    python -m benchmarks.functions                           # all, which takes an hour
    python -m benchmarks.functions jnp.cumsum lax.conv       # those whose names begin so

A row for each case that sends, computes or holds more than by XLA's own partitioner: more bytes, or over 1.02 times
the operations or the temporary memory. Goal: none but those of `EXCEPTIONS`, which are listed with the reason. XLA's
partitioner aborts on some; such a case is listed with how its process has ended.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from benchmarks.compiled_cost import DEVICES, Cost, Pair, in_own_process, measure, ratio
from sdy.report.text_table import columns
from tests.numerics.jax_functions import FUNCTIONS
from tests.numerics.test_jax_functions import with_derivatives

HEADINGS = ("function, dimension", "sent", "XLA", "operations", "XLA", "ratio", "temporary", "XLA", "ratio")

FEW_BYTES, FEW_OPERATIONS = 4096, 1024
"""So much more memory, so many more operations do not count: arguments are small, and devices ask where they are."""

_SPLIT = "each device computes a part, for which data change places; by XLA's partitioner all devices compute the whole"

_BOTH = "the third result is of all elements in order: it needs the whole argument, of which the second would do, too"

_TRANSFORMED = (
    "by the machine model adding up parts of the kernel's gradient is faster than computing all of it everywhere"
)

_FEWER_BYTES = "fewer bytes: devices scan their parts and what is before them, each element more than once"

_WHOLE = "the result is wanted whole: a reshape that moves data before it costs more than one of all data would"

_GATHERED_ONCE = (
    "fewer bytes: one factor is gathered once for all products; by XLA's partitioner devices share sums and add them up"
)

_SCATTERED = "a scatter whose indices are sharded gathers indices and updates, where XLA adds up what devices scattered"

EXCEPTIONS: dict[str, str] = {
    **{
        f"{name}{kind}": _SPLIT
        for name in (
            "fft.hfft:1 fft.irfft2 fft.irfft:1 fft.rfft2 fft.rfft:0 fft.rfft:1 jnp.dot lax.batch_matmul"
        ).split()
        for kind in ("", " with derivatives")
    },
    **dict.fromkeys(("jnp.cumprod", "jnp.cumsum", "jnp.cumsum with derivatives"), _BOTH),
    **dict.fromkeys(("conv:transposed with derivatives", "lax.conv_transpose with derivatives"), _TRANSFORMED),
    **dict.fromkeys(("linalg.matrix_power:batch", "linalg.matrix_power:batch with derivatives"), _GATHERED_ONCE),
    **{
        f"{name} with derivatives": _FEWER_BYTES
        for name in (
            "jnp.cumprod lax.associative_scan:pair lax.cumlogsumexp:reverse lax.cummax:reverse lax.cummin:reverse "
            "lax.cumprod:reverse"
        ).split()
    },
    **dict.fromkeys(("jnp.reshape:6x8", "jnp.reshape:6x8 with derivatives"), _WHOLE),
    **{f"{name} with derivatives": _SCATTERED for name in ("jnp.median:axis", "jnp.quantile", "linalg.det:batch")},
}
"""Functions, forth or with derivatives, that cost more, and why."""


def cases(prefixes: list[str]) -> Iterator[tuple[str, Callable[[], jax.stages.Lowered]]]:
    """The functions of these names, or all, on arguments of which dimension by dimension is sharded."""
    for name, function in sorted(FUNCTIONS.items()):
        if prefixes and not name.startswith(tuple(prefixes)):
            continue
        arguments = [draw(np.random.default_rng(0)) for draw in function.arguments]
        calls = {"": function.call, " with derivatives": with_derivatives(function)}
        for dim in range(max((x.ndim for x in arguments), default=0)):
            placed = [_placed(x, dim) for x in arguments]
            if all(x.sharding.is_fully_replicated for x in placed):
                continue
            for kind, call in calls.items():
                if not kind or function.differentiable:
                    yield f"{name}{kind}, {dim}", _lowering(call, placed)


def _lowering(call: Callable[..., Any], placed: list[jax.ShapeDtypeStruct]) -> Callable[[], jax.stages.Lowered]:
    return lambda: jax.jit(lambda *values: call(*values)).lower(*placed)


def _placed(x: np.ndarray, dim: int) -> jax.ShapeDtypeStruct:
    """Four parts of the dimension if they are even, else two, else one."""
    mesh = Mesh(np.array(jax.devices()[:DEVICES]).reshape(4, 2), ("x", "y"))
    axis = next((axis for axis in ("x", "y") if dim < x.ndim and x.shape[dim] % mesh.shape[axis] == 0), None)
    return jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, P(*[None] * dim, axis) if axis else P()))


def costs_more(ours: Cost, xla: Cost) -> bool:
    """Whether one of the goals is missed."""
    if ours.sent > xla.sent or ours.operations > max(xla.operations + FEW_OPERATIONS, 1.02 * xla.operations):
        return True
    return ours.temporary > max(xla.temporary + FEW_BYTES, 1.02 * xla.temporary)


def _row(pair: Pair) -> tuple[str, ...]:
    ours, xla = pair.ours, pair.xla
    assert ours is not None and xla is not None
    return (
        pair.program,
        f"{ours.sent:,.0f}",
        f"{xla.sent:,.0f}",
        f"{ours.operations:,.0f}",
        f"{xla.operations:,.0f}",
        ratio(ours.operations, xla.operations),
        f"{ours.temporary:,}",
        f"{xla.temporary:,}",
        ratio(ours.temporary, xla.temporary),
    )


def main(arguments: list[str] | None = None) -> None:
    in_own_process("benchmarks.functions", arguments)


# Measuring in processes that may die -----------------------------------------------------------------


def _measured(wanted: list[str]) -> list[Pair]:
    """All cases; the next process goes on behind a case that its process has died of."""
    pairs: list[Pair] = []
    while True:
        begun, ended = None, False
        call = [sys.executable, "-m", "benchmarks.functions", *wanted, f"--skip={len(pairs)}"]
        with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                kind, *told = json.loads(line)
                if kind == "begins":
                    (begun,) = told
                elif kind == "ends":
                    ended = True
                else:
                    name, ours, xla, failure = told
                    pairs.append(Pair(name, ours and Cost(**ours), xla and Cost(**xla), failure))
                    begun = None
        if ended:
            return pairs
        if begun is None:
            raise SystemExit(f"a process that measures ends with {process.returncode} between cases")
        pairs.append(Pair(begun, failure=f"the process that partitions and compiles it ends with {process.returncode}"))


def _measure(wanted: list[str], skipped: int) -> None:
    """Writes a line for each case that begins, and one with its costs."""
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    for name, lower in islice(cases(wanted), skipped, None):
        print(json.dumps(("begins", name)), flush=True)
        pair = measure(name, lower)
        costs = [cost and asdict(cost) for cost in (pair.ours, pair.xla)]
        print(json.dumps(("costs", name, *costs, pair.failure)), flush=True)
    print(json.dumps(("ends",)), flush=True)


def _print() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--skip", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.skip is not None:
        _measure(given.functions, given.skip)
        return
    pairs = _measured(given.functions)
    compared = [pair for pair in pairs if pair.ours is not None and pair.xla is not None]
    more = [pair for pair in compared if pair.ours and pair.xla and costs_more(pair.ours, pair.xla)]
    print(f"{len(more)} of {len(compared)} cost more than by XLA's partitioner, {DEVICES} CPU devices")
    print(columns([HEADINGS, *map(_row, more)]))
    for pair in more:
        reason = EXCEPTIONS.get(pair.program.rpartition(",")[0])
        print(f"  {pair.program}: {reason or 'without a reason'}")
    for pair in pairs:
        if pair.failure:
            print(f"  {pair.program}: {pair.failure}")


if __name__ == "__main__":
    _print()
