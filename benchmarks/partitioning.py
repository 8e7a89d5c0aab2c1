"""From shardings to the program of one device: explicit reshards, collectives, local shapes."""

from __future__ import annotations

from benchmarks.common import print_table
from benchmarks.peers import Reference, passes_on
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "mlp_fsdp", "moe", "lstm")
STEPS = (
    "sdy-insert-explicit-reshards{enable-full-version=true mark-partial-result-with-unreduced-axes=true}",
    "sdy-resolve-permutation-factors",
    "sdy-reshard-to-collectives",
    "sdy-optimize-collectives",
    "canonicalize{enable-patterns=sdy-collective}",
    "sdy-pad-for-divisibility",
    "sdy-resolve-single-device-sharding",
    "sdy-convert-global-to-local",
)


def main() -> None:
    reference = Reference()
    texts = {name: reference.result(program(name), "sdy-propagation-pipeline") for name in PROGRAMS}
    whole = "sdy-export-pipeline{partitioner-stage=convert-global-to-local}"
    print_table(whole, [passes_on(name, text, whole) for name, text in texts.items()])
    text, rows = texts["transformer_24"], []
    for step in STEPS:
        rows.append(passes_on(step.partition("{")[0].removeprefix("sdy-"), text, step))
        text = reference.result(text, step)
    print_table("step by step on transformer_24", rows)


if __name__ == "__main__":
    main()
