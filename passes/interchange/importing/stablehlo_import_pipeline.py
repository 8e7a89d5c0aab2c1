"""xla-sdy-stablehlo-import-pipeline: a module with shardings of GSPMD, in sharding text, gets those of the dialect.

Strings of the dialect, which there may be as well, are read next, as xla-sdy-round-trip-import-pipeline does. Calls
that say how many batch dimensions they have get a rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.passes import shared_options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class StablehloImportOptions:
    allow_propagation_to_args: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_ARGS)
    allow_propagation_to_results: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_RESULTS)
    enable_constant_import: bool = option(*shared.ENABLE_CONSTANT_IMPORT)
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pipeline("xla-sdy-stablehlo-import-pipeline", options=StablehloImportOptions)
def stablehlo_import_pipeline(options: StablehloImportOptions) -> list[Step]:
    """Spec: interchange, 8.2."""
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
        step("sdy-import-batch-dimensions"),
    ]
