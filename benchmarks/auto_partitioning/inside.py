"""What is between arguments and results that are fixed: FSDP with batch and weights on one axis.

A GPT of 0.1 billion parameters, FSDP by columns, and nothing said of what is between: as propagation shards it, with
one constraint for each layer, and as it is planned. Goal: no more bytes than with the constraints.
"""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import sdy
from benchmarks.auto_partitioning.measured import planned
from benchmarks.programs.language_models import gpt


def inside_rows() -> list[tuple[str, ...]]:
    """Propagation, an expert's constraints, and a plan, for arguments and results that are fixed."""
    rows: list[tuple[str, ...]] = []
    for title, scan, remat, parts in (
        ("scan", True, False, 1),
        ("scan, remat", True, True, 1),
        ("layers", False, False, 1),
    ):
        size: dict[str, Any] = {"width": 768, "count": 12, "vocabulary": 50304, "tokens": (32, 1024), "columns": True}
        step = 0.0
        for plan, constrained in (("propagation", False), ("constraints", True)):
            text = gpt(scan=scan, remat=remat, parts=parts, constrained=constrained, **size).as_text(debug_info=True)
            found = sdy.auto.estimate(text, "h100")
            step = found.step
            rows.append((title, plan, *_cells(found.step, found.bytes_sent, found.memory.peak), "", "", "", ""))
        text = gpt(scan=scan, remat=remat, parts=parts, constrained=False, **size).as_text(debug_info=True)
        plan, seconds = planned(text, None, "h100")
        cost, predicted = plan.cost, plan.predicted.step
        cells = _cells(cost.step, cost.bytes_sent, cost.memory)
        rows.append((title, "found", *cells, f"{predicted * 1e3:.2f}", "", f"{cost.step / step:.2f}", f"{seconds:.1f}"))
    return rows


def _cells(step: float, sent: float, memory: float) -> tuple[str, ...]:
    return (f"{step * 1e3:.2f}", f"{sent / 1e9:.3f}", f"{memory / 2**30:.2f}")
