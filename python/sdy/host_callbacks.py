"""Calls from a program back to Python, which see global arrays.

    stablehlo.custom_call @xla_ffi_python_cpu_callback(%x)
==> %whole = sdy.sharding_constraint %x <@mesh, [{}, {}]>       before the passes: `gather_operands`
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%whole)
==> "stablehlo.if"(partition id is 0) ({ custom_call ... }, {})  after them: `call_once`

A call that returns something and has no side effects is made by every device.
"""

from __future__ import annotations

from typing import Any

from sdy.dialect import attributes, ops
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.walk import pre_order
from sdy.mlir import ir


def gather_operands(module: Any) -> None:
    """Makes operands and results of all callbacks whole on each device.

    Raises `DiagnosticError` at a callback with side effects that returns something.
    """
    meshes = MeshTable(module).global_mesh()
    if meshes is None:
        return
    for op in _callbacks(module):
        if len(op.results) and _has_side_effect(op):
            raise DiagnosticError(
                op, "calls back to Python for its effect and its result, only one of them is supported"
            )
        _replicate(op, meshes[0])


def call_once(module: Any) -> None:
    """Makes callbacks without results on the first device only."""
    for op in _callbacks(module):
        if not len(op.results):
            _guard(op)


def _callbacks(module: Any) -> list[Any]:
    calls = pre_order(module.operation, "stablehlo.custom_call")
    targets = [(op, op.attributes["call_target_name"].value) for op in calls]
    return [op for op, target in targets if "python" in target and "callback" in target]


def _has_side_effect(op: Any) -> bool:
    return "has_side_effect" in op.attributes and op.attributes["has_side_effect"].value


def _replicate(op: Any, mesh: str) -> None:
    with ir.InsertionPoint(op), op.location:
        for number, operand in enumerate(op.operands):
            if isinstance(operand.type, ir.RankedTensorType):
                whole = TensorSharding.closed(mesh, operand.type.rank)
                op.operands[number] = ops.sharding_constraint(operand, whole)
    results = tuple(TensorSharding.closed(mesh, result.type.rank) for result in op.results)
    if results:
        attributes.put(op, attributes.SHARDING, ShardingPerValue(results))
    elif attributes.SHARDING in op.attributes:
        del op.attributes[attributes.SHARDING]


def _guard(op: Any) -> None:
    scalar = ir.RankedTensorType.get([], ir.IntegerType.get_unsigned(32))
    predicate = ir.RankedTensorType.get([], ir.IntegerType.get_signless(1))
    with ir.InsertionPoint(op), op.location:
        number = ir.Operation.create("stablehlo.partition_id", [scalar]).results[0]
        zero = ir.DenseElementsAttr.get_splat(scalar, ir.IntegerAttr.get(scalar.element_type, 0))
        first = ir.Operation.create("stablehlo.constant", [scalar], attributes={"value": zero}).results[0]
        direction = {"comparison_direction": ir.Attribute.parse("#stablehlo<comparison_direction EQ>")}
        is_first = ir.Operation.create("stablehlo.compare", [predicate], [number, first], direction).results[0]
        choice = ir.Operation.create("stablehlo.if", [], [is_first], regions=2)
        for region in choice.regions:
            with ir.InsertionPoint(region.blocks.append()):
                ir.Operation.create("stablehlo.return", [], [])
    op.move_before(choice.regions[0].blocks[0].operations[0].operation)
