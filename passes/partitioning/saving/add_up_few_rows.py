"""sdy-add-up-few-rows: what few of the devices have a part of is added up, not gathered.

    %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xf32>
==> %1 = stablehlo.bitcast_convert %0 : (tensor<1x8xf32>) -> tensor<1x8xi32>
    %2 = sdy.sharded_to_unreduced [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<1x8xi32>
    %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xi32>
    %4 = stablehlo.bitcast_convert %3 : (tensor<1x8xi32>) -> tensor<1x8xf32>

All devices send parts of one size, padding included, so that of a single row in four parts each sends three rows; of
the sum it sends one and a half. Added up are the bits of numbers, which arrive as they are, and integers of 32 and 64
bits, which no backend widens. Cost model: the bytes that each device sends.
"""

from __future__ import annotations

import math

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, moved_type
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.axes import product
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.costs.collective_cost import moved_bytes
from sdy.passes.partitioning.facts.signs_of_zeros import bits_matter
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder

_ATTRIBUTES = {"gathering_axes", "out_sharding"}


@pass_("sdy-add-up-few-rows", on="func.func")
def add_up_few_rows(func: ir.Operation) -> None:
    meshes = of_module(MeshTable, func)
    layouts = Layouts(meshes)
    for op in ops_named(func, "sdy.all_gather"):
        if _sends_less(op, layouts):
            _add_up(op, layouts)


def _sends_less(op: ir.Operation, layouts: Layouts) -> bool:
    """Whether devices that add up their parts, without padding, send less than those that gather them."""
    source, target = layouts.of_value(op.operands[0]), layouts.of_value(op.results[0])
    if source.mesh is None or source.divides or not source.type.has_static_shape or set(op.attributes) != _ATTRIBUTES:
        return False
    moved = moved_type(source.type.element_type)
    if not isinstance(moved, ir.IntegerType) or moved.width not in (32, 64) or source.unreduced:
        return False
    lists = attributes.get(op, "gathering_axes").lists
    if any(axes and target.is_sharded(dim) for dim, axes in enumerate(lists)):
        return False
    devices = product((axis for axes in lists for axis in axes), source.mesh.axis_sizes)
    gathered = moved_bytes("all_gather", devices, math.prod(source.local_shape))
    return moved_bytes("all_reduce", devices, math.prod(target.local_shape)) < gathered


def _add_up(op: ir.Operation, layouts: Layouts) -> None:
    lists, out = attributes.get(op, "gathering_axes").lists, attributes.get(op, "out_sharding")
    source = layouts.of_value(op.operands[0])
    assert source.mesh is not None
    axes = source.mesh.sort_and_merge(axis for axis_list in lists for axis in axis_list)
    b, given = Builder.before(op), op.operands[0]
    parts = bits_of(b, given) if bits_matter(op.results[0]) else given
    if parts != given:
        marked(parts, source.sharding)
    where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    placed = builders.sharded_to_unreduced(parts, lists, out.with_unreduced(axes), **where)
    added = builders.all_reduce(placed, axes, out, **where)
    rows = from_bits(b, added, source.type.element_type)
    if rows != added:
        marked(rows, out)
    op.results[0].replace_all_uses_with(rows)
    op.erase()
