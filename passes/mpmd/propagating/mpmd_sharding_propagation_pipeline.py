"""mpmd-sharding-propagation-pipeline: Propagate shardings through fragments and transfers, into the types of values.

    func.func @main(%arg0: !m1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> !m2 ...
      %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ... : (!m1) -> !m1
      %1 = mpmd.transfer %0 : (!m1) -> !m2
==> func.func @main(%arg0: !mpmd.mesh_tensor<"m1", T, sharding=<@mesh, [{"x"}]>>) -> ...
      %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) ... -> !mpmd.mesh_tensor<"m1", T, sharding=<@mesh, [{"x"}]>>
      %1 = mpmd.transfer %0 : ... -> !mpmd.mesh_tensor<"m2", T, sharding=<@mesh, [{"x"}]>>

Afterwards both sides of every transfer have equal shardings, so that each device sends to the one at its position.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class Options:
    """Options of propagation."""

    dump_directory: str = option(*shared.DUMP_DIRECTORY)
    debug_sharding_origins: bool = option(*shared.DEBUG_SHARDING_ORIGINS)
    debug_propagation_edge_sharding: bool = option(*shared.DEBUG_PROPAGATION_EDGE_SHARDING)


@pipeline("mpmd-sharding-propagation-pipeline", options=Options)
def mpmd_sharding_propagation_pipeline(options: Options) -> list[Step]:
    """Spec: mpmd, 6."""
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
