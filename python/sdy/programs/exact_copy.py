"""Copies of modules that propagate as the modules do.

The order in which values list their users has a say in the order of visits, and `clone` changes it.
"""

from __future__ import annotations

from sdy.dialect.definition.declared_ops import VARIADIC
from sdy.mlir import ir
from sdy.mlir.declared_dialects import detach
from sdy.mlir.search import ops_named
from sdy.programs.bytecode import bytecode_for_copies


def exact_copy(module: ir.Module | ir.Operation) -> ir.Module:
    """A copy of the module, in its context, in which every value has its users in the same order."""
    copy = ir.Module.parse(bytecode_for_copies(module), module.context)
    detach(ops_named(copy.operation, *VARIADIC))
    return copy
