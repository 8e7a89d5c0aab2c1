"""What leaves a program before XLA takes it: calls of users' functions, and all of the dialect."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile

import numpy as np

from sdy.dialect import builders
from sdy.dialect.assembly import parse
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.mesh_translation import translate
from sdy.dialect.replica_groups import FEW_DEVICES, ManualScopes, groups_along, mesh_axes
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    remove_sdy_attributes,
    result_shardings,
    set_op_shardings,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import OUTPUTS, PARAMETERS, get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import verify_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, RefusedByUser
from sdy.mlir.functions import ModuleSymbols, funcs, main_function, symbol_name
from sdy.mlir.rewriting import inline, is_unused, replace
from sdy.mlir.walk import post_order
from sdy.passes.executable import records
from sdy.passes.executable.records import MAIN_TYPE, devices, store_inspections
from sdy.passes.executable.user_partitions import (
    CUSTOM_PARTITIONING,
    INSPECT_SHARDING,
    Inspection,
    Tensor,
    UserPartition,
    asking,
    targets,
)
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views
from sdy.stablehlo.idioms.custom_calls import callbacks, has_side_effect, is_made_on_parts


@pass_("sdy-take-inspections")
def take_inspections(module: ir.Operation) -> object:
    """sdy-take-inspections: what a program asks about shardings is noted, and is no part of it any more.

        stablehlo.custom_call @InspectSharding(%0) {backend_config = "0"} : ...     // %0: <@mesh, [{"x"}, {}]>
    ==> module attributes {sdy.inspections = [{key = "0", shape = array<i64: 8, 16>,
                                               sharding = #sdy.sharding<mesh<["x"=4]>, [{"x"}, {}]>}]}

    Such a call, as by `jax.debug.inspect_array_sharding`, asks a partitioner, and computes nothing. What it asks for is
    known once shardings have been propagated. A sharding that the mesh of all devices has not is refused.
    """
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
    """The calls; there are no uses of their results."""
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
        raise DiagnosticError(op, f"asks for the sharding {sharding}, which mesh{mesh} has not")
    whole = [takewhile(lambda axis: axis.sub_axis is None, axes or ()) for axes in dims]
    return Inspection(str(op.attributes["backend_config"]), shape, TensorSharding.from_axes(mesh, whole))


@pass_("sdy-expand-custom-partitioning")
def expand_custom_partitioning(module: ir.Operation) -> object:
    """sdy-expand-custom-partitioning: calls are partitioned by the Python functions that users have written for them.

        %0 = stablehlo.custom_call @CustomSPMDPartitioning(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    ==> %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
                 manual_axes={"x"} (%part: tensor<2x16xf32>) {
          %1 = func.call @partitioned(%part) : (tensor<2x16xf32>) -> tensor<2x16xf32>
          sdy.return %1 : tensor<2x16xf32>
        } : (tensor<8x16xf32>) -> tensor<8x16xf32>

    A function is asked once shardings have been propagated. It says what a device does with its parts, and how operands
    and results have to be sharded for that. Refused are calls whose function is not there, fails, or wants what cannot
    be had.
    """
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
        raise DiagnosticError(op, "is to be partitioned by a Python function, but does not name one (backend_config)")
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
        ask = asking(call.call_target_name)
        return ask(key, [*map(tensor, call.inputs)], [*map(tensor, call.results)], mesh_name, mesh)
    except KeyError as error:
        raise DiagnosticError(
            call.op, f"is partitioned by a Python function that does not exist here: {key}"
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


_FIRST_DEVICE = TensorSharding(Mesh((), (0,)))


@pass_("sdy-place-callbacks")
def place_callbacks(module: ir.Operation) -> object:
    """sdy-place-callbacks: says which devices call back to Python, where the program does not.

        stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true}
    ==> stablehlo.custom_call @xla_ffi_python_cpu_callback(%0)
          {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>}

    A call with an effect is made once, by the first device, with whole operands. In a region that is manual on all
    axes, or a function called there, every device makes its own. Partitioned callbacks are made by every device with
    its parts of the operands: they lose the sharding that JAX gives them, which is that of other calls.
    """
    found = callbacks(module)
    world = MeshTable(module).global_mesh()
    if not found or world is None:
        return UNCHANGED
    manual = ManualScopes(module)
    for op in found:
        if is_made_on_parts(op):
            set_op_shardings(op, None)
        elif has_side_effect(op) and SHARDING not in op.attributes:
            _place(op, manual.around(op), world[1])
    return None


def _place(op: ir.Operation, manual: frozenset[str], mesh: Mesh) -> None:
    free = [axis.name for axis in mesh.axes if axis.size > 1 and axis.name not in manual]
    if not manual:
        set_op_shardings(op, [_FIRST_DEVICE] * max(1, len(op.results)))
    elif free:
        raise DiagnosticError(
            op,
            f"has an effect, and is in a region that is not manual on the axes {', '.join(map(repr, free))}: give it "
            "a sharding, or make them manual",
        )


_TOKEN = "!stablehlo.token"


@pass_("sdy-record-main-type")
def record_main_type(module: ir.Operation) -> None:
    """sdy-record-main-type: the program has a function @main that can be called on equal parts, of which the type is
    noted.

        func.func @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
    ==> module attributes {sdy.main_type = (tensor<8xf32>) -> tensor<8xf32>} {
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>

    The only function is called so, if none is. Refused are arguments and results that are neither tensors of static
    shape nor tokens, that lie on a single device, or that have a dimension which their shards do not divide.
    """
    main = main_function(module)
    main.attributes["sym_name"] = ir.StringAttr.get("main")
    _check_boundary(main, MeshTable(module))
    module.attributes[MAIN_TYPE] = main.attributes["function_type"]


def _check_boundary(main: ir.Operation, meshes: MeshTable) -> None:
    function_type = main.attributes["function_type"].value
    sides = [
        ("argument", zip(function_type.inputs, arg_shardings(main), strict=True)),
        ("result", zip(function_type.results, result_shardings(main), strict=True)),
    ]
    numbered = [(f"{side} {number}", *pair) for side, pairs in sides for number, pair in enumerate(pairs)]
    for what, type_, sharding in numbered:
        if str(type_) == _TOKEN:
            continue
        if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
            raise DiagnosticError(main, f"{what} has type {type_}, expected a statically shaped tensor or a token")
        mesh = sharding and meshes.of(sharding)
        if sharding is None or mesh is None:
            continue
        if mesh.is_maximal:
            raise DiagnosticError(main, f"{what} lies on device {mesh.device_ids[0]} alone, expected it on all devices")
        _check_divisible(main, what, type_.shape, sharding, mesh)


def _check_divisible(main: ir.Operation, what: str, shape: Sequence[int], sharding: TensorSharding, mesh: Mesh) -> None:
    for position, (size, dim) in enumerate(zip(shape, sharding.dims, strict=True)):
        shards = dim.shards(mesh.axis_sizes)
        if size % shards:
            raise DiagnosticError(
                main, f"{what} has size {size} in dimension {position}, which its {shards} shards do not divide"
            )


@dataclass(frozen=True)
class Options:
    keep_records: bool = option(True, "keep the attributes of the module that say what it was")


@pass_("sdy-strip-dialect", options=Options)
def strip_dialect(module: ir.Operation, options: Options) -> None:
    """sdy-strip-dialect: removes what is left of the dialect in a local program.

        sdy.mesh @mesh = <["x"=2]>
        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {sdy.note} {
          %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4xf32>) {
            %1 = stablehlo.negate %arg1 : tensor<4xf32>
            sdy.return %1 : tensor<4xf32>
          } : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }
    ==> func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.negate %arg0 : tensor<4xf32>
          return %0 : tensor<4xf32>
        }

    Named computations are inlined, replica groups along axes become numbers of devices, or with more than 64 devices
    axes of a mesh that stands in the op; meshes and attributes of the dialect go, but for those by which the module
    tells who runs it what it was. Without `keep-records` these go, too. An op that is still to be partitioned is
    refused, and so is a call that asks a partitioner for something.
    """
    for call in views.CustomCall.all_in(module):
        pass_name = _TAKEN_BY.get(call.call_target_name)
        if pass_name is not None:
            raise DiagnosticError(call.op, f"is still there after partitioning, which has to run {pass_name}")
    strip(module, keep_records=options.keep_records)


_TAKEN_BY = {
    CUSTOM_PARTITIONING: "sdy-expand-custom-partitioning",
    INSPECT_SHARDING: "sdy-take-inspections",
}
"""The passes behind which there are no calls with a target, by the target."""


_KEPT = (
    PARAMETERS,
    OUTPUTS,
    records.DEVICES,
    records.MAIN_TYPE,
    records.INSPECTIONS,
    records.GIVEN_PARAMETERS,
    records.GIVEN_OUTPUTS,
)

_MODULE = "builtin.module"


def strip(module: ir.Operation, *, keep_records: bool = True) -> None:
    """Inlines named computations, writes replica groups as device numbers, and removes meshes and sdy attributes.

    With `keep_records` module attributes stay that say something about the program as a whole.

    Raises `DiagnosticError` at an sdy op that no pass has lowered.
    """
    meshes, kept = MeshTable(module), _KEPT if keep_records else ()
    for op in post_order(module):
        name = op.name
        if name == "sdy.mesh":
            op.erase()
        elif name == "sdy.named_computation":
            inline(op)
        elif name.startswith("sdy.") and name != "sdy.return":
            raise DiagnosticError(op, "is still there after partitioning")
        else:
            stored = op.attributes
            if not len(stored):
                continue
            if "replica_groups" in stored:
                _write_groups(op, meshes)
            remove_sdy_attributes(op, but=kept if name == _MODULE and op == module else ())


def _write_groups(op: ir.Operation, meshes: MeshTable) -> None:
    """Replica groups along axes of a mesh symbol become device numbers, or axes of a mesh that stands in the op."""
    named = mesh_axes(op.attributes["replica_groups"])
    if named is None:
        return
    mesh = meshes.resolve(named[0])
    if mesh is None:
        raise DiagnosticError(op, f"refers to an unknown mesh @{named[0]}")
    if mesh.size > FEW_DEVICES and not mesh.device_ids:
        op.attributes["replica_groups"] = groups_along(mesh, named[1])
        return
    groups = np.ascontiguousarray(mesh.replica_groups(named[1]))
    op.attributes["replica_groups"] = ir.DenseIntElementsAttr.get(groups)
