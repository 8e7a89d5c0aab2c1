"""Placing starts and dones, and estimating a step: how long that takes, and what it is predicted to save.

python -m benchmarks.overlap

The first table is about speed: chains of products, each with a gathered operand, of 1,000 ops and more; goal: less than
a second for 10,000 ops. The second one is about programs (`overlap_programs`): predicted seconds of a step, and the
seconds that a device waits for others, with synchronous collectives; with asynchronous ones placed among ops that keep
their order; with all ops placed; and with products cut into steps and collectives of loops sent ahead besides, where
that is faster; on two example machines. The last columns compare the last form with the first. Goals: half of what is
waited for is hidden, and no program is slower.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import jax

import sdy
from benchmarks.overlap_programs import PROGRAMS
from sdy.dialect.values.mesh import Mesh
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

MACHINES = ("fast-links", "slow-links")
FORMS = ("synchronous", "keep", "list", "overlap")
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
    """Of processor time, which other programs on the machine do not add to."""
    start = time.process_time()
    run()
    return time.process_time() - start


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
            measured(ops, ASYNCHRONOUS, step="sdy-convert-async"),
            statistics.median(seconds(partial(sdy.timeline, module, "slow-links")) for _ in range(3)),
        )
        rows.append((f"{ops:,}", *map(duration, times)))
    return columns(rows)


# Programs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prediction:
    """A program on a machine: seconds of a step and those that a device waits for others, in each of the forms."""

    program: str
    machine: str
    total: tuple[float, ...]
    exposed: tuple[float, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        pairs = zip(self.total, self.exposed, strict=True)
        shares = f"{self.total[-1] / self.total[0]:.2f}", ratio(self.exposed[-1], self.exposed[0])
        return self.program, self.machine, *(duration(each) for pair in pairs for each in pair), *shares


def ratio(after: float, before: float) -> str:
    return f"{after / before:.2f}" if before else ""


def run(text: str, *steps: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, *steps)
    return str(module)


def predicted(name: str, text: str, mesh: Mesh | None, machine: str) -> Prediction:
    forms = (
        text,
        run(text, ASYNCHRONOUS, keep()),
        run(text, ASYNCHRONOUS, listed(machine)),
        run(text, sdy.Overlap(machine, mode="list").pipeline),
    )
    found = [sdy.timeline(form, machine, mesh=mesh) for form in forms]
    return Prediction(name, machine, tuple(one.total for one in found), tuple(one.exposed for one in found))


def paper() -> str:
    """A product whose steps take about as long as their shards, for which decomposition is (Wang et al., ASPLOS 2023).

    An activation of 8192 by 8192, gathered from eight devices, times a weight of 8192 by 3584: 0.30 ms for a block of
    the product, 0.34 ms to send a shard.
    """
    groups = "replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>"
    return f"""
func.func @main(%a: tensor<1024x8192xbf16>, %b: tensor<8192x3584xbf16>) -> tensor<8192x3584xbf16> {{
  %0 = "stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {groups}}}>
    : (tensor<1024x8192xbf16>) -> tensor<8192x8192xbf16>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0]
    : (tensor<8192x8192xbf16>, tensor<8192x3584xbf16>) -> tensor<8192x3584xbf16>
  return %1 : tensor<8192x3584xbf16>
}}"""


PAPER_MACHINE = "flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6"


def programs() -> list[Prediction]:
    found: list[Prediction] = []
    for name, lower in PROGRAMS.items():
        partitioned = sdy.partition(lower())
        mesh = Mesh(partitioned.mesh.axes)
        found += [predicted(name, partitioned.text, mesh, machine) for machine in MACHINES]
    return [*found, predicted("one product of the paper", paper(), None, PAPER_MACHINE)]


def total(found: Sequence[Prediction]) -> tuple[str, ...]:
    sums = [
        (sum(one.total[form] for one in found), sum(one.exposed[form] for one in found)) for form in range(len(FORMS))
    ]
    cells = (duration(each) for pair in sums for each in pair)
    return "all", "", *cells, f"{sums[-1][0] / sums[0][0]:.2f}", ratio(sums[-1][1], sums[0][1])


def main() -> None:
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", 8)
    print(speed(), flush=True)
    headings = ("program", "machine", *(head for form in FORMS for head in (form, "exposed")), "step", "exposed")
    found = programs()
    print("\n" + columns([headings, *(one.cells for one in found), total(found)]))
    slower = [f"{one.program} on {one.machine}" for one in found if max(one.total[1:]) > one.total[0] * (1 + 1e-9)]
    print(f"\nslower than with synchronous collectives: {', '.join(slower) or 'none'}; goal: none")
    print("goal for the last column: 0.5 for all together")


if __name__ == "__main__":
    main()
