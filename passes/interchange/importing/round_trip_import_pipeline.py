"""xla-sdy-round-trip-import-pipeline: a module that XLA has written shardings of the dialect into gets them back.

Afterwards meshes, shardings, rules, constraints, groups and manual computations are ops and attributes of the dialect.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes import shared_options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class RoundTripImportOptions:
    enable_constant_import: bool = option(*shared.ENABLE_CONSTANT_IMPORT)
    lift_and_dedup_meshes: bool = option(False, "give meshes names, merge alike ones")
    enable_hlo_sharding_v3: bool = option(*shared.NAMED_TEXT_READ)
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pipeline("xla-sdy-round-trip-import-pipeline", options=RoundTripImportOptions)
def round_trip_import_pipeline(options: RoundTripImportOptions) -> list[Step]:
    """Spec: interchange, 8.2."""
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
