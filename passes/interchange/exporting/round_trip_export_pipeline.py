"""xla-sdy-round-trip-export-pipeline: shardings of the dialect go into a module of StableHLO alone, as strings.

XLA, and xla-sdy-round-trip-import-pipeline, get them back from there. Strings say everything, priorities included;
named sharding text, which XLA keeps between its own stages, everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes import shared_options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class RoundTripExportOptions:
    keep_meshes_inlined: bool = option(False, "leave meshes that are written out")
    enable_hlo_sharding_v3: bool = option(*shared.NAMED_TEXT_WRITTEN)


@pipeline("xla-sdy-round-trip-export-pipeline", options=RoundTripExportOptions)
def round_trip_export_pipeline(options: RoundTripExportOptions) -> list[Step]:
    """Spec: interchange, 8.2."""
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
