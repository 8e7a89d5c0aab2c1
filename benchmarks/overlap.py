"""Placing starts and dones, and estimating a step: how long that takes, and what it is predicted to save.

python -m benchmarks.overlap

The first table is about speed: chains of products, each with a gathered operand, of 1,000 ops and more; goal: less than
a second for 10,000 ops. The second one is about programs: predicted seconds of a step, and the seconds that a device
waits for others, with synchronous collectives, with asynchronous ones placed among ops that keep their order, and with
all ops placed; on two example machines.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import sdy
from sdy.dialect.mesh import Mesh
from sdy.passes.costs.machine import Machine
from sdy.text_table import columns
from sdy.timelines.timeline import duration
from tests.data.generate import program

MACHINES = ("fast-links", "slow-links")
PROGRAMS = (
    "transformer_2",
    "transformer_sequence_parallel",
    "transformer_fsdp",
    "transformer_fsdp_scan",
    "moe",
    "ring_attention",
)
SIZES = (1_000, 10_000, 30_000)
ASYNCHRONOUS = "func.func(sdy-async-collectives)"


def keep(limit: int = 0) -> str:
    return f"func.func(sdy-place-collectives{{in-flight-bytes={limit}}})"


def listed(machine: str) -> str:
    return f"func.func(sdy-place-collectives{{mode=list machine={{{machine}}}}})"


# Speed -----------------------------------------------------------------------------------------------


def layers(ops: int) -> str:
    """A program of about so many ops: in each layer a gather, a product, and eight ops on its result."""
    lines = ["func.func @main(%x: tensor<64x64xf32>, %w: tensor<16x64xf32>) -> tensor<64x64xf32> {"]
    value = "%x"
    for layer in range(ops // 10):
        gather = "<{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}>"
        lines.append(f'%g{layer} = "stablehlo.all_gather"(%w) {gather} : (tensor<16x64xf32>) -> tensor<64x64xf32>')
        types = "(tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
        lines.append(f"%p{layer} = stablehlo.dot_general {value}, %g{layer}, contracting_dims = [1] x [0] : {types}")
        value = f"%p{layer}"
        for number in range(8):
            lines.append(f"%e{layer}_{number} = stablehlo.tanh {value} : tensor<64x64xf32>")
            value = f"%e{layer}_{number}"
    return "\n".join([*lines, f"return {value} : tensor<64x64xf32>", "}"])


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measured(ops: int, *before: str, step: str, repeat: int = 3) -> float:
    """The median time of one pass, which finds what others have left."""
    times = []
    for _ in range(repeat):
        module = sdy.parse(layers(ops))
        for one in before:
            sdy.run(module, one, verify=False)
        times.append(seconds(partial(sdy.run, module, step, verify=False)))
    return statistics.median(times)


def speed() -> str:
    rows: list[tuple[str, ...]] = [
        ("ops", "asynchronous", "keep", "keep, 1 MB in flight", "list", "synchronous", "timeline")
    ]
    for ops in SIZES:
        module = sdy.parse(layers(ops))
        times = (
            measured(ops, step=ASYNCHRONOUS),
            measured(ops, ASYNCHRONOUS, step=keep()),
            measured(ops, ASYNCHRONOUS, step=keep(1 << 20)),
            measured(ops, ASYNCHRONOUS, step=listed("slow-links")),
            measured(ops, ASYNCHRONOUS, step="func.func(sdy-sync-collectives)"),
            statistics.median(seconds(partial(sdy.timeline, module, "slow-links")) for _ in range(3)),
        )
        rows.append((f"{ops:,}", *map(duration, times)))
    return columns(rows)


# Programs --------------------------------------------------------------------------------------------


def placed(text: str, *steps: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, *steps)
    return str(module)


def predicted(name: str) -> list[tuple[str, ...]]:
    partitioned = sdy.partition(program(name))
    mesh = Mesh(partitioned.mesh.axes)
    rows = []
    for machine in MACHINES:
        forms = (
            partitioned.text,
            placed(partitioned.text, ASYNCHRONOUS, keep()),
            placed(partitioned.text, ASYNCHRONOUS, listed(machine)),
        )
        found = [sdy.timeline(text, Machine.parse(machine), mesh=mesh) for text in forms]
        cells = (cell for one in found for cell in (duration(one.total), duration(one.exposed)))
        rows.append((name, machine, *cells))
    return rows


def main() -> None:
    print(speed(), flush=True)
    headings = ("program", "machine", "synchronous", "exposed", "keep", "exposed", "list", "exposed")
    print("\n" + columns([headings, *(row for name in PROGRAMS for row in predicted(name))]))


if __name__ == "__main__":
    main()
