"""What `sdy-opt` shows while passes run: the module before and after them, and how long they took."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.passes.registry import Step


@dataclass(frozen=True, slots=True)
class PrintIr:
    """Prints the op that a pass runs on, before and after the named passes (all of them if `..._all`)."""

    options: PrintOptions
    before_names: frozenset[str] = frozenset()
    after_names: frozenset[str] = frozenset()
    before_all: bool = False
    after_all: bool = False

    def before(self, step: Step, op: Any) -> None:
        if self.before_all or step.name in self.before_names:
            self._print("Before", step, op)

    def after(self, step: Step, op: Any) -> None:
        if self.after_all or step.name in self.after_names:
            self._print("After", step, op)

    def _print(self, when: str, step: Step, op: Any) -> None:
        print(f"// -----// IR Dump {when} {step.name} //----- //", file=sys.stderr)
        print(print_module(op, self.options), file=sys.stderr)


@dataclass(slots=True)
class Timing:
    """Sums up the wall time of each pass, in seconds."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    started: float = 0.0

    def before(self, step: Step, op: Any) -> None:
        self.started = time.perf_counter()

    def after(self, step: Step, op: Any) -> None:
        self.seconds[step.name] += time.perf_counter() - self.started

    def table(self) -> str:
        """A line per pass, the slowest first."""
        total = sum(self.seconds.values())
        width = max((len(name) for name in self.seconds), default=0)
        lines = [f"  {'pass':<{width}}   seconds   share"]
        for name, spent in sorted(self.seconds.items(), key=lambda item: -item[1]):
            lines.append(f"  {name:<{width}}  {spent:8.4f}  {spent / total if total else 0:6.1%}")
        lines.append(f"  {'total':<{width}}  {total:8.4f}")
        return "\n".join(lines)
