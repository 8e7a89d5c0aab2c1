"""The factor strategies by name, and the order in which a pass runs them (spec: propagation, 1.1)."""

from __future__ import annotations

from enum import Enum

from sdy.passes.propagation.strategies.aggressive_strategy import limits_of_operands, propagate_aggressive
from sdy.passes.propagation.strategies.basic_strategy import propagate_basic
from sdy.passes.propagation.strategies.factor_propagation import OpFactors, Projection


class FactorStrategy(Enum):
    """How conflicts between the tensors of one op are resolved."""

    BASIC = "basic"
    AGGRESSIVE = "aggressive"

    __hash__ = object.__hash__  # Enum's own is written in Python

    def propagate(self, projection: Projection, op: OpFactors) -> None:
        """Expands the factors of `projection` in place."""
        if self is FactorStrategy.BASIC:
            propagate_basic(projection, op)
        else:
            propagate_aggressive(projection, op)

    def limits_of(self, target: int, factor: int, projection: Projection, op: OpFactors) -> list[int]:
        """The other tensors without which `target` takes no axes for `factor`, by number."""
        if self is FactorStrategy.BASIC:
            return [number for number in range(len(projection.tensors)) if number != target]
        num_operands = len(projection.operands)
        limits = limits_of_operands(projection, op) if target < num_operands else ()
        return [number for number, limit in enumerate(limits, num_operands) if limit.factors[factor] is not None]


class PropagationStrategy(Enum):
    """The option `propagation-strategy`: which factor strategies run, one complete sweep after the other."""

    BASIC = "basic"
    AGGRESSIVE = "aggressive"
    BASIC_THEN_AGGRESSIVE = "basic-then-aggressive"

    @property
    def sweeps(self) -> tuple[FactorStrategy, ...]:
        if self is PropagationStrategy.BASIC_THEN_AGGRESSIVE:
            return (FactorStrategy.BASIC, FactorStrategy.AGGRESSIVE)
        return (FactorStrategy(self.value),)
