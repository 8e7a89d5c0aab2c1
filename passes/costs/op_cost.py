"""Costs of ops: floating-point operations and bytes, of fused ops together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from sdy.dialect.op_properties import is_constant, is_constant_value, is_elementwise, is_scalar, is_terminator
from sdy.dialect.ops.model import any_model, product_size
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name, calls_by_callee, funcs, symbol_name
from sdy.mlir.rewriting import defining_op, terminator
from sdy.mlir.tensor_types import bytes_of
from sdy.passes.costs.machine import Machine
from sdy.stablehlo.op_table import Memory, ops_in_memory

# Which ops a compiler computes where their results are used, so that these never come to memory.
#
# That is a model: what a back end does is better in some places and worse in others. It has to be the same wherever two
# programs are compared. Compilers inline what is called before they fuse, so calls are seen through, and the borders of
# manual computations, which the program of a device does not have.


_MOVING = ops_in_memory(Memory.FUSED)

_TAKING = frozenset({"stablehlo.reduce"})
"""Ops that compute their operands themselves, without being computed elsewhere."""

_BROADCAST, _TRANSPOSE = "stablehlo.broadcast_in_dim", "stablehlo.transpose"
RENAMING = ("stablehlo.reshape", _BROADCAST, _TRANSPOSE, "sdy.sharding_constraint", "sdy.reshard")
"""Ops that may only name what is there (see `renames`)."""

_CALL = "func.call"
_MANUAL = "sdy.manual_computation"
_RETURN = "sdy.return"


@dataclass(frozen=True)
class Fusion:
    """Fusions in a module that does not change: functions by name, and their calls."""

    functions: Mapping[str, ir.Operation] = field(default_factory=dict)
    calls: Mapping[str, list[ir.Operation]] = field(default_factory=dict)
    _fused: dict[int, bool] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(module: ir.Operation) -> Fusion:
        """Return the fusion of a module."""
        functions = {symbol_name(function): function for function in funcs(module)}
        if len(functions) == 1:
            return Fusion()
        return Fusion(functions, {name: calls for name, calls in calls_by_callee(module).items() if name in functions})

    def is_fused(self, op: ir.Operation) -> bool:
        """Return whether an op is fused into all its users, so that its result takes neither write time nor memory."""
        if not len(op.results):
            return False
        value = op.results[0]
        found = self._fused.get(address(value))
        if found is None:
            found = self._fused[address(value)] = _is_element_by_element(op) and self._is_taken(value)
        return found

    def _is_taken(self, value: ir.Value) -> bool:
        users = list(self._users(value))
        return bool(users) and all(_is_element_by_element(user) or user.name in _TAKING for user in users)

    def is_in_memory(self, value: ir.Value) -> bool:
        """Return whether a value is read from memory where it is used."""
        value = source(value)
        if isinstance(value, ir.OpResult):
            op = value.owner.operation
            function = self.functions.get(callee_name(op)) if op.name == _CALL else None
            if function is not None:
                returned = terminator(function.regions[0].blocks[0]).operands[value.result_number]
                return self.is_in_memory(returned)
            if op.name == _MANUAL:
                return self.is_in_memory(terminator(op.regions[0].blocks[0]).operands[value.result_number])
            return not self.is_fused(op)
        argument = ir.BlockArgument(value)
        holder = argument.owner.owner.operation
        if holder.name == _MANUAL:
            return self.is_in_memory(holder.operands[argument.arg_number])
        calls = self._calls_of(holder)
        return not calls or any(self.is_in_memory(call.operands[argument.arg_number]) for call in calls)

    def _calls_of(self, op: ir.Operation) -> list[ir.Operation]:
        """Return the calls of a function."""
        return self.calls.get(symbol_name(op), []) if self.calls and op.name == "func.func" else []

    def _users(self, value: ir.Value) -> Iterator[ir.Operation]:
        for use in value.uses:
            user = use.owner.operation
            if renames(user):
                yield from self._users(user.results[0])
            elif user.name == _CALL and callee_name(user) in self.functions:
                block = self.functions[callee_name(user)].regions[0].blocks[0]
                yield from self._users(block.arguments[use.operand_number])
            elif user.name == _MANUAL:
                yield from self._users(user.regions[0].blocks[0].arguments[use.operand_number])
            elif user.name == _RETURN and user.parent.name == _MANUAL:
                yield from self._users(user.parent.results[use.operand_number])
            elif self.calls and is_terminator(user) and (calls := self._calls_of(user.parent)):
                for call in calls:
                    yield from self._users(call.results[use.operand_number])
            else:
                yield user


def source(value: ir.Value) -> ir.Value:
    """Return the value that `value` is an alias of."""
    while isinstance(value, ir.OpResult) and renames(value.owner.operation):
        value = value.owner.operation.operands[0]
    return value


def renames(op: ir.Operation) -> bool:
    """Return whether an op only changes the shape, as a broadcast to dimensions of size 1, or the layout.

    The cost of moving a value into another layout is not part of the op. Compilers lay out what a collective scatters
    or gathers for it, so that a transpose of that is no work either.
    """
    if op.name == _TRANSPOSE:
        return _is_beside_collective(op)
    if op.name != _BROADCAST:
        return op.name in RENAMING
    have, want = op.operands[0].type, op.results[0].type
    if not have.has_static_shape or math.prod(have.shape) != math.prod(want.shape):
        return False
    dims = list(ir.DenseI64ArrayAttr(op.attributes["broadcast_dimensions"]))
    return dims == sorted(dims)


def _is_beside_collective(transpose: ir.Operation) -> bool:
    made_by = defining_op(transpose.operands[0])
    if made_by is not None and made_by.name in ("stablehlo.reduce_scatter", "stablehlo.all_to_all"):
        return True
    users = [use.owner.operation.name for use in transpose.results[0].uses]
    return users == ["stablehlo.all_gather"]


def _is_element_by_element(op: ir.Operation) -> bool:
    return op.name in _MOVING or is_constant(op) or (not len(op.regions) and is_elementwise(op))


_FREE = ops_in_memory(Memory.FREE) | {"func.return"}

_READS_A_PART = ops_in_memory(Memory.READS_PART)

_SLICE, _UPDATE = "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"


@dataclass(frozen=True, slots=True)
class OpWork:
    """Work of an op for any sizes of its parts.

    Attributes:
      operations: additions and multiplications of a contraction; None for any other op.
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
    """Return the work of an op whose fusible neighbours are fused; `tile` is that of `product_operations`."""
    reads_a_part = op.name in _READS_A_PART
    if renames(op) or _repeats_constant(op) or (_is_free(op) and not reads_a_part):
        return FREE
    operations = product_operations(op, tile)
    return OpWork(operations, _element(op, operations), False, fusion.is_fused(op), reads_a_part, op.name == _UPDATE)


def fused_seconds(module: ir.Operation) -> Callable[[ir.Operation, Machine], float]:
    """Return a function for the seconds of computing ops whose regions are no programs.

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

    A slice, or its update, is fused with the op that makes or uses that part.

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
    """Return additions and multiplications of a contraction on static shapes; None for any other op.

    The rows (the free dimensions of the left operand, or batch and positions of windows) are rounded up to a multiple
    of `tile`. In a ragged product each row meets the matrix of its group; an op with some of the groups is assumed to
    have a proportional share of the rows.
    """
    found = product_size(op)
    if found is None:
        return None
    rows, elements, depth = found
    padded = elements if tile == 1 or not rows else elements // rows * (math.ceil(rows / tile) * tile)
    return 2.0 * padded * depth * any_model(op, "work_share").work_share(op)


def _is_free(op: ir.Operation) -> bool:
    """Return whether an op takes no time: constants, views of values, slices at constant positions, indices.

    Arithmetic on scalars, such as counters and slice indices, starts no kernel.
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
