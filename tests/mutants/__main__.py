"""The command line: see the package."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.mutants import record
from tests.mutants.children import Child, run_all
from tests.mutants.meeting import BROKEN, chosen, longest, meet
from tests.mutants.mutations import SAMPLE, Mutation, every, sample
from tests.mutants.probe import ROOT

HERE = Path(__file__).parent
ENOUGH = 0.92
"""The part of the mutants, without the equivalent ones, that has to be noticed."""


def main() -> int:
    options = _options()
    _prepare_environment()
    _import_what_stays()
    (ROOT / "build" / "mutants").mkdir(parents=True, exist_ok=True)
    if not options.keep_record:
        record.make(options.jobs)
    if options.only_record:
        return 0
    kept = record.load()
    there = list(every())
    wanted = there if options.any else sample(there)
    mutants = [one for one in wanted if options.room in ("", one.room) and re.search(options.pattern, str(one))]
    known = equivalents()
    run = [one for one in mutants if one.key not in known]
    outcomes = _run(run, kept, options)
    stale = sorted(known.keys() - {one.key for one in there})
    return _report(mutants, outcomes, stale)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--room", default="", choices=["", *SAMPLE], help="mutants of one room")
    parser.add_argument("--pattern", default="", help="mutants whose description this regular expression finds")
    parser.add_argument("--any", action="store_true", help="not only mutants of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="tests per mutant (default: %(default)s)")
    parser.add_argument("--keep-record", action="store_true", help="use the record there is, even if it is old")
    parser.add_argument("--only-record", action="store_true", help="make the record and stop")
    return parser.parse_args()


def _prepare_environment() -> None:
    """For this process and all that the tests start."""
    startup = str(HERE / "startup")
    if startup not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [startup, os.environ.get("PYTHONPATH")]))
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    from tests import conftest

    assert conftest


def _import_what_stays() -> None:
    """All that tests import but for the package itself: every test runs in a fork of this process."""
    import importlib

    for name in (
        "hypothesis jax jax.numpy jaxlib.mlir.ir numpy pytest filecheck.main lit.ShUtil torch_mlir.ir "
        "torch_mlir.passmanager torch_mlir.rewrite torch_mlir.dialects.irdl torch_mlir.dialects.ext "
        "torch_mlir._mlir_libs._stablehlo"
    ).split():
        importlib.import_module(name)
    assert not any(name.partition(".")[0] == "sdy" for name in sys.modules)


def equivalents() -> dict[tuple[str, str, str, str, int], str]:
    """Mutants that nobody can notice, and why."""
    text = (HERE / "equivalent.toml").read_text(encoding="utf-8")
    return {
        (one["file"], one["function"], one["original"], one["mutated"], one.get("occurrence", 0)): one["reason"]
        for one in tomllib.loads(text).get("equivalent", [])
    }


def _run(mutants: Sequence[Mutation], kept: record.Record, options: argparse.Namespace) -> dict[Mutation, str]:
    """What noticed each mutant; an empty text if nothing did."""
    outcomes: dict[Mutation, str] = {}

    def ended(mutation: Mutation, answer: Path, in_time: bool) -> None:
        said = answer.read_text(encoding="utf-8") if answer.exists() else "it died"
        outcomes[mutation] = said if in_time else "time is up"
        print(f"[{len(outcomes)}/{len(mutants)}] {mutation}: {outcomes[mutation] or 'SURVIVES'}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        children = []
        for number, mutation in enumerate(mutants):
            tests = chosen(kept.covering(mutation.path, mutation.lines), options.seconds)
            answer = Path(folder) / str(number)
            run = partial(meet, mutation, tests, answer)
            children.append(Child(run, longest(tests), partial(ended, mutation, answer)))
        run_all(children, options.jobs)
    return outcomes


def _report(mutants: Sequence[Mutation], outcomes: dict[Mutation, str], stale: Sequence[tuple]) -> int:
    survivors = [one for one, noticed_by in outcomes.items() if not noticed_by]
    print(f"\n{'room':14}{'mutants':>9}{'equivalent':>12}{'noticed':>9}{'survive':>9}")
    for room in (*SAMPLE, ""):
        of_room = [one for one in mutants if room in ("", one.room)]
        if not of_room:
            continue
        met = [one for one in of_room if one in outcomes]
        noticed = [one for one in met if outcomes[one]]
        share = f"{len(noticed) / len(met):.0%}" if met else "-"
        counts = f"{len(of_room):9}{len(of_room) - len(met):12}{share:>9}{len(met) - len(noticed):9}"
        print(f"{room or 'all':14}{counts}")
    broken = [one for one, noticed_by in outcomes.items() if noticed_by == BROKEN]
    for title, rows in (
        ("survivors", survivors),
        (BROKEN, broken),
        ("in equivalent.toml but not in the source", stale),
    ):
        if rows:
            print(f"\n{title}:", *(f"  {row}" for row in rows), sep="\n")
    return len(survivors) > (1 - ENOUGH) * len(outcomes) or bool(broken or stale)


if __name__ == "__main__":
    started = time.monotonic()
    code = main()
    print(f"{time.monotonic() - started:.0f} s")
    sys.exit(code)
