"""Memory that each device needs for a program: ours beside XLA's own partitioner.

    python -m benchmarks.memory                          # the programs of tests/data and of benchmarks/programs
    python -m benchmarks.memory gpt_fsdp_scan token_shift

Temporary memory, arguments and results are what XLA assigns buffers for. Goal: at most 1.02 times XLA's temporary
memory on every program. What is sent stands beside it, since one can be had for the other.
"""

from __future__ import annotations

from benchmarks.compiled_cost import Cost, in_own_process, print_table, ratio

HEADINGS = ("temporary", "XLA", "ratio", "arguments", "XLA", "results", "XLA", "sent", "XLA", "ratio")


def cells(ours: Cost, xla: Cost) -> tuple[str, ...]:
    return (
        f"{ours.temporary:,}",
        f"{xla.temporary:,}",
        ratio(ours.temporary, xla.temporary),
        f"{ours.arguments:,}",
        f"{xla.arguments:,}",
        f"{ours.results:,}",
        f"{xla.results:,}",
        f"{ours.sent:,.0f}",
        f"{xla.sent:,.0f}",
        ratio(ours.sent, xla.sent),
    )


def main(arguments: list[str] | None = None) -> None:
    in_own_process("benchmarks.memory", arguments)


if __name__ == "__main__":
    print_table("bytes on each device", __doc__ or "", HEADINGS, cells)
