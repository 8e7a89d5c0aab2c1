"""How long ops that compute take on a machine (spec: async, 13)."""

from __future__ import annotations

from typing import Any

from sdy.dialect.op_properties import is_constant
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.products import product_operations
from sdy.passes.costs.tensor_sizes import bytes_of

_FREE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "after_all create_token get_tuple_element iota optimization_barrier partition_id replica_id reshape return "
        "slice tuple"
    ).split()
) | {"func.return"}
"""Ops that move nothing: they name a value, or a part of it, that is there."""


def compute_seconds(op: Any, machine: Machine) -> float:
    """Of an op that neither communicates nor runs its regions as programs.

    Raises `DiagnosticError` at an op with tensors of dynamic size.
    """
    if is_free(op):
        return 0.0
    operations = None
    touched = bytes_of((*op.operands, *op.results), op)
    if op.operands:
        operations = product_operations(op, machine.tile)
    if operations is None:
        return machine.memory_seconds(touched)
    return machine.product_seconds(operations, touched, str(op.operands[0].type.element_type))


def is_free(op: Any) -> bool:
    """Whether an op takes no time: constants, names for values that are there, slices at constant places."""
    name = op.name
    if name in _FREE or is_constant(op):
        return True
    return name == "stablehlo.dynamic_slice" and all(map(_is_constant, list(op.operands)[1:]))


def _is_constant(value: Any) -> bool:
    return isinstance(value, ir.OpResult) and is_constant(value.owner.operation)
