"""Automatic partitioning: the cost of a program on a machine, and shardings that lower it.

>>> sdy.auto.estimate(text, "h100").step        # seconds that a step takes with the shardings that the program has
>>> plan = sdy.auto.partition(text, mesh={"data": 4, "model": 2}, machine="h100")
>>> plan.text                                   # the program with the shardings that were found
>>> sdy.auto.measure({"data": 4, "model": 2})   # the machine that the devices of JAX are
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sdy.auto.comparison import Alternative, Comparison, compare
from sdy.auto.plan import Plan
from sdy.auto.plan_difference import Edit, Named, PlanDifference
from sdy.auto.planning import Options, partition, register
from sdy.passes.auto.plan_costs import PlanCost
from sdy.passes.costs.program_steps import Sent
from sdy.report.step_estimate import Estimate, estimate

if TYPE_CHECKING:
    from sdy.auto.measuring import measure

__all__ = [
    "Alternative",
    "Comparison",
    "Edit",
    "Estimate",
    "Named",
    "Options",
    "Plan",
    "PlanCost",
    "PlanDifference",
    "Sent",
    "compare",
    "estimate",
    "measure",
    "partition",
    "register",
]


def __getattr__(name: str) -> object:
    """Load names that need JAX on first use."""
    if name != "measure":
        raise AttributeError(f"module 'sdy.auto' has no attribute '{name}'")
    found = globals()[name] = import_module("sdy.auto.measuring").measure
    return found
