"""Textual pipelines on programs."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.manager import run_pipeline


def run(module: ir.Module | ir.Operation, *pipelines: str, verify: bool = True) -> None:
    """Run textual pipelines (``"sdy-propagation-pipeline"``, ``"sdy-a,func.func(sdy-b{opt=val})"``) in place.

    Raises:
      TypeError, ValueError: `module` does not belong to this package, or its context lacks sdy; `parse` makes one.
      PipelineError: an unknown pass or option.
      DiagnosticError: a pass failed or left an invalid module.
      InternalError: a pass failed for a reason that lies in this package.
    """
    if not isinstance(getattr(module, "operation", None), ir.Operation):
        raise TypeError(f"run() needs a module to change in place, not {type(module).__name__}; see sdy.parse")
    if not module.operation.context.is_dialect_loaded("sdy"):
        raise ValueError(
            "the context of the module lacks the dialect sdy; make it with sdy.make_context(), or sdy.parse"
        )
    run_pipeline(module, ",".join(pipelines), verify=verify)
