"""A plan: the shardings that were found, what they are expected to cost, and what they were measured to cost."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import sdy
from sdy.auto.names import folded
from sdy.auto.plan_difference import Edit, PlanDifference, edits, edits_text
from sdy.auto.plan_source import PlanSource, said
from sdy.auto.step_estimate import size_text
from sdy.cures.wanted_shardings import Wanted
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.auto.decisions import Decision
from sdy.passes.auto.plan_costs import PlanCost
from sdy.passes.costs.machine import Machine
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

_NAMED = 3
"""How many arguments of a decision are named."""

_FAR = 0.1
"""A measured step that is further than this from the predicted one is worth a word."""


@dataclass(frozen=True, slots=True)
class Named:
    """An argument or result of the program, its global shape, and how it is sharded; None if that is left open."""

    name: str
    shape: tuple[int, ...]
    sharding: TensorSharding | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Shardings for a program.

    Attributes:
      text: the program with the shardings, as `sdy.parse` reads it.
      mesh: the mesh of the shardings.
      machine: what they were chosen for.
      arguments, results: those of the main function.
      predicted: what a step takes by the model of the search.
      measured: what the partitioned program takes by the same formulas; None if it was not partitioned.
      replicated: what a step takes, by the model, with everything everywhere.
      annotate: how much was written down, see `partition`; "as given" if nothing was, because propagation does better
        with the shardings that the program has.
      without_rule: names of ops without a sharding rule, which need their operands everywhere, and how many there are.
      is_exact: whether it is known how often every loop runs.
      solves: how many exact solutions for one mesh axis the search took.
      decisions: what goes along which axis together, and what that saves by the model; none with the effort "fast".
      edits: of a plan that was loaded, where somebody has changed it; `as_found` is what it cost before.
      source: the program that it is for, and what was asked for.
    """

    text: str
    mesh: Mesh
    machine: Machine
    arguments: tuple[Named, ...]
    results: tuple[Named, ...]
    predicted: PlanCost
    replicated: PlanCost
    without_rule: dict[str, int]
    is_exact: bool
    solves: int
    measured: PlanCost | None = None
    annotate: str = "values"
    decisions: tuple[Decision, ...] = ()
    edits: tuple[Edit, ...] = ()
    as_found: PlanCost | None = None
    source: PlanSource | None = field(default=None, repr=False, compare=False)

    @property
    def module(self) -> Any:
        """The program with the shardings, as a module."""
        return sdy.parse(self.text)

    @property
    def cost(self) -> PlanCost:
        """What was measured, or else what was predicted."""
        return self.measured or self.predicted

    @property
    def made_from(self) -> PlanSource:
        """The `source`. Raises `ValueError` for a plan that was put together by hand."""
        if self.source is None:
            raise ValueError("the plan does not know the program that it is for")
        return self.source

    def save(self, path: str | Path) -> None:
        """Writes the plan to a JSON file in which each value has a line, to be read, edited, and loaded again.

        Raises `OSError` where that cannot be written.
        """
        from sdy.auto.plan_files import text_of

        Path(path).write_text(text_of(self), encoding="utf-8")

    @staticmethod
    def load(path: str | Path, program: Any, *, verify: int = 1, filename: str = "-") -> Plan:
        """The plan of a file, for the program that it was made for, or another one with the same values.

        What was changed in the file is in `edits`; with `verify` the plan is partitioned and measured as it is now.

        Args:
          path: the file.
          program: what `partition` takes.
          verify: 1, or 0 to leave the plan unmeasured.
          filename: what locations call a module that was parsed from a text without a name.

        Raises:
          ValueError: the file is no plan, or not one for this program; a sharding that does not fit.
          OSError: the file cannot be read.
          DiagnosticError: the program, or what the plan makes of it, cannot be partitioned.
        """
        from sdy.auto.plan_files import load

        return load(path, program, verify=verify, filename=filename)

    def what_if(self, wanted: Wanted) -> Plan:
        """The best plan if some values are sharded as `wanted`, all else as was asked for; `compare` tells the price.

        `wanted` are shardings, or the axes of each dimension, by what selects values for `sdy.explain`, such as
        ``{"params['up']": ("data", None)}``. Raises what `partition` raises, and `ValueError` for what selects nothing.
        """
        from sdy.auto.planning import what_if

        return what_if(self.made_from, wanted)

    def compare(self, other: Plan) -> PlanDifference:
        """Which values another plan for the same program shards in other ways, and what both cost."""
        sites = []
        for plan in (self, other):
            source = plan.made_from
            with source.module.context as context, exclusively(context):
                sites.append(said(source, plan.annotate))
        return PlanDifference(self.cost, other.cost, edits(*sites))

    def report(self) -> str:
        """What the plan costs, and how arguments are sharded, as a text for people."""
        edited = (edits_text(self.edits),) if self.edits else ()
        return "\n\n".join((_costs(self), *edited, *_decisions(self), _arguments(self), *_remarks(self)))

    def __str__(self) -> str:
        return self.report()

    def to_json(self, indent: int | None = 2) -> str:
        """All of it but the program, as a JSON object."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> dict[str, Any]:
        """What `to_json` writes."""
        return {
            "mesh": {axis.name: axis.size for axis in self.mesh.axes},
            "machine": str(self.machine),
            "arguments": [_data(one) for one in self.arguments],
            "results": [_data(one) for one in self.results],
            "predicted": asdict(self.predicted),
            "measured": None if self.measured is None else asdict(self.measured),
            "replicated": asdict(self.replicated),
            "annotate": self.annotate,
            "without_rule": self.without_rule,
            "is_exact": self.is_exact,
            "solves": self.solves,
            "decisions": [_decision_data(self, one) for one in self.decisions],
            "edits": [asdict(one) for one in self.edits],
            "as_found": None if self.as_found is None else asdict(self.as_found),
        }


def _data(one: Named) -> dict[str, Any]:
    dims = None if one.sharding is None else [[str(axis) for axis in axes] for axes in one.sharding.dim_axes]
    return {"name": one.name, "shape": list(one.shape), "sharding": dims}


def _decision_data(plan: Plan, one: Decision) -> dict[str, Any]:
    return {**asdict(one), "arguments": [plan.arguments[number].name for number in one.arguments]}


# Text ------------------------------------------------------------------------------------------------


def _costs(plan: Plan) -> str:
    rows: list[tuple[str, ...]] = [("", "step", "compute", "communication", "bytes sent", "memory", "of it arguments")]
    rows.append(_cost_row("predicted", plan.predicted))
    if plan.measured is not None:
        rows.append(_cost_row("measured", plan.measured))
    if plan.as_found is not None and plan.edits:
        rows.append(_cost_row("before edits", plan.as_found))
    rows.append(_cost_row("replicated", plan.replicated))
    return columns(rows)


def _decisions(plan: Plan) -> list[str]:
    """What goes along an axis together, as a table; of the arguments the first ones are named."""
    if not plan.decisions:
        return []
    rows: list[tuple[str, ...]] = [("saves", "compute", "communication", "axis", "values", "products", "arguments")]
    for one in plan.decisions:
        seconds = map(_signed, (one.saves, one.compute, one.communication))
        names = list(dict.fromkeys(folded(plan.arguments[number].name) for number in one.arguments))
        listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        rows.append((*seconds, one.axis, str(one.values), str(one.products), listed))
    return [columns(rows)]


def _signed(seconds: float) -> str:
    return duration(seconds) if seconds >= 0 else f"-{duration(-seconds)}"


def _cost_row(name: str, cost: PlanCost) -> tuple[str, ...]:
    seconds = map(duration, (cost.step, cost.compute, cost.communication))
    return (name, *seconds, f"{cost.bytes_sent:,.0f}", size_text(cost.memory), size_text(cost.arguments))


def _arguments(plan: Plan) -> str:
    """Arguments that are alike, but for numbers in their names, share a line."""
    groups: dict[tuple[str, tuple[int, ...], str], int] = {}
    for one in plan.arguments:
        key = (folded(one.name), one.shape, _dims(one.sharding))
        groups[key] = groups.get(key, 0) + 1
    rows = [("argument", "shape", "sharding", "how many")]
    rows += [(name, "x".join(map(str, shape)), dims, str(count)) for (name, shape, dims), count in groups.items()]
    return columns(rows)


def _dims(sharding: TensorSharding | None) -> str:
    return "open" if sharding is None else "[" + ", ".join(map(str, sharding.dims)) + "]"


def _remarks(plan: Plan) -> list[str]:
    found = []
    if plan.measured is not None and abs(plan.measured.step - plan.predicted.step) > _FAR * plan.measured.step:
        found.append(f"warning: predicted {duration(plan.predicted.step)}, measured {duration(plan.measured.step)}")
    if plan.without_rule:
        listed = ", ".join(f"{name} ({count})" for name, count in plan.without_rule.items())
        found.append(f"without a sharding rule, and so replicated: {listed}")
    if not plan.is_exact:
        found.append("some loop runs a number of times that is not known, counted as 10")
    return found
