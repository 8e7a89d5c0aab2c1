"""Options of the passes that propagate level by level."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes.options import option
from sdy.passes.propagation.engine.session import PropagationOptions
from sdy.passes.propagation.strategies.strategy import PropagationStrategy


@dataclass(frozen=True)
class OpPriorityOptions(PropagationOptions):
    propagation_strategy: PropagationStrategy = option(
        PropagationStrategy.AGGRESSIVE, "how conflicts between the tensors of an op are resolved"
    )
    run_op_priority_propagation: bool = option(True, "let ops that only pass shardings on go first")
