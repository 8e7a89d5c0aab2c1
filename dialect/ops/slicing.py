"""Ops that cut out, write, pad, join or reverse (spec: sharding-rules, 4.3 and 5; partitioner, 4, 7.13 and 7.14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.definition.attributes import ANY_PADDING
from sdy.dialect.hlo_async.chains import MARK
from sdy.dialect.ir_builders.communication import index_type
from sdy.dialect.ir_builders.init_values import highest, identity_of
from sdy.dialect.ir_builders.local_collectives import replicated_to_unreduced
from sdy.dialect.lowering.generic_lowering import AlignedOp, lower_aligned
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, adjusted_index_type
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp
from sdy.dialect.ops.model import Attributes, Window, element_windows, op_model
from sdy.dialect.ops.op_signature import (
    NEED_REPLICATION,
    PASS_THROUGH,
    PERMUTATION,
    OpSignature,
    RuleBuilder,
    sliced_rule,
)
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer, splat_number
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.attribute_writers import i64_array


@op_model("stablehlo.slice")
class Slice(AlignedOp):
    """Pointwise; a sliced dimension moves data between neighbours."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return sliced_rule(op, PERMUTATION, blocked=op.conservative)

    def access(self, op: ir.Operation) -> list[Window]:
        """Return windows of one element: every `stride`-th one from the start on."""
        starts, strides = op.attributes["start_indices"], op.attributes["strides"]
        return element_windows(op, [-start for start in starts], strides, [1] * len(starts))

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions whose slice is neither the whole operand nor every n-th element."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        starts, strides = views.Slice(op.op).start_indices, views.Slice(op.op).strides
        return [dim for dim in target.sharded_dims if not _keeps_parts(source, target, dim, starts[dim], strides[dim])]

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """Along sharded dimensions up to the end of the part."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        limits = list(views.Slice(op.op).limit_indices)
        for dim in target.sharded_dims:
            limits[dim] = source.local_shape[dim]
        return {"limit_indices": i64_array(limits)}

    def on_parts(self, op: LocalOp) -> None:
        """Rebuild the op with its attributes on the device's part alone, as the reference does."""
        for name in [name for name in op.op.attributes if name not in _OWN]:
            del op.op.attributes[name]
        op.keep()

    def pad(self, op: PadOp) -> None:
        """Extend the slice where its result is padded."""
        result = op.result_layouts[0]
        if result.padded_shape == result.shape:
            return
        given, limits = views.Slice(op.op), list(views.Slice(op.op).limit_indices)
        source = op.op.operands[0].type.shape
        for dim, size in enumerate(result.padded_shape):
            if size == result.shape[dim]:
                continue
            limits[dim] = given.start_indices[dim] + (size - 1) * given.strides[dim] + 1
            if limits[dim] > source[dim]:
                op.compute_unpadded()
                return
        op.op.attributes["limit_indices"] = i64_array(limits)
        op.drop_rule()
        op.grow()


@op_model("stablehlo.dynamic_slice")
class DynamicSlice(AlignedOp):
    """Pointwise; a sliced dimension is replicated, and no axis is propagated along it. The indices are scalars."""

    def rule(self, op: OpSignature) -> ShardingRule:
        return sliced_rule(op, NEED_REPLICATION, blocked=True)

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions that the slice shortens."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        return [dim for dim in range(target.rank) if source.shape[dim] != target.shape[dim]]

    def local_attributes(self, op: ShardedOp) -> Attributes:
        return {"slice_sizes": i64_array(op.result_layouts[0].local_shape)}

    def on_parts(self, op: LocalOp) -> None:
        """Rebuild the op with its attributes on the device's part alone, as the reference does."""
        for name in [name for name in op.op.attributes if name not in _OWN]:
            del op.op.attributes[name]
        op.keep()

    def pad(self, op: PadOp) -> None:
        """Include the padding in a slice of a whole dimension."""
        source, result = op.op.operands[0].type.shape, op.result_layouts[0]
        sizes = list(views.DynamicSlice(op.op).slice_sizes)
        for dim in op.grown_dims(0):
            if sizes[dim] != op.operand_layouts[0].shape[dim]:
                op.compute_unpadded()
                return
            sizes[dim] = source[dim]
        if sizes != list(result.padded_shape):
            op.compute_unpadded()
            return
        op.op.attributes["slice_sizes"] = i64_array(sizes)
        op.grow()


@op_model("stablehlo.dynamic_update_slice")
class DynamicUpdateSlice(AlignedOp):
    """Pointwise, except that an updated dimension of another size is not tied to the operand's."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        for dim, (size, update_size) in enumerate(zip(op.operand(0), op.operand(1), strict=True)):
            if size == update_size:
                rule.align(dim, size)
            else:
                rule.factor(size, {0: dim}, {0: dim}, PERMUTATION)
                rule.factor(update_size, {1: dim}, kind=PERMUTATION)
        return rule.build()

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions of which a dynamic_update_slice writes a part."""
        operand, update = op.operand_layouts[:2]
        return [dim for dim in range(operand.rank) if operand.shape[dim] != update.shape[dim]]

    def localize(self, op: LocalOp) -> None:
        if not op.is_replicated:
            lower_aligned(op, _local_update, kept_whole=((), self.whole_dims(op)))

    def pad(self, op: PadOp) -> None:
        """The index is kept from reaching into the padding."""
        operand, update = op.operand_layouts[:2]
        for dim in op.grown_dims(0):
            if operand.shape[dim] != update.shape[dim]:
                _limit_index(op, 2 + dim, operand.shape[dim] - update.shape[dim])
        op.grow()


@op_model("stablehlo.pad")
class Pad(AlignedOp):
    """Pointwise; a padded dimension moves data between neighbours."""

    def rule(self, op: OpSignature) -> ShardingRule:
        """Pointwise.

        A dimension with padding of any sort moves data between neighbours, even if its size is unchanged.
        """
        rule = RuleBuilder(op)
        padding = zip(
            op.integers("edge_padding_low"),
            op.integers("edge_padding_high"),
            op.integers("interior_padding"),
            strict=True,
        )
        sizes = zip(op.operand(0), op.result(0), strict=True)
        for dim, ((size, padded_size), paddings) in enumerate(zip(sizes, padding, strict=True)):
            kind = PERMUTATION if any(paddings) else PASS_THROUGH
            rule.align(dim, size, kind, blocked=op.conservative and size != padded_size)
        return rule.build()

    def access(self, op: ir.Operation) -> list[Window]:
        """Return windows of elements that stand apart, behind the padding."""
        lows, interiors = op.attributes["edge_padding_low"], op.attributes["interior_padding"]
        return element_windows(op, lows, [1] * len(lows), [interior + 1 for interior in interiors])

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """Return the dimensions along which elements move to another device."""
        low, interior = list(views.Pad(op.op).edge_padding_low), views.Pad(op.op).interior_padding
        source, target = op.operand_layouts[0], op.result_layouts[0]
        return [dim for dim in range(target.rank) if not _stays(source, target, dim, low[dim], interior[dim] + 1)]

    def local_attributes(self, op: ShardedOp) -> Attributes:
        if not op.result_layouts[0].sharded_dims:
            return {}
        padding = local_padding(op)
        return {"edge_padding_low": i64_array(padding.low), "edge_padding_high": i64_array(padding.high)}

    def made_types(self, op: ShardedOp, types: tuple[ir.Type, ...]) -> tuple[ir.Type, ...]:
        return (with_shape(ir.RankedTensorType(types[0]), local_padding(op).shape),)

    def localize(self, op: LocalOp) -> None:
        """Pads the local part, more than needed where devices need different paddings, and slices."""
        if ANY_PADDING in op.op.attributes:
            del op.op.attributes[ANY_PADDING]
        if op.is_replicated:
            _pad_partially(op)
        else:
            super().localize(op)

    def on_parts(self, op: LocalOp) -> None:
        _pad_partially(op)
        target = op.result_layouts[0]
        if not target.sharded_dims or target.mesh is None:
            op.keep()
            return
        padding, b = local_padding(op), op.b
        x, value = op.operands
        padded = b.pad(x, value, padding.low, padding.high, views.Pad(op.op).interior_padding)
        if padding.starts is not None:
            device = op.devices.id(b)
            number = index_type(*(int(each.max()) for each in padding.starts))
            starts = [_start(op, dim, each, device, number) for dim, each in enumerate(padding.starts)]
            padded = b.dynamic_slice(padded, starts, target.local_shape)
        op.replace(padded)

    def pad(self, op: PadOp) -> None:
        """The high padding makes up for the padding of operand and result."""
        operand, result = op.op.operands[0], op.result_layouts[0]
        given = views.Pad(op.op)
        low, high, interior = list(given.edge_padding_low), given.edge_padding_high, list(given.interior_padding)
        new_high = [
            padded - size - lo - (size - 1) * inner
            for padded, size, lo, inner in zip(result.padded_shape, operand.type.shape, low, interior, strict=True)
        ]
        is_read = ANY_PADDING not in op.op.attributes
        grows_less = any(new < old for new, old in zip(new_high, high, strict=True))
        if is_read and (grows_less or _shows_padding(op, low, interior)):
            op.mask(0, range(result.rank), op.op.operands[1])
        op.op.attributes["edge_padding_high"] = i64_array(new_high)
        op.drop_rule()
        op.grow()


@op_model("stablehlo.concatenate")
class Concatenate(AlignedOp):
    """Pointwise; the concatenated dimension is whole on every device."""

    def rule(self, op: OpSignature) -> ShardingRule:
        """Pointwise, except along the concatenated dimension.

        That moves data between neighbours if slices are joined, else it is replicated. A conservative rule gives it no
        factor.
        """
        rule = RuleBuilder(op)
        concat_dim = op.integer("dimension")
        for dim, size in enumerate(op.result(0)):
            if dim != concat_dim:
                rule.align(dim, size)
            elif not op.conservative:
                rule.align(dim, size, PERMUTATION if op.look(_joins_slices) else NEED_REPLICATION)
        return rule.build()

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """The dimension along which several operands are joined."""
        return [views.Concatenate(op.op).dimension] if len(op.operand_layouts) > 1 else []


@op_model("stablehlo.reverse")
class Reverse(AlignedOp):
    """Pointwise; a reversed dimension moves data between devices."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        reversed_dims = op.integers("dimensions")
        for dim, size in enumerate(op.result(0)):
            rule.align(dim, size, PERMUTATION if dim in reversed_dims else PASS_THROUGH)
        return rule.build()

    def whole_dims(self, op: ShardedOp) -> list[int]:
        """The reversed dimensions."""
        return list(views.Reverse(op.op).dimensions)

    def localize(self, op: LocalOp) -> None:
        """Reverse each part where the result's mesh lists the devices in reversed order along the dimension."""
        if op.is_replicated:
            return
        if _is_reversed(op.operand_layouts[0], op.result_layouts[0], views.Reverse(op.op).dimensions):
            op.keep()
        else:
            super().localize(op)


def _joins_slices(concat: ir.Operation) -> bool:
    """Return whether all operands are slices of one tensor, possibly with the tensor itself among them."""
    slices = [value.owner for value in concat.operands if _is_slice(value)]
    if len(slices) == len(concat.operands):
        return True
    bases = {value.owner.operands[0] if _is_slice(value) else value for value in concat.operands}
    return bool(slices) and len(bases) == 1


def _is_slice(value: ir.Value) -> bool:
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == "stablehlo.slice"


# Parts --------------------------------------------------------------------------------------------


def _keeps_parts(source: Layout, target: Layout, dim: int, start: int, stride: int) -> bool:
    """Return whether each part of the result is in the operand's part on the same device, at the same position."""
    count = target.shards[dim]
    if source.shape[dim] % count:
        return False
    part = source.shape[dim] // count
    return start < stride and part == target.local_shape[dim] * stride


def _stays(source: Layout, target: Layout, dim: int, low: int, step: int) -> bool:
    """Return whether each part of the result contains elements of the operand's part on the same device only."""
    count = target.shards[dim]
    size, result_size = source.shape[dim], target.shape[dim]
    if count == 1:
        return True
    if size % count:
        return False
    part, result_part = size // count, result_size // count
    if low == 0 and step == 1 and part == result_part:
        return True
    positions = low + np.arange(size) * step
    inside = (positions >= 0) & (positions < result_size)
    return bool((np.arange(size) // part == positions // result_part)[inside].all())


def _is_reversed(source: Layout, target: Layout, dims: Sequence[int]) -> bool:
    """Return whether each device's part of the result is its part of the operand, reversed."""
    if source.mesh is None or target.mesh is None or source.mesh.size != target.mesh.size:
        return False
    if source.shards != target.shards or source.unreduced or target.unreduced or not source.divides:
        return False
    for dim in source.sharded_dims:
        have = _positions(source.mesh, source.dim_axes[dim])
        want = _positions(target.mesh, target.dim_axes[dim])
        if dim in dims:
            have = source.shards[dim] - 1 - have
        if (have != want).any():
            return False
    return True


def _positions(mesh: Mesh, axes: AxisList) -> np.ndarray:
    """Return the shard index along `axes` of each device, by device id."""
    return mesh.shard_indices(axes)


_OWN = frozenset({"start_indices", "limit_indices", "strides", "slice_sizes", MARK})


def _local_update(op: LocalOp) -> None:
    operand, update = op.operand_layouts[:2]
    partial = [dim for dim in operand.sharded_dims if operand.shape[dim] != update.shape[dim]]
    if not partial:
        op.keep()
        return
    if all(_stays_in_one_part(op, operand, update, dim) for dim in partial):
        _update_by_owner(op, operand, update, partial)
    else:
        _update_overlap(op, operand, update, partial)


def _stays_in_one_part(op: LocalOp, operand: Layout, update: Layout, dim: int) -> bool:
    """Return whether the update is known not to cross the border of two parts."""
    size = update.shape[dim]
    if size == 1:
        return True
    start = splat_integer(op.op.operands[2 + dim])
    if start is None:
        return False
    start = max(0, min(start, operand.shape[dim] - size))
    part = operand.local_shape[dim]
    return start // part == (start + size - 1) // part


def _update_by_owner(op: LocalOp, operand: Layout, update: Layout, partial: list[int]) -> None:
    """Writes the update on the device that owns the position; the others keep their parts."""
    b = op.b
    x, new, *starts = op.operands
    owners: list[ir.Value] = []
    for dim in partial:
        size, part = update.shape[dim], operand.local_shape[dim]
        start, zero = _clamped_start(b, starts[dim], operand, update, dim)
        element = start.type.element_type
        offset = b.convert(op.offset(operand, dim), element)
        end = b.add(start, b.constant(size, element))
        part_end = b.add(offset, b.constant(part, element))
        owner = b.and_(b.compare(start, offset, "GE"), b.compare(end, part_end, "LE"))
        owners.append(owner)
        starts[dim] = b.select(owner, b.subtract(start, offset), zero)
    written = b.dynamic_update_slice(x, new, _same_types(b, starts))
    owner = owners[0]
    for other in owners[1:]:
        owner = b.and_(owner, other)
    op.replace(b.select(b.broadcast_in_dim(owner, x.type.shape), written, x))


def _clamped_start(b: Builder, start: ir.Value, operand: Layout, update: Layout, dim: int) -> tuple[ir.Value, ir.Value]:
    """The index at which the op writes, in a type that holds all offsets, and a zero of that type."""
    start = adjusted_index_type(b, start, operand.shape, [dim])
    element = start.type.element_type
    zero = b.constant(0, element)
    last = b.constant(operand.shape[dim] - update.shape[dim], element)
    return b.clamp(zero, start, last), zero


def _same_types(b: Builder, indices: list[ir.Value]) -> list[ir.Value]:
    """Convert the indices to one type: that of the converted ones, if any had to be."""
    widest = max((index.type.element_type for index in indices), key=lambda element: element.width)
    return [index if index.type.element_type == widest else b.convert(index, widest) for index in indices]


def _update_overlap(op: LocalOp, operand: Layout, update: Layout, partial: list[int]) -> None:
    """Each device writes into its part with margins as wide as the update, and cuts the margins off."""
    b = op.b
    x, new, *starts = op.operands
    margins = [update.shape[dim] if dim in partial else 0 for dim in range(operand.rank)]
    for dim in partial:
        start, _ = _clamped_start(b, starts[dim], operand, update, dim)
        element = start.type.element_type
        offset = b.convert(op.offset(operand, dim), element)
        size, part = update.shape[dim], operand.local_shape[dim]
        end = b.add(start, b.constant(size, element))
        # Written as (start + size) - offset, clamped at 0 before subtracting, so that unsigned indices cannot wrap.
        relative = b.subtract(b.maximum(end, offset), offset)
        if part + size > highest(element):
            relative = b.convert(relative, index_type(part + 2 * size))
        starts[dim] = b.minimum(relative, b.constant(part + size, relative.type.element_type))
    wide = b.pad(x, b.constant(0, x.type.element_type), margins, margins)
    written = b.dynamic_update_slice(wide, new, _same_types(b, starts))
    ends = [margin + size for margin, size in zip(margins, x.type.shape, strict=True)]
    op.replace(b.slice(written, margins, ends))


@dataclass(frozen=True)
class LocalPadding:
    """Padding of a part.

    Attributes:
      low, high: numbers of elements before and behind it.
      shape: the padded shape.
      starts: where each device's part of the result starts in it, per dimension; None if it is all of it.
    """

    low: list[int]
    high: list[int]
    shape: tuple[int, ...]
    starts: tuple[np.ndarray, ...] | None


def local_padding(op: ShardedOp) -> LocalPadding:
    """Return the padding of the part: the largest that any device needs."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    low, interior = list(views.Pad(op.op).edge_padding_low), views.Pad(op.op).interior_padding
    expanded = [n + max(n - 1, 0) * inner for n, inner in zip(source.local_shape, interior, strict=True)]
    steps = [
        part * (inner + 1) - result
        for part, inner, result in zip(source.local_shape, interior, target.local_shape, strict=True)
    ]
    if target.mesh is None or not any(steps[dim] for dim in target.sharded_dims):
        high = [size - (lo + n) for size, lo, n in zip(target.local_shape, low, expanded, strict=True)]
        return LocalPadding(low, high, target.local_shape, None)
    offsets = [
        low[dim] + target.mesh.shard_indices(axes) * steps[dim] if axes else np.array([low[dim]])
        for dim, axes in enumerate(target.dim_axes)
    ]
    most_low = [max(0, int(offset.max())) for offset in offsets]
    most_high = [
        max(0, size - int(offset.min()) - n)
        for size, offset, n in zip(target.local_shape, offsets, expanded, strict=True)
    ]
    shape = tuple(lo + n + hi for lo, n, hi in zip(most_low, expanded, most_high, strict=True))
    return LocalPadding(
        most_low, most_high, shape, tuple(lo - offset for lo, offset in zip(most_low, offsets, strict=True))
    )


def _pad_partially(op: LocalOp) -> None:
    """Make the padding value of a partial sum partial, too: zero on all devices but the first."""
    target, value = op.result_layouts[0], op.operands[1]
    if not target.unreduced or target.mesh is None or target.sharding is None:
        return
    kind = target.sharding.reduction
    if kind.is_idempotent:
        return
    if splat_number(_passed(value)) != identity_of(kind, target.type.element_type):
        op.op.operands[1] = replicated_to_unreduced(op.comm, op.b, value, target.unreduced, kind, target.mesh)


def _passed(value: ir.Value) -> ir.Value:
    """Return the operand that an argument of a manual computation stands for."""
    while isinstance(value, ir.BlockArgument) and value.owner.owner.name == "sdy.manual_computation":
        value = value.owner.owner.operation.operands[value.arg_number]
    return value


def _start(op: LocalOp, dim: int, starts: np.ndarray, device: ir.Value, number: ir.Type) -> ir.Value:
    target = op.result_layouts[0]
    if target.mesh is None or (starts == starts[0]).all():
        return op.b.constant(int(starts[0]), number)
    return op.devices.linear(op.b, target.mesh, target.dim_axes[dim], starts, number, device)


# Uneven dimensions --------------------------------------------------------------------------------


def _limit_index(op: PadOp, number: int, last: int) -> None:
    index = op.op.operands[number]
    if last >= highest(index.type.element_type):
        return
    constant = splat_integer(index)
    if constant is not None and constant <= last:
        return
    op.op.operands[number] = op.b.minimum(index, op.b.constant(last, index.type.element_type))


def _shows_padding(op: PadOp, low: list[int], interior: list[int]) -> bool:
    """Return whether the padding of the operand would be inside the unpadded result."""
    operand, result = op.operand_layouts[0], op.result_layouts[0]
    return any(low[dim] + operand.shape[dim] * (interior[dim] + 1) < result.shape[dim] for dim in op.grown_dims(0))
