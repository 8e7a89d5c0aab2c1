"""Options that several passes and pipelines have under one name: the default and what `--help` says about it.

replica_count: int = option(*shared.REPLICA_COUNT)
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes.options import option

ADD_MISSING_SHARDING_TO_CONTROL_FLOW = (False, "write that loops and branches without a sharding are replicated")
ALLOW_PROPAGATION_TO_ARGS: tuple[tuple[str, ...], str] = (
    (),
    "whether shardings of arguments of main are open: true or false, for all or each",
)
ALLOW_PROPAGATION_TO_RESULTS: tuple[tuple[str, ...], str] = ((), "the same for results of main")
AVOID_EXPORT_FOR_PARTITIONING = (
    False,
    "stop once the shardings are closed, so that the module can be propagated again",
)
CONSERVATIVE_PROPAGATION = (False, "neither split axes nor use rules that may not divide")
DEBUG_PROPAGATION_EDGE_SHARDING = (False, "record how axes travel")
DEBUG_SHARDING_ORIGINS = (False, "record where axes of shardings come from")
DUMP_DIRECTORY = ("", "where to write modules for debugging; empty: nowhere")
ENABLE_CONSTANT_IMPORT = (True, "make constants those of the dialect")
ENABLE_EXPLICIT_GATHER_SCATTER_BATCHING = (False, "make implicit batch dimensions of gathers and scatters explicit")
KEEP_HLO_SHARDING_CONSTRAINTS = (True, "write constraints as calls of @Sharding, not as mhlo.copy")
KEEP_SHARDING_RULES = (False, "keep the sharding rules on the ops")
NAMED_TEXT_READ = (False, "read named sharding text, not strings")
NAMED_TEXT_WRITTEN = (False, "write named sharding text, not strings")
NAMES_OF_AXES_WRITTEN = (False, "write the names of axes, not tiles")
PARTITION_COUNT = (1, "number of devices of one replica")
PER_DIM_ALL_GATHER = (False, "one all_gather per gathered dimension instead of one for all")
PER_INSTRUCTION_PARTITIONING_FILTER = ("", "which instructions to partition")
REPLICA_COUNT = (1, "number of replicas of the program")
RNG_BIT_GENERATOR_UNSAFE = (True, "let every shard draw its random numbers from its own stream")
SHARDING_CALLS: tuple[tuple[str, ...], str] = ((), "further targets of custom calls that are sharding constraints")
UPDATE_NON_DIVISIBLE_INPUT_OUTPUT_SHARDINGS = (
    True,
    "give inputs and outputs shardings without sub-axes that divide their dimensions",
)
UPDATE_PUBLIC_FUNCTIONS_ONLY = (False, "those of private functions stay, inside of which padding is possible")


@dataclass(frozen=True)
class NamedTextRead:
    """The options of passes that have no other."""

    enable_hlo_sharding_v3: bool = option(*NAMED_TEXT_READ)


@dataclass(frozen=True)
class NamedTextWritten:
    """The options of passes that have no other."""

    enable_hlo_sharding_v3: bool = option(*NAMED_TEXT_WRITTEN)
