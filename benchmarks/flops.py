"""Operations that each device does for a program: ours beside XLA's own partitioner.

    python -m benchmarks.flops                           # the programs of tests/data and of benchmarks/programs
    python -m benchmarks.flops unet_along_height resnet

As XLA counts them in what it compiled, the body of a loop once. Goal: at most 1.02 times XLA's on every program.
"""

from __future__ import annotations

from benchmarks.compiled_cost import Cost, in_own_process, print_table, ratio

HEADINGS = ("operations", "XLA", "ratio")


def cells(ours: Cost, xla: Cost) -> tuple[str, ...]:
    return f"{ours.operations:,.0f}", f"{xla.operations:,.0f}", ratio(ours.operations, xla.operations)


def main(arguments: list[str] | None = None) -> None:
    in_own_process("benchmarks.flops", arguments)


if __name__ == "__main__":
    print_table("operations on each device", __doc__ or "", HEADINGS, cells)
