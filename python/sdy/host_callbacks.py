"""Calls from a program back to Python, which see global arrays.

    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x)
==> %whole = sdy.sharding_constraint %x <@mesh, [{}, {}]>       before the passes: `gather_operands`
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%whole)
==> %1 = "stablehlo.if"(partition id is 0) ({ custom_call ... }, { zeros })  after them: `call_once`
    %0 = "stablehlo.all_reduce"(%1) ...

A call without side effects is made by every device. In a region that is manual on all axes every device makes its own
calls, with its own part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sdy.dialect import attributes, ops
from sdy.dialect.functions import callee_name, calls_in, enclosing_function, funcs, symbol_name
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.op_properties import rank
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.partitioning.bits import bits_of, from_bits
from sdy.passes.partitioning.stablehlo_builder import Builder

_ONCE = "python_callback.once"
"""Marks calls that one device makes for all."""


def gather_operands(module: Any) -> None:
    """Makes operands and results of all callbacks whole on each device."""
    found = MeshTable(module).global_mesh()
    calls = _callbacks(module)
    if found is None or not calls:
        return
    name, mesh = found
    per_device = _functions_of_one_device(module, mesh)
    for op in calls:
        if symbol_name(enclosing_function(op)) not in per_device and not _is_of_one_device(op, mesh):
            _replicate(op, name)
            if not len(op.results) or _has_side_effect(op):
                op.attributes[_ONCE] = ir.UnitAttr.get()


def call_once(module: Any, num_devices: int) -> None:
    """Makes callbacks with side effects on the first device only; the others get its results."""
    for op in _callbacks(module):
        if _ONCE in op.attributes:
            del op.attributes[_ONCE]
            _guard(op, num_devices)


def _callbacks(module: Any) -> list[Any]:
    calls = pre_order(module.operation, "stablehlo.custom_call")
    targets = [(op, op.attributes["call_target_name"].value) for op in calls]
    return [op for op, target in targets if "python" in target and "callback" in target]


def _has_side_effect(op: Any) -> bool:
    return "has_side_effect" in op.attributes and op.attributes["has_side_effect"].value


# Regions in which devices act on their own -----------------------------------------------------------


def _functions_of_one_device(module: Any, mesh: Mesh) -> set[str]:
    """The functions that regions manual on all axes call, directly or not."""
    pending = [call for call in calls_in(module.operation) if _is_of_one_device(call, mesh)]
    by_name = {symbol_name(func): func for func in funcs(module.operation)}
    found: set[str] = set()
    while pending:
        name = callee_name(pending.pop())
        if name not in found and name in by_name:
            found.add(name)
            pending += calls_in(by_name[name])
    return found


def _is_of_one_device(op: Any, mesh: Mesh) -> bool:
    """Whether all axes of more than one device are manual around `op`."""
    manual: set[str] = set()
    parent = op.parent
    while parent is not None:
        around = parent.operation
        if around.name == "sdy.manual_computation":
            manual.update(attributes.get(around, "manual_axes").names)
        parent = around.parent
    return all(axis.name in manual for axis in mesh.axes if axis.size > 1)


# Rewriting a call --------------------------------------------------------------------------------------


def _replicate(op: Any, mesh: str) -> None:
    with ir.InsertionPoint(op), op.location:
        for number, operand in enumerate(op.operands):
            if isinstance(operand.type, ir.RankedTensorType):
                whole = TensorSharding.closed(mesh, operand.type.rank)
                op.operands[number] = ops.sharding_constraint(operand, whole)
    results = tuple(TensorSharding.closed(mesh, rank(result.type)) for result in op.results)
    if results:
        attributes.put(op, attributes.SHARDING, ShardingPerValue(results))
    elif attributes.SHARDING in op.attributes:
        del op.attributes[attributes.SHARDING]


def _guard(op: Any, num_devices: int) -> None:
    types = [result.type for result in op.results]
    with ir.InsertionPoint(op), op.location:
        choice = ir.Operation.create("stablehlo.if", types, [_is_first_device()], regions=2)
        everywhere = [_sum(result, num_devices) for result in choice.results]
        for result, value in zip(op.results, everywhere, strict=True):
            result.replace_all_uses_with(value)
        calling, idle = (region.blocks.append() for region in choice.regions)
        with ir.InsertionPoint(calling):
            ir.Operation.create("stablehlo.return", [], list(op.results))
        with ir.InsertionPoint(idle):
            ir.Operation.create("stablehlo.return", [], list(map(_nothing, types)))
    op.move_before(calling.operations[0].operation)


def _is_first_device() -> Any:
    scalar = ir.RankedTensorType.get([], ir.IntegerType.get_unsigned(32))
    predicate = ir.RankedTensorType.get([], ir.IntegerType.get_signless(1))
    number = ir.Operation.create("stablehlo.partition_id", [scalar]).results[0]
    direction = {"comparison_direction": ir.Attribute.parse("#stablehlo<comparison_direction EQ>")}
    return ir.Operation.create("stablehlo.compare", [predicate], [number, _zeros(scalar)], direction).results[0]


def _nothing(type_: Any) -> Any:
    """Zeros, or a token that waits for nobody."""
    if isinstance(type_, ir.RankedTensorType):
        return _zeros(type_)
    return ir.Operation.create("stablehlo.after_all", [type_]).results[0]


def _zeros(type_: Any) -> Any:
    element = str(type_.element_type)
    zero = "(0.0, 0.0)" if element.startswith("complex") else "0.0" if "f" in element else "0"
    value = {"value": ir.Attribute.parse(f"dense<{'false' if element == 'i1' else zero}> : {type_}")}
    return ir.Operation.create("stablehlo.constant", [type_], attributes=value).results[0]


def _sum(value: Any, num_devices: int) -> Any:
    """`value` added up over all devices; a token as it is."""
    if not isinstance(value.type, ir.RankedTensorType):
        return value
    groups = np.arange(num_devices, dtype=np.int64).reshape(1, -1)
    given = {
        "replica_groups": ir.DenseIntElementsAttr.get(groups),
        "channel_handle": ir.Attribute.parse("#stablehlo.channel_handle<handle = 1, type = 1>"),
        "use_global_device_ids": ir.UnitAttr.get(),
    }
    b = Builder(ir.InsertionPoint.current, ir.Location.current)
    bits = bits_of(b, value)
    reduced = ir.Operation.create("stablehlo.all_reduce", [bits.type], [bits], given, regions=1)
    _fill_with_addition(reduced.regions[0], ir.RankedTensorType.get([], bits.type.element_type))
    return from_bits(b, reduced.results[0], value.type.element_type)


def _fill_with_addition(region: Any, scalar: Any) -> None:
    location = ir.Location.current
    block = region.blocks.append(scalar, scalar, arg_locs=[location, location])
    with ir.InsertionPoint(block):
        arguments: Sequence[Any] = list(block.arguments)
        total = ir.Operation.create("stablehlo.add", [scalar], arguments).results[0]
        ir.Operation.create("stablehlo.return", [], [total])
