"""mpmd-infer-mesh-pipeline: Find a mesh for each op without one.

    %0 = mpmd.assign ...; stablehlo ops; mpmd.unassign ...
==> fragments and transfers alone
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step

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
    """Spec: mpmd, 9."""
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
