"""Sums that have to be written down as they are before they are scattered.

Where a result is added up along axes, and scattered along these, explicit reshards choose what the axes are used for:
the factor that is summed over, or that on which the result is sharded, for which operands are gathered. There is no
choice if the op returns what is added up, and what is scattered is made of that:

    %0 = stablehlo.dot_general %x, %y, ... {sdy.sharding = ...[{}, {"b"}]...}  // along "a", too, where summed over
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"b", "a"}]>
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.auto.search.problem import Problem, States
from sdy.passes.auto.search.strategies import Strategies
from sdy.passes.op_axes.common_axes import common_axes
from sdy.passes.op_axes.op_plan import OpTensors, project
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes


@dataclass(slots=True)
class WrittenSums:
    """The layouts in which the results of a problem are added up."""

    problem: Problem
    _found: dict[tuple[int, int], DimAxes | None] = field(default_factory=dict)
    """By the identity of strategies, which the problem keeps, and the number of one."""

    def of(self, value: int, states: States) -> DimAxes | None:
        """That of a value; None if it is not scattered, or explicit reshards do so anyway."""
        variable, _ = self.problem.graph.values[value]
        strategies, state = self.problem.strategies[variable], states[variable]
        key = id(strategies), state
        if key not in self._found:
            self._found[key] = None if self._is_carried_out(strategies, state) else self._partial(strategies, state)
        return self._found[key]

    def _partial(self, strategies: Strategies, state: int) -> DimAxes | None:
        (result,) = strategies.options[state].results
        sum_ = strategies.sum_for(state, self.problem.layouts[result])
        return None if sum_ is None else sum_.partial

    def _is_carried_out(self, strategies: Strategies, state: int) -> bool:
        """Whether explicit reshards do as a strategy says, given the layouts that it needs and gives."""
        option, profile = strategies.options[state], strategies.profile
        if not any(option.strategy.scattered):
            return True
        layouts = self.problem.layouts
        operands, results = (
            tuple(TensorSharding.from_axes("", layouts[number]) for number in numbers)
            for numbers in (option.operands, option.results)
        )
        shapes = tuple(tensor.shape for tensor in (*profile.operands, *profile.results))
        projection = project(OpTensors(profile.rule, operands, results, shapes), self.problem.prices.mesh)
        return common_axes(projection) == option.strategy.factors
