"""What a run of a local program costs each device, to compare two ways of partitioning one program."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.op_properties import is_constant
from sdy.mlir import ir
from sdy.mlir.functions import funcs, main_function, symbol_name
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.costs.collective_cost import KINDS, moved_bytes
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.products import product_operations
from sdy.passes.partitioning.saving.analysis.partial_sums import UNKNOWN_ROUNDS
from sdy.stablehlo.idioms.executions import Execution, executions

_COLLECTIVES = {f"stablehlo.{kind}": kind for kind in KINDS}
_HOLDERS = frozenset({"func.call", "stablehlo.case", "stablehlo.if", "stablehlo.while"})


@dataclass(frozen=True)
class StepCost:
    """Bytes that a device sends, bytes of the tensors that its ops make, and operations in its matrix products."""

    sent: float
    written: float
    products: float

    def seconds(self, machine: Machine) -> float:
        """One after the other; links are those of no axis, and nothing takes time only to start."""
        sending = self.sent / (machine.bandwidth * machine.directions)
        computing = self.products / (machine.flops * machine.efficiency)
        return sending + self.written / machine.memory_bandwidth + computing


class _Leaves:
    """The names of ops that count by themselves, with what is in their regions."""

    def __contains__(self, name: object) -> bool:
        return name not in _HOLDERS


def step_cost(module: ir.Operation) -> StepCost:
    """The cost of a run of @main, with replica groups as matrices; every branch counts."""
    functions = {symbol_name(func): func for func in funcs(module)}
    sent = written = products = 0.0
    for one in executions(main_function(module), functions, _Leaves()):
        op, times = one.op, UNKNOWN_ROUNDS if one.times is None else one.times
        if not op.results or is_constant(op):
            continue
        written += times * sum(map(_bytes, op.results))
        products += times * (product_operations(op) or 0.0)
        sent += times * _sent(one)
    return StepCost(sent, written, products)


def _sent(one: Execution) -> float:
    kind = _COLLECTIVES.get(one.op.name)
    if kind is None:
        return 0.0
    is_permute = kind == "collective_permute"
    group_size = 2 if is_permute else one.op.attributes["replica_groups"].type.shape[1]
    return moved_bytes(kind, group_size, sum(map(_bytes, one.op.operands)))


def _bytes(value: ir.Value) -> int:
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return 0
    return byte_size(type_)
