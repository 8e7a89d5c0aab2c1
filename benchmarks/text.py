"""Reading and writing text: with our assembly engine around the upstream parser, and with C++ alone."""

from __future__ import annotations

from benchmarks.common import paired, print_table
from benchmarks.peers import Ours, Reference
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96")


def main() -> None:
    ours, reference = Ours(), Reference()
    texts = {name: reference.result(program(name), "sdy-propagation-pipeline") for name in PROGRAMS}
    for title, work in (("parse and verify", "parsing"), ("print", "printing")):
        rows = [
            paired(f"{name}, {len(text) / 1e6:.2f} MB", getattr(ours, work)(text), getattr(reference, work)(text))
            for name, text in texts.items()
        ]
        print_table(title, rows)


if __name__ == "__main__":
    main()
