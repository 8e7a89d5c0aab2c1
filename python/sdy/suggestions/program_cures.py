"""Cures of a whole program: the changes of shardings that together make a step cheaper.

>>> found = sdy.cure(lowered, machine="h100")
>>> print(found)                     # the changes, each with bytes, memory and time
>>> found.apply(module)

Candidates come from the most expensive collectives, and are evaluated on copies of the program. The best one is kept,
and the search continues from there. Changes that increase memory, operations or time are never kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import GivenProgram, compiled, parsed, with_own_shardings
from sdy.report.step_estimate import size_text
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration
from sdy.report.transfers import Transfer
from sdy.suggestions.attribution import Attribution, around
from sdy.suggestions.changes import Change, Several, apply
from sdy.suggestions.program_candidates import with_change
from sdy.suggestions.trials import USUAL_MACHINE, Measured, Saving

_ROUNDS = 8
"""Changes that are combined at most."""

_COLLECTIVES = 6
"""Collectives of which candidates are taken in each round."""

_PER_ROUND = 64
"""New candidates of a round that are measured."""

_WORTH = 0.02
"""Share of the step that a change has to save."""

_NEARLY = 0.9
"""Share of the best gain that is as good."""


@dataclass(frozen=True, slots=True)
class ProgramCure:
    """A change that was kept: its description, and its savings on top of earlier changes."""

    change: Change
    text: str
    saving: Saving


@dataclass(frozen=True, slots=True)
class ProgramCures(ShownText):
    """The changes that together make a program cheaper, in the order in which they were found.

    Attributes:
      cures: the changes; empty if nothing cheaper was found.
      before: the program as it is, after: with all changes.
      tried: combinations of changes that were measured.
      machine: the machine of the predictions.
    """

    cures: tuple[ProgramCure, ...]
    before: Measured
    after: Measured
    tried: int
    machine: Machine

    def apply(self, module: ir.Module | ir.Operation) -> None:
        """Apply all changes to a module of the program, in place.

        Foreign shardings have been imported already: see `sdy-import-foreign-shardings`.
        """
        with module.context, ir.Location.unknown():
            apply(Several(tuple(each.change for each in self.cures), ""), module)

    def __str__(self) -> str:
        if not self.cures:
            return f"nothing cheaper was found, of {self.tried} changes tried"
        rows = [("", "collectives", "bytes per device", "memory", "step")]
        for name, one in (("as it is", self.before), ("cured", self.after)):
            rows.append((name, str(one.ops), f"{one.bytes_sent:,.0f}", size_text(one.memory), duration(one.step)))
        lines = [columns(rows), "", f"of {self.tried} changes tried:"]
        lines += [f"  {number}. {line}" for number, line in enumerate(map(_line, self.cures), 1)]
        return "\n".join(lines)


def _line(cure: ProgramCure) -> str:
    saving = cure.saving
    parts = [f"{0 - saving.bytes_sent:+,.0f} bytes"]
    for name, saved, text in (("memory", saving.memory, size_text), ("step", saving.step, duration)):
        parts += [f"{name} {'-' if saved > 0 else '+'}{text(abs(saved))}"] if saved else []
    return f"{', '.join(parts)}: {cure.text}"


def cure(
    module: GivenProgram,
    *,
    machine: Machine | str | None = None,
    filename: str = "-",
    context: ir.Context | None = None,
    options: PartitionOptions | None = None,
) -> ProgramCures:
    """Find changes of shardings that together make a step of a program shorter.

    Candidates are shardings of arguments and results, alone and by pattern (the weights of a kind in all layers, with
    their state), constraints on values, operands and inputs of blocks, and existing constraints. Each is partitioned
    like the program. No change that increases memory or operations is kept.

    Args:
      module: input of `sdy.why`.
      machine: the machine of the step; by default a usual one, as for `sdy.auto`.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.
      options: of the partitioner; None for those of the compiled program.

    Returns:
      A `ProgramCures`: the changes in order, each with its savings, and the bytes before and after.

    Raises:
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned.
      TypeError, ValueError, OSError: an invalid argument.
    """
    found_machine = Machine.given(USUAL_MACHINE if machine is None else machine, "cure")
    own = compiled(module, options, filename=filename)
    original = parsed(own.program, filename, own.context or context)
    with original.context, exclusively(original.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        original = with_own_shardings(original, own.partitioning.options)
        program = Program(original.operation, filename)
        attribution = Attribution(original, program, found_machine, own.partitioning)
        return _Search(attribution, program).run(found_machine)


class _Search:
    """Greedy search: keeps the best candidate, and measures the gains of others again after each one."""

    def __init__(self, attribution: Attribution, program: Program) -> None:
        self._attribution, self._program = attribution, program
        self._candidates, self._trials = attribution.candidates, attribution.trials
        self._gains: dict[Change, float] = {}
        self._kept: list[Change] = []

    def run(self, machine: Machine) -> ProgramCures:
        before = now = self._measured(self._kept)
        for _ in range(_ROUNDS):
            self._add_candidates(now)
            best = self._best(now)
            if best is None:
                break
            self._kept = with_change(self._kept, best)
            now = self._measured(self._kept)
        kept = self._needed(now)
        return ProgramCures(tuple(self._told(kept)), before, self._measured(kept), self._trials.tried, machine)

    def _measured(self, changes: Sequence[Change]) -> Measured:
        found = self._trials.measured(changes)
        assert found is not None, "the program and what was kept can be partitioned"
        return found

    def _add_candidates(self, now: Measured) -> None:
        """Measure new candidates for the collectives that take most."""
        largest = sorted(now.transfers, key=lambda one: -one.bytes_sent)
        served = {(one.op, one.serves): one for one in reversed(largest)}
        lists = [self._of(one) for one in [*reversed(served.values())][:_COLLECTIVES]]
        new = dict.fromkeys(each for row in zip_longest(*lists) for each in row if each is not None)
        for change in [each for each in new if each not in self._gains][:_PER_ROUND]:
            self._gains[change] = self._gain(change, now)

    def _of(self, transfer: Transfer) -> list[Change]:
        return self._candidates.of(transfer, tuple(around(self._program, self._attribution.explainer, transfer)))

    def _gain(self, change: Change, now: Measured) -> float:
        """Return the seconds saved; 0 if the program becomes worse, or returns its state in another sharding.

        It is worse if it needs more memory, operations or time than without any change. More bytes are accepted where
        their relative increase is smaller than the relative saving of time.
        """
        changes = with_change(self._kept, change)
        if not self._candidates.boundaries.keeps_state(changes):
            return 0.0
        after = self._trials.measured(changes)
        if after is None:
            return 0.0
        saving = Saving.of(now, after)
        is_traded = now.bytes_sent and -saving.bytes_sent / now.bytes_sent > saving.step / now.step
        is_worse = bool(Saving.of(self._measured(()), after).costs)
        return 0.0 if is_worse or is_traded else saving.step

    def _best(self, now: Measured) -> Change | None:
        """Return a change that saves most, if it is worth it; only leading gains are measured again.

        Of changes with nearly equal savings the first one is the simplest.
        """
        fresh: set[Change] = set()
        while True:
            best = max(self._gains.values(), default=0.0)
            if best <= _WORTH * now.step:
                return None
            leading = [change for change, gain in self._gains.items() if gain >= _NEARLY * best]
            stale = [change for change in leading if change not in fresh]
            if not stale:
                del self._gains[leading[0]]
                return leading[0]
            self._gains.update({change: self._gain(change, now) for change in stale})
            fresh.update(stale)

    def _needed(self, now: Measured) -> list[Change]:
        """Drop changes that do not contribute."""
        kept = list(self._kept)
        for change in self._kept:
            without = [each for each in kept if each != change]
            found = self._trials.measured(without)
            keeps = self._candidates.boundaries.keeps_state(without)
            if keeps and found is not None and found.step <= now.step and not Saving.of(now, found).costs:
                kept = without
        return kept

    def _told(self, kept: Sequence[Change]) -> Iterator[ProgramCure]:
        for number, change in enumerate(kept):
            before, after = self._measured(kept[:number]), self._measured(kept[: number + 1])
            yield ProgramCure(change, change.told(self._program), Saving.of(before, after))
