"""All benchmarks, one after the other, or those that are named; each is a process of its own.

python -m benchmarks                         # all, which takes about half an hour on two cores
python -m benchmarks propagation step_time
"""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = (
    "parse_print",
    "importing",
    "propagation",
    "export",
    "partition_time",
    "scaling",
    "communication",
    "memory",
    "flops",
    "step_time",
    "dispatch",
    "pipeline_dispatch",
    "compile_time",
    "type_inference",
    "overlap",
    "hlo_text",
    "interchange",
    "auto_partitioning",
)


def main(wanted: list[str]) -> int:
    unknown = [name for name in wanted if name not in BENCHMARKS]
    if unknown:
        print(f"unknown benchmark '{unknown[0]}'; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    failed = 0
    for name in wanted or BENCHMARKS:
        print(f"--- {name}\n", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"benchmarks.{name}"]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
