"""Ops that a Python function of the user partitions, before the passes do the rest.

    %0 = stablehlo.custom_call @CustomSPMDPartitioning(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
==> %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
             manual_axes={"x"} (%part: tensor<2x16xf32>) {
      %1 = func.call @partitioned(%part) : (tensor<2x16xf32>) -> tensor<2x16xf32>
      sdy.return %1 : tensor<2x16xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import sdy
from sdy.dialect import ops
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import ModuleSymbols, funcs, symbol_name
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.values import get_sharding
from sdy.dialect.walk import pre_order
from sdy.finishing import finish
from sdy.inlining import replace
from sdy.mlir import ir

TARGET = "CustomSPMDPartitioning"
_PROPAGATION = "sdy-propagation-pipeline{avoid-export-for-partitioning=true}"


def expand_custom_partitioning(module: Any) -> None:
    """Propagates shardings, then replaces all such calls by what their functions return; nothing if there are none.

    Raises `DiagnosticError` at a call whose function fails, or wants what cannot be had.
    """
    if not _calls(module):
        return
    sdy.run(module, _PROPAGATION)
    found = MeshTable(module).global_mesh()
    for op in _calls(module):
        if found is None:
            raise DiagnosticError(op, "is partitioned by a Python function, but the module has no mesh")
        _expand(op, module, *found)


def _calls(module: Any) -> list[Any]:
    calls = pre_order(module.operation, "stablehlo.custom_call")
    return [op for op in calls if op.attributes["call_target_name"].value == TARGET]


def _expand(op: Any, module: Any, mesh_name: str, mesh: Mesh) -> None:
    from sdy.jax.custom_partitioning import Tensor, user_partition  # JAX is there where such a call comes from

    def tensor(value: Any) -> Tensor:
        sharding = get_sharding(value)
        if sharding is None or sharding.mesh_or_ref != mesh_name:
            sharding = TensorSharding.closed(mesh_name, value.type.rank)
        return Tensor(str(value.type.element_type), tuple(value.type.shape), sharding)

    if op.parent.operation.name == "sdy.manual_computation":
        raise DiagnosticError(op, "is partitioned by a Python function inside of a manual computation")
    if "backend_config" not in op.attributes:
        raise DiagnosticError(op, "is to be partitioned by a Python function, but does not name one (backend_config)")
    key = op.attributes["backend_config"].value
    try:
        chosen = user_partition(key, [*map(tensor, op.operands)], [*map(tensor, op.results)], mesh_name, mesh)
    except KeyError as error:
        raise DiagnosticError(op, f"is partitioned by a Python function that does not exist here: {key}") from error
    except Exception as error:
        raise DiagnosticError(op, f"is partitioned by a Python function, which failed: {error}") from error
    function = _insert(chosen.text, module)
    for value, sharding in zip((*op.operands, *op.results), (*chosen.operands, *chosen.results), strict=True):
        _check_even(op, value.type, sharding, mesh)
    _replace(op, function, chosen.operands, chosen.results, mesh)


def _check_even(op: Any, type_: Any, sharding: TensorSharding, mesh: Mesh) -> None:
    for size, dim in zip(type_.shape, sharding.dims, strict=True):
        if size % dim.shards(mesh.axis_sizes):
            raise DiagnosticError(op, f"is partitioned by a Python function unevenly: {type_} as {sharding}")


def _insert(text: str, module: Any) -> Any:
    """Puts the functions of a module without shardings into `module`; returns its @main."""
    local = sdy.parse(text)
    with local.context, ir.Location.unknown():
        finish(local)
        plain = local.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
    source = ir.Module.parse(plain, module.context)
    symbols = ModuleSymbols(module.operation)
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


def _replace(op: Any, function: Any, ins: Sequence[TensorSharding], outs: Sequence[TensorSharding], mesh: Mesh) -> None:
    type_ = function.attributes["function_type"].value
    axes = [axis.name for axis in mesh.axes]
    types = [result.type for result in op.results]
    with ir.InsertionPoint(op), op.location:
        computation = ops.manual_computation(list(op.operands), types, ins, outs, axes, list(type_.inputs))
        block = computation.regions[0].blocks[0]
        with ir.InsertionPoint(block):
            callee = {"callee": ir.FlatSymbolRefAttr.get(symbol_name(function))}
            call = ir.Operation.create("func.call", list(type_.results), list(block.arguments), callee)
            ops.return_(list(call.results))
    replace(op, list(computation.results))
