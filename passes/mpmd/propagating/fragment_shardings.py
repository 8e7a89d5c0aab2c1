"""Passes on the shardings of fragments and transfers behind propagation (spec: mpmd, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, type_of, value_of
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    op_shardings,
    open_like,
    result_shardings,
    set_op_shardings,
)
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warn_once
from sdy.mlir.functions import body, map_entries, update_function_type
from sdy.mlir.rewriting import before, defining_op, terminator
from sdy.mlir.rewriting import replace as substitute
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.mpmd.common.fragment_editing import IN_SHARDINGS, OUT_SHARDINGS
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    TRANSFER,
    fragments_in,
    is_entry_point,
    is_mpmd_function,
    mesh_tensor_of,
    ops_in,
    returned,
)
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


def stored_shardings(fragment: ir.Operation, name: str) -> tuple[TensorSharding, ...] | None:
    """The `in_shardings` or `out_shardings` of a fragment, None if it has none."""
    stored = attributes.get(fragment, name)
    return None if stored is None else stored.shardings


def set_one_sharding(fragment: ir.Operation, name: str, number: int, sharding: TensorSharding) -> None:
    """Replace one of the `in_shardings` or `out_shardings` of a fragment; missing ones become open."""
    values = fragment.operands if name == IN_SHARDINGS else fragment.results
    stored = stored_shardings(fragment, name)
    shardings = [open_like(sharding.mesh_or_ref, each.type) for each in values] if stored is None else list(stored)
    shardings[number] = sharding
    attributes.put(fragment, name, ShardingPerValue(tuple(shardings)))


def _closed(like: TensorSharding, values: Sequence[ir.Value]) -> list[TensorSharding]:
    """Closed shardings without axes of values, on the mesh of `like`."""
    types = (sharded_type(value.type) for value in values)
    return [
        TensorSharding.closed(like.mesh_or_ref, type_.rank if isinstance(type_, ir.RankedTensorType) else 0)
        for type_ in types
    ]


@pass_("mpmd-populate-unreduced-out-sharding", on=FUNCTION)
def populate_unreduced_out_sharding(func: ir.Operation) -> None:
    """mpmd-populate-unreduced-out-sharding: Let results of fragments be unreduced where constraints inside say so.

        %1 = mpmd.fragment<...> (%0) (%a: T) {
          %b = sdy.sharding_constraint %a <@mesh, [{}], unreduced={"x"}> : T
          mpmd.return %b : T
    ==> %1 = mpmd.fragment<..., out_shardings=[<@mesh, [{}], unreduced={"x"}>]> (%0) ...

    Spec: mpmd, 6.
    """
    for fragment in fragments_in(func) if is_mpmd_function(func) else []:
        for number, value in enumerate(returned(fragment)):
            op = defining_op(value)
            if op is not None and op.name == "sdy.sharding_constraint":
                _add_unreduced_axes(fragment, number, attributes.get(op, "sharding"))


def _add_unreduced_axes(fragment: ir.Operation, number: int, wanted: TensorSharding) -> None:
    shardings = stored_shardings(fragment, OUT_SHARDINGS) or tuple(_closed(wanted, fragment.results))
    if not wanted.unreduced or shardings[number].unreduced == wanted.unreduced:
        return
    new = [each.with_mesh(wanted.mesh_or_ref) for each in shardings]
    new[number] = new[number].with_unreduced(wanted.unreduced, wanted.reduction)
    attributes.put(fragment, OUT_SHARDINGS, ShardingPerValue(tuple(new)))


@pass_("mpmd-enforce-user-shardings", on=FUNCTION)
def enforce_user_shardings(func: ir.Operation) -> None:
    """mpmd-enforce-user-shardings: Give fragments the shardings of the function's arguments and results that they use.

        func.func @main(%arg0: !m1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) ...
          %0 = mpmd.fragment<..., in_shardings=[<@mesh, [{}]>]> (%arg0) ...
    ==>   %0 = mpmd.fragment<..., in_shardings=[<@mesh, [{"x"}]>]> (%arg0) ...

    Sub-axes and the axes behind them in a dimension are dropped.

    Spec: mpmd, 6.
    """
    if not is_entry_point(func):
        return
    enforced: dict[ir.Value, TensorSharding] = {}
    for argument, sharding in zip(body(func).arguments, arg_shardings(func), strict=True):
        if sharding is not None:
            enforced[argument] = _without_sub_axes(sharding, func)
    end = terminator(body(func))
    for value, sharding in zip(end.operands, result_shardings(func), strict=True):
        op = defining_op(value)
        if sharding is None or op is None:
            continue
        sharding = enforced[value] = _without_sub_axes(sharding, func)
        if op.name == FRAGMENT:
            set_one_sharding(op, OUT_SHARDINGS, ir.OpResult(value).result_number, sharding)
        elif op.name == TRANSFER:
            set_op_shardings(op, [sharding])
    for fragment in ops_in(func, FRAGMENT):
        _enforce_on_operands(fragment, [enforced.get(operand) for operand in fragment.operands])


def _enforce_on_operands(fragment: ir.Operation, shardings: Sequence[TensorSharding | None]) -> None:
    """Give operands their shardings; in a new list the other operands get replicated ones."""
    is_told = IN_SHARDINGS in fragment.attributes or None not in shardings
    for number, sharding in enumerate(shardings):
        if sharding is not None and (is_told or not sharding.is_fully_replicated):
            set_one_sharding(fragment, IN_SHARDINGS, number, sharding)


def _without_sub_axes(sharding: TensorSharding, func: ir.Operation) -> TensorSharding:
    """Drop the axes of each dimension from the first sub-axis on, and close such dimensions."""
    dims = [_cut(dim) for dim in sharding.dims]
    if dims == list(sharding.dims):
        return sharding
    warn_once("sub-axes", func, "has arguments or results that are sharded along sub-axes, which are dropped")
    return sharding.with_dims(dims)


def _cut(dim: DimensionSharding) -> DimensionSharding:
    for number, axis in enumerate(dim.axes):
        if axis.sub_axis is not None:
            return replace(dim, axes=dim.axes[:number], is_closed=True)
    return dim


@pass_("mpmd-convert-sdy-shardings-to-mpmd-types", on=FUNCTION)
def convert_sdy_shardings_to_mpmd_types(func: ir.Operation) -> None:
    """mpmd-convert-sdy-shardings-to-mpmd-types: Put the shardings of fragments and transfers into the types of values.

        %1 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} %0 : (!m1) -> !m2
    ==> %1 = mpmd.transfer %0 : (!m1) -> !mpmd.mesh_tensor<"m2", T, sharding=<@mesh, [{"x"}]>>

    All other shardings go.

    Spec: mpmd, 6.
    """
    if not is_mpmd_function(func):
        return
    for argument, sharding in zip(body(func).arguments, arg_shardings(func), strict=True):
        _set_type(argument, sharding)
    for op in ops_in(func, FRAGMENT, TRANSFER, "mpmd.for"):
        _convert(op)
    for op in ops_with(func, SHARDING):
        if op.name not in ("stablehlo.send", "stablehlo.recv"):
            del op.attributes[SHARDING]
    map_entries(func, lambda entry: {name: attr for name, attr in entry.items() if name != SHARDING})
    update_function_type(func)
    for op in ops_in(func, TRANSFER):
        _check_transfer(op)


def _convert(op: ir.Operation) -> None:
    if op.name != FRAGMENT:
        for result, sharding in zip(op.results, op_shardings(op) or [], strict=False):
            _set_type(result, sharding)
        return
    for name, values in ((IN_SHARDINGS, list(op.operands)), (OUT_SHARDINGS, list(op.results))):
        for value, sharding in zip(values, stored_shardings(op, name) or [], strict=False):
            _set_type(value, sharding)
        if name in op.attributes:
            del op.attributes[name]


def _set_type(value: ir.Value, sharding: TensorSharding | None) -> None:
    found = mesh_tensor_of(value)
    if found is not None and sharding is not None:
        value.set_type(type_of(replace(found, sharding=sharding)))


def _check_transfer(op: ir.Operation) -> None:
    source, target = (value_of(each.type) for each in (op.operands[0], op.results[0]))
    first, second = source.sharding, target.sharding
    if first is None or second is None or first.mesh_or_ref != second.mesh_or_ref:
        return
    if not first.is_equivalent(second):
        raise DiagnosticError(op, f"changes the sharding {first} to {second}, which transfers cannot")


@pass_("mpmd-convert-sdy-constants")
def convert_sdy_constants(module: ir.Operation) -> None:
    """mpmd-convert-sdy-constants: Convert constants of the dialect to StableHLO.

        %0 = sdy.constant dense<1.0> : tensor<8xf32>
    ==> %0 = stablehlo.constant dense<1.0> : tensor<8xf32>

    Spec: mpmd, 6.
    """
    for op in ops_named(module, "sdy.constant"):
        kept = {name: op.attributes[name] for name in op.attributes}
        types = [result.type for result in op.results]
        new = ir.Operation.create("stablehlo.constant", types, [], kept, loc=op.location, ip=before(op))
        substitute(op, list(new.results))
