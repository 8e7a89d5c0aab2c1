"""The pipelines between the dialect and XLA's encodings of shardings."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class RoundTripExportOptions:
    keep_meshes_inlined: bool = option(False, "keep inlined meshes")
    enable_hlo_sharding_v3: bool = option(*shared.NAMED_TEXT_WRITTEN)


@pipeline("xla-sdy-round-trip-export-pipeline", options=RoundTripExportOptions)
def round_trip_export_pipeline(options: RoundTripExportOptions) -> list[Step]:
    """xla-sdy-round-trip-export-pipeline: Convert a module of the dialect to StableHLO with shardings as strings.

    XLA, and xla-sdy-round-trip-import-pipeline, restore them from there. Strings keep everything, priorities included;
    named sharding text, which XLA keeps between its own stages, loses priorities only.

    Spec: interchange, 8.2.
    """
    lift = step("sdy-lift-inlined-meshes", use_single_device_mesh_names=True, if_inlined=True, is_propagated=True)
    named = options.enable_hlo_sharding_v3
    return [
        step("sdy-export-named-computations"),
        *([] if options.keep_meshes_inlined else [lift]),
        step("xla-sdy-round-trip-dedup-meshes"),
        step("xla-sdy-round-trip-export-ops"),
        step("xla-sdy-round-trip-shard-map-export", enable_hlo_sharding_v3=named),
        step("xla-sdy-round-trip-export-shardy-attrs", enable_hlo_sharding_v3=named),
    ]


@dataclass(frozen=True)
class StablehloExportOptions:
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)
    keep_hlo_sharding_constraints: bool = option(*shared.KEEP_HLO_SHARDING_CONSTRAINTS)
    add_missing_sharding_to_control_flow: bool = option(*shared.ADD_MISSING_SHARDING_TO_CONTROL_FLOW)
    keep_open_dims: bool = option(False, "list open dimensions of constraints")


@pipeline("xla-sdy-stablehlo-export-pipeline", options=StablehloExportOptions)
def stablehlo_export_pipeline(options: StablehloExportOptions) -> list[Step]:
    """xla-sdy-stablehlo-export-pipeline: Convert a propagated module to StableHLO with GSPMD's sharding text.

    XLA's partitioner reads it, whichever of its two propagations is on.

    Spec: interchange, 8.2.
    """
    return [
        step("sdy-export-named-computations"),
        step("sdy-capture-loop-invariants", on_func=True),
        step("sdy-lift-inlined-meshes", use_single_device_mesh_names=True, if_inlined=True, is_propagated=True),
        step("xla-sdy-stablehlo-export-manual-reduction-collectives"),
        step(
            "xla-sdy-export-ops",
            keep_hlo_sharding_constraints=options.keep_hlo_sharding_constraints,
            keep_open_dims=options.keep_open_dims,
        ),
        step(
            "xla-sdy-stablehlo-round-trip-shard-map-export",
            create_hlo_sharding_constraints=options.keep_hlo_sharding_constraints,
            enable_hlo_sharding_v3=options.enable_hlo_sharding_v3,
        ),
        step("symbol-dce"),
        step(
            "xla-sdy-stablehlo-export-shardings",
            enable_hlo_sharding_v3=options.enable_hlo_sharding_v3,
            add_missing_sharding_to_control_flow=options.add_missing_sharding_to_control_flow,
        ),
        step("xla-sdy-stablehlo-round-trip-export-callback-custom-calls"),
    ]


@dataclass(frozen=True)
class RoundTripImportOptions:
    enable_constant_import: bool = option(*shared.ENABLE_CONSTANT_IMPORT)
    lift_and_dedup_meshes: bool = option(False, "name meshes and merge equal ones")
    enable_hlo_sharding_v3: bool = option(*shared.NAMED_TEXT_READ)
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pipeline("xla-sdy-round-trip-import-pipeline", options=RoundTripImportOptions)
def round_trip_import_pipeline(options: RoundTripImportOptions) -> list[Step]:
    """xla-sdy-round-trip-import-pipeline: Convert the strings that XLA kept to shardings of the dialect.

    Afterwards meshes, shardings, rules, constraints, groups and manual computations are ops and attributes of the
    dialect.

    Spec: interchange, 8.2.
    """
    named = options.enable_hlo_sharding_v3
    meshes = [
        step("sdy-lift-inlined-meshes", use_single_device_mesh_names=True),
        step("xla-sdy-round-trip-dedup-meshes"),
    ]
    return [
        step("symbol-dce"),
        *([step("xla-sdy-import-constants", on_func=True)] if options.enable_constant_import else []),
        step(
            "xla-sdy-round-trip-import-shardy-attrs",
            enable_hlo_sharding_v3=named,
            sharding_calls=options.sharding_calls,
        ),
        step("xla-sdy-round-trip-shard-map-import", enable_hlo_sharding_v3=named),
        step("xla-sdy-import-sdy-custom-calls", sharding_calls=options.sharding_calls),
        step("xla-sdy-open-while-free-vars-sharding", on_func=True),
        *(meshes if named or options.lift_and_dedup_meshes else []),
    ]


@dataclass(frozen=True)
class StablehloImportOptions:
    allow_propagation_to_args: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_ARGS)
    allow_propagation_to_results: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_RESULTS)
    enable_constant_import: bool = option(*shared.ENABLE_CONSTANT_IMPORT)
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pipeline("xla-sdy-stablehlo-import-pipeline", options=StablehloImportOptions)
def stablehlo_import_pipeline(options: StablehloImportOptions) -> list[Step]:
    """xla-sdy-stablehlo-import-pipeline: Convert GSPMD's sharding text to shardings of the dialect.

    Strings of the dialect, which may be present as well, are read next, as xla-sdy-round-trip-import-pipeline does.
    Calls with a number of batch dimensions get a rule.

    Spec: interchange, 8.2.
    """
    return [
        step(
            "xla-sdy-import-shardings",
            allow_propagation_to_args=options.allow_propagation_to_args,
            allow_propagation_to_results=options.allow_propagation_to_results,
        ),
        step("xla-sdy-stablehlo-round-trip-shard-map-import"),
        step(
            "xla-sdy-round-trip-import-pipeline",
            enable_constant_import=options.enable_constant_import,
            sharding_calls=options.sharding_calls,
        ),
    ]
