"""Shardy in Python: the sdy dialect, sharding propagation, the partitioner, and execution on XLA."""

from __future__ import annotations

from typing import Any

from sdy.dialect.assembly import parse as _parse
from sdy.dialect.assembly import print_module
from sdy.dialect.context import make_context
from sdy.partition import PartitionedModule, partition
from sdy.passes.manager import check, run_pipeline


def parse(text: str, filename: str = "-", context: Any = None) -> Any:
    """Parses and verifies a module.

    Args:
      text: the module.
      filename: what locations and diagnostics call it.
      context: the MLIR context to put it into; a new one by default.

    Returns:
      An `ir.Module`.

    Raises:
      sdy.dialect.diagnostics.DiagnosticErrors, DiagnosticError: the text is no valid module.
    """
    module = _parse(text, filename, context)
    with module.context, module.operation.location:
        check(module.operation)
    return module


def run(module: Any, *pipelines: str, verify: bool = True) -> None:
    """Runs textual pipelines (``"sdy-propagation-pipeline"``, ``"sdy-a,func.func(sdy-b{opt=val})"``) in place.

    Raises:
      sdy.passes.registry.PipelineError: an unknown pass or option.
      sdy.dialect.diagnostics.DiagnosticErrors, DiagnosticError: a pass failed or left an invalid module.
    """
    run_pipeline(module, ",".join(pipelines), verify=verify)


__all__ = ["PartitionedModule", "make_context", "parse", "partition", "print_module", "run", "run_pipeline"]
