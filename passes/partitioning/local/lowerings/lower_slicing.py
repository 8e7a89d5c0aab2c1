"""Slices, and putting slices in place (spec: partitioner, 7.14)."""

from __future__ import annotations

from sdy.dialect.asynchronous_pairs import MARK
from sdy.mlir import ir
from sdy.passes.partitioning.emit.identities import highest
from sdy.passes.partitioning.emit.index_arithmetic import index_type
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.aligned import lower_aligned
from sdy.passes.partitioning.local.indices import adjusted_index_type
from sdy.passes.partitioning.local.inference import whole_dims
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.ops import Builder


@local_lowering("stablehlo.slice")
def slice_(op: LocalOp) -> None:
    """Along sharded dimensions the slice takes all of the operand, or every n-th element."""
    if op.is_replicated:
        return
    lower_aligned(op, _localized, whole=whole_dims.of_slice(op))


_OWN = frozenset({"start_indices", "limit_indices", "strides", "slice_sizes", MARK})


def _localized(op: LocalOp) -> None:
    """The op with the attributes that it has on the device's part, and no others, as in the reference."""
    for name in [name for name in op.op.attributes if name not in _OWN]:
        del op.op.attributes[name]
    op.keep()


@local_lowering("stablehlo.dynamic_slice")
def dynamic_slice(op: LocalOp) -> None:
    """Along sharded dimensions the slice takes all of the operand."""
    if op.is_replicated:
        return
    lower_aligned(op, _localized, whole=whole_dims.of_dynamic_slice(op))


@local_lowering("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: LocalOp) -> None:
    """Each device writes what falls into its part; along partly updated dimensions it has all of the update."""
    if op.is_replicated:
        return
    lower_aligned(op, _local_update, kept_whole=((), whole_dims.of_update(op)))


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
    """Whether the update is known not to cross the border of two parts."""
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
    """The device that has the place writes the update, the others keep what they have."""
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
    """The indices in one type: where some had to be converted, in that of the converted ones."""
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


@local_lowering("stablehlo.concatenate")
def concatenate(op: LocalOp) -> None:
    """The concatenated dimension is whole on every device."""
    if op.is_replicated:
        return
    lower_aligned(op, LocalOp.keep, whole=whole_dims.of_concatenate(op))
