"""A plan: the found shardings, to read, save, compare and recompute."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

import sdy
from sdy.auto.found_plans import what_if
from sdy.auto.plan_difference import PlanDifference, PlanFacts, edits
from sdy.auto.plan_files import load, text_of
from sdy.auto.plan_report import bounds, memory_data, report_html, report_page, report_text
from sdy.auto.plan_source import said
from sdy.dialect.context import exclusively
from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.mlir import ir
from sdy.programs.sources import AnyProgram, write_file
from sdy.suggestions.changes import Wanted


@dataclass(frozen=True, slots=True)
class Plan(PlanFacts):
    """Shardings for a program.

    Attributes:
      text: the program with the shardings, as `sdy.parse` reads it.
      mesh: the mesh of the shardings.
      machine: the machine they were chosen for.
      arguments, results: those of the main function.
      predicted: cost of a step by the search's model.
      estimated: cost of the partitioned program by the same formulas; None if it was not partitioned.
      replicated: cost of a step with full replication: estimated if it was partitioned, else predicted.
      annotate: how much was written down, see `partition`; "as given" if nothing was, because propagation does better
        with the shardings that the program has.
      without_rule: names of ops without a sharding rule, which need their operands everywhere, and how many there are.
      is_exact: whether it is known how often every loop runs.
      solves: how many exact solutions for one mesh axis the search took.
      decisions: values that share an axis, and the saving by the model; none with the effort "fast".
      is_complete: whether the search had the time that it needed.
      parts: components of the estimated step and memory.
      alternatives: predicted costs of the next best plans, the best first.
      unsharded: the largest unsharded arguments, and the cost of sharding them.
      edits: of a plan that was loaded, where somebody has changed it; `as_found` is what it cost before.
      refusals: messages of users' functions that refused other plans (custom partitioning).
      source: its program, and the request.
      cost: the estimated cost, else the predicted one.
      made_from: the `source`; `ValueError` for a plan that was put together by hand.
    """

    @staticmethod
    def of(facts: PlanFacts) -> Plan:
        """The plan of which `facts` are known."""
        return Plan(**{each.name: getattr(facts, each.name) for each in fields(facts)})

    @property
    def module(self) -> ir.Module:
        """The program with the shardings, as a module."""
        return sdy.parse(self.text)

    def save(self, path: str | Path) -> None:
        """Write the plan to a JSON file with a line for each value, for reading, editing, and loading again.

        Raises `OSError` where that cannot be written.
        """
        write_file(path, text_of(self).encode())

    @staticmethod
    def load(path: str | Path, program: AnyProgram, *, verify: int = 1, filename: str = "-") -> Plan:
        """Return the plan of a file, for its program, or another one with the same values.

        Changes made in the file are in `edits`; with `verify` the edited plan is partitioned and estimated.

        Args:
          path: the file.
          program: input of `partition`.
          verify: 1, or 0 for predictions only.
          filename: name in locations of a module from a text without a name.

        Raises:
          ValueError: the file is not a plan for this program; a sharding that does not fit.
          OSError: the file cannot be read.
          DiagnosticError: the program, or the planned one, cannot be partitioned.
        """
        return Plan.of(load(path, program, verify=verify, filename=filename))

    def what_if(self, wanted: Wanted) -> Plan:
        """Return the best plan with some values sharded as `wanted`; `compare` gives the price.

        `wanted` maps selectors of `sdy.explain` to shardings, or to the axes of each dimension, such as
        ``{"params['up']": ("data", None)}``. Raises the errors of `partition`, and `ValueError` for a selector without
        matches.
        """
        if not isinstance(wanted, Mapping):
            raise TypeError(f"what_if() takes shardings by selectors of values, not {type(wanted).__name__}")
        return Plan.of(what_if(self.made_from, wanted))

    def compare(self, other: Plan) -> PlanDifference:
        """Compare with another plan for the same program: differing values, and both costs.

        Raises `ValueError` for a plan for another program.
        """
        sites = []
        for plan in (self, other):
            source = plan.made_from
            with source.module.context as context, exclusively(context):
                sites.append(said(source, plan.annotate))
        return PlanDifference(self.cost, other.cost, edits(*sites))

    def report(self) -> str:
        """Return costs and shardings of arguments as text."""
        return report_text(self)

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        """The report as tables, for notebooks."""
        return report_html(self)

    def to_html(self) -> str:
        """Return the report as an HTML document, which needs no script and no network. It needs Jinja."""
        return report_page(self)

    def to_json(self, indent: int | None = 2) -> str:
        """Return everything but the program as a JSON object."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> JsonObject:
        """Return the data that `to_json` writes."""
        return {
            "mesh": {axis.name: axis.size for axis in self.mesh.axes},
            "machine": str(self.machine),
            "arguments": [one.data() for one in self.arguments],
            "results": [one.data() for one in self.results],
            "predicted": asdict(self.predicted),
            "estimated": None if self.estimated is None else asdict(self.estimated),
            "replicated": asdict(self.replicated),
            "annotate": self.annotate,
            "without_rule": self.without_rule,
            "is_exact": self.is_exact,
            "solves": self.solves,
            "is_complete": self.is_complete,
            "bounds": bounds(self),
            "collectives": [asdict(one) for one in self.parts.collectives] if self.parts else None,
            "memory": None if self.parts is None else memory_data(self.parts.memory),
            "decisions": [{**asdict(one), "arguments": self._names(one.arguments)} for one in self.decisions],
            "alternatives": [asdict(one) for one in self.alternatives],
            "unsharded": [{**asdict(one), "arguments": self._names(one.arguments)} for one in self.unsharded],
            "edits": [asdict(one) for one in self.edits],
            "refusals": list(self.refusals),
            "as_found": None if self.as_found is None else asdict(self.as_found),
        }

    def _names(self, arguments: tuple[int, ...]) -> list[str]:
        return [self.arguments[number].name for number in arguments]
