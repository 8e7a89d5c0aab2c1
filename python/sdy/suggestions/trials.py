"""Tries changes on copies of a program: bytes sent, memory and time with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sdy.dialect.verification import verify_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.costs.machine import Machine
from sdy.programs.bytecode import exact_copy
from sdy.programs.partitioning import Partitioning
from sdy.report.communication_report import transfers_of_changed
from sdy.report.step_estimate import estimate_of, size_text
from sdy.report.timelines.timeline import duration
from sdy.report.transfers import Transfer, bytes_of, ops_of
from sdy.suggestions.changes import Change, Several, apply

WORSE = 0.02
"""Share by which memory, operations or time have to grow for a change to count as worse."""

USUAL_MACHINE = "generic"
"""The machine of predicted times where none is given, as for `sdy.auto`."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A program with some changes, on each device.

    Attributes:
      transfers: its transfers.
      memory: the most bytes that it holds.
      flops: additions and multiplications of products.
      step: seconds of a step.
    """

    transfers: tuple[Transfer, ...]
    memory: float
    flops: float
    step: float

    @property
    def bytes_sent(self) -> float:
        """Bytes sent in one run."""
        return bytes_of(self.transfers)

    @property
    def ops(self) -> int:
        """Number of collectives in one run."""
        return ops_of(self.transfers)


@dataclass(frozen=True, slots=True)
class Saving:
    """Differences per device that a change makes; negative where it costs."""

    bytes_sent: float
    ops: int
    memory: float
    flops: float
    step: float
    before: Measured

    @staticmethod
    def of(before: Measured, after: Measured) -> Saving:
        """Return the savings of `after` against `before`."""
        return Saving(
            before.bytes_sent - after.bytes_sent,
            before.ops - after.ops,
            before.memory - after.memory,
            before.flops - after.flops,
            before.step - after.step,
            before,
        )

    @property
    def costs(self) -> tuple[str, ...]:
        """Return the quantities that become worse by more than `WORSE`, in words."""
        found = []
        for name, saved, whole, text in (
            ("memory", self.memory, self.before.memory, size_text(abs(self.memory))),
            ("FLOPs", self.flops, self.before.flops, _amount(abs(self.flops))),
            ("step", self.step, self.before.step, duration(abs(self.step))),
        ):
            if saved < -WORSE * whole:
                found.append(f"{name} +{text}")
        return tuple(found)


class Trials:
    """Measures changes of one program, each combination once; the context of the module is the current one."""

    def __init__(self, original: ir.Module | ir.Operation, machine: Machine, partitioning: Partitioning) -> None:
        self._original, self._machine, self._partitioning = original, machine, partitioning
        self._known: dict[tuple[Change, ...], Measured | None] = {}

    @property
    def tried(self) -> int:
        """Number of combinations of changes that were measured."""
        return len(self._known)

    def measured(
        self, changes: Iterable[Change] = (), is_wanted: Callable[[tuple[Transfer, ...]], bool] = lambda sent: True
    ) -> Measured | None:
        """Return the program with some changes; None if it cannot be partitioned, or sends too much.

        What is not wanted is not estimated.

        Raises:
          DiagnosticError: the program cannot be partitioned or estimated as it is.
        """
        key = tuple(changes)
        if key not in self._known:
            found = self._measure(key, is_wanted)
            if isinstance(found, tuple):
                return None
            self._known[key] = found
        return self._known[key]

    def _measure(
        self, changes: tuple[Change, ...], is_wanted: Callable[[tuple[Transfer, ...]], bool]
    ) -> Measured | tuple[Transfer, ...] | None:
        """Return the program with some changes, or the bytes it sends if they are too many."""
        copy = exact_copy(self._original).operation

        def change(module: ir.Operation) -> None:
            if changes:
                apply(Several(changes, ""), module)
                verify_module(module)

        try:
            transfers = transfers_of_changed(copy, self._partitioning, change)
            if not is_wanted(transfers):
                return transfers
            found = estimate_of(copy, self._machine)
        except (DiagnosticError, ValueError):
            if not changes:
                raise
            return None
        return Measured(transfers, found.memory.peak, found.flops, found.step)


def _amount(number: float) -> str:
    """``156 G``: a number in thousands, millions and so on, to three digits."""
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{number / scale:.3g} {unit}"
    return f"{number:.0f}"
