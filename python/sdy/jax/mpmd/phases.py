"""The pipelines that spread a module over meshes, with the options that a `Config` says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.jax.mpmd.config import Config
from sdy.mlir import ir
from sdy.passes.manager import run_pipeline


def apply_phases(
    module: ir.Module, config: Config, inputs: Sequence[str | None], outputs: Sequence[str | None]
) -> None:
    """Imports, optimizes, propagates and exports a module in place.

    Args:
      module: what JAX lowered; its main function has the topology.
      config: meshes, assignments and options.
      inputs: by argument of the main function: its mesh, or None.
      outputs: the same for results.

    Raises:
      DiagnosticError: at the op or argument that cannot be placed.
    """
    for text in pipelines(config, inputs, outputs):
        run_pipeline(module, text)


def pipelines(config: Config, inputs: Sequence[str | None], outputs: Sequence[str | None]) -> list[str]:
    """The texts of the pipelines, in order."""
    return [
        _text("mpmd-import-pipeline", _import_options(config, inputs, outputs)),
        _text("mpmd-optimize-pipeline", _optimize_options(config)),
        "mpmd-sharding-propagation-pipeline",
        _text("mpmd-export-pipeline", _export_options(config)),
    ]


def _import_options(
    config: Config, inputs: Sequence[str | None], outputs: Sequence[str | None]
) -> dict[str, str | bool]:
    stages = config.name_to_stage_assignment
    names = [
        f"{name}@{mesh}" + (f"/{stages[name]}" if name in stages else "")
        for name, mesh in config.name_to_mesh_assignment.items()
    ]
    return {
        "name-to-mesh-assignment": ",".join(names),
        "input-assignment": _places(inputs),
        "output-assignment": _places(outputs),
        "infer-transfers": config.has("mpmd_infer_transfers"),
        "infer-cross-mesh-reductions": config.has("mpmd_infer_cross_mesh_reductions"),
        "merge-after-scheduling": config.has("mpmd_merge_inferred_after_scheduling"),
        "absorb-on-entry-point-function": config.has("mpmd_absorb_inferred_fragments_on_entry_point_function"),
        "split-bwd": config.has("mpmd_split_bwd_fragments"),
    }


def _optimize_options(config: Config) -> dict[str, str | bool]:
    return {
        "pipeline-schedule": config.schedule_name,
        "fragment-remat": config.has("mpmd_fragment_remat"),
        "merge-remat-fragments": config.has("mpmd_merge_remat_fragments"),
        "merge-after-scheduling": config.has("mpmd_merge_inferred_after_scheduling"),
    }


def _export_options(config: Config) -> dict[str, str | bool]:
    return {
        "copy-constants": config.has("mpmd_copy_constant_creation_from_producer_to_consumer"),
        "merge-transfers": config.has("mpmd_apply_merge_transfers_pass"),
        "fail-on-backward-deps": config.has("mpmd_fail_on_backward_deps"),
    }


def _places(meshes: Iterable[str | None]) -> str:
    return ",".join(f"{number}@{mesh}" for number, mesh in enumerate(meshes) if mesh is not None)


def _text(name: str, options: dict[str, str | bool]) -> str:
    """A pipeline with the options that are not off."""
    given = [f"{key}={'true' if value is True else value}" for key, value in options.items() if value]
    return f"{name}{{{' '.join(given)}}}" if given else name
