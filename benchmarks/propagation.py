"""Propagation on training steps: the whole pipeline, and the propagation passes alone on what the import leaves."""

from __future__ import annotations

from benchmarks.common import print_table
from benchmarks.peers import Reference, passes_on
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96", "transformer_24_functions", "cnn", "lstm", "moe")
PASSES = ("sdy-basic-propagate", "sdy-aggressive-propagate", "sdy-op-priority-propagate", "sdy-user-priority-propagate")


def main() -> None:
    rows = [passes_on(name, program(name), "sdy-propagation-pipeline") for name in PROGRAMS]
    print_table("sdy-propagation-pipeline", rows)
    reference = Reference()
    for name in PASSES:
        texts = {key: reference.result(program(key), "sdy-import-pipeline") for key in PROGRAMS[:2]}
        print_table(name, [passes_on(key, text, name) for key, text in texts.items()])


if __name__ == "__main__":
    main()
