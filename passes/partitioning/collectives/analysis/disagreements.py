"""How well the shardings of a program fit together where tensors with dimensions of their own meet.

Propagation shards value by value, and where two shardings meet in an op one has to give way. That is as it should be
where a parameter is gathered that is smaller than the data that it is applied to, as with sharded parameters. It is in
doubt where data has to move in the middle of a program.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisSizes, product
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.op_axes.op_plan import OpPlan, OpTensors, full_plan
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.stablehlo.constants import constant_number

_MIXING = tuple(f"stablehlo.{name}" for name in ("convolution", "dot", "dot_general", "gather", "scatter"))
"""Ops whose operands have dimensions of their own, so that an axis may be on several of them."""

_VIEWS = frozenset(
    f"stablehlo.{name}" for name in ("broadcast_in_dim", "convert", "dynamic_slice", "reshape", "slice", "transpose")
)


@dataclass(frozen=True)
class Disagreements:
    """What has to move for those ops.

    `moved` are the bytes that each device sends, loops counted once. `in_doubt` says whether data moves, or a
    parameter that is larger than the data, or an operand is cut up only to have results added up.
    """

    moved: float
    in_doubt: bool


def disagreements(module: ir.Operation) -> Disagreements:
    """Of a module in which all shardings are closed."""
    survey = _Survey(module)
    for op in ops_named(module, *_MIXING):
        survey.visit(op)
    return Disagreements(survey.moved, survey.in_doubt)


class _Survey:
    """Adds up what the ops of one module need."""

    def __init__(self, module: ir.Operation) -> None:
        self.moved = 0.0
        self.in_doubt = False
        self._meshes = MeshTable(module)
        self._layouts = Layouts(self._meshes)
        self._plans: dict[tuple, OpPlan | None] = {}

    def visit(self, op: ir.Operation) -> None:
        plan = self._plan(op)
        if plan is None or plan.is_nothing:
            return
        have, need = self._layouts_of(op.operands), self._layouts_of(op.operands, plan.operands)
        before, after = ([layout.local_bytes for layout in layouts] for layouts in (have, need))
        resharded = [
            index
            for index, value in enumerate(op.operands)
            if plan.operands[index] is not None and constant_number(value) is None
        ]
        moved = [index for index in resharded if after[index] >= before[index]]
        made = self._layouts_of(op.results, plan.results)
        self.moved += sum(reshard_bytes(have[index], need[index]) for index in resharded)
        self.moved += sum(map(reshard_bytes, made, self._layouts_of(op.results)))
        if plan.partial_axes:
            group = product(plan.partial_axes, self._sizes(plan))
            self.moved += sum(moved_bytes("all_reduce", group, layout.local_bytes) for layout in made)
        is_cut_up = bool(plan.partial_axes) and len(resharded) > len(moved)
        self.in_doubt |= is_cut_up or _is_doubtful(op, before, moved)

    def _plan(self, op: ir.Operation) -> OpPlan | None:
        """How the tensors of `op` are resharded; None if it has no rule."""
        rule = rule_of(op)
        values = [*op.operands, *op.results]
        if rule is None or not all(_is_static(value) for value in values):
            return None
        shardings = tuple(map(get_sharding, values))
        shapes = tuple(tuple(value.type.shape) for value in values)
        key = (rule, shardings, shapes)
        if key not in self._plans:
            count = len(op.operands)
            tensors = OpTensors(rule, shardings[:count], shardings[count:], shapes)
            self._plans[key] = full_plan(tensors, self._meshes, is_reshape=False)
        return self._plans[key]

    def _sizes(self, plan: OpPlan) -> AxisSizes:
        mesh = self._meshes.resolve(plan.mesh)
        assert mesh is not None
        return mesh.axis_sizes

    def _layouts_of(
        self, values: Sequence[ir.Value], planned: Sequence[TensorSharding | None] | None = None
    ) -> list[Layout]:
        """The layouts of values, some of which are sharded as is `planned`."""
        shardings = planned or [None] * len(values)
        return [
            self._layouts.of(value.type, new or get_sharding(value))
            for value, new in zip(values, shardings, strict=True)
        ]


def _is_doubtful(op: ir.Operation, sizes: Sequence[float], moved: Sequence[int]) -> bool:
    """Whether one of the operands that are `moved` is no parameter, or larger than one that stays."""
    data = _with_data(op)
    kept = min((sizes[index] for index in data if index not in moved), default=math.inf)
    return any(not _is_parameter(op.operands[index]) or (index in data and sizes[index] > kept) for index in moved)


def _with_data(op: ir.Operation) -> list[int]:
    """The operands but for indices."""
    if op.name == "stablehlo.gather":
        return [0]
    indices = len(op.results) if op.name == "stablehlo.scatter" else None
    return [index for index in range(len(op.operands)) if index != indices]


def _is_static(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape


def _is_parameter(value: ir.Value) -> bool:
    """Whether a value is an argument, of a function or a loop, or a part or view of one."""
    while isinstance(value, ir.OpResult):
        op = value.owner.operation
        if op.name not in _VIEWS:
            return False
        value = op.operands[0]
    return True
