"""`sdy.compare`, also called `sdy.auto.compare`: several ways to shard or to partition one program, side by side.

>>> print(sdy.compare(text, {"rows": {"argument:1": ("data", None)}, "columns": {"argument:1": (None, "model")}}))
>>> print(sdy.auto.compare(text, {"as it is": {}, "by an expert": other_text, "found": plan}, machine="h100"))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from sdy.auto.plan import Plan
from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program
from sdy.lazy_dataclass import dataclass
from sdy.markup import Json, JsonObject
from sdy.markup.templating import ShownText
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.bytecode import exact_copy
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled, parsed, text_of, with_own_shardings
from sdy.programs.partitioning import Partitioning
from sdy.report.step_estimate import Estimate, estimate, estimate_of_own, size_text
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration
from sdy.suggestions.changes import Wanted, shard

Way: TypeAlias = "Wanted | PartitionOptions | Plan | GivenProgram"
"""Shardings to compare: of the program's values, options, a plan, or the program with other shardings."""

_FOR_MEMORY = Machine.parse("fast-links")
"""Machine for memory alone, which does not depend on it."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative: bytes that a device sends and holds, collectives, and time of one run.

    `step` is in seconds, None without a machine; then the seconds of `estimate` are meaningless, too.
    """

    name: str
    estimate: Estimate
    step: float | None

    @property
    def collectives(self) -> int:
        """Number of collectives in one run."""
        return sum(one.ops for one in self.estimate.collectives)

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device sends in one run."""
        return self.estimate.bytes_sent

    @property
    def memory(self) -> int:
        """Peak memory of a device, in bytes."""
        return self.estimate.memory.peak

    def data(self) -> JsonObject:
        """A row of `Comparison.to_json`."""
        data: dict[str, Json] = {
            "name": self.name,
            "collectives": self.collectives,
            "bytes_sent": self.bytes_sent,
            "memory": self.memory,
            "step": self.step,
        }
        return data if self.step is None else {**data, "estimate": self.estimate.data()}


@dataclass(frozen=True, slots=True)
class Comparison(ShownText):
    """The alternatives, in the order in which they were given."""

    alternatives: tuple[Alternative, ...]

    def __getitem__(self, name: str) -> Alternative:
        return next(one for one in self.alternatives if one.name == name)

    @property
    def best(self) -> str:
        """Return the fastest alternative that fits into memory; without a machine, the one that sends the least."""
        return min(self.alternatives, key=lambda one: (not one.estimate.fits, one.step or 0.0, one.bytes_sent)).name

    def __str__(self) -> str:
        is_timed = any(one.step is not None for one in self.alternatives)
        more = ("step", "of best", "compute", "exposed", "fits") if is_timed else ()
        rows: list[tuple[str, ...]] = [("", "collectives", "bytes per device", "memory", *more)]
        for one in self.alternatives:
            cells = (str(one.collectives), f"{one.bytes_sent:,.0f}", size_text(one.memory))
            rows.append((one.name, *cells, *self._timed(one)))
        return columns(rows)

    def _timed(self, one: Alternative) -> tuple[str, ...]:
        if one.step is None:
            return ()
        best = self[self.best].step
        seconds = (duration(one.estimate.compute), duration(one.estimate.exposed))
        share = f"{one.step / best:.2f}" if best else ""
        return (duration(one.step), share, *seconds, "yes" if one.estimate.fits else "no")

    def to_json(self, indent: int | None = 2) -> str:
        """The alternatives as a JSON list; with a machine each with its `estimate`."""
        return json.dumps([one.data() for one in self.alternatives], indent=indent)


def compare(
    module: GivenProgram,
    alternatives: Mapping[str, Way],
    *,
    machine: Machine | str | None = None,
    filename: str = "-",
    context: ir.Context | None = None,
    options: PartitionOptions | None = None,
) -> Comparison:
    """Compare a program's communication, memory and time under other shardings or options.

    Args:
      module: input of `sdy.parse`, or an `ir.Module` (not changed), not partitioned yet; or what
        `sdy.partition` returns, for the original program.
      alternatives: by name, the shardings of values (by selectors of `sdy.explain`): a `TensorSharding`, the
        axes of each dimension, JAX's forms of these (`PartitionSpec`, `NamedSharding`, `sdy.jax.Sharding`), or None
        for a result whose sharding is left open; or options of the partitioner; or a `sdy.auto.Plan`; or the same
        program with other shardings, as `module` is given. An empty mapping is the program as it is.
      machine: the machine of the step, to say how long it takes; by default that of a plan, if there is one.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.
      options: of the partitioner, where an alternative has none; None for those of the compiled program.

    Returns:
      A `Comparison`: bytes sent and held, collectives and, with a machine, seconds of each alternative.

    Raises:
      SelectorError (a ValueError): a selector that means no value, or none that can be sharded.
      DiagnosticError, DiagnosticErrors: a sharding that does not fit, a program that cannot be partitioned.
      TypeError, ValueError, OSError: an invalid argument.
    """
    if isinstance(module, Mapping) or not isinstance(alternatives, Mapping):
        raise TypeError("compare() takes a program, and then ways to shard it by name")
    if not alternatives:
        raise ValueError("compare() needs at least one way to shard the program")
    plans = [one for one in alternatives.values() if isinstance(one, Plan)]
    if machine is None and plans:
        machine = plans[0].machine
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    own = compiled(module, options, filename=filename)
    original = parsed(own.program, filename, own.context or context)
    with original.context, exclusively(original.context), ir.Location.unknown():
        original = with_own_shardings(original, own.partitioning.options)
        program = Program(original.operation, filename, text_of(own.program, filename))
        ways = _Ways(original, program, machine or _FOR_MEMORY, own.partitioning)
        found = [(name, ways.estimated(name, wanted)) for name, wanted in alternatives.items()]
    return Comparison(tuple(Alternative(name, one, one.step if machine else None) for name, one in found))


@dataclass(frozen=True, slots=True)
class _Ways:
    """A program, and the settings of its estimates."""

    module: ir.Module | ir.Operation
    program: Program
    machine: Machine
    usual: Partitioning

    def estimated(self, name: str, wanted: Way) -> Estimate:
        if isinstance(wanted, Plan):
            return estimate(wanted.text, self.machine, filename=name)
        if isinstance(wanted, PartitionOptions):
            options = replace(wanted, embedded=wanted.embedded or self.usual.options.embedded)
            return self._estimated(self.module, Partitioning(options))
        if not isinstance(wanted, Mapping):
            return estimate(wanted, self.machine, filename=name)
        copy = exact_copy(self.module)
        shard(copy, self.module, self.program, wanted)
        return self._estimated(copy, self.usual)

    def _estimated(self, module: ir.Module | ir.Operation, partitioning: Partitioning) -> Estimate:
        return estimate_of_own(CompiledProgram(module, partitioning), self.machine)
