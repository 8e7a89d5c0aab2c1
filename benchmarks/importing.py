"""The import pipeline on training steps of transformers."""

from __future__ import annotations

from benchmarks.common import print_table
from benchmarks.peers import passes_on
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96", "transformer_24_functions", "transformer_96_functions")


def main() -> None:
    print_table("sdy-import-pipeline", [passes_on(name, program(name), "sdy-import-pipeline") for name in PROGRAMS])


if __name__ == "__main__":
    main()
