"""Content of a page: programs with shardings, their names, and how they are partitioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from sdy.auto.plan_difference import PlanFacts
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.partitioned_module import PartitionedModule
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled
from sdy.programs.sources import Source

_NAMES = "AB"


class HasPlan(Protocol):
    """An object that holds a plan, such as a `sdy.jax.JaxPlan`."""

    @property
    def plan(self) -> PlanFacts:
        """The facts on the plan."""
        ...


AnyPlan: TypeAlias = "GivenProgram | PlanFacts | HasPlan"
"""A program with shardings."""


@dataclass(frozen=True)
class Plan:
    """A program and a way to partition it.

    Attributes:
      program: what `sdy.parse` takes, an `ir.Module` (which is not changed), a `sdy.jax` `Lowered`, or what
        `sdy.partition` returns, for the original program; at any stage; or a plan of `sdy.auto`, or of
        `sdy.jax`, which the page then shows, too.
      name: its name on the page; by default A and B.
      filename: name in locations of a program from a text without a name.
      context: the MLIR context to parse a text into (see `sdy.partition`).
      mesh: of a local program that does not say on which mesh it runs.
      text: the content of `filename`, if it cannot be read again; by default the program, if that is text.
      options: of the partitioner; None for those of the compiled program.
    """

    program: AnyPlan
    name: str = ""
    filename: str = "-"
    context: ir.Context | None = None
    mesh: Mesh | None = None
    options: PartitionOptions | None = None
    text: str = ""

    @property
    def found(self) -> PlanFacts | None:
        """Return the search result of the plan, if there is one."""
        return _facts(self.program)

    @property
    def given(self) -> GivenProgram:
        """The program; of a plan of `sdy.auto` that with its shardings."""
        return self.program if self.found is None else self.found.text  # pyright: ignore[reportReturnType]

    @property
    def texts(self) -> dict[str, str]:
        """The text of a program given as text, by its name in locations."""
        if self.text:
            return {self.filename: self.text}
        if isinstance(self.program, Source):
            return {self.program.filename: self.program.text}
        if isinstance(self.program, str) and "\n" in self.program:
            return {self.filename: self.program}
        return {}

    def compiled(self) -> CompiledProgram:
        """Return the compiled program, or, from a cache, the program of each device.

        Raises:
          DiagnosticError: a program of JAX cannot be prepared.
        """
        given = self.given
        is_local = isinstance(given, PartitionedModule) and given.source is None
        own = compiled(given, self.options, filename=self.filename, is_local=is_local)
        return replace(own, context=own.context or self.context, mesh=self.mesh or own.mesh)


def _facts(given: object) -> PlanFacts | None:
    given = given if isinstance(given, PlanFacts) else getattr(given, "plan", None)
    return given if isinstance(given, PlanFacts) else None


def as_plans(given: Sequence[AnyPlan | Plan], filename: str) -> list[Plan]:
    """Return one or two plans with names.

    Raises ValueError for another number, TypeError for objects without a program.
    """
    if not 1 <= len(given) <= len(_NAMES):
        raise ValueError(f"a page shows one plan or two, not {len(given)}")
    plans = [_plan(each, filename) for each in given]
    return [replace(plan, name=plan.name or name) for plan, name in zip(plans, _NAMES, strict=False)]


def _plan(given: AnyPlan | Plan, filename: str) -> Plan:
    return given if isinstance(given, Plan) else Plan(given, filename=filename)


LARGE = 3000
"""Ops from which on cures are only looked for if that is asked for: each tries dozens of changes of the program."""

MOST_WITH_PASSES = 1500
"""Ops up to which the program after each pass is shown."""

MOST_EXPLAINED = 60_000
"""Ops up to which it is told of all values where their shardings came from; then of the first of equal layers only."""

_USUAL = 3


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a page.

    Attributes:
      reasons: origins of shardings, and causes of collectives.
      cures: number of collectives to search cures for; those that send most come first, one of equal ones. By default
        for a few of them, in large programs for none.
      sources: the lines of source files that ops come from.
    """

    reasons: bool = True
    cures: int | None = None
    sources: bool = True

    def __post_init__(self) -> None:
        if self.cures is not None and self.cures < 0:
            raise ValueError(f"cures are looked for in {self.cures} collectives: the number must be 0 or more")

    def cures_for(self, ops: int) -> int:
        """For how many collectives cures are looked for in a program of so many ops."""
        if self.cures is not None:
            return self.cures
        return _USUAL if ops <= LARGE else 0
