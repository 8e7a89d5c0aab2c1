"""Shardings and rules on ops, functions and their values behind propagation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile

from sdy.dialect.data_flow import interface
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, value_of
from sdy.dialect.mpmd.declarations import sharded_type
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
from sdy.dialect.shardings.sharding_walk import (
    RETURNS,
    Survey,
    occurs,
    transform_shardings,
    transform_special_shardings,
)
from sdy.dialect.symbol_uses import SymbolsOf
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import Entries, callee_name, funcs, is_private, main_function, map_entries, symbol_name
from sdy.mlir.search import for_each_with, ops_named
from sdy.mlir.walk import for_each_below, pre_order
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import LEFT_OPEN, handed_on

_SAMPLE = 30
"""Number of ops that are sampled for shardings closed earlier."""


@pass_("sdy-close-shardings")
def close_shardings(module: ir.Operation) -> None:
    """sdy-close-shardings: Close every dimension of every sharding and drop replicated axes.

    After propagation a sharding is final: axes can no longer be added, so replicated axes are dropped. Axes, priorities
    and unreduced axes stay.

        %0 = stablehlo.negate %arg0 {sdy.sharding =
              #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}], replicated={"y"}>]>}
    ==> %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}

    Spec: export-passes, 3.1. Closes all shardings of functions, ops and computations.
    """
    left_open = handed_on(LEFT_OPEN)
    if isinstance(left_open, tuple):
        transform_special_shardings(module, TensorSharding.close, (*left_open, *RETURNS))
    elif _begins_open(module) or occurs(module, _is_open):
        transform_shardings(module, TensorSharding.close)
    else:
        transform_special_shardings(module, TensorSharding.close)


def _begins_open(module: ir.Operation) -> bool:
    """Return whether one of the first ops has an open sharding."""
    first: list[ir.Operation] = []
    go_on, stop = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT

    def visit(op: ir.Operation) -> ir.WalkResult:
        first.append(op)
        return go_on if len(first) < _SAMPLE else stop

    module.walk(visit, ir.WalkOrder.PRE_ORDER)
    return any(_is_open(sharding) for op in first for sharding in _shardings(op))


def _shardings(op: ir.Operation) -> list[TensorSharding]:
    survey = Survey()
    survey.note(op)
    return survey.shardings()


def _is_open(sharding: TensorSharding) -> bool:
    return not sharding.is_fully_closed or bool(sharding.replicated)


@pass_("sdy-remove-sub-axes-in-input-output-shardings")
def remove_sub_axes_in_input_output_shardings(module: ir.Operation) -> None:
    """sdy-remove-sub-axes-in-input-output-shardings: Cut open dimensions of @main before the first sub-axis.

    Propagation may have put parts of axes on arguments and results; the caller of a program cannot place such shards.

        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2, ?}]>}) { ... }
    ==> func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}]>}) { ... }

    Spec: export-passes, 3.8. Closed dimensions are the user's choice and stay.
    """
    if not funcs(module):
        return
    main, cut = main_function(module), lru_cache(_cut)
    for shardings, put in ((arg_shardings(main), set_arg_sharding), (result_shardings(main), set_result_sharding)):
        for index, sharding in enumerate(shardings):
            if sharding is not None and (new := cut(sharding)) is not sharding:
                put(main, index, new)


def _cut(sharding: TensorSharding) -> TensorSharding:
    """Return `sharding` itself if nothing is to be cut."""
    new = sharding.with_dims(map(_cut_dim, sharding.dims))
    return sharding if new == sharding else new


def _cut_dim(dim: DimensionSharding) -> DimensionSharding:
    if dim.is_closed:
        return dim
    return dim.with_axes(takewhile(lambda axis: axis.sub_axis is None, dim.axes))


_MANUAL = "sdy.manual_computation"


@dataclass(frozen=True)
class UpdateNonDivisibleOptions:
    """Options of sdy-update-non-divisible-input-output-shardings."""

    public_only: bool = option(False, "leave private functions and their calls: padding is possible inside")


@pass_("sdy-update-non-divisible-input-output-shardings", options=UpdateNonDivisibleOptions)
def update_non_divisible_input_output_shardings(module: ir.Operation, options: UpdateNonDivisibleOptions) -> None:
    """sdy-update-non-divisible-input-output-shardings: Drop axes of @main that do not divide its dimensions.

    Arguments and results of functions, calls and manual computations have a fixed size per device; padding is only
    possible inside. Of an axis that does not divide a dimension, the largest part that does is kept. With `public-only`
    private functions and their calls are skipped, since padding may cross their boundaries.

        sdy.mesh @mesh = <["x"=4]>
        func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) { ... }
    ==> func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}]>}) { ... }

    Spec: export-passes, 3.9. Functions, calls and manual computations; values without a static shape stay.
    """
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
    """Return the private functions; the entry function counts as public."""
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
    """Shardings that divide their dimensions, on the meshes of one module."""

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
        mesh, type_ = self._meshes.of(sharding), sharded_type(type_)
        if mesh is None or sharding.is_fully_replicated or not is_static_shaped(type_):
            return sharding
        pairs = zip(sharding.dims, type_.shape, strict=True)
        return sharding.with_dims(_divisible_dim(dim, size, mesh.axis_sizes) for dim, size in pairs)


def _divisible_dim(dim: DimensionSharding, size: int, sizes: AxisSizes) -> DimensionSharding:
    """Return `dim` if it divides `size`; else the axes of it that do, without its priority."""
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


@pass_("sdy-drop-sharding-rules", on="func.func")
def drop_sharding_rules(func: ir.Operation) -> object:
    """sdy-drop-sharding-rules: Remove sharding rules that are not custom.

        %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>} : tensor<4xf32>
    ==> %0 = stablehlo.add %a, %a : tensor<4xf32>

    Such rules follow from the op; a custom rule cannot be derived (spec: sharding-rules, 10.2).
    """
    is_custom: dict[int, bool] = {}  # by the address of the rule

    def drop(op: ir.Operation) -> None:
        stored = op.attributes
        rule = stored[SHARDING_RULE]
        key = address(rule)
        if key not in is_custom:
            is_custom[key] = value_of(rule).is_custom
        if not is_custom[key]:
            del stored[SHARDING_RULE]

    for_each_with(func, SHARDING_RULE, drop)
    return None if is_custom else UNCHANGED


_MODULE_METADATA = ("sdy.parameters_shardings", "sdy.output_shardings")


@dataclass(frozen=True)
class DropShardingOptions:
    keep_module_sharding_metadata: bool = option(
        False, "keep the module attributes that record the shardings of the main function"
    )
    sharding_rules: bool = option(False, "drop sharding rules as well, custom ones included")


@pass_("sdy-drop-sharding-and-mesh", options=DropShardingOptions)
def drop_sharding_and_mesh(module: ir.Operation, options: DropShardingOptions) -> None:
    """sdy-drop-sharding-and-mesh: Remove all `sdy.sharding` attributes and unused meshes.

    It ends the partitioner: the program is local, and remaining shardings would be wrong.

        sdy.mesh @mesh = <["x"=4]>
        func.func @f(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { ... }
    ==> func.func @f(%arg0: tensor<2xf32>) { ... }

    Spec: export-passes, 3.3. Other attributes stay, `sharding` included; so does `sdy.sharding_rule` unless
    `sharding-rules` is given: in a local program the factors of a rule have global sizes.
    """
    if options.sharding_rules:
        for_each_with(module, SHARDING_RULE, _drop_rule)
    if not options.keep_module_sharding_metadata:
        for name in _MODULE_METADATA:
            if name in module.attributes:
                del module.attributes[name]
    for func in ops_named(module, "func.func"):
        map_entries(func, _without_sharding)
    meshes = ops_named(module, "sdy.mesh")
    unused = _drop_shardings(module, map(symbol_name, meshes))
    for mesh in meshes:
        if symbol_name(mesh) in unused:
            mesh.erase()


def _drop_shardings(module: ir.Operation, names: Iterable[str]) -> set[str]:
    """Drop the shardings of ops; return those of symbols that no other attribute names."""
    left, symbols_of = set(names), SymbolsOf(module.context)
    left.difference_update(symbols_of(module.attributes))

    def visit(op: ir.Operation) -> None:
        stored = op.attributes
        if SHARDING in stored:
            del stored[SHARDING]
        if left and len(stored):
            left.difference_update(symbols_of(stored))

    for_each_below(module, visit)
    return left


def _drop_rule(op: ir.Operation) -> None:
    del op.attributes[SHARDING_RULE]


def _without_sharding(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name != SHARDING}


_NAMES = tuple(
    f"sdy.{prefix}{name}"
    for prefix in ("", "block_arg_", "result_")
    for name in ("propagation_edges", "sharding_origins")
)


@pass_("sdy-remove-propagation-debug-info")
def remove_propagation_debug_info(module: ir.Operation) -> None:
    """sdy-remove-propagation-debug-info: Remove the records of where axes came from.

        func.func @f(%arg0: tensor<8xf32> {sdy.sharding_origins = {x = "self"}}) { ... }
    ==> func.func @f(%arg0: tensor<8xf32>) { ... }

    Spec: export-passes, 3.5. Names of origins, `sdy.sharding_origin_name`, are the user's and stay.
    """
    for op in pre_order(module):
        if op.name == "func.func":
            map_entries(op, _without_debug_info)
        else:
            attributes = op.attributes
            for name in _NAMES:
                if name in attributes:
                    del attributes[name]


def _without_debug_info(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name not in _NAMES}
