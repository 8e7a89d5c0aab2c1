"""The pipelines that distribute a module over meshes, with the options of a `Config`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.jax.mpmd.config import Config
from sdy.jax.mpmd.schedules import PipelineContext
from sdy.mlir import ir
from sdy.mlir.functions import main_function
from sdy.passes.manager import run_pipeline
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    FragmentInfo,
    fragments_in,
    info_of,
    is_on_host,
    is_user_fragment,
)
from sdy.passes.mpmd.common.order import Dependencies
from sdy.passes.registry import step
from sdy.passes.steps import Step


def apply_phases(
    module: ir.Module, config: Config, inputs: Sequence[str | None], outputs: Sequence[str | None]
) -> None:
    """Imports, optimizes, propagates and exports a module in place.

    Args:
      module: JAX's module; its main function has the topology.
      config: meshes, assignments and options.
      inputs: by argument of the main function: its mesh, or None.
      outputs: the same for results.

    Raises:
      DiagnosticError: at the op or argument that cannot be placed.
      ValueError: fragments lack information that the schedule needs, such as stages.
    """
    run_pipeline(module, [_rules_of_chlo(), import_step(config, inputs, outputs)])
    run_pipeline(
        module, [optimize_step(config, module), step("mpmd-sharding-propagation-pipeline"), export_step(config)]
    )


def _rules_of_chlo() -> Step:
    """Return sharding rules for ops of CHLO, which propagation does not know; fragments keep these ops."""
    return step("sdy-normalize-ops", on_func=True, enable_patterns=("chlo-sharding-rules",))


def import_step(config: Config, inputs: Sequence[str | None], outputs: Sequence[str | None]) -> Step:
    """The pipeline that assigns ops to meshes."""
    stages = config.name_to_stage_assignment
    names = [
        f"{name}@{mesh}" + (f"/{stages[name]}" if name in stages else "")
        for name, mesh in config.name_to_mesh_assignment.items()
    ]
    return step(
        "mpmd-import-pipeline",
        name_to_mesh_assignment=tuple(names),
        input_assignment=_places(inputs),
        output_assignment=_places(outputs),
        infer_transfers=config.has("mpmd_infer_transfers"),
        infer_cross_mesh_reductions=config.has("mpmd_infer_cross_mesh_reductions"),
        merge_after_scheduling=config.has("mpmd_merge_inferred_after_scheduling"),
        enable_heterogeneous_meshes=config.is_unequal,
        absorb_on_entry_point_function=config.has("mpmd_absorb_inferred_fragments_on_entry_point_function"),
        split_bwd_fragments=config.has("mpmd_split_bwd_fragments"),
    )


def optimize_step(config: Config, module: ir.Module) -> Step:
    """The pipeline that orders fragments; `module` is imported."""
    order, merge = [], []
    if config.schedule_name.startswith("Circular"):
        check_stages(config.schedule_name, fragment_infos(module))
    if config.pipeline_schedule is not None:
        meshes = tuple(name for name in config.topology if not is_on_host(name))
        infos = fragment_infos(module)
        context = PipelineContext(len(meshes), meshes, dependencies(module))
        order, merge = config.pipeline_schedule.rules(infos, context)
    return step(
        "mpmd-optimize-pipeline",
        pipeline_schedule=config.schedule_name,
        schedule_rules=",".join(map(str, order)),
        merge_rules=",".join(map(str, merge)),
        remat_fragments=config.has("mpmd_fragment_remat"),
        merge_remat_fragments=config.has("mpmd_merge_remat_fragments"),
        merge_after_scheduling=config.has("mpmd_merge_inferred_after_scheduling"),
        absorb_on_entry_point_function=config.has("mpmd_absorb_inferred_fragments_on_entry_point_function"),
    )


def export_step(config: Config) -> Step:
    """The pipeline that makes fragments calls of functions."""
    return step(
        "mpmd-export-pipeline",
        copy_constants=config.has("mpmd_copy_constant_creation_from_producer_to_consumer"),
        merge_transfers=config.has("mpmd_apply_merge_transfers_pass"),
        keep_call_counters=True,
        fail_on_backward_deps=config.has("mpmd_fail_on_backward_deps"),
    )


def fragment_infos(module: ir.Module) -> list[FragmentInfo]:
    """Return the identities of the fragments of named computations, in program order."""
    with module.context:
        return [info_of(each) for each in fragments_in(main_function(module.operation)) if is_user_fragment(each)]


def dependencies(module: ir.Module) -> dict[FragmentInfo, tuple[FragmentInfo, ...]]:
    """Return, by fragment of named computations, its direct and indirect dependencies in program order."""
    with module.context:
        order = Dependencies(main_function(module.operation))
        known = [(n, info_of(op)) for n, op in enumerate(order.ops) if op.name == FRAGMENT and is_user_fragment(op)]
    return {info: tuple(other for before, other in known if order.is_before(before, number)) for number, info in known}


def check_stages(schedule: str, fragments: Iterable[FragmentInfo]) -> None:
    """Raise `ValueError` for fragments of microbatches without the stage that the schedule needs."""
    missing = [each for each in fragments if each.call_counter is not None and each.stage_id is None]
    if missing:
        names = dict.fromkeys(origin.computation_name for each in missing for origin in each.origins)
        raise ValueError(
            f"{schedule} needs stages, but {', '.join(map(repr, names))} have none; see name_to_stage_assignment"
        )


def _places(meshes: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(f"{number}@{mesh}" for number, mesh in enumerate(meshes) if mesh is not None)
