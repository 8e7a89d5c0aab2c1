"""What devices exchange if a dimension is sharded that windows run along, and what that takes.

Rules call the factors of such dimensions permutations. What the partitioner makes of one op by itself, with only these
dimensions sharded, is read once for each way to shard them; the bytes become fewer as other dimensions are sharded,
too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.lowering.partial_results import whole_factors
from sdy.dialect.shardings.attribute_shardings import set_arg_shardings, set_op_shardings
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import main_function, module_body
from sdy.mlir.tensor_types import bytes_of, is_tensor
from sdy.mlir.walk import pre_order
from sdy.passes.costs.machine import Machine, moved_bytes
from sdy.passes.costs.op_cost import Fusion, fused_seconds, op_work
from sdy.passes.costs.program_steps import Item, Reader
from sdy.passes.costs.simulation import Work
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes
from sdy.passes.registry import step

NUMBER = "sdy.auto_number"
"""The attribute that holds the number."""


def number_ops(module: ir.Operation) -> list[ir.Operation]:
    """Gives every op its number as an attribute; returns the ops."""
    ops = pre_order(module)
    type_ = ir.IntegerType.get_signless(64, module.context)
    for number, op in enumerate(ops):
        op.attributes[NUMBER] = ir.IntegerAttr.get(type_, number)
    return ops


def forget_numbers(ops: Iterable[ir.Operation]) -> None:
    """Takes the numbers off."""
    for op in ops:
        if NUMBER in op.attributes:
            del op.attributes[NUMBER]


def number_of(op: ir.Operation) -> int | None:
    """None for an op that has none."""
    attribute = op.attributes.get(NUMBER)
    return None if attribute is None else ir.IntegerAttr(attribute).value


EXCHANGED = frozenset(
    f"stablehlo.{name}"
    for name in "convolution dynamic_update_slice pad reduce_window select_and_scatter slice".split()
)
"""Ops that may be sharded along permutation factors: those of which one by itself shows what is exchanged."""

NOT_OF_OP = (SHARDING, SHARDING_RULE, NUMBER)
"""Attributes that say nothing of what an op computes."""

_MESH = "mesh"

_UPDATE = "stablehlo.dynamic_update_slice"

_Key: TypeAlias = tuple[str, tuple[DimAxes, ...], tuple[DimAxes, ...], AxisList]


@dataclass(frozen=True, slots=True)
class Sending:
    """A collective of an exchange; `bytes` are what a device puts in."""

    kind: str
    group_size: int
    bytes: float
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a device does besides its part of the op: what it sends, seconds of traffic, and kernels that it starts.

    `held` is the largest tensor in bytes that it makes of parts of others. If the op itself is not there any more, the
    exchange `replaces` it. All that grows with the bytes of the first operand.
    """

    sent: tuple[Sending, ...] = ()
    traffic: float = 0.0
    starts: int = 0
    held: float = 0.0
    replaces: bool = False

    def local_seconds(self, machine: Machine, share: float) -> float:
        """What else is computed, on devices that have `share` of what the exchange was read for."""
        return self.traffic * share + self.starts * machine.overhead

    def sending_seconds(self, machine: Machine, share: float) -> float:
        """What is sent on such devices takes so long."""
        return sum(
            machine.collective_seconds(one.kind, one.group_size, share * one.bytes, one.axes) for one in self.sent
        )

    def bytes_sent(self, share: float) -> float:
        """What each of them sends."""
        return sum(moved_bytes(one.kind, one.group_size, share * one.bytes) for one in self.sent)


def exchanged_factors(op: ir.Operation, rule: ShardingRule) -> tuple[int, ...]:
    """The factors along which devices need parts of each other's data, and may exchange them."""
    if op.name not in EXCHANGED:
        return ()
    in_all = {factor for dim in rule.operands[0] for factor in dim} & {f for dim in rule.results[0] for f in dim}
    found = in_all & set(rule.permutation)
    if op.name == "stablehlo.convolution":
        found |= whole_factors(op, rule)
    return tuple(sorted(found))


def text_of_op(op: ir.Operation) -> str:
    """A module whose main function is the op, its arguments the operands."""
    with ir.Location.unknown(op.context):
        module = ir.Module.create()
        types = [value.type for value in op.operands], [value.type for value in op.results]
        type_ = ir.TypeAttr.get(ir.FunctionType.get(*types))
        attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": type_}
        function = ir.Operation.create("func.func", regions=1, attributes=attributes, ip=ir.InsertionPoint(module.body))
        block = function.regions[0].blocks.append(*types[0])
        copy = op.clone(ip=ir.InsertionPoint(block)).operation
        for number, argument in enumerate(block.arguments):
            copy.operands[number] = argument
        for each in pre_order(copy):
            for name in NOT_OF_OP:
                if name in each.attributes:
                    del each.attributes[name]
        ir.Operation.create("func.return", operands=list(copy.results), ip=ir.InsertionPoint(block))
        return module.operation.get_asm(print_generic_op_form=True)


@dataclass(slots=True)
class Exchanges:
    """Exchanges on one mesh of a machine."""

    mesh: Mesh
    machine: Machine
    _found: dict[_Key, Exchange | None] = field(default_factory=dict)

    def of(
        self, text: str, operands: tuple[DimAxes, ...], results: tuple[DimAxes, ...], unreduced: AxisList
    ) -> Exchange | None:
        """Of the op in a module (see `text_of_op`) with these layouts; None if its dimensions would be gathered."""
        key = (text, operands, results, unreduced)
        if key not in self._found:
            self._found[key] = self._read(*key)
        return self._found[key]

    def _read(
        self, text: str, operands: tuple[DimAxes, ...], results: tuple[DimAxes, ...], unreduced: AxisList
    ) -> Exchange | None:
        module = ir.Module.parse(text).operation
        with ir.Location.unknown(module.context):
            builders.mesh(_MESH, self.mesh, ip=ir.InsertionPoint.at_block_begin(module_body(module)))
        main = main_function(module)
        op = next(iter(main.regions[0].blocks[0].operations)).operation
        name = op.name
        types = [argument.type for argument in main.regions[0].blocks[0].arguments]
        shardings = {n: TensorSharding.from_axes(_MESH, axes) for n, axes in enumerate(operands) if is_tensor(types[n])}
        set_arg_shardings(main, shardings)
        set_op_shardings(op, [TensorSharding.from_axes(_MESH, axes, unreduced) for axes in results])
        run_nested(module, [step("sdy-resolve-permutation-factors", local_updates=True, exact_halos=True)])
        ops = pre_order(main)
        if any(each.name == "sdy.reshard" for each in ops):
            return None
        if name == _UPDATE:  # who has the place is found out when the op is made local
            run_nested(module, [step("sdy-partition-pipeline", **asdict(PartitionOptions(keep_records=True)))])
            main = main_function(module)
        reader = Reader(module, self.mesh, self.machine, seconds_of=fused_seconds(module))
        holders = [main] if name == _UPDATE else [each for each in ops if each.name == "sdy.manual_computation"]
        blocks = [each.regions[0].blocks[0] for each in holders]
        return self._exchange([item for block in blocks for item in reader.of_block(block).items], name, bool(blocks))

    def _exchange(self, items: list[Item], name: str, is_by_hand: bool) -> Exchange:
        sent: list[Sending] = []
        traffic, starts, held, is_there = 0.0, 0, 0.0, not is_by_hand
        for item in items:
            if item.transfer is not None:
                one = item.transfer.collective
                names = tuple(axis.name for axis in one.axes or ())
                sent.append(Sending(one.kind, one.group_size, one.operand_bytes, names))
            elif item.op.name == name and not is_there:
                is_there = True
            elif isinstance(item.step, Work) and item.step.compute:
                begins = not op_work(item.op, Fusion()).is_fused
                traffic += item.step.compute - begins * self.machine.overhead
                starts += begins
                held = max(held, begins * float(bytes_of(item.op.results, item.op)))
        return Exchange(tuple(sent), traffic, starts, held, not is_there)
