"""Updates whose places are known before a program runs, an even distance apart along each dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.stablehlo import views
from sdy.stablehlo.idioms.known_integers import known_integers
from sdy.stablehlo.idioms.reduction_bodies import combining_ops


@dataclass(frozen=True)
class Placed:
    """Elements of `update` along each dimension of what they are written to: `counts` of them, `steps` apart.

    `dims` are the dimensions of the update that they are along, None where there is one element and no dimension.
    `combine` is the op that combines what was there with the update; None if the update takes its place.
    """

    update: ir.Value
    dims: tuple[int | None, ...]
    starts: tuple[int, ...]
    steps: tuple[int, ...]
    counts: tuple[int, ...]
    combine: str | None = None

    @property
    def limits(self) -> tuple[int, ...]:
        """Behind the last places."""
        parts = zip(self.starts, self.steps, self.counts, strict=True)
        return tuple(start + (count - 1) * step + 1 for start, step, count in parts)

    def is_whole(self, dim: int, size: int) -> bool:
        return self.counts[dim] == size


def known_update(op: ir.Operation) -> Placed | None:
    """What a dynamic_update_slice or a scatter writes, if that is known and all inside."""
    if not all(value.type.has_static_shape for value in (*op.operands, *op.results)) or 0 in op.results[0].type.shape:
        return None
    written = views.DynamicUpdateSlice.match(op)
    placed = _scatter(views.Scatter(op)) if written is None else _slice(written)
    if placed is None or 0 in placed.counts:
        return None
    sizes = zip(op.results[0].type.shape, placed.starts, placed.limits, strict=True)
    return placed if all(start >= 0 and limit <= size for size, start, limit in sizes) else None


def _slice(written: views.DynamicUpdateSlice) -> Placed | None:
    known = [known_integers(index) for index in written.start_indices]
    counts, rank = tuple(written.update.type.shape), len(written.update.type.shape)
    starts = [int(number) for number in known if number is not None]
    if not rank or len(starts) < rank:
        return None
    room = zip(starts, written.operand.type.shape, counts, strict=True)
    inside = tuple(min(max(start, 0), size - count) for start, size, count in room)
    return Placed(written.update, tuple(range(rank)), inside, (1,) * rank, counts)


def _scatter(scatter: views.Scatter) -> Placed | None:
    given = scatter.scatter_dimension_numbers
    if len(scatter.inputs) != 1 or given.input_batching_dims:
        return None
    combined = combining_ops(scatter.op.regions[0])
    if combined is None and list(terminator(scatter.body).operands) != [scatter.body.arguments[1]]:
        return None
    lines = _lines(scatter.scatter_indices, given.index_vector_dim)
    if lines is None or len(lines) != len(given.scattered_dims_to_operand_dims):
        return None
    return _in_order(scatter, lines, combined[0] if combined else None)


@dataclass(frozen=True)
class _Line:
    """An entry of index vectors: from `start` on, rising by `step` along their dimension `dim`, if it does."""

    dim: int | None
    start: int
    step: int


def _in_order(scatter: views.Scatter, lines: Sequence[_Line], combine: str | None) -> Placed | None:
    """What a scatter writes; None if its update has the dimensions in another order, or writes to a place twice."""
    given, update = scatter.scatter_dimension_numbers, scatter.updates[0]
    shape, windows, inserted = update.type.shape, given.update_window_dims, given.inserted_window_dims
    scattered = [dim for dim in range(len(shape)) if dim not in windows]
    by_dim = dict(zip(given.scattered_dims_to_operand_dims, lines, strict=True))
    dims: list[int | None] = []
    nowhere = _Line(None, 0, 1)
    rest = iter(windows)
    for dim in range(len(scatter.inputs[0].type.shape)):
        line = by_dim.get(dim, nowhere)
        if dim not in inserted:
            if line.dim is not None:
                return None
            dims.append(next(rest))
        else:
            dims.append(None if line.dim is None else scattered[line.dim])
    used = [dim for dim in dims if dim is not None]
    if used != sorted(set(used)) or any(size > 1 for dim, size in enumerate(shape) if dim not in used):
        return None
    every = [by_dim.get(dim, nowhere) for dim in range(len(dims))]
    counts = tuple(1 if dim is None else shape[dim] for dim in dims)
    return Placed(update, tuple(dims), tuple(x.start for x in every), tuple(x.step for x in every), counts, combine)


def _lines(indices: ir.Value, vector_dim: int) -> list[_Line] | None:
    """The entries of index vectors, whose dimensions are counted without that of the vectors; None if not known."""
    joined = views.Concatenate.defining(indices)
    if joined is not None and joined.dimension == vector_dim:
        entries = [_numbers(operand) for operand in joined.inputs]
    else:
        entries = _entries(indices, vector_dim)
    found = [None if entry is None else _line(*entry, vector_dim) for entry in entries]
    known = [line for line in found if line is not None]
    return known if known and len(known) == len(found) else None


def _entries(indices: ir.Value, vector_dim: int) -> list[tuple[np.ndarray, list[int]] | None]:
    """The entries of index vectors that stand in one tensor."""
    known = _numbers(indices)
    if known is None or vector_dim not in known[1]:
        return [known]
    numbers, dims = known
    at = dims.index(vector_dim)
    others = [dim for dim in dims if dim != vector_dim]
    return [(numbers.take(entry, at), others) for entry in range(numbers.shape[at])]


def _numbers(value: ir.Value) -> tuple[np.ndarray, list[int]] | None:
    """The elements of a tensor without dimensions along which they are repeated, and the dimensions that are left."""
    dims = list(range(len(value.type.shape)))
    if (broadcast := views.BroadcastInDim.defining(value)) is not None:
        value, dims = broadcast.operand, list(broadcast.broadcast_dimensions)
    numbers = known_integers(value)
    return None if numbers is None or not numbers.size else (numbers, dims)


def _line(numbers: np.ndarray, dims: Sequence[int], vector_dim: int) -> _Line | None:
    """One entry; None if it does not rise evenly along one dimension."""
    rising = [at for at in range(numbers.ndim) if (numbers != numbers.take([0], at)).any()]
    if not rising:
        return _Line(None, int(numbers.flat[0]), 1)
    along = numbers[tuple(slice(None) if at == rising[0] else 0 for at in range(numbers.ndim))]
    start, step = int(along[0]), int(along[1] - along[0])
    dim = dims[rising[0]]
    if len(rising) > 1 or dim == vector_dim or step < 1:
        return None
    return _Line(dim - (dim > vector_dim), start, step) if _is_even(along, start, step) else None


def _is_even(numbers: np.ndarray, start: int, step: int) -> bool:
    return np.array_equal(numbers, start + step * np.arange(numbers.size))
