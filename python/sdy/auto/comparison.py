"""`sdy.auto.compare`: several ways to shard a program side by side.

>>> print(sdy.auto.compare({"megatron": text, "fsdp": other, "found": plan}, "h100"))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sdy.auto.plan import Plan
from sdy.auto.step_estimate import Estimate, estimate, size_text
from sdy.passes.costs.machine import Machine
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a step takes in each way, by name, in the order given; the `best` fits into memory, if any does."""

    estimates: tuple[tuple[str, Estimate], ...]

    @property
    def best(self) -> str:
        """The name of the fastest of those that fit."""
        return min(self.estimates, key=lambda pair: (not pair[1].fits, pair[1].step))[0]

    def __str__(self) -> str:
        best = dict(self.estimates)[self.best].step
        rows: list[tuple[str, ...]] = [("", "step", "of best", "compute", "exposed", "bytes sent", "memory", "fits")]
        for name, one in self.estimates:
            seconds = map(duration, (one.compute, one.exposed))
            share = f"{one.step / best:.2f}" if best else ""
            sent, memory = f"{one.bytes_sent:,.0f}", size_text(one.memory.peak)
            rows.append((name, duration(one.step), share, *seconds, sent, memory, "yes" if one.fits else "no"))
        return columns(rows)

    def to_json(self, indent: int | None = 2) -> str:
        """Estimates by name, as `Estimate.to_json` writes them."""
        return json.dumps({name: one.data() for name, one in self.estimates}, indent=indent)


def compare(programs: Mapping[str, Any], machine: Machine | str) -> Comparison:
    """What a step of each program takes on a machine.

    Args:
      programs: by name, what `estimate` takes, or a `Plan`: one program, sharded in several ways.
      machine: a `Machine`, or what `Machine.parse` reads.

    Raises what `estimate` raises, and `ValueError` without programs.
    """
    if not programs:
        raise ValueError("compare() needs a program at least")
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    given = ((name, one.text if isinstance(one, Plan) else one) for name, one in programs.items())
    return Comparison(tuple((name, estimate(one, machine, filename=name)) for name, one in given))
