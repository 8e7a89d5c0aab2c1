"""Feeds damaged modules to sdy-opt: python -m tests.robustness [--count N] [--start N] [--seed N] [--passes]."""

from __future__ import annotations

import argparse
import sys

from tests.robustness.inputs import damaged_module, damaged_run
from tests.robustness.worker import Worker


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.robustness", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="number of inputs (default: %(default)s)")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--passes", action="store_true", help="run passes on the inputs")
    parser.add_argument("--seed", type=int, help="one input only; it is printed")
    arguments = parser.parse_args()
    worker, failed = Worker(), 0
    seeds = range(arguments.start, arguments.start + arguments.count)
    for seed in seeds if arguments.seed is None else [arguments.seed]:
        data, run = damaged_run(seed) if arguments.passes else (damaged_module(seed), None)
        problem = worker.run(data, as_tool=seed % 20 == 0, run=run)
        if problem is not None or arguments.seed is not None:
            failed += problem is not None
            print(f"=== seed {seed}, {run}: {problem}", flush=True)
        if arguments.seed is not None:
            sys.stdout.buffer.write(data)
    worker.stop()
    print(f"{failed} of {len(seeds)} inputs not taken as they should be")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
