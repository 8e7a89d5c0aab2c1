"""A pipeline and the passes that it is made of, on programs of growing size. Times are those of processors."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from benchmarks.common import Row, paired, print_growth, print_table
from benchmarks.peers import Ours, Reference, passes_on


def print_pipeline(pipeline: str, texts: Mapping[str, str]) -> list[Row]:
    """The whole pipeline on each of the texts; returns the rows of the table."""
    rows = [passes_on(name, text, pipeline, clock=time.process_time) for name, text in texts.items()]
    print_table(f"{pipeline}, CPU", rows)
    return rows


def print_passes(passes: Sequence[str], texts: Mapping[str, str]) -> None:
    """Each pass on what those before it leave, verification included, and how its time grows from text to text."""
    tables = {name: _rows(passes, text) for name, text in texts.items()}
    for name, rows in tables.items():
        print_table(f"{name}, CPU", rows)
    first, *others = tables.values()
    for rows in others:
        print_growth(first, rows)


def _rows(passes: Sequence[str], text: str) -> list[Row]:
    ours, reference, rows = Ours(), Reference(), []
    for each in passes:
        label = each.partition("{")[0].removeprefix("sdy-")
        rows.append(paired(label, ours.passes(text, each), reference.passes(text, each), clock=time.process_time))
        text = reference.result(text, each)
    return rows
