"""Shardings to and from XLA's encodings on a training step of a transformer, beside our own import pipeline.

Goal: a ratio of 1.0 in each row. Times are those of processors; what is read is not propagated, so that few ops have a
sharding, but for the last rows.
"""

from __future__ import annotations

import time
from typing import Any

import sdy
from benchmarks.common import Prepared, Row, paired, print_table
from tests.data.generate import program

IMPORT = "sdy-import-pipeline"
PROGRAM = "transformer_24"
STRINGS = ("xla-sdy-round-trip-export-pipeline", "xla-sdy-round-trip-import-pipeline{enable-constant-import=false}")
TILES = ("xla-sdy-stablehlo-export-pipeline", "xla-sdy-stablehlo-import-pipeline{enable-constant-import=false}")


def main() -> None:
    text = program(PROGRAM)
    propagated = _after(text, "sdy-propagation-pipeline")
    print_table(f"{PROGRAM}, beside {IMPORT}", _rows(text, text), peer="import")
    print_table(f"{PROGRAM}, a sharding on every op, beside {IMPORT}", _rows(propagated, text), peer="import")


def _rows(text: str, beside: str) -> list[Row]:
    rows: list[Row] = []
    for there, back in (STRINGS, TILES):
        rows.append(_row(there, text, beside))
        rows.append(_row(back.partition("{")[0], _after(text, there), beside, back))
    return rows


def _row(label: str, text: str, beside: str, passes: str = "") -> Row:
    return paired(label, _run(text, passes or label), _run(beside, IMPORT), clock=time.process_time)


def _run(text: str, passes: str) -> Any:
    def prepare() -> Prepared:
        module = sdy.parse(text)
        return lambda: sdy.run(module, passes, verify=False)

    return prepare


def _after(text: str, passes: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, passes)
    return str(module)


if __name__ == "__main__":
    main()
