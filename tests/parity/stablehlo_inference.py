"""Runs comparisons of type inference with the registered dialect in processes of their own, which may crash.

python -m tests.parity.stablehlo_inference FIRST COUNT      # prints what differs and is not recorded
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.parity.stablehlo_cells import has_recorded_types, is_recorded_admission, is_recorded_refusal

_ROOT = Path(__file__).parents[2]


@dataclass
class Outcome:
    """What was found in a range of instances."""

    compared: int = 0
    recorded: int = 0
    crashes: int = 0
    differences: list[str] = field(default_factory=list)


def compare(first: int, count: int) -> Outcome:
    """Compares instances `first` to `first + count - 1`; behind one that ends the process another one goes on."""
    outcome, number, end = Outcome(), first, first + count
    while number < end:
        number = _run(number, end, outcome)
    return outcome


def _run(first: int, end: int, outcome: Outcome) -> int:
    """One process; returns the number of the instance to go on with."""
    worker = [sys.executable, "-m", "tests.parity.stablehlo_worker", str(first), str(end - first)]
    process = subprocess.run(worker, capture_output=True, text=True, cwd=_ROOT, check=False)
    at: dict[str, Any] = {}
    ours: str | None = None
    for message in _messages(process.stdout):
        if "at" in message:
            at, ours = message, None
            outcome.compared += 1
        elif "found" in message:
            _judge(outcome, message, at)
        elif "done" in message:
            return end
        else:
            ours = message["ours"]
    if not at:
        raise RuntimeError(f"the worker failed: {process.stderr[-2000:]}")
    _judge_crash(outcome, at, ours)
    return at["at"] + 1


def _messages(text: str) -> Iterator[dict[str, Any]]:
    """What a process has said, but for a last line that it did not finish."""
    for line in text.splitlines(keepends=True):
        if line.endswith("\n") and line.startswith("{"):
            yield json.loads(line)


def _judge(outcome: Outcome, found: dict[str, Any], at: dict[str, Any]) -> None:
    ours, theirs = found["ours"], found.get("theirs")
    if found["kind"] == "types":
        is_recorded = has_recorded_types(at["name"], str(theirs))
    elif found["kind"] != "verify":
        is_recorded = False
    elif theirs is None:
        is_recorded = is_recorded_refusal(ours)
    else:
        is_recorded = is_recorded_admission(theirs)
    if is_recorded:
        outcome.recorded += 1
    else:
        outcome.differences.append(f"#{found['found']} {at.get('case')}\n  theirs: {theirs}\n  ours:   {ours}")


def _judge_crash(outcome: Outcome, at: dict[str, Any], ours: str | None) -> None:
    """What ends the process of the registered dialect has to be refused by us."""
    outcome.crashes += 1
    if ours is None:
        outcome.differences.append(f"#{at['at']} {at['case']}\n  theirs: crash\n  ours:   accepted")


if __name__ == "__main__":
    result = compare(int(sys.argv[1]), int(sys.argv[2]))
    print("\n".join(result.differences))
    print(f"{result.compared} compared, {result.recorded} as recorded, {result.crashes} crashes of the dialect")
    sys.exit(bool(result.differences))
