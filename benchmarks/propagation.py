"""Propagation: the whole pipeline on training steps, stage by stage, and on 100,000 ops and 2,000 functions.

The goal is a ratio of at most 1.0 to the reference as it comes, which verifies after every pass (ours verifies once, at
the end). Beyond that goal is one to the reference without its verifier.

What ours takes is mostly the way into C++ and back, which costs 0.1 to 0.8 us for each op, attribute, value and type
that is handed to Python, about 2 us an op in all. Of 131 ms for 24 layers, of 8,600 ops, 62 are the pass that
propagates: 27 reading the module, 15 the sweeps, the rest the shardings that are there, who is told of changes, and
writing the outcome. Searches that find nothing take 5 ms in propagation and partition together: with the names of
absent ops known from pass to pass, both take as long as before (0.997, 1.002, in turns). The interpreter of these
figures, Python 3.13, was built without profile-guided optimization. Debian's Python 3.11, which was built with it,
takes 0.87 of the time for 24 layers and 0.88 for 96 (in turns, others on the machine), and so would bring a ratio of
1.34 to 1.17. There is no native part: it would have to be the engine as a whole.
"""

from __future__ import annotations

import time

from benchmarks.common import Row, print_growth, print_table
from benchmarks.peers import Reference, passes_on
from benchmarks.scaling import print_scaling
from benchmarks.stages import print_stages
from tests.data.generate import program
from tests.generators.call_graphs import chain

PIPELINE = "sdy-propagation-pipeline"
STEPS = ("transformer_24", "transformer_96")
OTHERS = ("transformer_24_functions", "cnn", "lstm", "moe")
PASSES = ("sdy-basic-propagate", "sdy-aggressive-propagate", "sdy-op-priority-propagate", "sdy-user-priority-propagate")
CALLS = (10, 12, 14)
SIZES = tuple((name, size // part) for name, size in (("chain", 100_000), ("call_graph", 2_000)) for part in (2, 1))


def main() -> None:
    rows = _pipeline(*STEPS)
    print_table(f"{PIPELINE}, CPU", rows)
    print_growth(rows[:1], rows[1:])
    print_table(f"{PIPELINE}, C++ not verifying", _pipeline(*STEPS, verify_reference=False))
    print_table(f"{PIPELINE}, neither verifying", _pipeline(*STEPS[:1], verify=False))
    print_table(f"{PIPELINE}, other programs", _pipeline(*OTHERS))
    shared = [
        passes_on(f"{count} functions", chain(count), PIPELINE, clock=time.process_time, threads=False)
        for count in CALLS
    ]
    print_table(f"{PIPELINE}, each function calls the next one twice", shared)
    for name in STEPS[:1]:
        print_stages(PIPELINE, name, program(name))
    reference = Reference()
    imported = {name: reference.result(program(name), "sdy-import-pipeline") for name in STEPS[:1]}
    for name in PASSES:
        print_table(f"{name}, CPU", [_row(key, text, name) for key, text in imported.items()])
    print_scaling(PIPELINE, SIZES)


def _pipeline(*names: str, verify: bool = True, verify_reference: bool | None = None) -> list[Row]:
    return [_row(name, program(name), PIPELINE, verify=verify, verify_reference=verify_reference) for name in names]


def _row(label: str, text: str, name: str, *, verify: bool = True, verify_reference: bool | None = None) -> Row:
    return passes_on(label, text, name, clock=time.process_time, verify=verify, verify_reference=verify_reference)


if __name__ == "__main__":
    main()
