"""Prices of reshards: the steps that the partitioner takes, one by one.

A layout has the mesh axes of each dimension. The steps depend on the two layouts and on which counts of shards divide
the dimensions; their cost grows with the bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, field
from typing import TypeAlias

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.local_collectives import permute_pairs
from sdy.dialect.lowering.local_op import unshardable_factors
from sdy.dialect.ops.model import is_contraction, model_with, target_of
from sdy.dialect.shardings.attribute_shardings import set_arg_shardings, set_op_shardings
from sdy.dialect.values.axes import AxisList, AxisRef, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import main_function, module_body, new_function
from sdy.mlir.tensor_types import bytes_of, is_tensor
from sdy.mlir.walk import pre_order
from sdy.passes.costs.machine import Machine, moved_bytes
from sdy.passes.costs.op_cost import Fusion, fused_seconds, op_work
from sdy.passes.costs.program_collectives import permuted_axes
from sdy.passes.costs.program_steps import Item, Reader
from sdy.passes.costs.simulation import Work
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.partitioning.reshard_planning import reshard_plan
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllToAlls, DimAxes, shard_counts
from sdy.passes.partitioning.reshard_planning.reshard_search import cheapest_plan
from sdy.passes.registry import step


@dataclass(frozen=True, slots=True)
class Move:
    """Collective of a reshard, or a slice of each device's own part (`kind` "all_slice").

    `share` is the part of the whole tensor that each device contributes, and for a slice the part that it keeps.
    """

    kind: str
    axes: tuple[str, ...]
    group_size: int
    share: float


@dataclass(slots=True)
class ReshardPrices:
    """Prices on one mesh of a machine."""

    mesh: Mesh
    machine: Machine
    _moves: dict[tuple[tuple[int, ...], DimAxes, DimAxes], tuple[Move, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.machine = self.machine.on(self.mesh)

    def moves(self, shape: Iterable[int], have: DimAxes, want: DimAxes) -> tuple[Move, ...]:
        """The steps from one layout to another."""
        if have == want:
            return ()
        # Dimensions that stay whole have no part in it. Of the others only what divides them matters, and no count of
        # shards exceeds that of the devices.
        rows = [row for row in zip(shape, have, want, strict=True) if row[1] or row[2]]
        sizes, have, want = (tuple(column) for column in zip(*rows, strict=True))
        common = tuple(math.gcd(size, self.mesh.size) for size in sizes)
        is_even = self._divides(common, have) and self._divides(common, want)
        key = (common if is_even else sizes, have, want)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = self._planned(sizes, have, want)
        return found

    def seconds(self, shape: Iterable[int], size: float, have: DimAxes, want: DimAxes, hidden: float = 0.0) -> float:
        """Return the seconds of a reshard of a tensor of `size` bytes, minus the hidden part of sending."""
        moves = ((move, self.move_seconds(move, size)) for move in self.moves(shape, have, want))
        return sum(seconds if move.kind == "all_slice" else (1 - hidden) * seconds for move, seconds in moves)

    def stored_seconds(self, shape: tuple[int, ...], size: float, have: DimAxes, want: DimAxes) -> float:
        """Return the extra seconds if the tensor is computed at its use: sent bytes are written and read again."""
        if not any(move.axes for move in self.moves(shape, have, want)):
            return 0.0
        written, read = (size * self.share(shape, layout) for layout in (have, want))
        return self.machine.memory_seconds(written) + read / self.machine.memory_bandwidth

    def bytes_sent(self, shape: Iterable[int], size: float, have: DimAxes, want: DimAxes) -> float:
        """Return the bytes that each device sends."""
        moves = self.moves(shape, have, want)
        return sum(moved_bytes(move.kind, move.group_size, move.share * size) for move in moves if move.axes)

    def move_seconds(self, move: Move, size: float) -> float:
        if move.kind == "all_slice":
            return 2 * move.share * size / self.machine.memory_bandwidth
        return self.machine.collective_seconds(move.kind, move.group_size, move.share * size, move.axes)

    def reduce_seconds(self, axes: AxisList, scattered: AxisList, size: float) -> float:
        """Return the seconds to reduce partial results of `size` bytes per device along `axes`, partly `scattered`."""
        return sum(
            self.machine.collective_seconds(kind, product(over, self.mesh.axis_sizes), bytes_, _names(over))
            for kind, over, bytes_ in self._reduction(axes, scattered, size)
        )

    def reduce_bytes(self, axes: AxisList, scattered: AxisList, size: float) -> float:
        """Return the bytes that each device sends for the reduction."""
        return sum(
            moved_bytes(kind, product(over, self.mesh.axis_sizes), bytes_)
            for kind, over, bytes_ in self._reduction(axes, scattered, size)
        )

    def _reduction(self, axes: AxisList, scattered: AxisList, size: float) -> Iterator[tuple[str, AxisList, float]]:
        """The collectives: kind, axes, bytes that each device puts in."""
        if scattered:
            yield "reduce_scatter", scattered, size
            size /= product(scattered, self.mesh.axis_sizes)
        rest = tuple(axis for axis in axes if axis not in scattered)
        if rest:
            yield "all_reduce", rest, size

    def _divides(self, shape: tuple[int, ...], axes: DimAxes) -> bool:
        counts = shard_counts(axes, self.mesh.axis_sizes)
        return not any(size % count for size, count in zip(shape, counts, strict=True))

    def _planned(self, shape: tuple[int, ...], have: DimAxes, want: DimAxes) -> tuple[Move, ...]:
        now, plan = have, cheapest_plan(have, want, shape, self.mesh)
        found: list[Move] = []
        while plan:
            exchanges = AllToAlls.of(now, plan, shape, self.mesh)
            if exchanges is None:
                found.append(self._move(plan[0], shape, now))
                count = 1
            else:
                share, sizes = self.share(shape, now), self.mesh.axis_sizes
                found += [Move("all_to_all", _names(axes), product(axes, sizes), share) for axes in exchanges.moved]
                count = exchanges.count
            now, plan = plan[count - 1].after, plan[count:]
        return tuple(found)

    def _move(self, step: reshard_plan.CollectiveStep, shape: tuple[int, ...], now: DimAxes) -> Move:
        sizes = self.mesh.axis_sizes
        if isinstance(step, reshard_plan.AllGather):
            axes = tuple(axis for listed in step.axes for axis in listed)
            return Move("all_gather", _names(axes), product(axes, sizes), self.share(shape, now))
        if isinstance(step, reshard_plan.AllSlice):
            return Move("all_slice", (), 1, self.share(shape, step.after))
        source, target = (TensorSharding.from_axes(self.mesh, axes) for axes in (now, step.after))
        pairs = permute_pairs(source, self.mesh, target, self.mesh).tolist()
        axes = permuted_axes(self.mesh, tuple(map(tuple, pairs)))
        return Move("collective_permute", _names(axes), 2, self.share(shape, now))

    def share(self, shape: tuple[int, ...], axes: DimAxes) -> float:
        """The part of a tensor that a device has, dimensions rounded up."""
        counts = shard_counts(axes, self.mesh.axis_sizes)
        pairs = zip(shape, counts, strict=True)
        return math.prod(-(-size // count) / size for size, count in pairs if size)


def _names(axes: Iterable[AxisRef]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(axis.name for axis in axes))


# What devices exchange if a dimension is sharded that windows run along, and what that takes.
#
# Rules call the factors of such dimensions permutations. What the partitioner makes of one op by itself, with only
# these dimensions sharded, is read once for each way to shard them; the bytes become fewer as other dimensions are
# sharded, too.


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
    """Return the number of an op; None if it has none."""
    attribute = op.attributes.get(NUMBER)
    return None if attribute is None else ir.IntegerAttr(attribute).value


NOT_OF_OP = (SHARDING, SHARDING_RULE, NUMBER)
"""Attributes that say nothing of what an op computes."""

_MESH = "mesh"

_UPDATE = "stablehlo.dynamic_update_slice"

_Key: TypeAlias = tuple[str, tuple[DimAxes, ...], tuple[DimAxes, ...], AxisList]


@dataclass(frozen=True, slots=True)
class Sending:
    """A collective of an exchange; `bytes` are those that a device contributes."""

    kind: str
    group_size: int
    bytes: float
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Work of a device besides its part of the op: sends, seconds of traffic, and kernel starts.

    `held` is the size in bytes of the largest tensor that it makes of others' parts. `replaces` tells that the op
    itself is gone. All sizes grow with the bytes of the first operand.
    """

    sent: tuple[Sending, ...] = ()
    traffic: float = 0.0
    starts: int = 0
    held: float = 0.0
    replaces: bool = False

    def local_seconds(self, machine: Machine, share: float) -> float:
        """Return the seconds of local work on devices that have `share` of the measured data."""
        return self.traffic * share + self.starts * machine.overhead

    def sending_seconds(self, machine: Machine, share: float) -> float:
        """Return the seconds of sending on such devices."""
        return sum(
            machine.collective_seconds(one.kind, one.group_size, share * one.bytes, one.axes) for one in self.sent
        )

    def bytes_sent(self, share: float) -> float:
        """Return the bytes that each device sends."""
        return sum(moved_bytes(one.kind, one.group_size, share * one.bytes) for one in self.sent)


def exchanged_factors(op: ir.Operation, rule: ShardingRule) -> tuple[int, ...]:
    """Return the factors along which devices may exchange parts of each other's data."""
    has_access = model_with("access", op.name, target_of(op)) is not None
    if not has_access and op.name not in (_UPDATE, "stablehlo.select_and_scatter"):
        return ()
    in_all = {factor for dim in rule.operands[0] for factor in dim} & {f for dim in rule.results[0] for f in dim}
    found = in_all & set(rule.permutation)
    if is_contraction(op):
        found |= unshardable_factors(op, rule)
    return tuple(sorted(found))


def text_of_op(op: ir.Operation) -> str:
    """Return a module whose main function is the op, with its operands as arguments."""
    with ir.Location.unknown(op.context):
        module = ir.Module.create()
        types = [value.type for value in op.operands], [value.type for value in op.results]
        function = new_function("main", *types, ip=ir.InsertionPoint(module.body))
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
        """Return the exchange of an op with these layouts (see `text_of_op`); None if dimensions would be gathered."""
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
        parents = [main] if name == _UPDATE else [each for each in ops if each.name == "sdy.manual_computation"]
        blocks = [each.regions[0].blocks[0] for each in parents]
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
