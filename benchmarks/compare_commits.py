"""Two commits beside each other: the processor time of passes on real programs.

git worktree add ../before COMMIT && make -C ../before install
python -m benchmarks.compare_commits ../before                          # with this checkout
python -m benchmarks.compare_commits ../before ../after --runs 9 --programs moe lstm
python -m benchmarks.compare_commits ../before --passes sdy-export-pipeline

Each run is a process of its own with the environment of its checkout. The two take turns, so that both see the machine
in the same state, and the ratio is the median of the pairs' ratios: below 1 the second checkout is faster. There is a
table for the first program of a process, which loads the passes, too, and one for the same program once more in the
same context.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.common import RUNS, Row, print_table
from tests.data.generate import names, program

HERE = Path(__file__).parents[1]
PROGRAMS = ("mlp_fsdp", "moe", "lstm", "transformer_2", "transformer_scan", "transformer_24")
PASSES = ("sdy-propagation-pipeline", "sdy-partition-pipeline")
AGAIN = 3
"""How often a program is done again, of which the median counts."""

WORKER = """
import gc, json, sys, time
import sdy
text, passes, times = open(sys.argv[1]).read(), sys.argv[2], int(sys.argv[3])
context, taken = sdy.make_context(), []
for _ in range(1 + times):
    module = sdy.parse(text, context=context)
    gc.collect()
    started = time.process_time()
    sdy.run(module, passes)
    taken.append(time.process_time() - started)
print(json.dumps(taken))
"""
"""It has to run with either commit, so it uses no more than what every commit has."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="a checkout with its own .venv")
    parser.add_argument("after", type=Path, nargs="?", default=HERE, help="another; this one if there is none")
    parser.add_argument("--programs", nargs="+", default=PROGRAMS, choices=names(), metavar="NAME")
    parser.add_argument("--passes", nargs="+", default=PASSES, metavar="PASSES", help="pipelines, a table for each")
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        texts = {name: Path(folder, f"{name}.mlir") for name in options.programs}
        for name, path in texts.items():
            path.write_text(program(name), encoding="utf-8")
        for passes in options.passes:
            compare(passes, options.before.resolve(), options.after.resolve(), texts, options.runs)


def compare(passes: str, before: Path, after: Path, texts: Mapping[str, Path], runs: int) -> None:
    """Prints the tables for some passes."""
    first: list[Row] = []
    again: list[Row] = []
    for name, path in texts.items():
        pairs = [[_times(checkout, path, passes) for checkout in (after, before)] for _ in range(runs)]
        first.append(_row(name, [(new[0], old[0]) for new, old in pairs]))
        again.append(_row(name, [(statistics.median(new[1:]), statistics.median(old[1:])) for new, old in pairs]))
    print_table(f"{passes}, first of a process, CPU", first, runs, "before")
    print_table("the same program again", again, runs, "before")


def _times(checkout: Path, path: Path, passes: str) -> list[float]:
    """What each time took in a new process."""
    command = [str(checkout / ".venv" / "bin" / "python"), "-W", "ignore", "-c", WORKER]
    done = subprocess.run(
        [*command, str(path), passes, str(AGAIN)], cwd=checkout, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def _row(name: str, pairs: Sequence[tuple[float, float]]) -> Row:
    return Row(
        name,
        statistics.median(new for new, _ in pairs),
        statistics.median(old for _, old in pairs),
        statistics.median(new / old for new, old in pairs),
    )


if __name__ == "__main__":
    main()
