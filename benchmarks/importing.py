"""Import on training steps of transformers: the pipeline, and pass by pass."""

from __future__ import annotations

from benchmarks.common import print_growth
from benchmarks.pass_by_pass import print_passes, print_pipeline
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96", "transformer_24_functions", "transformer_96_functions")
BY_PASS = ("transformer_24", "transformer_96")
PASSES = (
    "symbol-dce",
    "sdy-lift-inlined-meshes",
    "sdy-remove-size-one-axes",
    "sdy-propagate-sharding-from-func-to-call",
    "sdy-constant-or-scalar-splitter",
    "sdy-manual-axes-cleanup",
    "sdy-add-data-flow-edges",
    "sdy-apply-sharding-constraints",
    "sdy-sharding-group-import",
)


def main() -> None:
    _, *rows = print_pipeline("sdy-import-pipeline", {name: program(name) for name in PROGRAMS})
    print_growth(rows[::2], rows[1::2])
    print_passes(PASSES, {name: program(name) for name in BY_PASS})


if __name__ == "__main__":
    main()
