"""The factor strategies by name, and the order in which a pass runs them (spec: propagation, 1.1)."""

from __future__ import annotations

from enum import Enum

from sdy.passes.propagation.strategies.aggressive_strategy import propagate_aggressive
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
