"""What all pipelines make of many programs, held against what another commit made of them.

python -m benchmarks.texts --save before.json                  # in the one checkout
python -m benchmarks.texts --against before.json               # in the other
python -m benchmarks.texts --against before.json --random 100 --families exchanges --show

Programs: those of tests/data, random ones of each kind that parity and numerics draw, single ops, exchanges. Of each
program and pipeline the digest of the text counts; an error counts by its message. For a change of structure all are
equal; where a partitioned text may differ, the bytes that it sends are shown beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import sdy
from sdy.mlir.diagnostics import DiagnosticError, collecting
from tests.data.generate import names
from tests.data.generate import program as data_program
from tests.generators import sums
from tests.generators.op_instances import GENERATORS, random_instance
from tests.generators.programs import generate
from tests.numerics import one_op, test_exchanges
from tests.parity.case_features import DENSE, LOCAL, MOVES, RESHARDS, UNEVEN

PIPELINES = ("sdy-import-pipeline", "sdy-propagation-pipeline", "sdy-partition-pipeline{keep-records=true}")
KINDS = {"dense": DENSE, "local": LOCAL, "moves": MOVES, "reshards": RESHARDS, "uneven": UNEVEN}
FAMILIES = ("data", *KINDS, "ops", "sums", "exchanges")


def programs(families: list[str], count: int) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each program; `count` of each random family."""
    for family in families:
        if family == "data":
            yield from ((f"data {name}", data_program(name)) for name in names())
            continue
        for seed in range(count):
            yield f"{family} {seed}", _random(family, seed)


def _random(family: str, seed: int) -> str:
    if family in KINDS:
        return generate(seed, KINDS[family])
    if family == "sums":
        return sums.generate(seed)
    if family == "ops":
        kinds = sorted(GENERATORS)
        return one_op.program(random_instance(kinds[seed % len(kinds)], seed), Random(seed))
    made = sorted(test_exchanges.FAMILIES)
    family = made[seed % len(made)]
    return test_exchanges.FAMILIES[family](Random(f"{family} {seed}")).text


def made_of(text: str, pipeline: str) -> str:
    """Return the text that a pipeline makes, or its error."""
    try:
        with collecting(lambda _: None):
            module = sdy.parse(text, context=sdy.make_context(allow_unregistered_dialects=True))
            sdy.run(module, pipeline)
            return sdy.print_module(module)
    except DiagnosticError as error:
        return f"error: {error}"


def sent(text: str) -> str:
    """Return the bytes that a partitioned program sends, for people."""
    try:
        with collecting(lambda _: None):
            return str(sdy.communication(text).bytes_sent)
    except DiagnosticError as error:
        return f"error: {error}"


def main() -> int:
    """Save digests, or compare with saved ones; 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--random", type=int, default=250, help="programs of each random family")
    parser.add_argument("--families", nargs="*", default=list(FAMILIES), choices=FAMILIES)
    parser.add_argument("--show", type=Path, help="folder for the texts that differ")
    given = parser.parse_args()
    before = json.loads(given.against.read_text()) if given.against else {}
    made: dict[str, list[str]] = {}
    different = 0
    for name, text in programs(given.families, given.random):
        results = [made_of(text, pipeline) for pipeline in PIPELINES]
        made[name] = [*(hashlib.sha256(result.encode()).hexdigest()[:16] for result in results), sent(results[-1])]
        if name in before and before[name][:-1] != made[name][:-1]:
            different += 1
            where = [pipeline for n, pipeline in enumerate(PIPELINES) if before[name][n] != made[name][n]]
            print(f"{name}: {' '.join(where)} differ; bytes {before[name][-1]} -> {made[name][-1]}", flush=True)
            if given.show:
                given.show.mkdir(parents=True, exist_ok=True)
                path = given.show / f"{name.replace(' ', '_')}.mlir"
                path.write_text(text)
                for pipeline, result in zip(PIPELINES, results, strict=True):
                    path.with_suffix(f".{pipeline}.mlir").write_text(result)
    if given.save:
        given.save.write_text(json.dumps(made, indent=0))
    if given.against:
        compared = sum(name in before for name in made)
        print(f"{compared} programs compared, {different} differ")
        return 1 if different or not compared else 0
    print(f"{len(made)} programs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
