"""Where the time of a pipeline goes: its passes one after the other on one module, ours beside the reference.

No pass is verified; what verification takes, once, and the copy of the module that is there to report errors, are rows
of their own. Times are those of processors.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from jaxlib.mlir.passmanager import PassManager

from benchmarks.common import RUNS
from benchmarks.peers import Ours, Reference
from sdy.mlir.interpreter import collector_paused
from sdy.passes.manager import PlannedStep, check, plan, run_nested
from sdy.passes.options import format_options
from sdy.passes.registry import Pass, find, options_of

_OURS_ALONE = (
    "sdy-distinguish-named-computations",
    "sdy-convert-async",
    "sdy-save-module",
)
_NOT_TAKEN = ("dump_index", "module_dump_directory", "reshard_custom_rule_ops", "local_updates", "cross_meshes")
"""Options that the reference does not have, or takes from C++ code only."""

_SHOWN = 0.01
"""Stages with less than this share of the time of either side are one row."""


@dataclass(frozen=True)
class Stage:
    """Seconds of each run."""

    label: str
    ours: Sequence[float]
    reference: Sequence[float]


def print_stages(pipeline: str, title: str, text: str, runs: int = RUNS) -> None:
    """Medians over some runs of the whole pipeline on the text, stage by stage."""
    found = _stages(pipeline, text, runs)
    totals = [sum(map(statistics.median, each)) for each in ([s.ours for s in found], [s.reference for s in found])]
    small = [s for s in found if _is_small(s.ours, totals[0]) and _is_small(s.reference, totals[1])]
    others = [_sum(f"{len(small)} others", small)] if small else []
    shown = [*(s for s in found if s not in small), *others, _sum("all", found)]
    print(f"{f'{pipeline}: {title}':<56}{'ours':>12}{'C++':>12}{'ratio':>8}   ({runs} runs, median, CPU)")
    for stage in shown:
        ours, reference = statistics.median(stage.ours), statistics.median(stage.reference)
        ratio = f"{ours / reference:>8.2f}" if reference else ""
        print(f"  {stage.label:<54}{ours * 1e3:>9.1f} ms{reference * 1e3:>9.1f} ms{ratio}")
    print(flush=True)


def _is_small(seconds: Sequence[float], total: float) -> bool:
    return statistics.median(seconds) < _SHOWN * total


def _sum(label: str, stages: Sequence[Stage]) -> Stage:
    """Stages together, run by run."""
    ours, reference = (zip(*each, strict=True) for each in ([s.ours for s in stages], [s.reference for s in stages]))
    return Stage(label, list(map(sum, ours)), list(map(sum, reference)))


def _stages(pipeline: str, text: str, runs: int) -> list[Stage]:
    planned = [each for each in plan(pipeline) if each.step.name not in _OURS_ALONE]
    ours, reference = _Ours(planned), _Reference(planned)
    pairs = [(ours.run(text), reference.run(text)) for _ in range(runs + 1)][1:]  # the first run does not count
    labels = [*(each.step.name for each in planned), "copy, once", "verification, once"]
    return [
        Stage(label, [mine[i] for mine, _ in pairs], [theirs[i] for _, theirs in pairs])
        for i, label in enumerate(labels)
    ]


class _Ours:
    def __init__(self, planned: Sequence[PlannedStep]) -> None:
        self._peer, self._planned = Ours(), planned

    def run(self, text: str) -> list[float]:
        """Seconds of each stage."""
        module = self._peer.parse(text)
        gc.collect()
        with module.context, module.operation.location, collector_paused():
            copy = _time(module.operation.clone)
            spent = [_time(lambda each=each: run_nested(module, [each.step])) for each in self._planned]
            return [*spent, copy, _time(lambda: check(module.operation))]


class _Reference:
    def __init__(self, planned: Sequence[PlannedStep]) -> None:
        self._peer, self._pipelines = Reference(), [_text(each) for each in planned]

    def run(self, text: str) -> list[float]:
        """Seconds of each stage."""
        module = self._peer.parse(text)
        gc.collect()
        with module.context:
            managers = [PassManager.parse(pipeline) for pipeline in self._pipelines]
            for manager in managers:
                manager.enable_verifier(False)
            spent = [_time(lambda manager=manager: manager.run(module.operation)) for manager in managers]
            return [*spent, 0.0, _time(module.operation.verify)]


def _text(planned: PlannedStep) -> str:
    """The stage as the reference reads it: options that are not the default ones, and those that it knows."""
    step, target = planned.step, find(planned.step.name)
    options = dict(step.options)
    if isinstance(target, Pass) and target.options is not None:
        chosen, default = options_of(step, target), target.options()
        differing = [f.name for f in fields(default) if getattr(chosen, f.name) != getattr(default, f.name)]
        options = {name.replace("_", "-"): getattr(chosen, name) for name in differing if name not in _NOT_TAKEN}
    text = step.name + (f"{{{format_options(options)}}}" if options else "")
    return f"builtin.module(func.func({text}))" if planned.on_func else f"builtin.module({text})"


def _time(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
