"""Shardy in Python: the sdy dialect, sharding propagation, the partitioner, and execution on XLA.

All names listed here are public and stable; everything else may change without notice. Nothing is loaded before its
first use, including MLIR.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdy import auto, hlo_conversion, hlo_text, jax, mlir, page, stablehlo, testing, torch
    from sdy.auto.comparison import compare
    from sdy.dialect.assembly import PrintOptions, print_module
    from sdy.dialect.context import make_context, register_dialect
    from sdy.dialect.data_flow import DataFlowOp, data_flow_op
    from sdy.dialect.extensions import ExtensionError
    from sdy.dialect.irdl_loading import load_irdl_file
    from sdy.dialect.lowering.local_op import keep_and_combine, replace_and_combine
    from sdy.dialect.ops.model import OpModel, Window, op_model
    from sdy.dialect.ops.notation import einsum_rule
    from sdy.dialect.ops.op_signature import RuleBuilder
    from sdy.dialect.ops.short_forms import local_lowering, sharding_rule
    from sdy.dialect.values.axes import AxisRef
    from sdy.dialect.values.mesh import Mesh
    from sdy.dialect.values.rule import ShardingRule
    from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
    from sdy.dialect.verification import verify_module
    from sdy.mlir import ext, ir
    from sdy.mlir.diagnostics import DiagnosticError, InternalError
    from sdy.mlir.functions import funcs
    from sdy.overlap import Overlap
    from sdy.partition import partition
    from sdy.partitioned_module import PartitionedModule
    from sdy.passes.costs.machine import Machine
    from sdy.passes.manager import run, run_pipeline
    from sdy.passes.partitioning.local.local_types import local_return_types, localize_attributes
    from sdy.passes.partitioning.partition_options import PartitionOptions
    from sdy.passes.pattern_sets import PatternOptions, apply_patterns, function_pattern, pattern
    from sdy.passes.propagation import auto_partitioner
    from sdy.passes.registry import PipelineError, pass_, pipeline, step
    from sdy.patches.explicit import explicit_patch
    from sdy.patches.patch import patch
    from sdy.programs.bytecode import write_bytecode
    from sdy.programs.parsing import Module, parse
    from sdy.report.communication_report import communication
    from sdy.report.explanation import explain
    from sdy.report.profiles import profile
    from sdy.report.sharding_pictures import visualize_sharding
    from sdy.report.timelines.estimate import timeline
    from sdy.shardings import export_shardings, get_result_sharding, get_sharding, set_result_sharding, set_sharding
    from sdy.stablehlo import InferenceError
    from sdy.suggestions.attribution import why
    from sdy.suggestions.program_cures import cure

    __version__: str
    """The version of the installed package; "unknown" if it is used without being installed."""

_MODULES = {
    "auto": "sdy.auto",
    "auto_partitioner": "sdy.passes.propagation.auto_partitioner",
    "hlo_conversion": "sdy.hlo_conversion",
    "hlo_text": "sdy.hlo_text",
    "jax": "sdy.jax",
    "mlir": "sdy.mlir",
    "page": "sdy.page",
    "stablehlo": "sdy.stablehlo",
    "testing": "sdy.testing",
    "torch": "sdy.torch",
}

_WHERE = {
    "AxisRef": "sdy.dialect.values.axes",
    "DataFlowOp": "sdy.dialect.data_flow",
    "DiagnosticError": "sdy.mlir.diagnostics",
    "DimensionSharding": "sdy.dialect.values.sharding",
    "ExtensionError": "sdy.dialect.extensions",
    "InferenceError": "sdy.stablehlo",
    "InternalError": "sdy.mlir.diagnostics",
    "Machine": "sdy.passes.costs.machine",
    "Mesh": "sdy.dialect.values.mesh",
    "Module": "sdy.programs.parsing",
    "Overlap": "sdy.overlap",
    "PartitionOptions": "sdy.passes.partitioning.partition_options",
    "PartitionedModule": "sdy.partitioned_module",
    "PipelineError": "sdy.passes.registry",
    "PrintOptions": "sdy.dialect.assembly",
    "RuleBuilder": "sdy.dialect.ops.op_signature",
    "ShardingRule": "sdy.dialect.values.rule",
    "TensorSharding": "sdy.dialect.values.sharding",
    "PatternOptions": "sdy.passes.pattern_sets",
    "apply_patterns": "sdy.passes.pattern_sets",
    "communication": "sdy.report.communication_report",
    "compare": "sdy.auto.comparison",
    "cure": "sdy.suggestions.program_cures",
    "data_flow_op": "sdy.dialect.data_flow",
    "einsum_rule": "sdy.dialect.ops.notation",
    "explain": "sdy.report.explanation",
    "explicit_patch": "sdy.patches.explicit",
    "export_shardings": "sdy.shardings",
    "ext": "sdy.mlir",
    "function_pattern": "sdy.passes.pattern_sets",
    "funcs": "sdy.mlir.functions",
    "get_result_sharding": "sdy.shardings",
    "get_sharding": "sdy.shardings",
    "ir": "sdy.mlir",
    "keep_and_combine": "sdy.dialect.lowering.local_op",
    "load_irdl_file": "sdy.dialect.irdl_loading",
    "local_lowering": "sdy.dialect.ops.short_forms",
    "OpModel": "sdy.dialect.ops.model",
    "Window": "sdy.dialect.ops.model",
    "op_model": "sdy.dialect.ops.model",
    "local_return_types": "sdy.passes.partitioning.local.local_types",
    "localize_attributes": "sdy.passes.partitioning.local.local_types",
    "make_context": "sdy.dialect.context",
    "parse": "sdy.programs.parsing",
    "partition": "sdy.partition",
    "pass_": "sdy.passes.registry",
    "patch": "sdy.patches.patch",
    "pattern": "sdy.passes.pattern_sets",
    "pipeline": "sdy.passes.registry",
    "print_module": "sdy.dialect.assembly",
    "profile": "sdy.report.profiles",
    "register_dialect": "sdy.dialect.context",
    "replace_and_combine": "sdy.dialect.lowering.local_op",
    "run": "sdy.passes.manager",
    "run_pipeline": "sdy.passes.manager",
    "set_result_sharding": "sdy.shardings",
    "set_sharding": "sdy.shardings",
    "sharding_rule": "sdy.dialect.ops.short_forms",
    "step": "sdy.passes.registry",
    "timeline": "sdy.report.timelines.estimate",
    "verify_module": "sdy.dialect.verification",
    "visualize_sharding": "sdy.report.sharding_pictures",
    "why": "sdy.suggestions.attribution",
    "write_bytecode": "sdy.programs.bytecode",
}


class _Package(ModuleType):
    """Keeps the public name where a module of the package has the same: `sdy.partition` is the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and _WHERE.get(name) == value.__name__:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name == "__version__":
        found: object = _installed_version()
    elif name in _MODULES:
        found = import_module(_MODULES[name])
    elif name in _WHERE:
        module = import_module(_WHERE[name])
        found = getattr(module, name)
    else:
        raise AttributeError(f"module 'sdy' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__name__", "__path__"])


def _installed_version() -> str:
    try:
        return version("sdy")
    except PackageNotFoundError:
        return "unknown"


__all__ = [
    "AxisRef",
    "DataFlowOp",
    "DiagnosticError",
    "DimensionSharding",
    "ExtensionError",
    "InferenceError",
    "InternalError",
    "Machine",
    "Mesh",
    "Module",
    "OpModel",
    "Overlap",
    "PartitionOptions",
    "PartitionedModule",
    "PatternOptions",
    "PipelineError",
    "PrintOptions",
    "RuleBuilder",
    "ShardingRule",
    "TensorSharding",
    "Window",
    "__version__",
    "apply_patterns",
    "auto",
    "auto_partitioner",
    "communication",
    "compare",
    "cure",
    "data_flow_op",
    "einsum_rule",
    "explain",
    "explicit_patch",
    "export_shardings",
    "ext",
    "funcs",
    "function_pattern",
    "get_result_sharding",
    "get_sharding",
    "hlo_conversion",
    "hlo_text",
    "ir",
    "jax",
    "keep_and_combine",
    "load_irdl_file",
    "local_lowering",
    "local_return_types",
    "localize_attributes",
    "make_context",
    "mlir",
    "op_model",
    "page",
    "parse",
    "partition",
    "pass_",
    "patch",
    "pattern",
    "pipeline",
    "print_module",
    "profile",
    "register_dialect",
    "replace_and_combine",
    "run",
    "run_pipeline",
    "set_result_sharding",
    "set_sharding",
    "sharding_rule",
    "stablehlo",
    "step",
    "testing",
    "timeline",
    "torch",
    "verify_module",
    "visualize_sharding",
    "why",
    "write_bytecode",
]
