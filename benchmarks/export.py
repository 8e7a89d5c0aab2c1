"""Export on training steps of transformers that have been propagated: the pipeline, explicit reshards, all stages.

Goal: a ratio of 1.0 for the pipeline and for both versions of sdy-insert-explicit-reshards. Times are those of
processors.
"""

from __future__ import annotations

import time

from benchmarks.common import Row, print_growth, print_table
from benchmarks.peers import Reference, passes_on
from benchmarks.stages import print_stages
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96")
BY_STAGE = ("transformer_24", "transformer_96")
PIPELINE = "sdy-export-pipeline"
RESHARDS = "sdy-insert-explicit-reshards"
BEFORE = (
    "sdy-import-pipeline",
    "sdy-apply-sharding-constraints",
    "sdy-sharding-group-import",
    "sdy-import-func-calls{add-data-flow-edges-on-named-computations=true}",
    "sdy-user-priority-propagate{keep-sharding-rules=true}",
    "sdy-export-named-computations",
)
CLOSING = (
    "sdy-constant-or-scalar-merger",
    "sdy-sink-data-flow-edges",
    "sdy-remove-sharding-groups",
    "sdy-sharding-constraint-to-reshard",
    "sdy-update-non-divisible-input-output-shardings",
    "sdy-remove-sub-axes-in-input-output-shardings",
    "sdy-close-shardings",
)
"""What the reshards are inserted into."""


def main() -> None:
    reference = Reference()
    texts = {name: reference.result(program(name), *BEFORE) for name in PROGRAMS}
    rows = _rows(texts, PIPELINE)
    print_table(f"{PIPELINE}, CPU", rows)
    print_growth(rows[1:2], rows[2:])
    print_table(f"{PIPELINE}, neither verifying", _rows(texts, PIPELINE, verify=False))
    closed = {name: reference.result(texts[name], *CLOSING) for name in BY_STAGE}
    for options in ("", "{enable-full-version=true}"):
        print_table(f"{RESHARDS}{options}", _rows(closed, RESHARDS + options))
        print_table("the same, neither verifying", _rows(closed, RESHARDS + options, verify=False))
    for name in BY_STAGE:
        print_stages(PIPELINE, name, texts[name])


def _rows(texts: dict[str, str], passes: str, *, verify: bool = True) -> list[Row]:
    return [passes_on(name, text, passes, clock=time.process_time, verify=verify) for name, text in texts.items()]


if __name__ == "__main__":
    main()
