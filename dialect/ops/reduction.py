"""Reductions (spec: sharding-rules, 5; partitioner, 4, 7.8 and 7.9)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.ir_builders.init_values import flagged_reduction, identity_of_op
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.generic_lowering import check_alike, elementwise
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, axes_left_to_reduce, merged_axes
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp, is_zero_of_stablehlo
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import REDUCTION, OpSignature, RuleBuilder
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.mlir.tensor_types import i1, with_element_type
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.loops import IDEMPOTENT, combining_ops, is_reduction, selects
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64_array


@op_model("stablehlo.reduce")
class Reduce(OpModel):
    """Reduced dimensions reduce, the others pass through; the initial values are scalars."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        reduced_dims = op.integers("dimensions")
        num_inputs = len(op.results)
        result_dim = 0
        for dim, size in enumerate(op.operand(0)):
            inputs = dict.fromkeys(range(num_inputs), dim)
            if dim in reduced_dims:
                rule.factor(size, inputs, kind=REDUCTION)
            else:
                rule.factor(size, inputs, dict.fromkeys(range(num_inputs), result_dim))
                result_dim += 1
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """Reduces the local parts; the devices along the axes of reduced dimensions combine their results.

        An all_reduce does so if one exists with this body; otherwise each device gathers the results and reduces them.
        """
        layout = op.operand_layouts[0]
        axes = op.remembered("reduced", "dimensions", lambda: merged_axes(layout, views.Reduce(op.op).dimensions))
        op.keep()
        if not axes or layout.mesh is None:
            return
        left = axes_left_to_reduce(op, axes, layout.mesh)
        if left == axes and not _may_repeat_init_values(op.op.regions[0]):
            _reduce_flagged(op, layout)
            return
        neutral = _count_init_values_once(op, layout, axes)
        if not left:
            return
        if len(op.op.results) == 1 and _can_be_all_reduced(op.op):
            op.all_reduce_result(0, layout.mesh_ref, layout.mesh, left, op.op.regions[0])
        else:
            _gather_and_reduce(op, layout, left, neutral)

    def pad(self, op: PadOp) -> None:
        """Reduced dimensions are padded with values that do not change the result; gathered if none are known."""
        dims = views.Reduce(op.op).dimensions
        count = len(op.op.results)
        names = combining_ops(op.op.regions[0])
        if names is None and not selects(op.op.regions[0]) and any(dim in dims for dim in op.grown_dims(0)):
            op.compute_unpadded()
            return
        for index in range(count):
            if not any(dim in dims for dim in op.grown_dims(index)):
                continue
            init = op.op.operands[count + index]
            if op.is_zero_padded(op.op.operands[index]) and is_zero_of_stablehlo(init):
                continue
            op.mask(index, dims, _neutral(op, init, None if names is None else names[index]))
        op.grow()


def _neutral(op: PadOp, init: ir.Value, name: str | None) -> ir.Value:
    """The init value, unless combining with it more than once could change the result."""
    if name is None or name in IDEMPOTENT:
        return init
    element_type = init.type.element_type
    neutral = identity_of_op(name, element_type)
    if neutral is None or splat_number(init) == neutral:
        return init
    return op.b.constant(neutral, element_type)


def _may_repeat_init_values(region: ir.Region) -> bool:
    """Return whether it does not matter how often init values are combined, or neutral elements are known."""
    return combining_ops(region) is not None or selects(region)


def _reduce_flagged(op: LocalOp, layout: Layout) -> None:
    """Reduce with flags: init values of the first device count, and so do all elements."""
    assert layout.mesh is not None
    count, b = len(op.op.results), op.b
    operands, init_values = op.operands[:count], op.operands[count:]
    axes = tuple(axis for dim in views.Reduce(op.op).dimensions for axis in layout.dim_axes[dim])
    types = [result.type for result in op.op.results]
    if _reduces_single_elements(operands[0], op):
        parts = [b.reshape(part, type_.shape) for part, type_ in zip(operands, types, strict=True)]
        gathered = [_gathered(op, b, part, layout, axes) for part in parts]
        op.replace(*_reduced_columns(op, b, gathered, init_values, types))
        return
    types.append(with_element_type(types[0], i1()))
    flags = b.constant(1, with_element_type(operands[0].type, i1()))
    first = op.devices.is_first(b, layout.mesh, axes)
    parts = flagged_reduction(b, op.op, [*operands, flags], [*init_values, first], types)
    *made, counted = parts.results
    gathered = [_gathered(op, b, part, layout, axes) for part in made]
    if 0 in operands[0].type.shape:
        gathered.append(_gathered(op, b, counted, layout, axes))
    else:
        gathered.append(b.constant(1, with_element_type(gathered[0].type, i1())))
    none = b.constant(0, i1())
    total = flagged_reduction(b, op.op, gathered, [*init_values, none], types)
    total.attributes["dimensions"] = i64_array([len(types[0].shape)])
    op.replace(*list(total.results)[:count])


def _can_be_all_reduced(op: ir.Operation) -> bool:
    """Return whether XLA's backends have an all_reduce with the body of a reduction."""
    names = combining_ops(op.regions[0])
    return names is not None and is_reduction(names[0], op.results[0].type.element_type)


def _count_init_values_once(op: LocalOp, layout: Layout, axes: AxisList) -> list[ir.Value]:
    """Lets only the first device along `axes` start from the init values; the others start from neutral elements.

    Returns the values to start from when results are combined. Where an init value is neutral, or may be combined any
    number of times, or nothing is known of the body, that is the init value itself, and nothing changes.
    """
    assert layout.mesh is not None
    count = len(op.op.results)
    init_values = op.operands[count:]
    names = combining_ops(op.op.regions[0])
    if names is None:
        return init_values
    starts = list(init_values)
    for index, (name, value) in enumerate(zip(names, init_values, strict=True)):
        element_type = value.type.element_type
        neutral = identity_of_op(name, element_type, exact=op.comm.signed_zeros)
        if neutral is None or splat_number(value) == neutral:
            continue
        start = value
        if name not in IDEMPOTENT:
            starts[index] = op.b.constant(neutral, element_type)
            first = op.devices.is_first(op.b, layout.mesh, axes)
            start = op.b.select(first, value, starts[index])
        if _reduces_single_elements(op.op.operands[index], op):
            op.op.operands[index] = _combined(op.b, name, op.op.operands[index], start)
            start = starts[index]
        op.op.operands[count + index] = start
    return starts


def _reduces_single_elements(part: ir.Value, op: LocalOp) -> bool:
    """Return whether each element is reduced alone, in which case XLA does not combine it with the init value."""
    return part.type.has_static_shape and all(part.type.shape[dim] == 1 for dim in views.Reduce(op.op).dimensions)


def _combined(b: Builder, name: str, part: ir.Value, start: ir.Value) -> ir.Value:
    return b.one(name, (part, b.broadcast_in_dim(start, part.type.shape)))


def _gather_and_reduce(op: LocalOp, layout: Layout, axes: AxisList, init_values: Sequence[ir.Value]) -> None:
    """Gathers the results of all devices along a new last dimension, and reduces that with the same body."""
    assert layout.mesh is not None
    b = Builder.after(op.op)
    results = list(op.op.results)
    slots = [uses_of(result) for result in results]
    gathered = [_gathered(op, b, result, layout, axes) for result in results]
    total = _reduced_columns(op, b, gathered, init_values, [result.type for result in results])
    for users, combined in zip(slots, total, strict=True):
        use_instead(users, combined)


def _reduced_columns(
    op: LocalOp,
    b: Builder,
    gathered: Sequence[ir.Value],
    init_values: Sequence[ir.Value],
    types: Sequence[ir.RankedTensorType],
) -> list[ir.Value]:
    """Reduce the parts of the devices by the body of the op along the last dimension."""
    return list(b.reduce(list(gathered), list(init_values), [len(types[0].shape)], op.op.regions[0]))


def _gathered(op: LocalOp, b: Builder, part: ir.Value, layout: Layout, axes: AxisList) -> ir.Value:
    """Gather the values of all devices along `axes` in a new last dimension."""
    assert layout.mesh is not None
    shape = list(part.type.shape)
    return op.comm.all_gather(b, b.reshape(part, [*shape, 1]), len(shape), layout.mesh_ref, layout.mesh, axes)


@op_model("stablehlo.map")
class Map(OpModel):
    """Map, whose body computes each element independently."""

    is_elementwise = True

    def check_parts(self, op: ShardedOp) -> str | None:
        return check_alike(op)

    def localize(self, op: LocalOp) -> None:
        elementwise(op)
