"""sdy-import-pipeline: Prepare a module for propagation.

    %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <mesh<["a"=2, "one"=1]>, [{"a", "one"}]> : tensor<8xf32>
==> sdy.mesh @mesh = <["a"=2, "one"=1]> {stablehlo.mesh = ...}
    %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 : tensor<8xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>

Afterwards meshes have names, no sharding has axes of size 1, calls have shardings, each use of a constant has its own,
manual computations mention all their manual axes, and data flow is marked by edges.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class ImportOptions:
    """Options of the import pipeline.

    The command line of the reference has only the first option; the others are set from code.
    """

    dedup_functions_fully: bool = option(False, "keep calls; constraints and groups are imported here instead of later")
    enable_explicit_gather_scatter_batching: bool = option(*shared.ENABLE_EXPLICIT_GATHER_SCATTER_BATCHING)
    dump_directory: str = option(*shared.DUMP_DIRECTORY)
    dump_index: int = option(0, "number of the first dumped module")
    debug_sharding_origins: bool = option(*shared.DEBUG_SHARDING_ORIGINS)
    debug_propagation_edge_sharding: bool = option(*shared.DEBUG_PROPAGATION_EDGE_SHARDING)


@pipeline("sdy-import-pipeline", options=ImportOptions)
def import_pipeline(options: ImportOptions) -> list[Step]:
    """Spec: import-passes, 3."""
    steps = [
        step("symbol-dce"),
        step("sdy-lift-inlined-meshes"),
        step("sdy-remove-size-one-axes"),
        step("sdy-propagate-sharding-from-func-to-call"),
        step("sdy-constant-or-scalar-splitter"),
    ]
    if options.enable_explicit_gather_scatter_batching:
        steps.append(step("sdy-explicit-gather-scatter-batching", on_func=True))
    steps += [
        step("symbol-dce"),
        step("sdy-manual-axes-cleanup"),
        *_save(options),
        step("sdy-add-data-flow-edges"),
    ]
    if options.dedup_functions_fully:
        steps += [
            step(
                "sdy-apply-sharding-constraints",
                debug_sharding_origins=options.debug_sharding_origins,
                debug_propagation_edge_sharding=options.debug_propagation_edge_sharding,
            ),
            step("sdy-sharding-group-import"),
        ]
    return steps


def _save(options: ImportOptions) -> list[Step]:
    if not options.dump_directory:
        return []
    where = {"directory": options.dump_directory, "file_name": "before_propagation", "index": options.dump_index}
    return [step("sdy-save-module", **where)]
