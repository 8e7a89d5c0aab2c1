"""The options of the passes that propagate (spec: propagation, 1 and 12)."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes.options import option
from sdy.passes.propagation.engine.strategy import PropagationStrategy


@dataclass(frozen=True)
class PropagationOptions:
    """The options that all propagate passes have."""

    keep_sharding_rules: bool = option(False, "keep the sharding rules that the pass attached to ops")
    module_dump_directory: str = option("", "directory for dumps of the module between user priorities; none if empty")
    dump_index: int = option(0, "number prefix of dump names")
    conservative_propagation: bool = option(False, "neither split axes nor use rules whose shardings may not divide")
    debug_sharding_origins: bool = option(False, "record the origin of each axis of each value")
    debug_propagation_edge_sharding: bool = option(False, "record the moves of axes across each op, step by step")


@dataclass(frozen=True)
class AggressivePropagateOptions(PropagationOptions):
    """Options of the pass that decides between tensors that disagree."""

    propagation_strategy: PropagationStrategy = option(
        PropagationStrategy.AGGRESSIVE, "how conflicts between the tensors of an op are resolved"
    )


@dataclass(frozen=True)
class OpPriorityOptions(PropagationOptions):
    """Options of the passes that propagate by levels of op priority."""

    propagation_strategy: PropagationStrategy = option(
        PropagationStrategy.AGGRESSIVE, "how conflicts between the tensors of an op are resolved"
    )
    run_op_priority_propagation: bool = option(True, "propagate through ops that only forward shardings first")
