"""Plans that are found, beside what experts write down: how long a step takes, bytes that are sent, memory.

python -m benchmarks.auto_partitioning                       # all programs on three meshes
python -m benchmarks.auto_partitioning mlp moe --mesh 4x2    # these
python -m benchmarks.auto_partitioning --mesh 16x16          # 256 devices
python -m benchmarks.auto_partitioning --random              # beside shardings that are drawn
python -m benchmarks.auto_partitioning --phases              # what the plans took to be found
python -m benchmarks.auto_partitioning --inside              # arguments and results stay as they are

Figures are milliseconds of a step on the machine "generic" without overlap, and what a device sends and holds. Of each
plan that was found there is the ratio to the best of the four experts that only say how arguments lie, and to the best
of all. Goals: no program slower than the best expert; geometric mean of the ratios to the four at most 0.80 on 4x2, and
0.70 with a slow outer axis; what was predicted within a tenth of what is measured; 24 layers in ten seconds of a core.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence

from benchmarks.auto_partitioning.experts import SIMPLE, experts_of
from benchmarks.auto_partitioning.measured import MESHES, of_expert, of_random, phases, planned
from benchmarks.auto_partitioning.programs import PROGRAMS
from sdy.report.text_table import columns

DEFAULT = ("8", "4x2", "slow")
HEADINGS = ("plan", "step ms", "sent GB", "GiB", "predicted", "of four", "of all", "CPU s")


def rows_of(name: str, mesh: str, given: argparse.Namespace) -> tuple[list[tuple[str, ...]], tuple[float, ...]]:
    """Lines of the table; ratios to the best of the simple experts and of all, and of prediction to measurement."""
    program, (sizes, machine) = PROGRAMS[name](), MESHES[mesh]
    rows, steps = [], {}
    for title, expert in experts_of(name, sizes).items():
        found = of_expert(program, expert, mesh)
        steps[title] = found.step
        rows.append((title, *cells(found.step, found.bytes_sent, found.memory.peak)))
    if given.random:
        drawn = of_random(program, mesh)
        rows.append(("best of 20 drawn", *cells(drawn.step, drawn.bytes_sent, drawn.memory.peak)))
    plan, seconds = planned(program.text(), sizes, machine)
    cost = plan.cost
    of_four, of_all = cost.step / min(steps[title] for title in SIMPLE), cost.step / min(steps.values())
    time = f"{seconds:.1f}"
    if given.phases:
        first, search = phases(program.text(), sizes, machine)
        time = f"{first:.1f} first descent, {search:.1f} search, {seconds:.1f} with measuring"
    found = cells(cost.step, cost.bytes_sent, cost.memory)
    rows.append(("found", *found, f"{plan.predicted.step * 1e3:.2f}", f"{of_four:.2f}", f"{of_all:.2f}", time))
    return rows, (of_four, of_all, plan.predicted.step / cost.step)


def cells(step: float, sent: float, memory: float) -> tuple[str, ...]:
    return (f"{step * 1e3:.2f}", f"{sent / 1e9:.3f}", f"{memory / 2**30:.2f}")


def _mean(ratios: Iterable[float]) -> float:
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logarithms) / len(logarithms))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], help="by default all")
    parser.add_argument("--mesh", choices=MESHES, action="append")
    parser.add_argument("--inside", action="store_true", help="arguments and results as FSDP has them")
    parser.add_argument("--random", action="store_true", help="also the best of 20 plans that are drawn; slow")
    parser.add_argument(
        "--phases", action="store_true", help="seconds of each part of the search; searches three times"
    )
    given = parser.parse_args(arguments)
    if given.inside:
        from benchmarks.auto_partitioning.inside import inside_rows

        print(columns([("program", *HEADINGS), *inside_rows()]))
        return
    for mesh in given.mesh or DEFAULT:
        ratios = []
        for name in given.programs or PROGRAMS:
            rows, found = rows_of(name, mesh, given)
            ratios.append(found)
            width = max(map(len, rows), default=0)
            headings = (f"{name} on {mesh}", *HEADINGS[1:])[:width]
            print(columns([headings, *((*row, *[""] * (width - len(row))) for row in rows)]), flush=True)
        of_four, of_all, predicted = zip(*ratios, strict=True)
        print(
            f"{mesh}: geometric mean {_mean(of_four):.2f} of the best of four experts, {_mean(of_all):.2f} of all, "
            f"worst {max(of_all):.2f}; predicted {min(predicted):.2f} to {max(predicted):.2f} of measured; "
            f"{len(ratios)} programs",
            flush=True,
        )


if __name__ == "__main__":
    main()
