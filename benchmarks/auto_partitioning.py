"""Plans that are found, beside what experts write down: how long a step takes, bytes that are sent, memory.

python -m benchmarks.auto_partitioning                      # all programs on three meshes
python -m benchmarks.auto_partitioning mlp moe --mesh 4x2   # these
python -m benchmarks.auto_partitioning --inside             # arguments and results stay as they are

Inside: a GPT of 0.1 billion parameters, FSDP by columns, so batch and weights on one axis, and nothing said of what is
between: as propagation shards it, with one constraint for each layer, and as it is planned. Goal: no more bytes than
with the constraints.

Every plan, an expert's like ours, is partitioned, and what is priced is the program of one device, by the same formulas
(`sdy.auto.estimate`). Figures are milliseconds of a step on the machine "generic" without overlap, on eight devices;
`slow` has a slow outer axis. Goals: no program slower than the best expert; geometric mean of the ratios at most 0.80
on 4x2, and 0.70 with a slow outer axis; 24 layers in ten seconds of one core.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import numpy as np
from jax.sharding import Mesh as JaxMesh
from jax.sharding import NamedSharding, PartitionSpec

import sdy
from benchmarks.auto_partitioning_programs import EXPERTS, PROGRAMS, Program, Rule
from benchmarks.programs.language_models import gpt
from sdy.report.text_table import columns

MACHINE = "generic efficiency=1 directions=1 bandwidth=1e11"
MESHES = {
    "8": ({"data": 8}, MACHINE),
    "4x2": ({"data": 4, "model": 2}, MACHINE),
    "2x2x2": ({"data": 2, "tensor": 2, "model": 2}, MACHINE),
    "slow": ({"data": 2, "model": 4}, f"{MACHINE} bandwidth.data=2.5e10 bandwidth.model=3e11"),
}
DEFAULT = ("8", "4x2", "slow")


def expert_text(program: Program, rule: Rule, sizes: dict[str, int]) -> str:
    """The program with the shardings that a rule gives its arguments, and its state back as it was."""
    mesh = JaxMesh(np.array(jax.devices()[: math.prod(sizes.values())]).reshape(*sizes.values()), tuple(sizes))
    state = {"parameters": program.parameters, "momentum": program.parameters}

    def sharding(path: Any, leaf: Any) -> NamedSharding:
        return NamedSharding(mesh, PartitionSpec(*rule(jax.tree_util.keystr(path), leaf.shape, sizes)))

    shardings = jax.tree_util.tree_map_with_path(sharding, (state, program.batch))
    return program.lowered(shardings).as_text(debug_info=True)


def rows_of(name: str, mesh: str) -> tuple[list[tuple[str, ...]], float, float]:
    """Lines of the table; the ratio to the best expert, and the seconds that it took."""
    program, (sizes, machine) = PROGRAMS[name](), MESHES[mesh]
    rows, best = [], math.inf
    for expert, rule in EXPERTS.items():
        found = sdy.auto.estimate(expert_text(program, rule, sizes), machine)
        best = min(best, found.step)
        rows.append((name, mesh, expert, *_cells(found.step, found.bytes_sent, found.memory.peak), "", "", ""))
    text = program.lowered().as_text(debug_info=True)
    searching, whole = _timed(text, sizes, machine, 0)[1], _timed(text, sizes, machine, 1)
    plan, seconds = whole
    cost = plan.cost
    rows.append(
        (name, mesh, "found", *_cells(cost.step, cost.bytes_sent, cost.memory), f"{plan.predicted.step * 1e3:.2f}",
         f"{cost.step / best:.2f}", f"{searching:.1f} of {seconds:.1f}")
    )  # fmt: skip
    return rows, cost.step / best, seconds


def inside_rows() -> list[tuple[str, ...]]:
    """Propagation, an expert's constraints, and a plan, for arguments and results that are fixed."""
    rows = []
    for title, scan, remat, parts in (
        ("scan", True, False, 1),
        ("scan, remat", True, True, 1),
        ("layers", False, False, 1),
    ):
        size: dict[str, Any] = {"width": 768, "count": 12, "vocabulary": 50304, "tokens": (32, 1024), "columns": True}
        for plan, constrained in (("propagation", False), ("constraints", True)):
            text = gpt(scan=scan, remat=remat, parts=parts, constrained=constrained, **size).as_text(debug_info=True)
            found = sdy.auto.estimate(text, "h100")
            rows.append((title, "8", plan, *_cells(found.step, found.bytes_sent, found.memory.peak), "", "", ""))
        text = gpt(scan=scan, remat=remat, parts=parts, constrained=False, **size).as_text(debug_info=True)
        planned, seconds = _timed(text, None, "h100", 1)
        cost, predicted = planned.cost, planned.predicted.step
        cells = _cells(cost.step, cost.bytes_sent, cost.memory)
        rows.append(
            (title, "8", "found", *cells, f"{predicted * 1e3:.2f}", f"{cost.step / found.step:.2f}", f"{seconds:.1f}")
        )
    return rows


def _timed(text: str, sizes: dict[str, int] | None, machine: str, verify: int) -> tuple[Any, float]:
    module = sdy.parse(text)
    started = time.process_time()
    plan = sdy.auto.partition(module, sizes, machine, verify=verify, memory_limit=math.inf)
    return plan, time.process_time() - started


def _cells(step: float, sent: float, memory: float) -> tuple[str, ...]:
    return (f"{step * 1e3:.2f}", f"{sent / 1e9:.3f}", f"{memory / 2**30:.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], help="by default all")
    parser.add_argument("--mesh", choices=MESHES, action="append")
    parser.add_argument("--inside", action="store_true", help="arguments and results as FSDP has them")
    given = parser.parse_args(arguments)
    headings = ("program", "mesh", "plan", "step ms", "sent GB", "GiB", "predicted", "ratio", "CPU s")
    if given.inside:
        print(columns([headings, *inside_rows()]))
        return
    ratios: dict[str, list[float]] = {}
    for mesh in given.mesh or DEFAULT:
        for name in given.programs or PROGRAMS:
            rows, ratio, _ = rows_of(name, mesh)
            ratios.setdefault(mesh, []).append(ratio)
            print(columns([headings, *rows]), flush=True)
    for mesh, found in ratios.items():
        mean = math.exp(sum(map(math.log, found)) / len(found))
        print(f"{mesh}: geometric mean {mean:.2f}, worst {max(found):.2f}, of {len(found)} programs")


if __name__ == "__main__":
    main()
