"""Partitioning: from propagated training steps to the program of one device, beside the passes of the reference.

Our partition pipeline does more than the reference's: it exchanges halos, merges and moves collectives to send fewer
bytes. So there are tables for the whole: the same passes on both sides (the export pipeline with all its stages),
and what users run, `sdy-partition-pipeline`, which starts from the annotated program; the latter also as the first
program of a context, which has not remembered anything yet (what propagation remembers is of the process). Neither side
verifies in the second table, nor in that of propagation and partition one after the other, in which both sides run the
same two pipelines. Times are those of processors.
"""

from __future__ import annotations

import time

from benchmarks.common import Prepare, Row, paired, print_growth, print_table
from benchmarks.peers import Ours, Reference, count_ops, passes_on
from benchmarks.scaling import print_scaling
from benchmarks.stages import print_stages
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96", "mlp_fsdp", "moe", "lstm")
LARGE = ("transformer_24", "transformer_96")
STAGES = "transformer_24"
PROPAGATE = "sdy-propagation-pipeline"
EXPORT = "sdy-export-pipeline{partitioner-stage=convert-global-to-local}"
PARTITION = "sdy-partition-pipeline"
SIZES = tuple((name, size // part) for name, size in (("chain", 20_000), ("loops", 2_000)) for part in (4, 2, 1))


def main() -> None:
    reference = Reference()
    texts = {name: reference.result(program(name), PROPAGATE) for name in PROGRAMS}
    rows = [passes_on(name, text, EXPORT, clock=time.process_time) for name, text in texts.items()]
    print_table(f"{EXPORT.partition('{')[0]}, all stages, CPU", rows)
    print_growth(rows[1:2], rows[2:3])
    rows = [passes_on(name, text, EXPORT, clock=time.process_time, verify=False) for name, text in texts.items()]
    print_table("the same, neither verifying", rows)
    both = [passes_on(name, program(name), PROPAGATE, EXPORT, clock=time.process_time, verify=False) for name in LARGE]
    print_table("propagation and partition, neither verifying", both)
    print_table(f"{PARTITION} (C++: {PROPAGATE}, {EXPORT.partition('{')[0]})", [_whole(name) for name in PROGRAMS])
    print_table("the same, the first program of a context", [_whole(name, is_first=True) for name in PROGRAMS])
    print_stages(EXPORT, STAGES, texts[STAGES])
    print_scaling(PARTITION, SIZES)


def _whole(name: str, *, is_first: bool = False) -> Row:
    """From the annotated program on; the reference runs its two pipelines one after the other."""
    text = program(name)
    label = f"{name}, {count_ops(text):,} ops"
    if is_first:
        ours, reference = lambda: _ours(text)(), lambda: _theirs(text)()
    else:
        ours, reference = _ours(text), _theirs(text)
    return paired(label, ours, reference, clock=time.process_time)


def _ours(text: str) -> Prepare:
    return Ours().passes(text, PARTITION)


def _theirs(text: str) -> Prepare:
    return Reference().passes(text, PROPAGATE, EXPORT)


if __name__ == "__main__":
    main()
