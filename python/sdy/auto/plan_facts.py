"""Facts of a plan: its shardings, and their predicted and estimated cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.auto.plan_difference import Edit
from sdy.auto.plan_source import PlanSource
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.markup.json_data import JsonObject
from sdy.passes.auto.annotating import Decision, Unsharded
from sdy.passes.auto.plan_costs import Measured, PlanCost
from sdy.passes.costs.machine import Machine


@dataclass(frozen=True, slots=True)
class Named:
    """An argument or result of the program, its global shape, and how it is sharded; None if that is left open."""

    name: str
    shape: tuple[int, ...]
    sharding: TensorSharding | None

    def data(self) -> JsonObject:
        """For JSON: the names of the axes of each dimension."""
        dims = None if self.sharding is None else [[str(axis) for axis in axes] for axes in self.sharding.dim_axes]
        return {"name": self.name, "shape": list(self.shape), "sharding": dims}


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """Shardings for a program; `Plan`, which says what each attribute is, makes further plans of them."""

    text: str
    mesh: Mesh
    machine: Machine
    arguments: tuple[Named, ...]
    results: tuple[Named, ...]
    predicted: PlanCost
    replicated: PlanCost
    without_rule: dict[str, int]
    is_exact: bool
    solves: int
    estimated: PlanCost | None = None
    annotate: str = "values"
    decisions: tuple[Decision, ...] = ()
    is_complete: bool = True
    parts: Measured | None = None
    alternatives: tuple[PlanCost, ...] = ()
    unsharded: tuple[Unsharded, ...] = ()
    edits: tuple[Edit, ...] = ()
    as_found: PlanCost | None = None
    refusals: tuple[str, ...] = ()
    source: PlanSource | None = field(default=None, repr=False, compare=False)

    @property
    def cost(self) -> PlanCost:
        """Estimated cost of the partitioned program, or the predicted cost without an estimate."""
        return self.estimated or self.predicted

    @property
    def made_from(self) -> PlanSource:
        """The `source`. Raises `ValueError` for a plan that was put together by hand."""
        if self.source is None:
            raise ValueError("the plan does not know the program that it is for")
        return self.source
