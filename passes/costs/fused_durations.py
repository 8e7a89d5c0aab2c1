"""How long ops take if what can be fused is (see `sdy.passes.costs.fusion`).

An op reads those of its operands that are in memory, and writes its result if that has to be there. What is fused
starts no kernel of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.op_properties import is_constant, is_constant_value
from sdy.mlir import ir
from sdy.mlir.tensor_bytes import bytes_of
from sdy.passes.costs.durations import is_free
from sdy.passes.costs.fusion import Fusion, renames
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.products import product_operations

PARTS = frozenset(f"stablehlo.{name}" for name in "dynamic_slice gather slice".split())
"""Ops that read as much of their first operand as they return."""

UPDATES = frozenset({"stablehlo.dynamic_update_slice"})
"""Ops that write their second operand into the first one."""


def fused_seconds(module: ir.Operation) -> Callable[[ir.Operation, Machine], float]:
    """What says it of the ops of a module that neither communicate nor run their regions as programs.

    It raises `DiagnosticError` at an op with tensors of dynamic size.
    """
    fusion = Fusion.of(module)
    return lambda op, machine: _seconds(op, machine, fusion)


def _seconds(op: ir.Operation, machine: Machine, fusion: Fusion) -> float:
    if renames(op) or _is_constant(op) or (is_free(op) and op.name not in PARTS):
        return 0.0
    is_fused = fusion.is_fused(op)
    touched = _touched_bytes(op, fusion, is_fused=is_fused)
    if is_fused:
        return touched / machine.memory_bandwidth
    operations = product_operations(op, machine.tile) if op.operands else None
    if operations is None:
        return machine.memory_seconds(touched)
    return machine.product_seconds(operations, touched, str(op.operands[0].type.element_type))


def _is_constant(op: ir.Operation) -> bool:
    """Whether an op makes a constant, in one piece or of a smaller one."""
    return is_constant(op) or (op.name == "stablehlo.broadcast_in_dim" and is_constant_value(op.operands[0]))


def _touched_bytes(op: ir.Operation, fusion: Fusion, *, is_fused: bool) -> int:
    """Bytes that an op reads from memory, and writes to it."""
    if op.name in UPDATES:
        return 2 * bytes_of((op.operands[1],), op)
    written = 0 if is_fused else bytes_of(op.results, op)
    if op.name in PARTS:
        return written + (bytes_of(op.results, op) if fusion.is_in_memory(op.operands[0]) else 0)
    return written + bytes_of(filter(fusion.is_in_memory, op.operands), op)
