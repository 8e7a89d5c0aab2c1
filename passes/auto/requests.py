"""What is asked of automatic partitioning, and what it finds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import RefusedByUser
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.plan_costs import Measured, PlanCost, measured
from sdy.passes.auto.search.problem import Plan, Problem
from sdy.passes.costs.machine import Machine

AS_GIVEN = "as given"
"""What is written if propagation does better with what the user has said."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    `axes` are those of the mesh that may be used, `limit` the bytes that a device may hold, infinite for any number.
    `annotate` is one of `auto_options.ANNOTATE`: "best" measures "values", and "full" of the plan that is
    best, or of any that is not as predicted.
    `verify` is how many of the best plans are partitioned and measured. If the limit `is_soft`, and no plan fits, the
    one of least memory is taken. After `time_limit` seconds the search ends with what it has found.
    `overlap` is the part of what can be hidden that is; if it is not 0, programs are measured with it hidden.
    """

    mesh: Mesh
    machine: Machine
    axes: tuple[str, ...]
    limit: float = math.inf
    effort: str = "default"
    annotate: str = "best"
    verify: int = 1
    is_soft: bool = False
    time_limit: float = math.inf
    overlap: float = 0.0

    def measured(self, module: ir.Operation) -> Measured:
        """What an annotated module takes when it has been partitioned."""
        return measured(module, self.mesh, self.machine, overlaps=self.overlap > 0)


@dataclass(slots=True)
class Found:
    """The plan: the annotated copy of the program, what was predicted and, if that was asked for, measured.

    `annotations` are of the program, or, if it `is_inlined`, of its copy without calls. `others` are plans that were
    found on the way, the best first. `is_complete` is false if the time was over before the search was.
    `replicated` is the cost of full replication, as measured if that was carried out. `without_rule` counts ops without
    a rule by name. `solves` is how often one axis was solved for. `request` is what it was found for, of several. What
    cannot be had, because a function of a user refuses it, is `refused`; `refusals` are those of plans that would have
    been tried.
    """

    module: ir.Operation
    annotate: str
    annotations: Annotations
    predicted: PlanCost
    measured: Measured | None
    replicated: PlanCost
    without_rule: dict[str, int]
    solves: int
    is_exact: bool
    problem: Problem
    plan: Plan
    request: Request
    is_inlined: bool = False
    others: list[tuple[Plan, PlanCost]] = field(default_factory=list)
    is_complete: bool = True
    refused: RefusedByUser | None = None
    refusals: tuple[RefusedByUser, ...] = ()

    @property
    def step(self) -> float:
        """Seconds of a step: measured, or else predicted; infinite for what is refused."""
        if self.refused is not None:
            return math.inf
        return self.predicted.step if self.measured is None else self.measured.cost.step

    @property
    def excess(self) -> float:
        """Bytes by which a device would have too little, as measured; infinite for what is refused."""
        if self.refused is not None:
            return math.inf
        return 0.0 if self.measured is None else max(0.0, self.measured.cost.memory - self.request.limit)
