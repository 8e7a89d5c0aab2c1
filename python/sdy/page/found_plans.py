"""What a page tells of a plan of `sdy.auto`: costs, decisions, what the step waits for, and what else is to be said."""

from __future__ import annotations

from sdy.auto.plan_facts import PlanFacts
from sdy.auto.plan_report import bounds, remarks, report_tables
from sdy.page.data_types import FoundData


def found_data(plan: PlanFacts) -> FoundData:
    """The report of a plan; of one that was not partitioned it is not known what the step waits for."""
    tables = report_tables(plan)
    memory = None if plan.parts is None else plan.parts.memory
    return {
        "tables": [
            {"title": title, "headings": list(rows[0]), "rows": [list(row) for row in rows[1:]]}
            for title, rows in tables.items()
        ],
        "bounds": [[name, share] for name, share in sorted((bounds(plan) or {}).items(), key=lambda pair: -pair[1])],
        "memory": [] if memory is None else [[kind, size] for kind, size in memory.by_kind.items() if size],
        "where": "" if memory is None else memory.where,
        "remarks": remarks(plan),
    }
