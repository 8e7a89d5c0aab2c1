"""Time and memory of the pipelines on synthetic programs of growing size; both have to grow with the size.

With more devices, of which each has the same part, neither may: goal at most 1.3 times the time, the memory and the
text of 8 devices for 32,768.

Each measurement is a process of its own, so that the peak memory (of the whole process) is that of one program.

    python -m benchmarks.scaling                                       # everything
    python -m benchmarks.scaling sdy-propagation-pipeline chain 50000  # one measurement
    python -m benchmarks.scaling devices                               # numbers of devices
    python -m benchmarks.scaling devices shift 4096                    # one measurement of them
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import sdy
from benchmarks.device_programs import DEVICE_PROGRAMS
from benchmarks.synthetic import PROGRAMS

PIPELINES = ("sdy-propagation-pipeline", "sdy-export-pipeline", "sdy-partition-pipeline")
SIZES = {
    "chain": 25_000,
    "fan": 5_000,
    "call_graph": 500,
    "repeated_calls": 500,
    "meshes": 1_000,
    "groups": 1_000,
    "loops": 1_000,
    "nest": 30,
}
"""The smallest of the three sizes; each next one is twice as large."""


@dataclass(frozen=True)
class Measured:
    """CPU seconds of reading, the passes and writing; the largest size of the process, in MB, before them and after."""

    reading: float
    passes: float
    writing: float
    before: float
    peak: float


def measure(pipeline: str, program: str, count: int) -> Measured:
    """Runs a pipeline on a synthetic program in this process."""
    text = PROGRAMS[program](count)
    before, started = _peak(), time.process_time()
    module = sdy.parse(text)
    read = time.process_time()
    sdy.run(module, pipeline)
    ran = time.process_time()
    sdy.print_module(module)
    return Measured(read - started, ran - read, time.process_time() - ran, before, _peak())


def _peak() -> float:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # On Linux the usage of a process includes that of the one it was forked from; this does not.
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure_apart(pipeline: str, program: str, count: int) -> Measured:
    """As `measure`, in a process of its own. Raises `RuntimeError` with what it said if it fails."""
    command = [sys.executable, "-m", "benchmarks.scaling", pipeline, program, str(count)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"{' '.join(command[2:])}: {(run.stderr or run.stdout)[-2000:]}")
    return Measured(**json.loads(run.stdout.splitlines()[-1]))


def print_scaling(pipeline: str, sizes: Sequence[tuple[str, int]]) -> None:
    """One row per size; rows of one program belong together, and growth is that since the row before."""
    print(f"{pipeline:<34}{'passes':>11}{'growth':>9}{'read':>11}{'print':>11}{'peak':>10}   (ours, CPU)")
    last: tuple[str, int, float] | None = None
    for program, count in sizes:
        found = measure_apart(pipeline, program, count)
        same = last is not None and last[0] == program
        growth = f"{found.passes / last[2]:.2f} x" if same and last is not None else ""
        label = f"{program} {count:,}"
        print(
            f"  {label:<32}{found.passes:>9.2f} s{growth:>9}{found.reading:>9.2f} s{found.writing:>9.2f} s"
            f"{found.peak:>7.0f} MB",
            flush=True,
        )
        last = (program, count, found.passes)
    print(flush=True)


DEVICES = (8, 64, 512, 4096, 32_768)
REPEATED = 5


@dataclass(frozen=True)
class OnDevices:
    """CPU seconds of partitioning, the least of several; the largest size of the process in MB; characters of text."""

    partitioning: float
    peak: float
    text: int


def measure_devices(program: str, devices: int) -> OnDevices:
    """Partitions a program for so many devices in this process."""
    text = DEVICE_PROGRAMS[program](devices)
    partitioned, taken = sdy.partition(DEVICE_PROGRAMS[program](DEVICES[0])), []
    for _ in range(REPEATED):
        started = time.process_time()
        partitioned = sdy.partition(text)
        taken.append(time.process_time() - started)
    return OnDevices(min(taken), _peak(), len(partitioned.text))


def print_devices() -> None:
    """One row per number of devices, with ratios to the first."""
    print(
        f"{'sdy.partition':<34}{'time':>11}{'ratio':>8}{'peak':>10}{'ratio':>8}{'text':>12}{'ratio':>8}   (ours, CPU)"
    )
    for program in DEVICE_PROGRAMS:
        few: OnDevices | None = None
        for devices in DEVICES:
            command = [sys.executable, "-m", "benchmarks.scaling", "devices", program, str(devices)]
            found = OnDevices(**json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
            few = few or found
            print(
                f"  {f'{program} {devices:,}':<32}{found.partitioning * 1e3:>8.1f} ms"
                f"{found.partitioning / few.partitioning:>8.2f}{found.peak:>7.0f} MB{found.peak / few.peak:>8.2f}"
                f"{found.text:>12,}{found.text / few.text:>8.2f}",
                flush=True,
            )
    print(flush=True)


def main() -> None:
    if sys.argv[1:] == ["devices"]:
        print_devices()
        return
    if sys.argv[1:2] == ["devices"]:
        print(json.dumps(asdict(measure_devices(sys.argv[2], int(sys.argv[3])))))
        return
    if len(sys.argv) == 4:
        pipeline, program, count = sys.argv[1:]
        print(json.dumps(asdict(measure(pipeline, program, int(count)))))
        return
    for pipeline in PIPELINES:
        print_scaling(pipeline, [(name, factor * size) for name, size in SIZES.items() for factor in (1, 2, 4)])
    print_devices()


if __name__ == "__main__":
    main()
