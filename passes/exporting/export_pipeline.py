"""sdy-export-pipeline: Make shardings explicit after propagation, up to local ops if a partitioner stage is given.

Shardings are closed and moved from edges, groups and constraints to the ops and values they apply to; then reshards are
made explicit. Each partitioner stage includes those before it:

    unspecified                     stop there
    resolve-permutation-factors     exchange what shifted, padded or windowed dimensions need of neighbouring shards
    reshard-to-collectives          reshards become collectives
    optimize-collectives            chains of collectives become cheaper ones
    pad-for-divisibility            dimensions are padded to multiples of their shards
    resolve-single-device-sharding  values on one device become values on all
    convert-global-to-local         tensors get their per-device shapes; no sharding is left

With a stage, asynchronous operations become synchronous during partitioning (`sdy-convert-async=to=marked`), so that
data can move around them.

Example: sdy-opt program.mlir --sdy-export-pipeline='partitioner-stage=convert-global-to-local'
"""

from __future__ import annotations

from enum import Enum

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import PipelineError, Step


class Stage(Enum):
    """Stages of the partitioner, in this order."""

    UNSPECIFIED = "unspecified"
    RESOLVE_PERMUTATION_FACTORS = "resolve-permutation-factors"
    RESHARD_TO_COLLECTIVES = "reshard-to-collectives"
    OPTIMIZE_COLLECTIVES = "optimize-collectives"
    PAD_FOR_DIVISIBILITY = "pad-for-divisibility"
    RESOLVE_SINGLE_DEVICE_SHARDING = "resolve-single-device-sharding"
    CONVERT_GLOBAL_TO_LOCAL = "convert-global-to-local"

    def includes(self, other: Stage) -> bool:
        stages = list(Stage)
        return stages.index(self) >= stages.index(other)


@dataclass(frozen=True)
class Options:
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)
    dump_directory: str = option("", "folder for modules saved between the steps; empty for none")
    dump_index: int = option(0, "number of the first saved module")
    avoid_export_for_partitioning: bool = option(*shared.AVOID_EXPORT_FOR_PARTITIONING)
    enable_insert_explicit_collectives: bool = option(False, "insert collectives without a partitioner stage")
    partitioner_stage: Stage = option(Stage.UNSPECIFIED, "how far the partitioner runs; includes the stages before")
    mark_partial_result_with_unreduced_axes: bool = option(
        False, "mark all-reduced results as unreduced along the reduced axes; implied by a stage"
    )
    rng_bit_generator_unsafe: bool = option(*shared.RNG_BIT_GENERATOR_UNSAFE)
    remove_all_gather_reduce_scatter_for_cmv1: bool = option(
        False, "remove all-gathers and reduce-scatters of collective matmuls; needs collectives without a stage"
    )
    enable_per_instruction_partitioning: bool = option(
        False, "partition single instructions inside manual computations; needs stage convert-global-to-local"
    )
    per_instruction_partitioning_filter: str = option(*shared.PER_INSTRUCTION_PARTITIONING_FILTER)
    keep_sharding_rules: bool = option(*shared.KEEP_SHARDING_RULES)
    dump_sharding_origins: bool = option(False, "keep the origins of shardings on data-flow ops only")
    dump_propagation_edges: bool = option(False, "keep the propagation edges on data-flow ops only")
    update_non_divisible_input_output_shardings: bool = option(*shared.UPDATE_NON_DIVISIBLE_INPUT_OUTPUT_SHARDINGS)
    update_public_functions_only: bool = option(*shared.UPDATE_PUBLIC_FUNCTIONS_ONLY)
    inline_meshes: bool = option(True, "inline meshes into the shardings instead of naming them")
    avoid_reshards_on_calls: bool = option(False, "accepted for compatibility; has no effect")


@pipeline("sdy-export-pipeline", options=Options)
def export_pipeline(options: Options) -> list[Step]:
    """Spec: export-passes, section 2."""
    if options.enable_per_instruction_partitioning and options.partitioner_stage is not Stage.CONVERT_GLOBAL_TO_LOCAL:
        raise PipelineError("enable-per-instruction-partitioning needs partitioner-stage=convert-global-to-local")
    saves = _Saves(options.dump_directory, options.dump_index)
    steps = [*_closing_steps(options), *saves.step("after_propagation")]
    if not options.avoid_export_for_partitioning:
        steps += _partitioning_steps(options, saves)
    if options.dump_sharding_origins or options.dump_propagation_edges:
        steps.append(step("sdy-remove-propagation-debug-info"))
    if not options.keep_sharding_rules:
        steps.append(step("sdy-drop-sharding-rules", on_func=True))
    if options.inline_meshes and not options.avoid_export_for_partitioning:
        steps.append(step("sdy-inline-meshes"))
    return steps


class _Saves:
    """Numbered steps that save the module; none without a directory."""

    def __init__(self, directory: str, index: int) -> None:
        self.directory = directory
        self.index = index

    def step(self, name: str) -> list[Step]:
        if not self.directory:
            return []
        self.index += 1
        return [step("sdy-save-module", directory=self.directory, file_name=name, index=self.index - 1)]


def _closing_steps(options: Options) -> list[Step]:
    """Shardings move to the ops and values they apply to, and are closed."""
    steps = [
        step("sdy-constant-or-scalar-merger", on_func=True),
        step(
            "sdy-sink-data-flow-edges",
            on_func=True,
            sink_debug_sharding_origins=options.dump_sharding_origins,
            sink_debug_propagation_edge_sharding=options.dump_propagation_edges,
        ),
    ]
    if not options.avoid_export_for_partitioning:
        steps.append(step("sdy-remove-sharding-groups"))
        steps.append(step("sdy-sharding-constraint-to-reshard", on_func=True))
    if options.update_non_divisible_input_output_shardings:
        public_only = options.update_public_functions_only
        steps.append(step("sdy-update-non-divisible-input-output-shardings", public_only=public_only))
        steps.append(step("sdy-remove-sub-axes-in-input-output-shardings"))
    return [*steps, step("sdy-close-shardings")]


def _partitioning_steps(options: Options, saves: _Saves) -> list[Step]:
    """From closed shardings to collectives and local ops, as far as the options say."""
    per_instruction = options.enable_per_instruction_partitioning
    has_stage = options.partitioner_stage is not Stage.UNSPECIFIED
    full = has_stage or options.enable_insert_explicit_collectives or per_instruction
    steps = [
        *([step("sdy-convert-async", to="marked")] if has_stage else []),
        step("sdy-verify-unreduced-axes", on_func=True),
        step(
            "sdy-insert-explicit-reshards",
            on_func=True,
            enable_full_version=full,
            mark_partial_result_with_unreduced_axes=has_stage or options.mark_partial_result_with_unreduced_axes,
            reshard_custom_rule_ops=full,
        ),
    ]
    if per_instruction:
        steps += _per_instruction_steps(options, saves)
    elif full:
        steps += saves.step("after_explicit_reshards")
        steps.append(_canonicalize("sdy-reshard"))
        steps += _stage_steps(options) if has_stage else _collectives_only_steps()
    steps += [*([step("sdy-convert-async", to="restored")] if has_stage else []), _canonicalize("sdy-collective")]
    if options.remove_all_gather_reduce_scatter_for_cmv1 and full and not has_stage:
        steps.append(step("sdy-remove-all-gather-reduce-scatter-for-cmv1", on_func=True))
    return [*steps, *saves.step("after_partitioner_passes")]


def _canonicalize(label: str) -> Step:
    """The patterns with `label`, driven as the reference drives them."""
    return step("canonicalize", enable_patterns=label, top_down=False, region_simplify="aggressive")


def _per_instruction_steps(options: Options, saves: _Saves) -> list[Step]:
    return [
        *saves.step("before_per_instruction_partitioning"),
        step(
            "sdy-per-instruction-partitioning",
            replica_count=options.replica_count,
            partition_count=options.partition_count,
            rng_bit_generator_unsafe=options.rng_bit_generator_unsafe,
            filter=options.per_instruction_partitioning_filter,
        ),
        *saves.step("after_per_instruction_partitioning"),
    ]


def _collectives_only_steps() -> list[Step]:
    return [
        step("sdy-reshard-to-collectives", on_func=True),
        step("sdy-optimize-collectives", on_func=True),
    ]


def _stage_steps(options: Options) -> list[Step]:
    """The steps of the partitioner up to and including its stage."""
    replicas, partitions = options.replica_count, options.partition_count
    by_stage = {
        Stage.RESOLVE_PERMUTATION_FACTORS: [
            step(
                "sdy-resolve-permutation-factors",
                rng_bit_generator_unsafe=options.rng_bit_generator_unsafe,
                replica_count=replicas,
                partition_count=partitions,
            )
        ],
        Stage.RESHARD_TO_COLLECTIVES: [
            # Later stages can do nothing with what is not gathered on its own mesh.
            step(
                "sdy-reshard-to-collectives",
                on_func=True,
                cross_meshes=options.partitioner_stage.includes(Stage.PAD_FOR_DIVISIBILITY),
            )
        ],
        Stage.OPTIMIZE_COLLECTIVES: [
            step("sdy-optimize-collectives", on_func=True),
            _canonicalize("sdy-collective"),
        ],
        Stage.PAD_FOR_DIVISIBILITY: [step("sdy-pad-for-divisibility")],
        Stage.RESOLVE_SINGLE_DEVICE_SHARDING: [
            step("sdy-resolve-single-device-sharding", on_func=True, replica_count=replicas, partition_count=partitions)
        ],
        Stage.CONVERT_GLOBAL_TO_LOCAL: [
            step("sdy-convert-global-to-local", enable_rgv3=True, replica_count=replicas, partition_count=partitions),
            step("sdy-drop-sharding-and-mesh", keep_module_sharding_metadata=True),
        ],
    }
    included = [steps for stage, steps in by_stage.items() if options.partitioner_stage.includes(stage)]
    return [one for steps in included for one in steps]
