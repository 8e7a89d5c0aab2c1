"""Each step and pattern of the partition pipeline left out in turn: bytes, memory, FLOPs and compile time without it.

    python -m benchmarks.ablation                                        # programs, then functions: an hour
    python -m benchmarks.ablation --families data --steps sdy-inline-calls "sdy-reduce-communication{place-all-reduces}"
    python -m benchmarks.ablation --families functions --part 0/4 --save functions0.json
    python -m benchmarks.ablation --load functions0.json functions1.json # one table of saved figures

Families: `data` (tests/data), `programs` (benchmarks.programs), `functions` (functions of JAX with their gradients,
the first or the last dimension of their arguments sharded, as JAX lowers them for CPUs), `accelerators` (those that it
lowers otherwise for GPUs or TPUs). A step that leaves a program as it was is not left out of it. Bytes and FLOPs are
those of one run on each device, memory is the peak of the local program, all as the reports count them; time is that of
the step itself. A row says how many programs get worse (and the worst ratio), how many get better (and the best ratio).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import jax

import sdy
from benchmarks.programs.registry import TOO_LARGE, load
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.mlir.functions import funcs, symbol_name
from sdy.passes.costs.liveness import live_memory
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.costs.program_collectives import collectives_run, entry_functions, local_mesh, tensors
from sdy.passes.manager import run_pipeline
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline
from sdy.passes.pattern_sets import PatternOptions
from sdy.passes.registry import Pass, find, options_of
from sdy.passes.steps import Step
from sdy.report.text_table import columns
from sdy.stablehlo.idioms.loops import executions
from tests.data.generate import names as data_names
from tests.data.generate import program as data_program

FAMILIES = ("data", "programs", "functions", "accelerators")
PRODUCTS = frozenset(f"stablehlo.{name}" for name in ("dot_general", "dot", "convolution"))
SLIGHT = 1.001
"""Ratio up to which figures count as equal."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Bytes sent, peak memory and FLOPs of one device."""

    sent: float
    memory: int
    flops: float


@dataclass(slots=True)
class Measured:
    """A program: its figures, those without each step that changes it (or an error's text), seconds of each step."""

    name: str
    whole: Figures
    without: dict[str, Figures | str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


# Programs --------------------------------------------------------------------------------------------


def sources(families: Sequence[str]) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name and the text of each program."""
    from tests.platforms.lowered import PLACES, all_names  # asks for devices

    if "data" in families:
        for name in data_names():
            if not name.endswith(TOO_LARGE):
                yield f"data {name}", lambda name=name: data_program(name)
    if "programs" in families:
        for name, lower in load().items():
            if name not in data_names():
                yield f"programs {name}", lambda lower=lower: lower().as_text()
    if "functions" in families or "accelerators" in families:
        for name in all_names():
            for place in PLACES:
                if "functions" in families:
                    yield f"functions {name} {place}", lambda name=name, place=place: _function(name, place, "cpu")
                if "accelerators" in families:
                    for other in ("cuda", "tpu"):
                        yield (
                            f"accelerators {name} {place} {other}",
                            lambda name=name, place=place, other=other: _elsewhere(name, place, other),
                        )


def _function(name: str, place: str, platform: str) -> str:
    from tests.platforms.lowered import case

    found = case(name)
    return "" if found is None else found.lowered(place, platform) or ""


def _elsewhere(name: str, place: str, platform: str) -> str:
    here, there = (re.sub(r"module @\S+", "", _function(name, place, each), count=1) for each in ("cpu", platform))
    return "" if here == there else _function(name, place, platform)


# Measuring -------------------------------------------------------------------------------------------


class Watch:
    """Observer of a pipeline: which steps change the module, and how long each runs."""

    verifies = False

    def __init__(self) -> None:
        self.changed: dict[str, None] = {}
        self.seconds: dict[str, float] = defaultdict(float)
        self._last = b""
        self._began = 0.0

    def before(self, step: Step, op: ir.Operation) -> None:
        self._began = time.process_time()

    def after(self, step: Step, op: ir.Operation) -> None:
        name = _piece(step)
        self.seconds[name] += time.process_time() - self._began
        module = op.parent.operation if op.name == "func.func" and op.parent else op
        last, self._last = self._last, _digest(module)
        if self._last != last:
            self.changed[name] = None

    def failed(self, step: Step, op: ir.Operation) -> None:
        """The program is left out: its error is raised."""


def _digest(op: ir.Operation) -> bytes:
    return hashlib.sha256(op.get_asm(print_generic_op_form=True, assume_verified=True).encode()).digest()


def steps(save_communication: bool = True) -> list[Step]:
    """Return the steps of the partition pipeline as JAX programs run it, a step for each pattern of a set."""
    options = PartitionOptions(
        executable=True, embedded=True, num_devices=8, keep_records=True, save_communication=save_communication
    )
    return [each for one in partition_pipeline(options) for each in _patterns_of(one)]


def _patterns_of(step: Step) -> list[Step]:
    found = find(step.name)
    options = options_of(step, found) if isinstance(found, Pass) else None
    if not isinstance(options, PatternOptions):
        return [step]
    others = {name: value for name, value in step.options.items() if not name.endswith("-patterns")}
    return [replace(step, options={**others, "enable-patterns": (each.label,)}) for each in options.chosen]


def _piece(step: Step) -> str:
    """The name of a step, with the label of its pattern."""
    labels = step.options.get("enable-patterns")
    return f"{step.name}{{{','.join(labels)}}}" if isinstance(labels, tuple) and labels else step.name


def optional_pieces() -> list[str]:
    """Return the steps and patterns that are there to make a program cheaper, not to make it local."""
    needed = set(map(_piece, steps(save_communication=False)))
    return [name for name in dict.fromkeys(map(_piece, steps())) if name not in needed]


def measure(name: str, text: str, wanted: Sequence[str]) -> Measured:
    """Partition a program whole, and without each step that changes it."""
    watch = Watch()
    found = Measured(name, _figures(text, "", watch), seconds=dict(watch.seconds))
    for step in watch.changed:
        if step in wanted:
            try:
                found.without[step] = _figures(text, step)
            except (DiagnosticError, sdy.InternalError, ValueError) as error:
                found.without[step] = str(error).splitlines()[0]
    return found


def _figures(text: str, without: str, *observers: Watch) -> Figures:
    module = sdy.parse(text)
    run_pipeline(module, [one for one in steps() if _piece(one) != without], observers=observers)
    operation = module.operation
    with module.context, ir.Location.unknown():
        functions = {symbol_name(function): function for function in funcs(operation)}
        mesh = local_mesh(operation)
        sent = flops = 0.0
        memory = 0
        for entry in entry_functions(operation):
            runs = collectives_run(entry, functions)
            sent += sum((each.times or 1) * each.moved_bytes for one in runs for each in tensors(one, mesh))
            products = executions(entry, functions, PRODUCTS)
            flops += sum((one.times or 1) * (product_operations(one.op) or 0.0) for one in products)
            memory += live_memory(entry, operation).peak
    return Figures(sent, memory, flops)


# The table -------------------------------------------------------------------------------------------

HEADINGS = ("step", "changes", "needed", "bytes", "fewer", "memory", "less", "FLOPs", "fewer", "seconds", "worst")


def table(programs: Sequence[Measured]) -> str:
    """Return a row for each step: programs that get worse and better without it, with the extreme ratio."""
    rows = []
    for step in dict.fromkeys([*optional_pieces(), *(step for one in programs for step in one.without)]):
        given = [(one, one.without[step]) for one in programs if step in one.without]
        compared = [(one, figures) for one, figures in given if isinstance(figures, Figures)]
        cells = []
        worst: list[tuple[float, str]] = []
        for key in ("sent", "memory", "flops"):
            ratios = [(_ratio(getattr(b, key), getattr(a.whole, key)), a.name) for a, b in compared]
            more, fewer = [one for one in ratios if one[0] > SLIGHT], [one for one in ratios if one[0] < 1 / SLIGHT]
            cells += [
                f"{len(ones)} ({pick(ones)[0]:.2f})" if ones else "0" for ones, pick in ((more, max), (fewer, min))
            ]
            worst += more
        spent = sum(one.seconds.get(step, 0.0) for one in programs)
        named = "; ".join(name for _, name in sorted(worst, reverse=True)[:3])
        rows.append((step, str(len(given)), str(len(given) - len(compared)), *cells, f"{spent:.2f}", named))
    return columns([HEADINGS, *rows])


def _ratio(without: float, whole: float) -> float:
    return without / whole if whole else (1.0 if not without else float("inf"))


def main() -> None:
    """Measure, or read saved figures, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="*", default=list(FAMILIES), choices=FAMILIES)
    parser.add_argument("--steps", nargs="*", help="steps to leave out; those that a program does not need by default")
    parser.add_argument("--part", default="0/1", help="which of how many parts of the programs")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--load", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", 8)
    if given.load:
        print(table([_read(entry) for path in given.load for entry in json.loads(path.read_text())]))
        return
    wanted = given.steps or optional_pieces()
    unknown = [name for name in wanted if name not in map(_piece, steps())]
    if unknown:
        parser.error(f"unknown step '{unknown[0]}'")
    number, parts = map(int, given.part.split("/"))
    programs: list[Measured] = []
    for place, (name, text) in enumerate(sources(given.families)):
        if place % parts != number:
            continue
        try:
            program = text()
            with collecting(lambda _: None):
                programs += [measure(name, program, wanted)] if program else []
        except Exception as error:  # noqa: BLE001 - a program that cannot be lowered or partitioned is named
            print(f"{name}: {(str(error).splitlines() or [type(error).__name__])[0]}", flush=True)
        if given.save and len(programs) % 20 == 0:
            given.save.write_text(json.dumps([asdict(one) for one in programs]))
    if given.save:
        given.save.write_text(json.dumps([asdict(one) for one in programs]))
    print(table(programs))


def _read(entry: dict) -> Measured:
    without = {key: one if isinstance(one, str) else Figures(**one) for key, one in entry["without"].items()}
    return Measured(entry["name"], Figures(**entry["whole"]), without, entry["seconds"])


if __name__ == "__main__":
    main()
