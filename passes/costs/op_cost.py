"""What an op costs on a machine: operations, bytes that it reads and writes, seconds (spec: async, 13).

Two models of memory traffic: each op reads its operands and writes its results (`compute_seconds`); or what can be
fused is, so that only what is in memory is read and written (`fused_seconds`, see `sdy.passes.costs.fusion`). What is
fused starts no kernel of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sdy.dialect.op_properties import is_constant, is_constant_value, is_elementwise, is_scalar
from sdy.dialect.ops.model import any_model, product_size
from sdy.mlir import ir
from sdy.mlir.tensor_bytes import bytes_of
from sdy.passes.costs.fusion import Fusion, renames
from sdy.passes.costs.machine import Machine

_FREE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "after_all create_token get_tuple_element iota optimization_barrier partition_id replica_id reshape return "
        "slice tuple"
    ).split()
) | {"func.return"}
"""Ops that move nothing: they name a value, or a part of it, that is there."""

_READS_A_PART = frozenset(f"stablehlo.{name}" for name in "dynamic_slice gather slice".split())
"""Ops that read as much of their first operand as they return."""

_SLICE, _UPDATE = "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"


@dataclass(frozen=True, slots=True)
class OpWork:
    """What an op computes, whatever the sizes of its parts.

    Attributes:
      operations: additions and multiplications of a matrix product or convolution; None for any other op.
      element_type: the element type of a product's operands.
      is_free: the op takes no time.
      is_fused: its users compute it: it starts no kernel and writes nothing.
      reads_a_part: it reads as much of its first operand as it returns.
      writes_a_part: it writes its second operand into the first one.
    """

    operations: float | None = None
    element_type: str = ""
    is_free: bool = False
    is_fused: bool = False
    reads_a_part: bool = False
    writes_a_part: bool = False

    def seconds(
        self,
        machine: Machine,
        operands: Sequence[float],
        results: float,
        in_memory: Sequence[bool] | None = None,
        shards: int = 1,
    ) -> float:
        """Return the seconds that it takes a device.

        Args:
          machine: the machine.
          operands: bytes of each operand on a device.
          results: bytes of all results on a device.
          in_memory: whether each operand is read from memory; the default is that all are.
          shards: number of devices that share the operations.
        """
        if self.is_free:
            return 0.0
        read = [size for place, size in enumerate(operands) if in_memory is None or in_memory[place]]
        written = 0.0 if self.is_fused else results
        touched = written + sum(read)
        if self.reads_a_part:
            touched = written + (results if in_memory is None or in_memory[0] else 0.0)
        if self.writes_a_part:
            touched = 2 * operands[1]
        if self.is_fused:
            return touched / machine.memory_bandwidth
        if self.operations is None:
            return machine.memory_seconds(touched)
        return machine.product_seconds(self.operations / shards, touched, self.element_type)


FREE = OpWork(is_free=True)


def op_work(op: ir.Operation, fusion: Fusion, tile: int = 1) -> OpWork:
    """Return what an op computes if what can be fused is; `tile` is that of `product_operations`."""
    reads_a_part = op.name in _READS_A_PART
    if renames(op) or _repeats_constant(op) or (_is_free(op) and not reads_a_part):
        return FREE
    operations = product_operations(op, tile)
    return OpWork(operations, _element(op, operations), False, fusion.is_fused(op), reads_a_part, op.name == _UPDATE)


def fused_seconds(module: ir.Operation) -> Callable[[ir.Operation, Machine], float]:
    """Return the function that gives seconds of ops of a module that neither communicate nor run regions as programs.

    It raises `DiagnosticError` at an op with tensors of dynamic size.
    """
    fusion = Fusion.of(module)

    def seconds(op: ir.Operation, machine: Machine) -> float:
        work = op_work(op, fusion, machine.tile)
        if work.is_free:
            return 0.0
        in_memory = [*map(fusion.is_in_memory, op.operands)]
        return work.seconds(machine, *_sizes(op), in_memory)

    return seconds


def compute_seconds(op: ir.Operation, machine: Machine) -> float:
    """Return the seconds of an op that neither communicates nor runs its regions as programs, without fusion.

    A slice, or an update of one, is compiled into what makes or uses that part.

    Raises:
      DiagnosticError: tensors of dynamic size.
    """
    if _is_free(op):
        return 0.0
    if op.name in (_SLICE, _UPDATE):
        part = op.results[0] if op.name == _SLICE else op.operands[1]
        return 2 * bytes_of((part,), op) / machine.memory_bandwidth
    operations = product_operations(op, machine.tile)
    return OpWork(operations, _element(op, operations)).seconds(machine, *_sizes(op))


def product_operations(op: ir.Operation, tile: int = 1) -> float | None:
    """Return additions and multiplications of a product or convolution on static shapes; None for any other op.

    The rows (the free dimensions of the left operand of a product; batch and places of a convolution) are rounded up to
    a multiple of `tile`. Of a ragged product each row meets the matrix of its group; where an op has some of the
    groups, as many of the rows are taken to be theirs.
    """
    found = product_size(op)
    if found is None:
        return None
    rows, elements, depth = found
    padded = elements if tile == 1 or not rows else elements // rows * (math.ceil(rows / tile) * tile)
    return 2.0 * padded * depth * any_model(op, "work_share").work_share(op)


def _is_free(op: ir.Operation) -> bool:
    """Whether an op takes no time: constants, names for values that are there, slices at constant places, indices.

    Arithmetic on scalars, such as counters and places of slices, is nothing that a device starts a kernel for.
    """
    if op.name in _FREE or is_constant(op) or _is_scalar_arithmetic(op):
        return True
    return op.name == _SLICE and all(map(is_constant_value, list(op.operands)[1:]))


def _repeats_constant(op: ir.Operation) -> bool:
    return op.name == "stablehlo.broadcast_in_dim" and is_constant_value(op.operands[0])


def _is_scalar_arithmetic(op: ir.Operation) -> bool:
    values = (*op.operands, *op.results)
    return not len(op.regions) and is_elementwise(op) and all(map(is_scalar, values))


def _element(op: ir.Operation, operations: float | None) -> str:
    return "" if operations is None else str(op.operands[0].type.element_type)


def _sizes(op: ir.Operation) -> tuple[list[int], int]:
    """Bytes of each operand, and of all results."""
    return [bytes_of((operand,), op) for operand in op.operands], bytes_of(op.results, op)
