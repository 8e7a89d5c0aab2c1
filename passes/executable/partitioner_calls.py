"""sdy-resolve-partitioner-calls: Answer queries of the partitioner with the propagated shardings.

    %0 = stablehlo.custom_call @CustomSPMDPartitioning(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
==> %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
             manual_axes={"x"} (%part: tensor<2x16xf32>) {
      %1 = func.call @partitioned(%part) : (tensor<2x16xf32>) -> tensor<2x16xf32>
      sdy.return %1 : tensor<2x16xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>

A Python function of the user partitions such a call: it gives the program of a device for its parts, and the shardings
of operands and results. A missing or failing function, or an impossible result, is an error.

    stablehlo.custom_call @InspectSharding(%0) {backend_config = "0"} : ...     // %0: <@mesh, [{"x"}, {}]>
==> module attributes {sdy.inspections = [{key = "0", shape = array<i64: 8, 16>,
                                           sharding = #sdy.sharding<mesh<["x"=4]>, [{"x"}, {}]>}]}

Such a call, as by `jax.debug.inspect_array_sharding`, computes nothing. The module keeps the answer for its caller. A
sharding on another mesh than that of all devices is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile

from sdy.dialect import builders
from sdy.dialect.assembly import parse
from sdy.dialect.mesh_translation import translate
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import verify_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, RefusedByUser
from sdy.mlir.functions import ModuleSymbols, funcs, symbol_name
from sdy.mlir.rewriting import is_unused, replace
from sdy.passes.executable.records import devices, store_inspections, strip
from sdy.passes.executable.user_partitions import (
    INSPECT_SHARDING,
    Inspection,
    Tensor,
    UserPartition,
    partition_function,
    targets,
)
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views


def _take_inspections(module: ir.Operation) -> object:
    calls = _calls(module)
    if not calls:
        return UNCHANGED
    meshes, mesh = MeshTable(module), Mesh(devices(module).axes)
    taken = [(op.attributes["backend_config"], _inspection(op, meshes, mesh)) for op in calls]
    for op in calls:
        op.erase()
    store_inspections(module, taken)
    return None


def _calls(module: ir.Operation) -> list[ir.Operation]:
    """Return the calls; their results have no uses."""
    return [
        call.op
        for call in views.CustomCall.all_in(module)
        if call.call_target_name == INSPECT_SHARDING and "backend_config" in call.op.attributes and is_unused(call.op)
    ]


def _inspection(op: ir.Operation, meshes: MeshTable, mesh: Mesh) -> Inspection:
    value = op.operands[0]
    shape = tuple(value.type.shape)
    sharding = get_sharding(value) or TensorSharding.closed(mesh, len(shape))
    own = meshes.of(sharding) or mesh
    dims = [translate(axes, own, mesh) if axes else () for axes in sharding.dim_axes]
    if any(axes is None for axes in dims):
        raise DiagnosticError(op, f"asks for the sharding {sharding}, which does not fit mesh{mesh}")
    whole = [takewhile(lambda axis: axis.sub_axis is None, axes or ()) for axes in dims]
    return Inspection(str(op.attributes["backend_config"]), shape, TensorSharding.from_axes(mesh, whole))


def _expand_custom_partitioning(module: ir.Operation) -> object:
    calls = [call for call in views.CustomCall.all_in(module) if call.call_target_name in targets()]
    if not calls:
        return UNCHANGED
    found = MeshTable(module).global_mesh()
    for call in calls:
        if found is None:
            raise DiagnosticError(call.op, "is partitioned by a Python function, but the module has no mesh")
        _expand(call, module, *found)
    return None


def _expand(call: views.CustomCall, module: ir.Operation, mesh_name: str, mesh: Mesh) -> None:
    op, key = call.op, call.backend_config
    if op.parent.operation.name == "sdy.manual_computation":
        raise DiagnosticError(op, "is partitioned by a Python function inside of a manual computation")
    if not isinstance(key, str):
        raise DiagnosticError(op, "needs a Python function for its partitioning, but names none (backend_config)")
    chosen = _ask(call, key, mesh_name, mesh)
    function = _insert(chosen.text, module)
    for value, sharding in zip((*op.operands, *op.results), (*chosen.operands, *chosen.results), strict=True):
        _check_even(op, value.type, sharding, mesh)
    _replace(op, function, chosen.operands, chosen.results, mesh)


def _ask(call: views.CustomCall, key: str, mesh_name: str, mesh: Mesh) -> UserPartition:
    def tensor(value: ir.Value) -> Tensor:
        sharding = get_sharding(value)
        if sharding is None or sharding.mesh_or_ref != mesh_name:
            sharding = TensorSharding.closed(mesh_name, value.type.rank)
        return Tensor(str(value.type.element_type), tuple(value.type.shape), sharding)

    op = call.op
    try:
        ask = partition_function(call.call_target_name)
        return ask(key, [*map(tensor, call.inputs)], [*map(tensor, call.results)], mesh_name, mesh)
    except KeyError as error:
        raise DiagnosticError(
            call.op, f"is partitioned by a Python function that this process does not have: {key}"
        ) from error
    except Exception as error:
        raise RefusedByUser(op, f"is partitioned by a Python function, which failed: {error}") from error


def _check_even(op: ir.Operation, type_: ir.RankedTensorType, sharding: TensorSharding, mesh: Mesh) -> None:
    for size, dim in zip(type_.shape, sharding.dims, strict=True):
        if size % dim.shards(mesh.axis_sizes):
            raise RefusedByUser(op, f"is partitioned by a Python function unevenly: {type_} as {sharding}")


def _insert(text: str, module: ir.Operation) -> ir.Operation:
    """Puts the functions of a module without shardings into `module`; returns its @main."""
    local = parse(text)
    with local.context, ir.Location.unknown():
        verify_module(local)
        strip(local.operation)
        plain = local.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
    source = ir.Module.parse(plain, module.context)
    symbols = ModuleSymbols(module)
    listed = funcs(source.operation)
    main = next(func for func in listed if symbol_name(func) == "main")
    names = [symbol_name(func) for func in listed]
    number = next(number for number in count() if not any(_renamed(name, number) in symbols for name in names))
    for name, func in zip(names, listed, strict=True):
        ir.SymbolTable.replace_all_symbol_uses(name, _renamed(name, number), source.operation)
        func.attributes["sym_name"] = ir.StringAttr.get(_renamed(name, number))
        func.attributes["sym_visibility"] = ir.StringAttr.get("private")
    for func in listed:
        func.detach_from_parent()
        symbols.insert(func)
    return main


def _renamed(name: str, number: int) -> str:
    return f"{name}_partitioned_{number}"


def _replace(
    op: ir.Operation,
    function: ir.Operation,
    ins: Sequence[TensorSharding],
    outs: Sequence[TensorSharding],
    mesh: Mesh,
) -> None:
    type_ = function.attributes["function_type"].value
    axes = [axis.name for axis in mesh.axes]
    types = [result.type for result in op.results]
    with ir.InsertionPoint(op), op.location:
        computation = builders.manual_computation(list(op.operands), types, ins, outs, axes, list(type_.inputs))
        block = computation.regions[0].blocks[0]
        with ir.InsertionPoint(block):
            callee = {"callee": ir.FlatSymbolRefAttr.get(symbol_name(function))}
            call = ir.Operation.create("func.call", list(type_.results), list(block.arguments), callee)
            builders.return_(list(call.results))
    replace(op, list(computation.results))


@pass_("sdy-resolve-partitioner-calls")
def resolve_partitioner_calls(module: ir.Operation) -> object:
    done = [_expand_custom_partitioning(module), _take_inspections(module)]
    return UNCHANGED if all(each == UNCHANGED for each in done) else None
