"""Pipelines of programs of several meshes: import, inference, optimization, propagation, export (spec: mpmd, 8)."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.mpmd.common.rules import ASSIGNMENT, parse_assignment, parse_indices
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


def steps_merging_inferred(absorb_on_entry_point: bool) -> list[Step]:
    """Return steps that merge inferred fragments into user fragments, then into each other."""
    return [
        step("mpmd-absorb-inferred-fragments", on_func=True, absorb_on_entry_point_function=absorb_on_entry_point),
        step("mpmd-merge-inferred-fragments", on_func=True, merge_any_consumer=True),
        step("mpmd-merge-inferred-fragments", on_func=True, merge_sideways=True),
    ]


@dataclass(frozen=True)
class ImportOptions:
    """The reference takes most of these from code only."""

    name_to_mesh_assignment: tuple[str, ...] = option((), ASSIGNMENT)
    input_assignment: tuple[str, ...] = option((), "index@mesh or index@mesh#memory_kind of arguments")
    output_assignment: tuple[str, ...] = option((), "index@mesh or index@mesh#memory_kind of results")
    constraints: tuple[str, ...] = option((), "input:output of each pair that is to be on one mesh, sharded alike")
    infer_transfers: bool = option(False, "transfer values wherever that is needed; implies reductions across meshes")
    infer_cross_mesh_reductions: bool = option(False, "reduce values of several meshes without `mpmd.reduce`")
    error_limit: int = option(5, "errors of each kind that inference reports; -1: all")
    absorb_on_entry_point_function: bool = option(False, "absorb inferred fragments of entry points, too")
    merge_after_scheduling: bool = option(False, "leave inferred fragments to mpmd-optimize-pipeline")
    split_bwd_fragments: bool = option(False, "split backward fragments into gradients of inputs and of parameters")
    enable_heterogeneous_meshes: bool = option(False, "give each mesh of the topology axes of its own")
    verify_scheduling_units: bool = option(False, "warn if a mesh has not one unit for each microbatch")

    def __post_init__(self) -> None:
        """Raises `ValueError` for entries of another form."""
        parse_assignment(self.name_to_mesh_assignment)
        parse_indices((*self.input_assignment, *self.output_assignment))


@pipeline("mpmd-import-pipeline", options=ImportOptions)
def mpmd_import_pipeline(options: ImportOptions) -> list[Step]:
    """mpmd-import-pipeline: Turn a function of named computations into one of fragments and transfers alone.

        %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) { ... } : (tensor<4xf32>) -> tensor<4xf32>
        %1 = mpmd.named_computation<"g"> (%0) (%arg1: tensor<4xf32>) { ... } : (tensor<4xf32>) -> tensor<4xf32>
    ==> %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ...
        %1 = mpmd.transfer %0 : ...
        %2 = mpmd.fragment<mesh="m2", origin=["g"]> (%1) ...

    Callees of microbatches are inlined, inferred fragments merged into user fragments.

    Spec: mpmd, 8.
    """
    return [*_unrolled(options), *_mapped(options), _inferred(options), *_merged(options)]


def _unrolled(options: ImportOptions) -> list[Step]:
    """Turn loops and calls into one function for all microbatches."""
    is_heterogeneous = options.enable_heterogeneous_meshes
    return [
        step("inline"),
        step("cse"),
        step("canonicalize", on_func=True),
        step("mpmd-copy-topology-from-main"),
        *([step("mpmd-generate-sdy-meshes-from-topology")] if is_heterogeneous else []),
        step("mpmd-unroll-for-loops", on_func=True),
        step("canonicalize", on_func=True),
        step("stablehlo-target-independent-optimization", fold_op_element_limit=0),
        step("mpmd-from-unroll-to-call-counter", on_func=True),
        step("mpmd-sink-negligible-ops-into-call-op"),
    ]


def _mapped(options: ImportOptions) -> list[Step]:
    """Put named ops on their meshes."""
    names = options.name_to_mesh_assignment
    return [
        step("mpmd-insert-nameless-clone-of-negligible-ops", on_func=True),
        step("mpmd-simplify-named-computations", on_func=True),
        step(
            "mpmd-map-input-output-to-mesh",
            input_assignment=options.input_assignment,
            output_assignment=options.output_assignment,
        ),
        step("mpmd-inline-nested-user-exposed-ops", on_func=True, assignment=names),
        step("mpmd-validate-named-ops-in-mpmd-func", on_func=True),
        step("mpmd-map-named-ops-to-mpmd-ops", on_func=True, assignment=names),
        step("mpmd-introduce-transfers"),
        step("mpmd-erase-unused-callee-block-arguments"),
    ]


def _inferred(options: ImportOptions) -> Step:
    return step(
        "mpmd-infer-mesh-pipeline",
        infer_transfers=options.infer_transfers,
        infer_cross_mesh_reductions=options.infer_cross_mesh_reductions,
        constraints=options.constraints,
        error_limit=options.error_limit,
    )


def _merged(options: ImportOptions) -> list[Step]:
    """Calls are inlined, and fragments merged into units that are scheduled."""
    steps = []
    if not options.merge_after_scheduling:
        steps += steps_merging_inferred(options.absorb_on_entry_point_function)
    if options.constraints:
        steps.append(step("mpmd-enforce-input-output-equisharding", on_func=True, constraints=options.constraints))
    steps += [
        step("mpmd-fragment-dedup", on_func=True),
        step("mpmd-fragment-dce", on_func=True),
        step("mpmd-remove-transfer-cycles", on_func=True),
        step("mpmd-call-inline"),
        step("symbol-dce"),
    ]
    if not options.merge_after_scheduling:
        steps.append(step("mpmd-merge-inferred-fragments", on_func=True))
    steps += [
        step("mpmd-move-transfers-to-producer", on_func=True),
        step("mpmd-merge-user-fragments-into-scheduling-units", on_func=True),
    ]
    if options.verify_scheduling_units:
        steps.append(step("mpmd-scheduling-units-verifier", on_func=True))
    if options.split_bwd_fragments:
        steps += [
            step("mpmd-split-bwd-fragments", on_func=True),
            step("canonicalize", on_func=True, region_simplify="disabled"),
            step("mpmd-fragment-dce", on_func=True),
        ]
    return steps


INFER_TRANSFERS = (False, "transfer values wherever that is needed; implies infer-cross-mesh-reductions")
INFER_REDUCTIONS = (False, "reduce values of several meshes where no `mpmd.reduce` asks for it")
ERROR_LIMIT = (5, "errors of each kind that are reported; -1: all")
CONSTRAINTS: tuple[tuple[str, ...], str] = ((), "input:output of each pair that is to be on one mesh")


@dataclass(frozen=True)
class InferMeshOptions:
    """Options of the pipeline."""

    infer_transfers: bool = option(*INFER_TRANSFERS)
    infer_cross_mesh_reductions: bool = option(*INFER_REDUCTIONS)
    constraints: tuple[str, ...] = option(*CONSTRAINTS)
    max_clones: int = option(
        1, "names of fragments that absorb expensive ops, which otherwise get fragments of their own"
    )
    error_limit: int = option(*ERROR_LIMIT)


@pipeline("mpmd-infer-mesh-pipeline", options=InferMeshOptions)
def infer_mesh_pipeline(options: InferMeshOptions) -> list[Step]:
    """mpmd-infer-mesh-pipeline: Find a mesh for each op without one.

        %0 = mpmd.assign ...; stablehlo ops; mpmd.unassign ...
    ==> fragments and transfers alone

    Spec: mpmd, 9.
    """
    transfers = options.infer_transfers
    limit = options.error_limit
    steps = [step("mpmd-infer-mesh-populate-use-set"), step("mpmd-infer-mesh-populate-src-set")]
    if options.constraints:
        steps.append(
            step("mpmd-infer-mesh-assign-using-input-output-constraints", constraints=tuple(options.constraints))
        )
    steps.append(
        step(
            "mpmd-infer-mesh-convert-reduce-ops",
            on_func=True,
            infer_cross_mesh_reductions=options.infer_cross_mesh_reductions or transfers,
        )
    )
    if not transfers:
        steps.append(step("mpmd-infer-mesh-validate-src-set-not-empty", error_limit=limit))
    steps += [
        step("mpmd-infer-mesh-assign-mesh-func-leaves", infer_transfers=transfers),
        step("mpmd-infer-mesh-populate-use-set"),
    ]
    if not transfers:
        steps.append(step("mpmd-infer-mesh-validate-no-additional-transfers-needed", error_limit=limit))
    return [
        *steps,
        step("mpmd-infer-mesh-rewrite-using-analysis", max_clones=options.max_clones),
        step("mpmd-infer-mesh-finalize", infer_transfers=transfers),
    ]


@dataclass(frozen=True)
class OptimizeOptions:
    """The reference takes these from code only."""

    pipeline_schedule: str = option("GPipe", "built-in schedule, for programs without rules")
    schedule_rules: str = option("", "rules of mpmd-rule-based-schedule")
    merge_rules: str = option("", "rules of mpmd-rule-based-merge")
    remat_fragments: bool = option(False, "rematerialize forward fragments in front of backward ones")
    merge_remat_fragments: bool = option(False, "merge rematerialized fragments into the backward fragment")
    merge_after_scheduling: bool = option(False, "merge inferred fragments now, not during import")
    absorb_on_entry_point_function: bool = option(False, "absorb inferred fragments of entry points, too")
    merge_forward_with_backward: bool = option(False, "merge forward fragments with backward ones that follow")


@pipeline("mpmd-optimize-pipeline", options=OptimizeOptions)
def mpmd_optimize_pipeline(options: OptimizeOptions) -> list[Step]:
    """mpmd-optimize-pipeline: Order the fragments of each mesh by a schedule or by rules, and merge them by rules.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 0 : ui32} ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
        %3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) {call_counter = 0 : ui32} ...
    ==> %1 = ... %3 = ... %2 = ...  // with pipeline-schedule=1F1B on the last mesh

    Rules, if given, replace the schedule.

    Spec: mpmd, 5.
    """
    steps = [step("mpmd-pipeline-scheduler", on_func=True, must_happen_before=options.pipeline_schedule)]
    if options.schedule_rules:
        is_last = not options.merge_rules
        rules = options.schedule_rules
        steps = [step("mpmd-rule-based-schedule", on_func=True, rules=rules, remove_control_dependencies=is_last)]
    if options.merge_rules:
        steps.append(step("mpmd-rule-based-merge", on_func=True, rules=options.merge_rules))
    if options.remat_fragments:
        steps.append(step("mpmd-remat-fragment", on_func=True, merge_remat_fragments=options.merge_remat_fragments))
    steps.append(step("mpmd-verify-stage-merging", on_func=True))
    if options.merge_after_scheduling:
        steps += steps_merging_inferred(options.absorb_on_entry_point_function)
    if options.merge_forward_with_backward:
        steps.append(step("mpmd-merge-forward-with-backward", on_func=True))
    return steps


@dataclass(frozen=True)
class ShardingPropagationOptions:
    """Options of propagation."""

    dump_directory: str = option(*shared.DUMP_DIRECTORY)
    debug_sharding_origins: bool = option(*shared.DEBUG_SHARDING_ORIGINS)
    debug_propagation_edge_sharding: bool = option(*shared.DEBUG_PROPAGATION_EDGE_SHARDING)


@pipeline("mpmd-sharding-propagation-pipeline", options=ShardingPropagationOptions)
def mpmd_sharding_propagation_pipeline(options: ShardingPropagationOptions) -> list[Step]:
    """mpmd-sharding-propagation-pipeline: Propagate shardings through fragments and transfers, into types.

        func.func @main(%arg0: !m1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> !m2 ...
          %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ... : (!m1) -> !m1
          %1 = mpmd.transfer %0 : (!m1) -> !m2
    ==> func.func @main(%arg0: !mpmd.mesh_tensor<"m1", T, sharding=<@mesh, [{"x"}]>>) -> ...
          %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ... -> !mpmd.mesh_tensor<"m1", T, sharding=...>
          %1 = mpmd.transfer %0 : ... -> !mpmd.mesh_tensor<"m2", T, sharding=<@mesh, [{"x"}]>>

    Afterwards both sides of every transfer have equal shardings, so that each device sends to the one at its position.

    Spec: mpmd, 6.
    """
    return [
        step("mpmd-uniquify-function-inputs-outputs", on_func=True, use_transfer_instead_of_fragment=True),
        step(
            "sdy-propagation-pipeline",
            avoid_export_for_partitioning=True,
            dump_directory=options.dump_directory,
            debug_sharding_origins=options.debug_sharding_origins,
            debug_propagation_edge_sharding=options.debug_propagation_edge_sharding,
        ),
        step("mpmd-populate-unreduced-out-sharding", on_func=True),
        step("mpmd-enforce-user-shardings", on_func=True),
        step("mpmd-extract-reshards-from-inter-mesh-transfers", on_func=True),
        step("mpmd-convert-sdy-shardings-to-mpmd-types", on_func=True),
        step("mpmd-convert-sdy-constants"),
        step("stablehlo-target-independent-optimization"),
        step("mpmd-simplify-program", on_func=True),
    ]


@dataclass(frozen=True)
class ExportOptions:
    """Options; except for those with `fail`, the reference takes them from code only."""

    copy_constants: bool = option(False, "copy constants to the fragments that get them from other meshes")
    merge_transfers: bool = option(False, "transfer scalars of one producer and consumer together")
    fail_on_reshard_only_fragments: bool = option(False, "refuse fragments that only change shardings")
    fail_on_backward_deps: bool = option(False, "refuse values that go to earlier meshes")
    fail_on_inferred_fragments: bool = option(True, "refuse inferred fragments, which contain no named computation")
    fail_on_param_transfers: bool = option(False, "refuse transfers of parameters")
    param_transfer_pattern: str = option("params['transformer", "text in the names of parameters")
    verbose_logging: bool = option(False, "report how many fragments share each function")
    keep_call_counters: bool = option(False, "record microbatch, stage and pass on each call of a fragment")


@pipeline("mpmd-export-pipeline", options=ExportOptions)
def mpmd_export_pipeline(options: ExportOptions) -> list[Step]:
    """mpmd-export-pipeline: Make fragments calls of functions, each the program of one mesh.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%a: T) { ... mpmd.return %b : T } : (!m1) -> !m1
    ==> %1 = mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%0) : (!m1) -> !m1
        func.func @p0_f.main(%a: T {jax.buffer_donor = true}) -> T attributes {reserved_hbm_bytes = 0 : i64, ...}

    The functions have marks for reusable buffers and for the bytes that other values hold.

    Spec: mpmd, 7.
    """
    copying = [step("mpmd-copy-constants", on_func=True)] if options.copy_constants else []
    merging = [step("mpmd-merge-transfers", on_func=True), step("mpmd-fragment-dedup", on_func=True), step("cse")]
    return [
        step("cse"),
        *copying,
        step("canonicalize", region_simplify="disabled"),
        step("mpmd-fragment-dedup", on_func=True),
        *(merging if options.merge_transfers else []),
        step("mpmd-fragment-dce", on_func=True),
        step("mpmd-uniquify-function-inputs-outputs", on_func=True),
        step("mpmd-merge-inferred-fragments", on_func=True),
        step("mpmd-mark-offloaded-input-output", on_func=True),
        step("mpmd-mark-input-output-with-layouts", on_func=True),
        step("mpmd-delay-inferred-fragments", on_func=True),
        step("mpmd-delay-transfers-from-cpu", on_func=True),
        step("mpmd-sink-create-token-into-fragments", on_func=True),
        step("mpmd-mark-aliasing-and-donation", on_func=True),
        step("mpmd-mark-fragment-reserved-memory", on_func=True),
        step(
            "mpmd-validate-no-param-transfers",
            on_func=True,
            fail_on_param_transfers=options.fail_on_param_transfers,
            param_pattern=options.param_transfer_pattern,
        ),
        step(
            "mpmd-validate-no-inferred-fragments",
            on_func=True,
            fail_on_inferred_fragments=options.fail_on_inferred_fragments,
        ),
        step(
            "mpmd-lower-to-fragment-calls",
            verbose_logging=options.verbose_logging,
            keep_call_counters=options.keep_call_counters,
        ),
        step(
            "mpmd-validate-no-reshards",
            on_func=True,
            fail_on_reshard_only_fragments=options.fail_on_reshard_only_fragments,
        ),
        step("mpmd-validate-no-backward-deps", on_func=True, fail_on_backward_deps=options.fail_on_backward_deps),
    ]
