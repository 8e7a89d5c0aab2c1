"""Scatter, whose input may be sharded where it is indexed, and whose updates may be (spec: partitioner, 7.12)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.emit.identities import identity_of_op
from sdy.passes.partitioning.emit.init_values import may_repeat
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.indices import Bounds, adjusted_index_type, index_bounds
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.partial_results import axes_left_to_reduce
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.regions import Body
from sdy.stablehlo.ops.values import one


@local_lowering("stablehlo.scatter", partial_results=True)
def scatter(op: LocalOp) -> None:
    """Each device scatters the updates it has into the part it has.

    Along axes that shard the updates only, the first device starts from the input and the others from neutral elements,
    if these are something else; afterwards they combine their results.
    """
    count = len(op.op.results)
    inputs, updates = op.operand_layouts[0], op.operand_layouts[count + 1]
    numbers = stablehlo.ScatterDimensionNumbers(op.op.attributes["scatter_dimension_numbers"])
    mesh = inputs.mesh or updates.mesh
    axes = _update_axes(inputs, updates, list(numbers.update_window_dims), mesh)
    if mesh is None or (not axes and inputs.is_replicated):
        op.keep()
        return
    names = combining_ops(op.op.regions[0])
    if axes:
        if names is None:
            op.fail("combines sharded updates with a body that is not add, multiply, minimum, maximum, and, or")
        _neutral_inputs(op, names, axes, mesh)
    indexed = _indexed_dims(inputs, numbers)
    if indexed:
        _shift_indices(op, inputs, numbers, indexed)
    op.keep()
    if indexed or axes:
        op.spell_out("indices_are_sorted")
        op.spell_out("unique_indices")
    left = axes_left_to_reduce(op, axes, mesh) if axes else ()
    inserted = [dim for dim in _inserted_only(numbers) if inputs.is_sharded(dim)]
    after = Builder.after(op.op)
    for index, result in enumerate(list(op.op.results)):
        slots = uses_of(result)
        value = result
        if inserted:
            value = _only_in_first_part(op, after, inputs, inserted, result, op.op.operands[index])
        if left and names is not None:
            ref = (inputs if inputs.mesh is not None else updates).mesh_ref
            value = op.comm.all_reduce(after, value, ref, mesh, left, _body(op, names[index]))
        if value is not result:
            use_instead(slots, value)


def _inserted_only(numbers: stablehlo.ScatterDimensionNumbers) -> list[int]:
    """Dimensions of the input that neither the updates nor the indices have: all updates go to their first element."""
    indexed = list(numbers.scattered_dims_to_operand_dims)
    return [dim for dim in numbers.inserted_window_dims if dim not in indexed]


def _update_axes(inputs: Layout, updates: Layout, window_dims: Sequence[int], mesh: Mesh | None) -> AxisList:
    """The axes that shard the updates but no dimension of the input."""
    if mesh is None:
        return ()
    in_input = {axis for axes in inputs.dim_axes for axis in axes}
    return mesh.sort_and_merge(
        axis
        for dim, axes in enumerate(updates.dim_axes)
        if dim not in window_dims
        for axis in axes
        if axis not in in_input
    )


def _neutral_inputs(op: LocalOp, names: Sequence[str], axes: AxisList, mesh: Mesh) -> None:
    """On all devices but the first along `axes` the inputs become neutral elements.

    With `signed_zeros`, which the reference does not know, not where they may be added any number of times: a constant
    that is the same everywhere takes no memory for itself.
    """
    b = op.b
    for index, name in enumerate(names):
        value = op.op.operands[index]
        element_type = value.type.element_type
        if op.comm.signed_zeros and may_repeat(name, value):
            continue
        neutral = identity_of_op(name, element_type, exact=op.comm.signed_zeros)
        if neutral is None:
            op.fail(f"combines sharded updates with {name}, which has no neutral element")
        whole = b.broadcast_in_dim(b.constant(neutral, element_type), value.type.shape)
        first = op.devices.is_first(b, mesh, axes)
        op.op.operands[index] = b.select(first, value, whole)


def _indexed_dims(inputs: Layout, numbers: stablehlo.ScatterDimensionNumbers) -> list[int]:
    """The sharded dimensions of the input along which an index says which part an update goes to.

    Where an update has the size of the input, the index can only be 0, on every device.
    """
    index_map, inserted = list(numbers.scattered_dims_to_operand_dims), list(numbers.inserted_window_dims)
    return [dim for dim in inputs.sharded_dims if dim in index_map and dim in inserted]


def _shift_indices(
    op: LocalOp, inputs: Layout, numbers: stablehlo.ScatterDimensionNumbers, indexed: Sequence[int]
) -> None:
    """Makes the indices relative to the device's part; those of other parts end up outside of it."""
    b, count = op.b, len(op.op.results)
    index_map = list(numbers.scattered_dims_to_operand_dims)
    indices = adjusted_index_type(b, op.operands[count], inputs.shape, index_map)
    lower, _ = index_bounds(op, inputs, index_map, indexed, indices.type, numbers.index_vector_dim, Bounds.LOWER)
    op.op.operands[count] = b.subtract(indices, lower)


def _only_in_first_part(
    op: LocalOp, b: Builder, inputs: Layout, dims: Sequence[int], result: ir.Value, old: ir.Value
) -> ir.Value:
    """`result` on devices whose part starts at 0 along `dims`, `old` on others."""
    assert inputs.mesh is not None
    axes = [axis for dim in dims for axis in inputs.dim_axes[dim]]
    return b.select(op.devices.is_first(b, inputs.mesh, axes), result, old)


def _body(op: LocalOp, name: str) -> Body:
    if len(op.op.results) == 1:
        return op.op.regions[0]
    return lambda x, y: one(name, (x, y))
