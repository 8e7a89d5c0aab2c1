"""mpmd-import-pipeline: Turn a function of named computations into one of fragments and transfers alone.

    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) { ... } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.named_computation<"g"> (%0) (%arg1: tensor<4xf32>) { ... } : (tensor<4xf32>) -> tensor<4xf32>
==> %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ...
    %1 = mpmd.transfer %0 : ...
    %2 = mpmd.fragment<mesh="m2", origin=["g"]> (%1) ...

Callees of microbatches are inlined, inferred fragments merged into user fragments.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes.mpmd.common.assignments import ASSIGNMENT, parse_assignment, parse_indices
from sdy.passes.mpmd.common.merging_steps import steps_merging_inferred
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class Options:
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


@pipeline("mpmd-import-pipeline", options=Options)
def mpmd_import_pipeline(options: Options) -> list[Step]:
    """Spec: mpmd, 8."""
    return [*_unrolled(options), *_mapped(options), _inferred(options), *_merged(options)]


def _unrolled(options: Options) -> list[Step]:
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


def _mapped(options: Options) -> list[Step]:
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


def _inferred(options: Options) -> Step:
    return step(
        "mpmd-infer-mesh-pipeline",
        infer_transfers=options.infer_transfers,
        infer_cross_mesh_reductions=options.infer_cross_mesh_reductions,
        constraints=options.constraints,
        error_limit=options.error_limit,
    )


def _merged(options: Options) -> list[Step]:
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
