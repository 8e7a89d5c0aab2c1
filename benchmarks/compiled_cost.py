"""What a partitioned program costs on each device, as XLA counts it: ours beside XLA's own, compiled alike.

`print_table` compiles programs of `benchmarks.programs` in a process that has eight CPU devices.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax

import sdy.jax
from benchmarks.programs.registry import Lower, load
from sdy.hlo import collectives
from sdy.report.text_table import columns

DEVICES = 8
FAST = {"xla_backend_optimization_level": 0}
"""Makes XLA compile faster; buffers and operations are the same."""


@dataclass(frozen=True)
class Cost:
    """Bytes of temporary memory, of arguments and of results on each device; operations and bytes sent in one run.

    The body of a loop counts once among the operations, and as often as it runs among what is sent.
    """

    temporary: int
    arguments: int
    results: int
    operations: float
    sent: float


@dataclass(frozen=True)
class Pair:
    """A program partitioned by us and by XLA; `failure` says why there are no figures."""

    program: str
    ours: Cost | None = None
    xla: Cost | None = None
    failure: str = ""


Cells = Callable[[Cost, Cost], tuple[str, ...]]
"""What a table shows of our cost and XLA's."""


def ratio(ours: float, xla: float) -> str:
    """1.00 if both are 0."""
    return f"{ours / xla:.2f}" if xla else ("inf" if ours else "1.00")


def measure(name: str, lower: Lower, *, fast: bool = True) -> Pair:
    """Each side lowers for itself, since JAX keeps what it once compiled of a lowering; `fast` is for CPUs alone."""
    options = FAST if fast else None
    try:
        xla = cost_of(lower().compile(compiler_options=options))
        with sdy.jax.partitioned():
            ours = cost_of(lower().compile(compiler_options=options))
    except Exception as error:  # noqa: BLE001  (any failure of either side, which is what the row says)
        return Pair(name, failure=(str(error).splitlines() or [type(error).__name__])[0])
    return Pair(name, ours, xla)


def measure_pair(theirs: Lower, ours: Lower) -> tuple[Cost, Cost]:
    """Return our cost and XLA's of two lowerings of one program."""
    xla = cost_of(theirs().compile(compiler_options=FAST))
    return cost_of(ours().compile(compiler_options=FAST)), xla


def cost_of(compiled: jax.stages.Compiled) -> Cost:
    """Return what a device does in a compiled program."""
    memory, operations = compiled.memory_analysis(), compiled.cost_analysis() or {}
    found = [one for one in collectives(compiled.as_text() or "", DEVICES) if one.group_size > 1]
    assert memory is not None and isinstance(operations, dict)
    return Cost(
        memory.temp_size_in_bytes,
        memory.argument_size_in_bytes,
        memory.output_size_in_bytes,
        float(operations.get("flops", 0.0)),
        sum(one.times * one.moved_bytes for one in found),
    )


def in_own_process(module: str, arguments: Sequence[str] | None) -> None:
    """Runs a benchmark where nothing has asked for devices yet."""
    subprocess.run([sys.executable, "-m", module, *(arguments or [])], check=True)


def print_table(title: str, description: str, headings: Sequence[str], cells: Cells) -> None:
    """A row for each program that the command line names, or for all."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    wanted = parser.parse_args().programs
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    programs = load()
    unknown = [name for name in wanted if name not in programs]
    if unknown:
        parser.error(f"unknown program '{unknown[0]}'; there are {', '.join(programs)}")
    pairs = [measure(name, programs[name]) for name in wanted or programs]
    rows = [(pair.program, *cells(pair.ours, pair.xla)) for pair in pairs if pair.ours and pair.xla]
    print(f"{title}, {DEVICES} CPU devices")
    print(columns([("program", *headings), *rows]))
    for pair in pairs:
        if pair.failure:
            print(f"  {pair.program}: {pair.failure}")
