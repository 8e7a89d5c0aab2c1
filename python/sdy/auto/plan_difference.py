"""Differences between two plans for one program, and what they cost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, field

from sdy.auto.plan_source import Dims, PlanSource, Site
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.markup import JsonObject
from sdy.markup.templating import ShownText
from sdy.passes.auto.annotating import Decision, Unsharded
from sdy.passes.auto.plan_costs import Measured, PlanCost
from sdy.passes.costs.machine import Machine
from sdy.report.step_estimate import size_text
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

_LISTED = 12
"""Number of kinds of differences that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A value that two plans shard in different ways; None stands for a plan that leaves it open.

    `section` is "arguments", "results", "values" of ops, "block_arguments" of manual computations, "sums" before their
    scatter, or "uses", moved operands, or "steps" on their way.
    """

    section: str
    name: str
    shape: tuple[int, ...] | None
    before: Dims | None
    after: Dims | None


def edits(before: Iterable[Site], after: Iterable[Site]) -> tuple[Edit, ...]:
    """Return the edits of the second plan, in program order; the places of both have the same keys.

    Raises `ValueError` where they are of values of different shapes.
    """
    first = {(site.section, site.key): site for site in before}
    second = {(site.section, site.key): site for site in after}
    for key in first.keys() & second.keys():
        if first[key].shape != second[key].shape:
            raise ValueError(f"the plans are for different programs: {first[key].name} has other shapes")
    found = []
    for key, site in (first | second).items():
        have, want = (sites[key].dims if key in sites else None for sites in (first, second))
        if have != want:
            found.append(Edit(site.section, site.name, site.shape, have, want))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class PlanDifference(ShownText):
    """The costs of two plans, and the values that they shard differently."""

    first: PlanCost
    second: PlanCost
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [("", "step", "compute", "communication", "bytes sent", "memory")]
        rows += [cost_row(*each)[:-1] for each in (("this", self.first), ("other", self.second))]
        step = f"the other takes {duration(abs(self.second.step - self.first.step))} "
        step += "longer" if self.second.step >= self.first.step else "less"
        return "\n\n".join(filter(None, (columns(rows), step, edits_text(self.edits))))

    def to_json(self, indent: int | None = 2) -> str:
        """The costs and the edits as a JSON object."""
        return json.dumps(self.data(), indent=indent)

    def data(self) -> JsonObject:
        """Return the data that `to_json` writes."""
        return {
            "first": asdict(self.first),
            "second": asdict(self.second),
            "edits": [asdict(one) for one in self.edits],
        }


def edits_text(found: tuple[Edit, ...]) -> str:
    """Return a table; empty without edits."""
    if not found:
        return ""
    rows, more = edits_table(found)
    return columns(rows) + (f"\nand {more} more kinds" if more else "")


def edits_table(found: tuple[Edit, ...]) -> tuple[list[tuple[str, ...]], int]:
    """Return a table, and the number of kinds not in it; values that differ only in numbers share a row."""
    groups: dict[tuple[str, ...], int] = {}
    for one in found:
        shape = "" if one.shape is None else "x".join(map(str, one.shape))
        key = (one.section.removesuffix("s"), folded(one.name), shape, dims_text(one.before), dims_text(one.after))
        groups[key] = groups.get(key, 0) + 1
    rows: list[tuple[str, ...]] = [("what", "name", "shape", "before", "after", "how many")]
    rows += [(*key, str(count)) for key, count in list(groups.items())[:_LISTED]]
    return rows, max(len(groups) - _LISTED, 0)


def dims_text(dims: Dims | None) -> str:
    """Return ``[{data}, {}]``; an unspecified sharding is "open"."""
    return "open" if dims is None else "[" + ", ".join("{" + ", ".join(axes) + "}" for axes in dims) + "]"


_INDEX = re.compile(r"\[\d+\]")


def folded(name: str) -> str:
    """``layers[3]['up']`` as ``layers[*]['up']``."""
    return _INDEX.sub("[*]", name)


@dataclass(frozen=True, slots=True)
class Named:
    """An argument or result of the program, its global shape, and its sharding; None if that is left open."""

    name: str
    shape: tuple[int, ...]
    sharding: TensorSharding | None

    def data(self) -> JsonObject:
        """For JSON: the names of the axes of each dimension."""
        dims = None if self.sharding is None else [[str(axis) for axis in axes] for axes in self.sharding.dim_axes]
        return {"name": self.name, "shape": list(self.shape), "sharding": dims}


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The shardings of a plan. `Plan` documents the attributes, and makes modified plans."""

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
    estimated: PlanCost | None = None
    annotate: str = "values"
    decisions: tuple[Decision, ...] = ()
    is_complete: bool = True
    parts: Measured | None = None
    alternatives: tuple[PlanCost, ...] = ()
    unsharded: tuple[Unsharded, ...] = ()
    edits: tuple[Edit, ...] = ()
    as_found: PlanCost | None = None
    refusals: tuple[str, ...] = ()
    source: PlanSource | None = field(default=None, repr=False, compare=False)

    @property
    def cost(self) -> PlanCost:
        """Estimated cost of the partitioned program, or the predicted cost without an estimate."""
        return self.estimated or self.predicted

    @property
    def made_from(self) -> PlanSource:
        """The `source`. Raises `ValueError` for a plan that was put together by hand."""
        if self.source is None:
            raise ValueError("the plan does not know the program that it is for")
        return self.source


def cost_row(name: str, cost: PlanCost) -> tuple[str, ...]:
    """Return the row of a cost below the headings of a plan's report."""
    seconds = map(duration, (cost.step, cost.compute, cost.communication))
    return (name, *seconds, f"{cost.bytes_sent:,.0f}", size_text(cost.memory), size_text(cost.arguments))
