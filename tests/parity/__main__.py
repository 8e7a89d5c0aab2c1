"""Compares passes with the reference from the command line: see the package."""

from __future__ import annotations

import argparse
import sys
import time

from sdy.passes.registry import passes, pipelines
from tests.parity.cases import UPSTREAM, cases
from tests.parity.compare import Tally, difference, original, prepared, report, smallest


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity", description=__doc__)
    parser.add_argument("pattern", nargs="?", default="", help="part of the pass's name or of the comparison's title")
    parser.add_argument("--seeds", type=int, default=100, help="number of random programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="one program only; it is printed")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--whole", action="store_true", help="do not reduce a program that shows a difference")
    parser.add_argument("--failures", type=int, default=1, help="stop a comparison after that many (default: 1)")
    arguments = parser.parse_args()
    failed = 0
    for case in cases([*passes(), *pipelines(), *UPSTREAM]):
        if arguments.pattern not in case.title:
            continue
        started, tally, failures = time.monotonic(), Tally(), 0
        first, count = (arguments.seed, 1) if arguments.seed is not None else (arguments.start, arguments.seeds)
        for seed in range(first, first + count):
            text = prepared(case, original(case, seed))
            if text is None:
                tally.unprepared += 1
                continue
            if arguments.seed is not None:
                print(text)
            found = difference(case, text, tally)
            if found is not None:
                failures += 1
                if failures <= arguments.failures:
                    print(report(case, seed, found if arguments.whole else smallest(case, seed, found)))
                if failures == arguments.failures:
                    break
        failed += failures > 0
        print(
            f"{'FAIL' if failures else 'ok  '} {case.title}: {tally} ({time.monotonic() - started:.1f} s)", flush=True
        )
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
