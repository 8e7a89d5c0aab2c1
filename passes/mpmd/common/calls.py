"""Calls of functions of several meshes, and clones of ops at other positions."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name, funcs, has_body, symbol_name
from sdy.mlir.rewriting import is_unused
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order

CALL = "mpmd.call"


def functions(module: ir.Operation) -> dict[str, ir.Operation]:
    """The functions of a module with a body, by name."""
    return {symbol_name(func): func for func in funcs(module) if has_body(func)}


def callee_of(call: ir.Operation, functions: Mapping[str, ir.Operation]) -> ir.Operation:
    """The function that an `mpmd.call` calls.

    Raises:
      DiagnosticError: there is no such function with a body.
    """
    name = callee_name(call)
    if name not in functions:
        raise DiagnosticError(call, f"calls '{name}', which is not a function of the module with a body")
    return functions[name]


def calls_by_callee(module: ir.Operation) -> dict[str, list[ir.Operation]]:
    """Return the calls of each called function, in textual order; calls without used results are left out."""
    found: dict[str, list[ir.Operation]] = {}
    for call in ops_named(module, CALL):
        if not is_unused(call):
            found.setdefault(callee_name(call), []).append(call)
    return found


def calls_of(module: ir.Operation, name: str) -> list[ir.Operation]:
    """All calls of a function, in textual order."""
    return [call for call in ops_named(module, CALL) if callee_name(call) == name]


def clone_with(op: ir.Operation, values: Mapping[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Operation:
    """A clone of an op in which it and nested ops use other values.

    Args:
      op: the op to clone.
      values: replacements of values.
      ip: insertion point of the clone.
    """
    clone = op.clone(ip=ip).operation
    for each in pre_order(clone):
        for index, operand in enumerate(each.operands):
            if operand in values:
                each.operands[index] = values[operand]
    return clone
