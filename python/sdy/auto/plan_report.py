"""Report of a plan: as text, as HTML, and as data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypeAlias

from sdy.auto.plan_difference import PlanFacts, cost_row, edits_table, folded
from sdy.dialect.values.sharding import TensorSharding
from sdy.markup import JsonObject
from sdy.markup.fragments import Cell, fragment, table
from sdy.markup.templating import markup, render
from sdy.passes.auto.annotating import Unsharded
from sdy.passes.costs.liveness import LiveMemory
from sdy.report.step_estimate import size_text
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

_NAMED = 3
"""Number of arguments of a decision that are named."""

_HELD = 5
"""Number of the largest tensors of a device that are listed in data."""

_FAR = 0.1
"""A step of the partitioned program that is further than this from the predicted one is worth a word."""


Rows: TypeAlias = list[tuple[str, ...]]
"""A table, the first line of which are the headings."""


def report_text(plan: PlanFacts) -> str:
    """Return costs, edits, decisions, arguments and further remarks as text."""
    return "\n\n".join((*(columns(rows) for rows in report_tables(plan).values()), *remarks(plan)))


def report_html(plan: PlanFacts) -> str:
    """Return the report as a fragment of HTML, for notebooks."""
    said: Rows = [("",), *((each,) for each in remarks(plan))]
    found = {**report_tables(plan), "remarks": said}
    return fragment(report_text(plan), *(_html(title, rows) for title, rows in found.items()))


def report_tables(plan: PlanFacts) -> dict[str, Rows]:
    """Return the tables of a report by title, without empty ones."""
    found = {"step": _costs(plan)}
    if plan.edits:
        found["edits"], _ = edits_table(plan.edits)
    found.update(("decisions", rows) for rows in _decisions(plan))
    return {**found, "arguments": _arguments(plan)}


def report_page(plan: PlanFacts) -> str:
    """Return the report as an HTML document that needs no script and no network."""
    return render("document.html.j2", title="sdy-auto", body=markup(report_html(plan))) + "\n"


def _html(title: str, rows: Rows) -> str:
    return table(rows[0], [[Cell(text) for text in row] for row in rows[1:]], title) if len(rows) > 1 else ""


def bounds(plan: PlanFacts) -> dict[str, float] | None:
    """Shares of the step's time: products, memory traffic, kernel starts, collectives by kind and axes."""
    parts = plan.parts
    if parts is None or not parts.cost.step:
        return None
    step = parts.cost.step
    traffic = parts.cost.compute - parts.products - parts.starts
    found = {"products": parts.products / step, "memory": traffic / step, "kernel starts": parts.starts / step}
    for one in parts.collectives:
        found[f"{one.kind} over {one.axes}"] = one.seconds / step
    return found


def memory_data(memory: LiveMemory) -> JsonObject:
    """Return the peak by kind, where it is, and the largest tensors there."""
    return {
        "peak": memory.peak,
        "where": memory.where,
        "by_kind": memory.by_kind,
        "held": [asdict(one) for one in memory.held[:_HELD]],
    }


def _bound_text(plan: PlanFacts) -> str:
    shares = sorted((bounds(plan) or {}).items(), key=lambda pair: -pair[1])
    listed = ", ".join(f"{name} {share:.0%}" for name, share in shares[:4] if share >= 0.01)
    return f"the step waits for {listed}" if listed else "the step takes no time"


def _memory_text(memory: LiveMemory) -> str:
    kinds = ", ".join(f"{size_text(size)} {kind}s" for kind, size in memory.by_kind.items() if size)
    return f"memory is most at {memory.where or 'the start'}: {kinds or 'none'}"


def _unsharded_text(plan: PlanFacts, one: Unsharded) -> str:
    names = list(dict.fromkeys(folded(plan.arguments[number].name) for number in one.arguments))
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    shape = "x".join(map(str, plan.arguments[one.arguments[0]].shape))
    if not one.axis:
        return f"not sharded: {listed} ({shape}): no dimension is divided by a mesh axis"
    return f"not sharded: {listed} ({shape}): along {one.axis} the step would take {duration(one.costs)} longer"


def _costs(plan: PlanFacts) -> Rows:
    rows: Rows = [("", "step", "compute", "communication", "bytes sent", "memory", "of it arguments")]
    rows.append(cost_row("predicted", plan.predicted))
    if plan.estimated is not None:
        rows.append(cost_row("estimated", plan.estimated))
    if plan.as_found is not None and plan.edits:
        rows.append(cost_row("before edits", plan.as_found))
    rows.append(cost_row("replicated", plan.replicated))
    return rows


def _decisions(plan: PlanFacts) -> list[Rows]:
    """Return a table of the values that share an axis, naming the first arguments."""
    if not plan.decisions:
        return []
    rows: Rows = [("saves", "compute", "communication", "axis", "values", "products", "arguments")]
    for one in plan.decisions:
        seconds = map(_signed, (one.saves, one.compute, one.communication))
        names = list(dict.fromkeys(folded(plan.arguments[number].name) for number in one.arguments))
        listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        rows.append((*seconds, one.axis, str(one.values), str(one.products), listed))
    return [rows]


def _signed(seconds: float) -> str:
    return duration(seconds) if seconds >= 0 else f"-{duration(-seconds)}"


def _arguments(plan: PlanFacts) -> Rows:
    """Group arguments that differ only in numbers of their names."""
    groups: dict[tuple[str, tuple[int, ...], str], int] = {}
    for one in plan.arguments:
        key = (folded(one.name), one.shape, _dims(one.sharding))
        groups[key] = groups.get(key, 0) + 1
    rows: Rows = [("argument", "shape", "sharding", "how many")]
    rows += [(name, "x".join(map(str, shape)), dims, str(count)) for (name, shape, dims), count in groups.items()]
    return rows


def _dims(sharding: TensorSharding | None) -> str:
    return "open" if sharding is None else "[" + ", ".join(map(str, sharding.dims)) + "]"


def remarks(plan: PlanFacts) -> list[str]:
    """Return the other remarks of the report."""
    found = []
    if plan.edits and (more := edits_table(plan.edits)[1]):
        found.append(f"{more} more kinds of values were edited")
    if plan.parts is not None:
        found += [_bound_text(plan), _memory_text(plan.parts.memory)]
    found += [_unsharded_text(plan, one) for one in plan.unsharded]
    if plan.alternatives:
        listed = (f"{duration(one.step)} with {size_text(one.memory)}" for one in plan.alternatives)
        found.append(f"other plans that were found: {', '.join(listed)}, predicted")
    if plan.estimated is not None and abs(plan.estimated.step - plan.predicted.step) > _FAR * plan.estimated.step:
        predicted, estimated = duration(plan.predicted.step), duration(plan.estimated.step)
        found.append(f"warning: predicted {predicted}, estimated {estimated} once partitioned")
    if plan.without_rule:
        listed = ", ".join(f"{name} ({count})" for name, count in plan.without_rule.items())
        found.append(f"without a sharding rule, and so replicated: {listed}")
    found += [f"plans were left out: {one}" for one in plan.refusals]
    if not plan.is_complete:
        found.append(f"the time limit ended the search after {plan.solves} solutions")
    if not plan.is_exact:
        found.append("a loop has an unknown trip count: counted as 1, and as 10 in the search")
    return found
