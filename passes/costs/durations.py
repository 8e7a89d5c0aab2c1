"""How long ops that compute take on a machine (spec: async, 13)."""

from __future__ import annotations

from sdy.dialect.op_properties import is_constant, is_constant_value, is_elementwise, is_scalar
from sdy.mlir import ir
from sdy.mlir.tensor_bytes import bytes_of
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.products import product_operations

_FREE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "after_all create_token get_tuple_element iota optimization_barrier partition_id replica_id reshape return "
        "slice tuple"
    ).split()
) | {"func.return"}
"""Ops that move nothing: they name a value, or a part of it, that is there."""


_PARTS = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
"""Ops that read or write a part of a tensor, and are compiled into what makes or uses that part."""


def compute_seconds(op: ir.Operation, machine: Machine) -> float:
    """Of an op that neither communicates nor runs its regions as programs.

    Raises `DiagnosticError` at an op with tensors of dynamic size.
    """
    if is_free(op):
        return 0.0
    if op.name in _PARTS:
        return 2 * bytes_of((_part(op),), op) / machine.memory_bandwidth
    operations = None
    touched = bytes_of((*op.operands, *op.results), op)
    if op.operands:
        operations = product_operations(op, machine.tile)
    if operations is None:
        return machine.memory_seconds(touched)
    return machine.product_seconds(operations, touched, str(op.operands[0].type.element_type))


def is_free(op: ir.Operation) -> bool:
    """Whether an op takes no time: constants, names for values that are there, slices at constant places, indices.

    Arithmetic on scalars, such as counters and places of slices, is nothing that a device starts a kernel for.
    """
    name = op.name
    if name in _FREE or is_constant(op) or _is_scalar_arithmetic(op):
        return True
    return name == "stablehlo.dynamic_slice" and all(map(is_constant_value, list(op.operands)[1:]))


def _part(op: ir.Operation) -> ir.Value:
    return op.results[0] if op.name == "stablehlo.dynamic_slice" else op.operands[1]


def _is_scalar_arithmetic(op: ir.Operation) -> bool:
    values = (*op.operands, *op.results)
    return not len(op.regions) and is_elementwise(op) and all(map(is_scalar, values))
