"""sdy-propagation-pipeline: Propagate shardings until every tensor has one.

Import, propagation through the whole program, export: the consequences of the given shardings, explicit by reshards
where ops need other ones.

Example: sdy-opt program.mlir --sdy-propagation-pipeline

The phases are importing, propagating, exporting.

With `dedup-functions-fully` functions are propagated unchanged, once for all their calls. Without it each call has its
own copy during propagation, and one of equal copies is kept.
"""

from __future__ import annotations

from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Phases, Step


@dataclass(frozen=True)
class Options:
    """Options of the pipeline. The command line of the reference has only the first; the others are set from code."""

    dedup_functions_fully: bool = option(False, "propagate through functions once for all calls, without cloning")
    keep_sharding_rules: bool = option(*shared.KEEP_SHARDING_RULES)
    dump_directory: str = option(*shared.DUMP_DIRECTORY)
    conservative_propagation: bool = option(*shared.CONSERVATIVE_PROPAGATION)
    debug_sharding_origins: bool = option(*shared.DEBUG_SHARDING_ORIGINS)
    debug_propagation_edge_sharding: bool = option(*shared.DEBUG_PROPAGATION_EDGE_SHARDING)
    avoid_export_for_partitioning: bool = option(*shared.AVOID_EXPORT_FOR_PARTITIONING)
    enable_insert_explicit_collectives: bool = option(False, "insert collectives")
    remove_all_gather_reduce_scatter_for_cmv1: bool = option(
        False, "remove all-gathers and reduce-scatters of collective matmuls"
    )
    update_non_divisible_input_output_shardings: bool = option(*shared.UPDATE_NON_DIVISIBLE_INPUT_OUTPUT_SHARDINGS)
    update_public_functions_only: bool = option(*shared.UPDATE_PUBLIC_FUNCTIONS_ONLY)
    inline_meshes: bool = option(False, "inline meshes into the shardings instead of naming them")
    enable_per_instruction_partitioning: bool = option(
        False, "partition single instructions inside manual computations"
    )
    per_instruction_partitioning_filter: str = option(*shared.PER_INSTRUCTION_PARTITIONING_FILTER)
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)
    enable_auto_partitioning: bool = option(False, "let the registered auto-partitioner choose shardings")
    enable_explicit_gather_scatter_batching: bool = option(*shared.ENABLE_EXPLICIT_GATHER_SCATTER_BATCHING)
    propagate_through_async: bool = option(
        False, "propagate through the asynchronous operations of StableHLO as through those of hlo_async"
    )


@pipeline("sdy-propagation-pipeline", options=Options)
def propagation_pipeline(options: Options) -> Phases:
    """Spec: propagation, 14.1. Raises `PipelineError` if an auto-partitioner is requested but not registered."""
    debug: dict[str, Any] = {
        "debug_sharding_origins": options.debug_sharding_origins,
        "debug_propagation_edge_sharding": options.debug_propagation_edge_sharding,
    }
    import_ = step(
        "sdy-import-pipeline",
        dedup_functions_fully=options.dedup_functions_fully,
        enable_explicit_gather_scatter_batching=options.enable_explicit_gather_scatter_batching,
        dump_directory=options.dump_directory,
        dump_index=_FIRST_DUMP,
        **debug,
    )
    propagate = step(
        "sdy-user-priority-propagate",
        keep_sharding_rules=options.keep_sharding_rules or not options.avoid_export_for_partitioning,
        module_dump_directory=options.dump_directory,
        dump_index=_FIRST_DUMP + 1,
        conservative_propagation=options.conservative_propagation,
        **debug,
    )
    if options.dedup_functions_fully:
        phases = _keeping_calls(propagate)
    else:
        cleanup = [] if options.avoid_export_for_partitioning else [step("symbol-dce")]
        phases = _inlining_calls(propagate, step("sdy-apply-sharding-constraints", **debug), cleanup)
    there, back = _through_async() if options.propagate_through_async else ([], [])
    return Phases.of(
        importing=[*there, import_, *phases.until("propagating")],
        propagating=phases.only("propagating"),
        exporting=[
            *phases.since("exporting"),
            *_auto_partitioning(options),
            step("sdy-insert-func-call-reshards"),
            _export(options),
            *back,
        ],
    )


def _through_async() -> tuple[list[Step], list[Step]]:
    """Convert StableHLO's asynchronous ops to the dialect that propagation handles, and back."""
    there = step("sdy-convert-async", to="hlo-async", mark=True)
    return [there], [step("sdy-convert-async", to="stablehlo", only_marked=True)]


_FIRST_DUMP = 1
"""Number of the dump before propagation. Dumps between user priorities and the first one behind them are number 2."""


def _inlining_calls(propagate: Step, apply_constraints: Step, cleanup: list[Step]) -> Phases:
    """Propagation with every call replaced by a named computation, and the calls put back.

    A partitioner needs no `cleanup` of what the next symbol-dce removes.
    """
    return Phases.of(
        importing=[
            step("sdy-distinguish-named-computations"),
            step("sdy-flatten-call-graph"),
            *cleanup,
            step("sdy-add-func-data-flow-edges"),
            apply_constraints,
            step("sdy-sink-func-data-flow-edges", on_func=True),
            step("sdy-sharding-group-import"),
            step("sdy-import-func-calls", add_data_flow_edges_on_named_computations=True),
            step("symbol-dce"),
            step("sdy-pre-order-funcs"),
            # Of functions that came out of a module in the module.
            step("sdy-sink-func-data-flow-edges", on_func=True),
        ],
        propagating=[propagate],
        exporting=[
            step("sdy-export-named-computations"),
            step("sdy-propagate-to-func-results"),
            step("sdy-unflatten-call-graph"),
            step("symbol-dce"),
        ],
    )


def _keeping_calls(propagate: Step) -> Phases:
    """Propagation across the calls of the program."""
    return Phases.of(
        importing=[step("sdy-add-func-data-flow-edges"), step("sdy-pre-order-funcs")],
        propagating=[propagate],
        exporting=[
            step("sdy-propagate-to-func-results"),
            step("sdy-sink-func-data-flow-edges", on_func=True),
            step("sdy-unflatten-call-graph"),
            step("symbol-dce"),
        ],
    )


def _auto_partitioning(options: Options) -> list[Step]:
    if not options.enable_auto_partitioning:
        return []
    from sdy.passes.propagation import auto_partitioner

    save = step(
        "sdy-save-module",
        directory=options.dump_directory,
        file_name="propagation_before_auto_partitioning",
        index=_FIRST_DUMP + 1,
    )
    return [save, *auto_partitioner.steps()]


def _export(options: Options) -> Step:
    return step(
        "sdy-export-pipeline",
        replica_count=options.replica_count,
        partition_count=options.partition_count,
        dump_directory=options.dump_directory,
        dump_index=_FIRST_DUMP + 1 + options.enable_auto_partitioning,
        avoid_export_for_partitioning=options.avoid_export_for_partitioning,
        enable_insert_explicit_collectives=options.enable_insert_explicit_collectives,
        remove_all_gather_reduce_scatter_for_cmv1=options.remove_all_gather_reduce_scatter_for_cmv1,
        enable_per_instruction_partitioning=options.enable_per_instruction_partitioning,
        per_instruction_partitioning_filter=options.per_instruction_partitioning_filter,
        keep_sharding_rules=options.keep_sharding_rules or options.avoid_export_for_partitioning,
        dump_sharding_origins=options.debug_sharding_origins,
        dump_propagation_edges=options.debug_propagation_edge_sharding,
        update_non_divisible_input_output_shardings=options.update_non_divisible_input_output_shardings,
        update_public_functions_only=options.update_public_functions_only,
        inline_meshes=options.inline_meshes,
        avoid_reshards_on_calls=options.dedup_functions_fully,
    )
