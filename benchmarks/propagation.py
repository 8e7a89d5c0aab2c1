"""Propagation: the whole pipeline on training steps, stage by stage, and on 100,000 ops and 2,000 functions.

The goal is a ratio of at most 1.0 to the reference as it comes, which verifies after every pass (ours verifies once, at
the end). Beyond that goal is one to the reference without its verifier.

What ours takes is mostly the way into C++ and back, which costs 0.3 to 0.7 us for each op, attribute, value and type
that is handed to Python. Of 280 ms for 24 layers, of 8,600 ops, 36 are the sweeps of propagation, from the first visit
to the last; 40 are reading the module, 27 what it says about shardings and rules, 10 writing the outcome; the other
passes, which have no loop of that kind, take the rest. Without the sweeps, or with sweeps that took no time, the
pipeline would take twice as long as the reference without its verifier. So there is no native part: the bindings are
what the time goes to, and the engine is Python only.
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
