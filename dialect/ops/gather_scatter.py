"""Gather and scatter (spec: sharding-rules, 5.3; partitioner, 4, 7.11 and 7.12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import NamedTuple

import numpy as np

from sdy.dialect.ir_builders.init_values import highest, identity_of_op, identity_of_parts, may_repeat
from sdy.dialect.ir_builders.with_sharding import set_sharding, use_instead, uses_of
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import (
    Bounds,
    LocalOp,
    adjusted_index_type,
    axes_left_to_reduce,
    index_bounds,
    merged_axes,
)
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.ops.model import Attributes, OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, PASS_THROUGH, REDUCTION, OpSignature, RuleBuilder, Shape
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.dialect.values.sharding import Reduction
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting import terminator
from sdy.mlir.tensor_types import i1, i32
from sdy.stablehlo import ops, views
from sdy.stablehlo.idioms.loops import combining_ops, is_reduction
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64_array
from sdy.stablehlo.ops.regions import Body, one
from sdy.stablehlo.types.sizes import ScatterNumbers


@op_model("stablehlo.gather")
class Gather(OpModel):
    """Batch dimensions pass through; an indexed dimension reduces where one element is taken."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule: batch dimensions pass through.

        An indexed dimension of the input is a reduction factor if the slice has one element of it, else replicated.
        """
        said = stablehlo.GatherDimensionNumbers(op.required("dimension_numbers"))
        batching = said.operand_batching_dims, said.start_indices_batching_dims
        return _Walk(
            op,
            inputs=_Tensors([0]),
            indices=1,
            slices=_Tensors(results=[0]),
            dims=_Dims(said.offset_dims, said.collapsed_slice_dims, *batching, said.index_vector_dim),
            is_gather=True,
            implicit_batch=PASS_THROUGH,
        ).rule()

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """Restrict whole slices to the part; slices of single elements and along batching dimensions stay."""
        operand = op.operand_layouts[0]
        numbers = views.Gather(op.op).dimension_numbers
        sizes, batching = list(views.Gather(op.op).slice_sizes), list(numbers.operand_batching_dims)
        for dim in operand.sharded_dims:
            if sizes[dim] != 1 and dim not in batching:
                if sizes[dim] != operand.shape[dim]:
                    op.fail(f"takes slices of {sizes[dim]} of {operand.shape[dim]} along the sharded dimension {dim}")
                sizes[dim] = operand.local_shape[dim]
        return {"slice_sizes": i64_array(sizes)}

    def localize(self, op: LocalOp) -> None:
        """Gathers the elements that the device has, zeros for the others, and sums over the devices.

        Dimensions of which whole slices are taken, and batching dimensions, are sharded alike in operand and result.
        """
        operand = op.operand_layouts[0]
        attribute = views.Gather(op.op).dimension_numbers
        numbers = _Numbers(
            list(attribute.offset_dims),
            list(attribute.operand_batching_dims),
            list(attribute.start_index_map),
            attribute.index_vector_dim,
        )
        sizes = list(views.Gather(op.op).slice_sizes)
        single = [dim for dim in operand.sharded_dims if sizes[dim] == 1 and dim not in numbers.batching_dims]
        if not operand.is_replicated:
            op.spell_out("indices_are_sorted")
        if not single:
            op.keep()
            return
        mask = _relative_indices(op, operand, numbers, single)
        op.keep()
        _mask_and_sum(op, operand, numbers, single, mask)

    def pad(self, op: PadOp) -> None:
        """Slices of a whole dimension start at index 0 and take the padding, too.

        Other indices are clamped in front of the padding.
        """
        operand = op.operand_layouts[0]
        numbers = views.Gather(op.op).dimension_numbers
        index_map = list(numbers.start_index_map)
        sizes = list(views.Gather(op.op).slice_sizes)
        grown = op.grown_dims(0)
        if any(dim in index_map for dim in grown):
            largest = highest(op.op.operands[1].type.element_type)
            limits = [min(operand.shape[dim] - sizes[dim], largest) for dim in index_map]
            op.op.operands[1] = _limited(op, limits, numbers.index_vector_dim)
        shape = op.op.operands[0].type.shape
        single = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
        for dim in grown:
            if dim not in single and sizes[dim] == operand.shape[dim]:
                sizes[dim] = shape[dim]
        op.op.attributes["slice_sizes"] = i64_array(sizes)
        op.drop_rule()
        op.grow()


@op_model("stablehlo.scatter")
class Scatter(OpModel):
    """The mirror image of gather."""

    partial_results = True

    def rule(self, op: OpSignature) -> ShardingRule:
        """Mirror the rule of gather.

        Updates for one element may come from many devices only if a plain reduction combines them.
        """
        said = stablehlo.ScatterDimensionNumbers(op.required("scatter_dimension_numbers"))
        batching = said.input_batching_dims, said.scatter_indices_batching_dims
        count = len(op.results)
        return _Walk(
            op,
            inputs=_Tensors(range(count), range(count)),
            indices=count,
            slices=_Tensors(range(count + 1, 2 * count + 1)),
            dims=_Dims(said.update_window_dims, said.inserted_window_dims, *batching, said.index_vector_dim),
            is_gather=False,
            implicit_batch=REDUCTION if op.look(_is_plain_reduction) else NEED_REPLICATION,
        ).rule()

    def localize(self, op: LocalOp) -> None:
        """Each device scatters the updates it has into the part it has.

        Along axes that shard the updates only, the first device starts from the input and the others from neutral
        elements, unless all inputs are neutral; afterwards their results are combined.
        """
        count = len(op.op.results)
        inputs, updates = op.operand_layouts[0], op.operand_layouts[count + 1]
        numbers = views.Scatter(op.op).scatter_dimension_numbers
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

    def pad(self, op: PadOp) -> None:
        """Updates in the padding go nowhere.

        Updates outside of the unpadded input may land in its padding.
        """
        count = len(op.op.results)
        numbers = views.Scatter(op.op).scatter_dimension_numbers
        batch = list(numbers.scatter_indices_batching_dims)
        grown = [dim for dim in op.grown_dims(count) if dim not in batch]
        if grown and not _adds_zeros(op, count):
            index_map = list(numbers.scattered_dims_to_operand_dims)
            outside = _outside(op, count, max((op.operand_layouts[0].shape[dim] for dim in index_map), default=None))
            if outside is None:
                op.compute_unpadded()
                return
            op.mask(count, grown, outside)
        op.grow()


# Rules --------------------------------------------------------------------------------------------


class _Dims(NamedTuple):
    """Roles of dimensions, in names that hold for gather and scatter."""

    window: list[int]
    dropped: list[int]
    input_batching: list[int]
    indices_batching: list[int]
    index_vector: int


@dataclass(frozen=True)
class _Tensors:
    """Operands and results that share a shape, by their numbers."""

    operands: Iterable[int] = ()
    results: Iterable[int] = ()

    def at(self, dim: int) -> tuple[dict[int, int], dict[int, int]]:
        return dict.fromkeys(self.operands, dim), dict.fromkeys(self.results, dim)

    def shape(self, op: OpSignature) -> Shape:
        for number in self.operands:
            return op.operand(number)
        return op.result(next(iter(self.results)))


@dataclass
class _Walk:
    """The walk over the dimensions of slices, shared by gather and scatter."""

    op: OpSignature
    inputs: _Tensors
    indices: int
    slices: _Tensors
    dims: _Dims
    is_gather: bool
    implicit_batch: FactorType
    builder: RuleBuilder = field(init=False)

    def __post_init__(self) -> None:
        self.builder = RuleBuilder(self.op)
        self.input_shape = self.inputs.shape(self.op)
        self.indices_shape = self.op.operand(self.indices)
        self.slices_shape = self.slices.shape(self.op)

    def rule(self) -> ShardingRule:
        not_in_window = {*self.dims.dropped, *self.dims.input_batching}
        input_dims = (dim for dim in range(len(self.input_shape)) if dim not in not_in_window)
        indices_dims = (dim for dim in range(len(self.indices_shape)) if dim != self.dims.index_vector)
        for slices_dim in range(len(self.slices_shape)):
            if slices_dim in self.dims.window:
                self._window_factors(_next(input_dims, "inputs"), slices_dim)
            else:
                self._batch_factor(_next(indices_dims, "indices"), slices_dim)
        for dim in self.dims.dropped:
            size = self.input_shape[dim]
            kind = PASS_THROUGH if not self.is_gather else REDUCTION if size != 1 else NEED_REPLICATION
            self.builder.factor(size, *self.inputs.at(dim), kind)
        if self.dims.index_vector < len(self.indices_shape):
            size = self.indices_shape[self.dims.index_vector]
            self.builder.factor(size, {self.indices: self.dims.index_vector}, kind=NEED_REPLICATION)
        return self.builder.build()

    def _window_factors(self, input_dim: int, slices_dim: int) -> None:
        """Factors of a dimension that the slices take from the input."""
        size, slice_size = self.input_shape[input_dim], self.slices_shape[slices_dim]
        on_input, on_slices = self.inputs.at(input_dim), self.slices.at(slices_dim)
        if size == slice_size:
            self.builder.factor(size, *_both(on_input, on_slices))
        elif self.is_gather and slice_size != 1:
            self.builder.factor(size, *_both(on_input, on_slices), NEED_REPLICATION, blocked=True)
        else:
            self.builder.factor(size, *on_input, REDUCTION if self.is_gather else NEED_REPLICATION)
            self.builder.factor(slice_size, *on_slices, NEED_REPLICATION)

    def _batch_factor(self, indices_dim: int, slices_dim: int) -> None:
        """The factor of a dimension that the slices take from the indices."""
        size = self.slices_shape[slices_dim]
        operands, results = self.slices.at(slices_dim)
        operands = {self.indices: indices_dim, **operands}
        if indices_dim in self.dims.indices_batching:
            input_dim = self.dims.input_batching[self.dims.indices_batching.index(indices_dim)]
            self.builder.factor(size, *_both(self.inputs.at(input_dim), (operands, results)))
        else:
            self.builder.factor(size, operands, results, self.implicit_batch)


def _both(
    first: tuple[dict[int, int], dict[int, int]], second: tuple[dict[int, int], dict[int, int]]
) -> tuple[dict[int, int], dict[int, int]]:
    return first[0] | second[0], first[1] | second[1]


def _next(dims: Iterable[int], what: str) -> int:
    for dim in dims:
        return dim
    raise ValueError(f"the slices have more dimensions than the {what} can account for")


def _is_plain_reduction(scatter: ir.Operation) -> bool:
    """Return whether the body combines argument k and argument N+k to result k, for all k by the same reduction."""
    body = scatter.regions[0]
    names, values = combining_ops(body), terminator(body.blocks[0]).operands
    if names is None or len(set(names)) != 1:
        return False
    return all(is_reduction(names[0], value.type.element_type) for value in values)


# Gather from a sharded operand --------------------------------------------------------------------


@dataclass(frozen=True)
class _Numbers:
    """The parts of the dimension numbers that matter here."""

    offset_dims: list[int]
    batching_dims: list[int]
    start_index_map: list[int]
    index_vector_dim: int


def _relative_indices(op: LocalOp, operand: Layout, numbers: _Numbers, single: Sequence[int]) -> ir.Value:
    """Makes the indices relative to the device's part.

    Returns a mask of the indices in it, in the shape of the indices.

    If this holds for all or none of the dimensions, the index is a scalar.
    """
    b = op.b
    indices = op.operands[1]
    mask = None
    if any(dim in numbers.start_index_map for dim in single):
        indices = adjusted_index_type(b, indices, operand.shape, numbers.start_index_map)
        indices = _clamped(b, indices, operand, numbers)
        lower, upper = index_bounds(
            op, operand, numbers.start_index_map, single, indices.type, numbers.index_vector_dim, Bounds.BOTH
        )
        assert upper is not None
        local = b.subtract(indices, lower)
        mask = b.and_(b.compare(indices, lower, "GE"), b.compare(indices, upper, "LE"))
        op.op.operands[1] = indices = local
    for dim in single:
        if dim not in numbers.start_index_map:
            is_here = b.compare(op.offset(operand, dim), b.constant(0, i32()), "EQ")
            if mask is not None and mask.type.shape:
                is_here = b.broadcast_in_dim(is_here, mask.type.shape)
            mask = is_here if mask is None else b.and_(mask, is_here)
    assert mask is not None
    return mask


def _clamped(b: Builder, indices: ir.Value, operand: Layout, numbers: _Numbers) -> ir.Value:
    """Indices outside of the operand, moved to its edges, as gather would do."""
    shape = indices.type.shape
    limits = [operand.shape[dim] - 1 for dim in numbers.start_index_map]
    zero = b.constant(0, indices.type)
    if len(limits) == 1:
        high = b.constant(limits[0], indices.type)
    else:
        row = b.constant(np.array(limits), indices.type.element_type)
        high = b.broadcast_in_dim(row, shape, [numbers.index_vector_dim])
    return b.clamp(zero, indices, high)


def _mask_and_sum(op: LocalOp, operand: Layout, numbers: _Numbers, single: Sequence[int], mask: ir.Value) -> None:
    """Replaces slices from elsewhere by the neutral element, and combines the devices' results."""
    assert operand.mesh is not None
    result, layout = op.op.results[0], op.result_layouts[0]
    b = Builder.after(op.op)
    if numbers.index_vector_dim < len(mask.type.shape):
        mask = b.reduce(mask, b.constant(1, i1()), [numbers.index_vector_dim], ops.and_)
    dims = [dim for dim in range(layout.rank) if dim not in numbers.offset_dims] if mask.type.shape else []
    mask = b.broadcast_in_dim(mask, result.type.shape, dims)
    axes = merged_axes(operand, single)
    kind = layout.sharding.reduction if layout.sharding is not None and layout.unreduced else Reduction.SUM
    element = result.type.element_type
    neutral = b.constant(identity_of_parts(kind, element, signed_zeros=op.comm.signed_zeros), result.type)
    slots = uses_of(result)
    left = axes_left_to_reduce(op, axes, operand.mesh)
    total = b.select(mask, result, neutral)
    if left:
        total = op.comm.all_reduce(b, total, operand.mesh_ref, operand.mesh, left, ops.add)
    use_instead(slots, total)


# Scatter into a sharded input ---------------------------------------------------------------------


def _inserted_only(numbers: ScatterNumbers) -> list[int]:
    """Return the input's dimensions that updates and indices lack: all updates go to their first element."""
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
    """Replace the inputs by neutral elements on all devices but the first along `axes`, unless they are partial there.

    With `signed_zeros`, an extension of the reference, inputs that may be added any number of times stay: a constant
    that is equal on all devices takes no memory of its own.
    """
    b = op.b
    for index, name in enumerate(names):
        value = op.op.operands[index]
        element_type = value.type.element_type
        replicated = difference(axes, op.operand_layouts[index].unreduced, mesh.axis_sizes)
        if not replicated:
            continue
        if op.comm.signed_zeros and may_repeat(name, value):
            continue
        neutral = identity_of_op(name, element_type, exact=op.comm.signed_zeros)
        if neutral is None:
            op.fail(f"combines sharded updates with {name}, which has no neutral element")
        if not is_static_shaped(value.type):
            op.fail(f"combines sharded updates with a value of type {value.type}, of dynamic size")
        whole = b.broadcast_in_dim(b.constant(neutral, element_type), value.type.shape)
        first = op.devices.is_first(b, mesh, replicated)
        op.op.operands[index] = b.select(first, value, whole)


def _indexed_dims(inputs: Layout, numbers: ScatterNumbers) -> list[int]:
    """Return the sharded dimensions of the input in which the index selects the part that an update goes to.

    Where an update has the size of the input, the index can only be 0, on every device.
    """
    index_map, inserted = list(numbers.scattered_dims_to_operand_dims), list(numbers.inserted_window_dims)
    return [dim for dim in inputs.sharded_dims if dim in index_map and dim in inserted]


def _shift_indices(op: LocalOp, inputs: Layout, numbers: ScatterNumbers, indexed: Sequence[int]) -> None:
    """Makes the indices relative to the device's part; indices into other parts are out of bounds."""
    b, count = op.b, len(op.op.results)
    index_map = list(numbers.scattered_dims_to_operand_dims)
    indices = adjusted_index_type(b, op.operands[count], inputs.shape, index_map)
    lower, _ = index_bounds(op, inputs, index_map, indexed, indices.type, numbers.index_vector_dim, Bounds.LOWER)
    op.op.operands[count] = b.subtract(indices, lower)


def _only_in_first_part(
    op: LocalOp, b: Builder, inputs: Layout, dims: Sequence[int], result: ir.Value, old: ir.Value
) -> ir.Value:
    """Return `result` on devices whose part starts at 0 along `dims`, `old` on others."""
    assert inputs.mesh is not None
    axes = [axis for dim in dims for axis in inputs.dim_axes[dim]]
    return b.select(op.devices.is_first(b, inputs.mesh, axes), result, old)


def _body(op: LocalOp, name: str) -> Body:
    if len(op.op.results) == 1:
        return op.op.regions[0]
    return lambda x, y: one(name, (x, y))


# Uneven dimensions --------------------------------------------------------------------------------


def _limited(op: PadOp, limits: Sequence[int | float], index_vector_dim: int) -> ir.Value:
    """The indices, at most `limits` in each component."""
    b, indices, sharding = op.b, op.op.operands[1], op.operand_layouts[1].sharding
    type_ = indices.type
    if index_vector_dim == len(type_.shape):
        bound = b.constant(limits[0], type_)
    else:
        row = b.constant(np.array(limits), type_.element_type)
        bound = b.broadcast_in_dim(row, type_.shape, [index_vector_dim])
    smaller = b.minimum(indices, bound)
    if sharding is not None:
        set_sharding(bound, sharding)
        set_sharding(smaller, sharding)
    return smaller


def _adds_zeros(op: PadOp, count: int) -> bool:
    """Return whether the updates in the padding have no effect at any position."""
    names = combining_ops(op.op.regions[0])
    updates = op.operands[count + 1 :]
    return names is not None and set(names) == {"stablehlo.add"} and all(map(op.is_zero_padded, updates))


def _outside(op: PadOp, index: int, largest: int | None) -> ir.Value | None:
    """Return an index outside of all dimensions up to `largest`.

    Returns None if the index type has no such number, or there are no indices.
    """
    element = op.operands[index].type.element_type
    if largest is None:
        return None
    if not element.is_unsigned:
        return op.b.constant(-1, element)
    last = (1 << element.width) - 1
    return op.b.constant(last, element) if largest <= last else None
