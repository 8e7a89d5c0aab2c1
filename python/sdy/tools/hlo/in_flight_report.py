"""What asynchronous operations hold, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sdy.hlo_text import InFlight
from sdy.report.text_table import columns

_HEADINGS = ("start", "done", "first", "last", "operands", "result", "context")


def table(found: Sequence[InFlight]) -> str:
    """A table per computation; sizes are bytes, `first` and `last` are positions of instructions from 0."""
    parts = []
    for each in found:
        rows = [
            (
                f"%{held.chain.start.name}",
                f"%{held.chain.done.name}" if held.chain.done else "",
                str(held.first),
                str(held.last),
                f"{held.operand_bytes:,}",
                f"{held.result_bytes:,}",
                f"{held.context_bytes:,}",
            )
            for held in each.held
        ]
        parts.append(f"%{each.computation}: at most {each.peak:,} bytes in flight\n{columns([_HEADINGS, *rows])}\n")
    return "\n".join(parts) if parts else "nothing is in flight\n"


def as_json(found: Sequence[InFlight]) -> str:
    """The same as an array of objects, with the bytes at each instruction."""
    return json.dumps(
        [
            {
                "computation": each.computation,
                "peak_bytes": each.peak,
                "bytes": each.bytes,
                "chains": [
                    {
                        "start": held.chain.start.name,
                        "updates": [update.name for update in held.chain.updates],
                        "done": held.chain.done.name if held.chain.done else None,
                        "thread": held.chain.thread,
                        "first": held.first,
                        "last": held.last,
                        "operand_bytes": held.operand_bytes,
                        "result_bytes": held.result_bytes,
                        "context_bytes": held.context_bytes,
                    }
                    for held in each.held
                ],
            }
            for each in found
        ],
        indent=2,
    )
