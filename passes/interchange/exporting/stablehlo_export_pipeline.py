"""xla-sdy-stablehlo-export-pipeline: a propagated module becomes one of StableHLO alone, with sharding text.

XLA's partitioner takes it from there, whichever of its two propagations it is set to.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes import shared_options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class StablehloExportOptions:
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)
    keep_hlo_sharding_constraints: bool = option(*shared.KEEP_HLO_SHARDING_CONSTRAINTS)
    add_missing_sharding_to_control_flow: bool = option(*shared.ADD_MISSING_SHARDING_TO_CONTROL_FLOW)
    keep_open_dims: bool = option(False, "write which dimensions of constraints are open")


@pipeline("xla-sdy-stablehlo-export-pipeline", options=StablehloExportOptions)
def stablehlo_export_pipeline(options: StablehloExportOptions) -> list[Step]:
    """Spec: interchange, 8.2."""
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
