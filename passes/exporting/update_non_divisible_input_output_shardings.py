"""sdy-update-non-divisible-input-output-shardings: shardings at boundaries get axes that divide the dimensions.

Arguments and results of functions, calls and manual computations have a given size per device; padding is only possible
inside. Of an axis that does not divide, the greatest part that does is kept.
With `public-only` private functions and their calls keep what they have, since padding may cross their boundaries.

    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) { ... }
==> func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}]>}) { ... }
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.data_flow import interface
from sdy.dialect.definition import attributes
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    op_shardings,
    result_shardings,
    set_arg_sharding,
    set_op_shardings,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import callee_name, funcs, is_private, main_function, symbol_name
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import pass_

_MANUAL = "sdy.manual_computation"


@dataclass(frozen=True)
class UpdateNonDivisibleOptions:
    """Options of sdy-update-non-divisible-input-output-shardings."""

    public_only: bool = option(False, "leave private functions and their calls, inside of which padding is possible")


@pass_("sdy-update-non-divisible-input-output-shardings", options=UpdateNonDivisibleOptions)
def update_non_divisible_input_output_shardings(module: ir.Operation, options: UpdateNonDivisibleOptions) -> None:
    """Functions, calls and manual computations; values without a static shape stay (spec: export-passes, 3.9)."""
    divisible = _Divisible(MeshTable(module))
    left = set(_not_to_be_updated(module)) if options.public_only else set()
    for func in funcs(module):
        if symbol_name(func) not in left:
            _update_function(func, divisible)
    for op in ops_named(module, "func.call", _MANUAL):
        if op.name == _MANUAL:
            _update_manual_computation(op, divisible)
        elif callee_name(op) not in left and (old := op_shardings(op)) is not None:
            new = divisible.all(old, op.results.types)
            if new != list(old):
                set_op_shardings(op, new)


def _not_to_be_updated(module: ir.Operation) -> list[str]:
    """The private functions; the one that is executed is for others, whatever it says."""
    private = [func for func in funcs(module) if is_private(func)]
    return [symbol_name(func) for func in private if func != main_function(module)]


def _update_function(func: ir.Operation, divisible: _Divisible) -> None:
    type_ = func.attributes["function_type"].value
    for types, shardings, put in (
        (type_.inputs, arg_shardings(func), set_arg_sharding),
        (type_.results, result_shardings(func), set_result_sharding),
    ):
        for index, (value_type, old) in enumerate(zip(types, shardings, strict=True)):
            if old is not None and (new := divisible.one(old, value_type)) != old:
                put(func, index, new)


def _update_manual_computation(op: ir.Operation, divisible: _Divisible) -> None:
    """Updates the free axes of the in shardings by local shapes, and the out shardings by global shapes."""
    flow = interface(op)
    assert flow is not None
    manual = attributes.get(op, "manual_axes").names
    types = [argument.type for argument in flow.block_arg_owners()]
    outer = attributes.get(op, "in_shardings").shardings
    inner = divisible.all([sharding.erase_manual_axes(manual) for sharding in outer], types)
    new = tuple(old.add_manual_axes(free, manual) for old, free in zip(outer, inner, strict=True))
    attributes.put(op, "in_shardings", ShardingPerValue(new))
    results = attributes.get(op, "out_shardings").shardings
    attributes.put(op, "out_shardings", ShardingPerValue(tuple(divisible.all(results, op.results.types))))


class _Divisible:
    """Shardings that divide, on the meshes of one module."""

    def __init__(self, meshes: MeshTable) -> None:
        self._meshes = meshes
        self._made: dict[tuple[TensorSharding, ir.Type], TensorSharding] = {}

    def all(self, shardings: Sequence[TensorSharding], types: Sequence[ir.Type]) -> list[TensorSharding]:
        return [self.one(sharding, type_) for sharding, type_ in zip(shardings, types, strict=True)]

    def one(self, sharding: TensorSharding, type_: ir.Type) -> TensorSharding:
        made = self._made.get((sharding, type_))
        if made is None:
            made = self._made[sharding, type_] = self._make(sharding, type_)
        return made

    def _make(self, sharding: TensorSharding, type_: ir.Type) -> TensorSharding:
        mesh = self._meshes.of(sharding)
        if mesh is None or sharding.is_fully_replicated or not is_static_shaped(type_):
            return sharding
        pairs = zip(sharding.dims, type_.shape, strict=True)
        return sharding.with_dims(_divisible_dim(dim, size, mesh.axis_sizes) for dim, size in pairs)


def _divisible_dim(dim: DimensionSharding, size: int, sizes: AxisSizes) -> DimensionSharding:
    """`dim` as it is if it divides `size`; else with the axes that do, and without its priority."""
    if size % dim.shards(sizes) == 0:
        return dim
    return DimensionSharding(_divisible_axes(dim.axes, size, sizes), dim.is_closed)


def _divisible_axes(axis_list: AxisList, size: int, sizes: AxisSizes) -> AxisList:
    """The front of `axis_list` that divides `size`, the last axis perhaps in part."""
    kept: list[AxisRef] = []
    for axis in axis_list:
        axis_size = axis.size(sizes)
        common = math.gcd(axis_size, size)
        if common == 1:
            break
        if common < axis_size:
            kept.append(AxisRef.sub(axis.name, axis.pre_size, common))
            break
        kept.append(axis)
        size //= common
    return tuple(kept)
