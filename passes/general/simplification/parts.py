"""Simplification of concatenations, slices at constant indices, and pieces of size 0 or full size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir, stablehlo
from sdy.mlir.greedy import Pattern, Rewriter
from sdy.mlir.rewriting import has_one_use
from sdy.passes.general.simplification.folding import elements_of
from sdy.passes.general.simplification.identities import index_array, indices, maker, new_op
from sdy.stablehlo.constants import repeated_attribute


def _shape(value: ir.Value) -> list[int]:
    return list(ir.ShapedType(value.type).shape)


def _dimension(op: ir.Operation) -> int:
    return int(ir.IntegerAttr(op.attributes["dimension"]))


def _with_size(value: ir.Value, dim: int, size: int) -> ir.Type:
    shape = _shape(value)
    shape[dim] = size
    return ir.RankedTensorType.get(shape, ir.ShapedType(value.type).element_type)


# Joined tensors ----------------------------------------------------------------------------------


def _joined_alone(op: ir.Operation, rewriter: Rewriter) -> bool:
    if len(op.operands) != 1 or op.operands[0].type != op.results[0].type:
        return False
    return rewriter.replace(op, [op.operands[0]])


def _join(op: ir.Operation, operands: Sequence[ir.Value], rewriter: Rewriter) -> bool:
    joined = new_op(op, "concatenate", operands, rewriter, dimension=op.attributes["dimension"])
    return rewriter.replace(op, [joined])


def _without_empty(op: ir.Operation, rewriter: Rewriter) -> bool:
    filled = [operand for operand in op.operands if _shape(operand)[_dimension(op)] != 0]
    return 0 < len(filled) < len(op.operands) and _join(op, filled, rewriter)


def _of_joined(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Flatten a concatenation of a concatenation along the same dimension without other users."""
    flat: list[ir.Value] = []
    for operand in op.operands:
        inner = maker(operand, "concatenate")
        is_spliced = inner is not None and has_one_use(operand) and _dimension(inner) == _dimension(op)
        flat += inner.operands if inner is not None and is_spliced else [operand]
    return len(flat) > len(op.operands) and _join(op, flat, rewriter)


def _equal_neighbours(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Join adjacent constants that repeat one number."""
    dim = _dimension(op)
    merged: list[ir.Value] = []
    for operand in op.operands:
        number = _repeated(operand)
        before = _repeated(merged[-1]) if merged else None
        if number is None or before is None or number != before:
            merged.append(operand)
            continue
        type_ = _with_size(operand, dim, _shape(merged[-1])[dim] + _shape(operand)[dim])
        value = ir.DenseElementsAttr.get_splat(ir.ShapedType(type_), number)
        merged[-1] = new_op(op, "constant", [], rewriter, type_=type_, value=value)
    return len(merged) < len(op.operands) and _join(op, merged, rewriter)


def _repeated(value: ir.Value) -> ir.Attribute | None:
    op = maker(value, "constant")
    return None if op is None else repeated_attribute(op)


def _slice_of_joined(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Slice only the operands with elements of the slice, if there is one or the others become unused."""
    joined = maker(op.operands[0], "concatenate")
    if joined is None:
        return False
    dim = _dimension(joined)
    starts, limits = indices(op, "start_indices"), indices(op, "limit_indices")
    begins = np.cumsum([0, *(_shape(operand)[dim] for operand in joined.operands)])
    touched = [
        position
        for position in range(len(joined.operands))
        if begins[position] < limits[dim] and begins[position + 1] > starts[dim]
    ]
    if not touched or len(touched) == len(joined.operands):
        return False
    if len(touched) > 1 and not has_one_use(joined.results[0]):
        return False
    offset, end = int(begins[touched[0]]), int(begins[touched[-1] + 1])
    operands = [joined.operands[position] for position in touched]
    type_ = _with_size(joined.results[0], dim, end - offset)
    part = new_op(op, "concatenate", operands, rewriter, type_=type_, dimension=joined.attributes["dimension"])
    starts[dim] -= offset
    limits[dim] -= offset
    return rewriter.replace(op, [_slice(op, part, (starts, limits, indices(op, "strides")), rewriter)])


# Slices ------------------------------------------------------------------------------------------


def _slice(
    op: ir.Operation,
    source: ir.Value,
    bounds: tuple[Sequence[int], Sequence[int], Sequence[int]],
    rewriter: Rewriter,
    type_: ir.Type | None = None,
) -> ir.Value:
    """Return a slice in front of `op`; `bounds` are first indices, limits and steps by dimension."""
    names = ("start_indices", "limit_indices", "strides")
    arrays = {name: index_array(numbers, op.context) for name, numbers in zip(names, bounds, strict=True)}
    return new_op(op, "slice", [source], rewriter, type_=type_, **arrays)


def _everything(op: ir.Operation, rewriter: Rewriter) -> bool:
    if op.operands[0].type != op.results[0].type:
        return False
    return rewriter.replace(op, [op.operands[0]])


def _known_starts(values: Sequence[ir.Value], source: ir.Value, sizes: Sequence[int]) -> list[int] | None:
    """Return the first indices, clamped into the tensor; None if one is not a constant."""
    known = [elements_of(value) for value in values]
    if any(each is None for each in known):
        return None
    starts = [int(np.asarray(each).item()) for each in known]
    return [min(max(start, 0), whole - size) for start, whole, size in zip(starts, _shape(source), sizes, strict=True)]


def _at_constant_indices(op: ir.Operation, rewriter: Rewriter) -> bool:
    source, sizes = op.operands[0], indices(op, "slice_sizes")
    starts = _known_starts(list(op.operands)[1:], source, sizes)
    if starts is None:
        return False
    limits = [start + size for start, size in zip(starts, sizes, strict=True)]
    return rewriter.replace(op, [_slice(op, source, (starts, limits, [1] * len(sizes)), rewriter)])


def _update_of_nothing(op: ir.Operation, rewriter: Rewriter) -> bool:
    if 0 not in _shape(op.operands[1]):
        return False
    return rewriter.replace(op, [op.operands[0]])


def _update_of_everything(op: ir.Operation, rewriter: Rewriter) -> bool:
    source, update = op.operands[0], op.operands[1]
    starts = [elements_of(start) for start in list(op.operands)[2:]]
    if source.type != update.type or any(start is None or start.item() != 0 for start in starts):
        return False
    return rewriter.replace(op, [update])


def _one_gathered(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace a gather at one constant index by a slice, without the collapsed dimensions."""
    source, start = op.operands
    found = elements_of(start)
    numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    if found is None or len(_shape(start)) > 1 or numbers.index_vector_dim != 0 or numbers.operand_batching_dims:
        return False
    sizes, starts = indices(op, "slice_sizes"), [0] * len(_shape(source))
    given = np.broadcast_to(found, _shape(start)).reshape(-1)
    for dim, index in zip(numbers.start_index_map, given, strict=True):
        starts[dim] = min(max(int(index), 0), _shape(source)[dim] - sizes[dim])
    limits = [first + size for first, size in zip(starts, sizes, strict=True)]
    type_ = ir.RankedTensorType.get(sizes, ir.ShapedType(source.type).element_type)
    part = _slice(op, source, (starts, limits, [1] * len(sizes)), rewriter, type_)
    if numbers.collapsed_slice_dims:
        part = new_op(op, "reshape", [part], rewriter)
    return rewriter.replace(op, [part])


def patterns() -> Sequence[tuple[str, Pattern]]:
    """Return the patterns by the name of their root op, without its dialect."""
    return (
        ("concatenate", _joined_alone),
        ("concatenate", _without_empty),
        ("concatenate", _of_joined),
        ("concatenate", _equal_neighbours),
        ("slice", _everything),
        ("slice", _slice_of_joined),
        ("dynamic_slice", _at_constant_indices),
        ("dynamic_update_slice", _update_of_nothing),
        ("dynamic_update_slice", _update_of_everything),
        ("gather", _one_gathered),
    )
