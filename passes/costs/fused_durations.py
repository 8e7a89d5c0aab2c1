"""How long ops take if what can be fused is (see `sdy.passes.costs.fusion`).

An op reads those of its operands that are in memory, and writes its result if that has to be there. What is fused
starts no kernel of its own.
"""

from __future__ import annotations

from sdy.dialect.op_properties import is_constant
from sdy.mlir import ir
from sdy.mlir.tensor_bytes import bytes_of
from sdy.passes.costs.durations import is_free
from sdy.passes.costs.fusion import is_fused, renames, source
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.products import product_operations

PARTS = frozenset(f"stablehlo.{name}" for name in "dynamic_slice gather slice".split())
"""Ops that read as much of their first operand as they return."""

UPDATES = frozenset({"stablehlo.dynamic_update_slice"})
"""Ops that write their second operand into the first one."""


def fused_seconds(op: ir.Operation, machine: Machine) -> float:
    """Of an op that neither communicates nor runs its regions as programs.

    Raises `DiagnosticError` at an op with tensors of dynamic size.
    """
    if renames(op) or is_constant(op) or (is_free(op) and op.name not in PARTS):
        return 0.0
    touched = touched_bytes(op)
    if is_fused(op):
        return touched / machine.memory_bandwidth
    operations = product_operations(op, machine.tile) if op.operands else None
    if operations is None:
        return machine.memory_seconds(touched)
    return machine.product_seconds(operations, touched, str(op.operands[0].type.element_type))


def touched_bytes(op: ir.Operation) -> int:
    """Bytes that an op reads from memory, and writes to it."""
    if op.name in UPDATES:
        return 2 * bytes_of((op.operands[1],), op)
    written = 0 if is_fused(op) else bytes_of(op.results, op)
    if op.name in PARTS:
        return written + (bytes_of(op.results, op) if is_in_memory(op.operands[0]) else 0)
    return written + bytes_of(filter(is_in_memory, op.operands), op)


def is_in_memory(value: ir.Value) -> bool:
    """Whether a value is read from memory where it is used."""
    value = source(value)
    return not isinstance(value, ir.OpResult) or not is_fused(value.owner.operation)
