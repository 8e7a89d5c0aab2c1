"""Shardy in Python: the sdy dialect, sharding propagation, the partitioner, and execution on XLA."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from sdy.dialect.assembly import parse as _parse
from sdy.dialect.assembly import print_module
from sdy.dialect.context import make_context
from sdy.dialect.irdl_loading import load_irdl_file
from sdy.dialect.verification import verify_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, InternalError
from sdy.mlir.warn_once import saying_once
from sdy.partition import PartitionedModule, partition
from sdy.passes.manager import run_pipeline
from sdy.programs.module import Module
from sdy.programs.sources import is_module, source

if TYPE_CHECKING:
    from sdy import hlo_conversion, hlo_text
    from sdy.dialect.data_flow import DataFlowOp, data_flow_op
    from sdy.dialect.rules.builder import RuleBuilder
    from sdy.dialect.rules.notation import einsum_rule
    from sdy.dialect.rules.registry import sharding_rule
    from sdy.exporting_shardings import export_shardings
    from sdy.overlap import Overlap
    from sdy.passes.costs.machine import Machine
    from sdy.passes.partitioning.local.inference.local_types import local_return_types, localize_attributes
    from sdy.passes.partitioning.local.registry import local_lowering
    from sdy.passes.propagation import auto_partitioner
    from sdy.report.communication_report import communication
    from sdy.report.explanation import explain
    from sdy.report.timelines.estimate import timeline

_LAZY = {
    "DataFlowOp": "sdy.dialect.data_flow",
    "Machine": "sdy.passes.costs.machine",
    "Overlap": "sdy.overlap",
    "RuleBuilder": "sdy.dialect.rules.builder",
    "auto_partitioner": "sdy.passes.propagation.auto_partitioner",
    "communication": "sdy.report.communication_report",
    "data_flow_op": "sdy.dialect.data_flow",
    "einsum_rule": "sdy.dialect.rules.notation",
    "explain": "sdy.report.explanation",
    "export_shardings": "sdy.exporting_shardings",
    "hlo_conversion": "sdy.hlo_conversion",
    "hlo_text": "sdy.hlo_text",
    "local_lowering": "sdy.passes.partitioning.local.registry",
    "local_return_types": "sdy.passes.partitioning.local.inference.local_types",
    "localize_attributes": "sdy.passes.partitioning.local.inference.local_types",
    "sharding_rule": "sdy.dialect.rules.registry",
    "timeline": "sdy.report.timelines.estimate",
}
"""What is imported on first use: not every program needs it, and it loads all built-in rules or lowerings."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _installed_version()
    if name not in _LAZY:
        raise AttributeError(f"module 'sdy' has no attribute '{name}'")
    module = import_module(_LAZY[name])
    return module if module.__name__.endswith(f".{name}") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__name__", "__path__", "__version__"])


def _installed_version() -> str:
    try:
        return version("sdy")
    except PackageNotFoundError:
        return "unknown"


def parse(text: Any, filename: str = "-", context: Any = None) -> Module:
    """Parses and verifies a module.

    Args:
      text: the module; or a file (a path, or the name of one), bytes (text or bytecode), or what JAX makes of a
        function: a `jax.stages.Traced` or `Lowered`, a `jax.export.Exported`, a module of jaxlib.
      filename: what locations and diagnostics call it, if it has no name of its own.
      context: the MLIR context to put it into; a new one by default. It may know dialects of your own (see
        `load_irdl_file`).

    Returns:
      An `ir.Module` whose `str` is what `print_module` gives.

    Raises:
      OSError: the file cannot be read.
      TypeError: `text` is none of these.
      ValueError: the context lacks the dialect sdy, or has no room for an op (see `make_context`).
      DiagnosticError: the text is no valid module.
    """
    if context is not None and not context.is_dialect_loaded("sdy"):
        raise ValueError("the context lacks the dialect sdy; make it with sdy.make_context()")
    if is_module(text):
        raise TypeError("parse() takes the text of a module; this is one already")
    with saying_once():
        module = _parse(*source(text, filename), context)
        # Upstream verifies what it parses.
        verify_module(module)
    return Module.of(module)


def run(module: Any, *pipelines: str, verify: bool = True) -> None:
    """Runs textual pipelines (``"sdy-propagation-pipeline"``, ``"sdy-a,func.func(sdy-b{opt=val})"``) in place.

    Raises:
      TypeError: `module` is none of this package; `parse` makes one.
      sdy.passes.registry.PipelineError: an unknown pass or option.
      DiagnosticError: a pass failed or left an invalid module.
      InternalError: a pass failed for a reason that lies in this package.
    """
    if not isinstance(getattr(module, "operation", None), ir.Operation):
        raise TypeError(
            f"run() changes a module in place, and this is {type(module).__name__}; sdy.parse makes one of it"
        )
    run_pipeline(module, ",".join(pipelines), verify=verify)


__all__ = [
    "DataFlowOp",
    "DiagnosticError",
    "InternalError",
    "Machine",
    "Module",
    "Overlap",
    "PartitionedModule",
    "RuleBuilder",
    "auto_partitioner",
    "communication",
    "data_flow_op",
    "einsum_rule",
    "explain",
    "export_shardings",
    "hlo_conversion",
    "hlo_text",
    "load_irdl_file",
    "local_lowering",
    "local_return_types",
    "localize_attributes",
    "make_context",
    "parse",
    "partition",
    "print_module",
    "run",
    "run_pipeline",
    "sharding_rule",
    "timeline",
]
