"""Parts of manual computations that free axes do not divide (spec: partitioner, 10.2).

Parts along manual axes are adjacent, so padding them one by one would move them. A dimension that is sharded along
manual axes and, unevenly, along free ones enters and leaves the computation without the free ones:

    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"m", "f"}]>] ... (%part: tensor<5xf32>)
==> %1 = sdy.all_gather [{"m", "f"}] %a out_sharding=<@mesh, [{}]>
    %2 = sdy.all_slice [{"m"}] %1 out_sharding=<@mesh, [{"m"}]>
    %0 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"m"}]>] ... (%part: tensor<5xf32>) {
      %3 = sdy.all_slice [{"f"}] %part out_sharding=<@mesh, [{"f"}]>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import is_tensor
from sdy.stablehlo.ops import Builder

_Value = TypeVar("_Value", bound=ir.Value)


def split_uneven_parts(module: ir.Operation, layouts: Layouts) -> None:
    """Lets no dimension of a manual computation be sharded along manual and, unevenly, along free axes."""
    for op in ops_named(module, "sdy.manual_computation"):
        _Border(op, layouts).split()


class _Border:
    """The border of one manual computation."""

    def __init__(self, op: ir.Operation, layouts: Layouts) -> None:
        self.op = op
        self.layouts = layouts
        self.manual: tuple[str, ...] = attributes.get(op, "manual_axes").names
        self.is_moved = False

    def split(self) -> None:
        block = self.op.regions[0].blocks[0]
        end = terminator(block)
        ins = [self._operand(i, x, sharding) for i, (x, sharding) in enumerate(self._pairs(block.arguments, "in"))]
        outs = [self._result(i, x, sharding, end) for i, (x, sharding) in enumerate(self._pairs(end.operands, "out"))]
        if self.is_moved:
            attributes.put(self.op, "in_shardings", ShardingPerValue(tuple(ins)))
            attributes.put(self.op, "out_shardings", ShardingPerValue(tuple(outs)))
            remark(self.op, "has parts that free axes do not divide: they are gathered")

    def _pairs(self, values: Sequence[_Value], side: str) -> list[tuple[_Value, TensorSharding]]:
        return list(zip(values, attributes.get(self.op, f"{side}_shardings"), strict=True))

    def _operand(self, index: int, argument: ir.BlockArgument, sharding: TensorSharding) -> TensorSharding:
        dims = self._uneven_dims(argument, sharding)
        if not dims:
            return sharding
        crossing = self._without_free(sharding, dims)
        self.op.operands[index] = _moved(Builder.before(self.op), self.op.operands[index], sharding, crossing, dims)
        slots = uses_of(argument)
        block = argument.owner
        inside = Builder(ir.InsertionPoint.at_block_begin(block), self.op.location)
        use_instead(slots, _moved(inside, argument, self._inside(crossing), self._inside(sharding), dims))
        return crossing

    def _result(self, index: int, value: ir.Value, sharding: TensorSharding, end: ir.Operation) -> TensorSharding:
        dims = self._uneven_dims(value, sharding)
        if not dims:
            return sharding
        crossing = self._without_free(sharding, dims)
        inside = Builder.before(end)
        end.operands[index] = _moved(inside, value, self._inside(sharding), self._inside(crossing), dims)
        result = self.op.results[index]
        slots = uses_of(result)
        use_instead(slots, _moved(Builder.after(self.op), result, crossing, sharding, dims))
        return crossing

    def _uneven_dims(self, value: ir.Value, outer: TensorSharding) -> list[int]:
        """Return the dimensions whose parts free axes shard unevenly."""
        if not is_tensor(value.type):
            return []
        part = self.layouts.of(value.type, self._inside(outer))
        found = [
            dim
            for dim in range(part.rank)
            if part.shape[dim] % part.shards[dim] and any(axis.name in self.manual for axis in outer.dims[dim].axes)
        ]
        self.is_moved |= bool(found)
        return found

    def _inside(self, outer: TensorSharding) -> TensorSharding:
        return outer.erase_manual_axes(self.manual)

    def _without_free(self, sharding: TensorSharding, dims: Sequence[int]) -> TensorSharding:
        return sharding.with_dim_axes(
            tuple(axis for axis in axes if axis.name in self.manual) if dim in dims else axes
            for dim, axes in enumerate(sharding.dim_axes)
        )


def _moved(b: Builder, x: ir.Value, have: TensorSharding, want: TensorSharding, dims: Sequence[int]) -> ir.Value:
    """Return `x` with layout `want` instead of `have`, gathered and sliced along `dims`."""

    def only(sharding: TensorSharding) -> list[AxisList]:
        return [axes if dim in dims else () for dim, axes in enumerate(sharding.dim_axes)]

    whole = have.with_dim_axes(() if dim in dims else axes for dim, axes in enumerate(have.dim_axes))
    if any(only(have)):
        x = sdy_ops.all_gather(x, only(have), whole, loc=b.location, ip=b.ip)
    if any(only(want)):
        x = sdy_ops.all_slice(x, only(want), want, loc=b.location, ip=b.ip)
    return x
