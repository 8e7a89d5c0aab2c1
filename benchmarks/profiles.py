"""Predicted beside measured: collectives and fusions of programs on eight CPU devices, before and after a refit.

    python -m benchmarks.profiles                     # three programs
    python -m benchmarks.profiles cnn --runs=9

The machine is the one that `sdy.auto.measure` finds on these devices, and then the one that fits a first trace of the
program best; errors are those of a second trace. Devices share the cores of the host, so that times are noisy.
"""

from __future__ import annotations

import argparse
import tempfile
from typing import cast

import jax

import sdy.jax
from benchmarks.step_time import DEVICES, Step, steps
from sdy.report.profiles import Profile, ProfiledCollective
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration
from tests.data.programs.registry import DATA_MODEL, load

PROGRAMS = ("transformer_2", "moe", "lstm")


def profiled(name: str, step: Step, machine: sdy.Machine, runs: int) -> Profile:
    """Trace some runs."""

    def run() -> None:
        arguments = [jax.tree.map(lambda x: x + 0, each) for each in step.arguments]  # some are donated
        jax.block_until_ready(step.ours(*jax.block_until_ready(arguments)))

    run()
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            for _ in range(runs):
                run()
        return sdy.profile(cast("jax.stages.Compiled", step.ours), folder, machine, program=load()[name]())


def rows(name: str, before: Profile, after: Profile) -> list[tuple[str, ...]]:
    """Collectives with both errors, and the sums."""
    pairs = zip(before.collectives, after.collectives, strict=True)
    found = [(name if not at else "", *_row(one, other)) for at, (one, other) in enumerate(pairs)]
    ends = [("collectives", before.collectives, after.collectives), ("fusions", before.fusions, after.fusions)]
    for what, ones, others in ends:
        sums = [sum(each.predicted for each in both) for both in (ones, others)]
        measured = sum(each.measured for each in ones)
        found.append(("", f"all {what}", "", duration(measured), *(f"{each / measured - 1:+.0%}" for each in sums)))
    return found


def _row(before: ProfiledCollective, after: ProfiledCollective) -> tuple[str, ...]:
    ids = ", ".join(before.ids if len(before.ids) < 5 else [*before.ids[:3], f"{len(before.ids) - 3} more"])
    what = f"{before.kind} {', '.join(before.axes)}"
    return what, ids, duration(before.measured), f"{before.error:+.0%}", f"{after.error:+.0%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--runs", type=int, default=15)
    given = parser.parse_args()
    jax.config.update("jax_num_cpu_devices", DEVICES)
    machine = sdy.auto.measure(DATA_MODEL)
    table = [("program", "collective", "ids", "measured", "error", "refitted")]
    for step in steps([*given.programs]):
        if isinstance(step, str):
            print(step)
            continue
        first = profiled(step.name, step, machine, given.runs)
        second = profiled(step.name, step, machine, given.runs)
        table += rows(step.name, second, second.predicted_by(sdy.auto.measure(first)))
    print(columns(table))


if __name__ == "__main__":
    main()
