"""Integers that a program computes and that are known, and the updates that they place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, terminator
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS, constant_number
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_ALWAYS = {"LT": False, "GE": True}
"""How a number that is not negative compares with one that is not positive."""


def counted_dim(value: ir.Value) -> int | None:
    """The dimension along which an integer tensor counts from 0; None if it is not known to do so.

    That is iotas and constants, through what JAX makes of them as indices: dimensions that are added, conversions,
    choices by whether a number is negative, and numbers that are kept inside of a range that all of them are in.
    """
    op = defining_op(value)
    if op is None or not value.type.has_static_shape or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    if op.name in CONSTANTS:
        return _of_constant(op)
    if (iota := views.Iota.match(op)) is not None:
        return iota.iota_dimension if _counts_fit(value.type, iota.iota_dimension) else None
    if (convert := views.Convert.match(op)) is not None:
        dim = counted_dim(convert.operand)
        return dim if dim is not None and _counts_fit(value.type, dim) else None
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        dim = counted_dim(broadcast.operand)
        return None if dim is None else broadcast.broadcast_dimensions[dim]
    if (reshape := views.Reshape.match(op)) is not None:
        return _of_reshape(reshape)
    if (select := views.Select.match(op)) is not None:
        chosen = _chosen(select)
        return None if chosen is None else counted_dim(chosen)
    return _of_limited(op)


def _counts_fit(type_: ir.RankedTensorType, dim: int) -> bool:
    """Whether the numbers of the places along a dimension do not overflow."""
    element = ir.IntegerType(type_.element_type)
    return 1 < type_.shape[dim] <= 1 << (element.width if element.is_unsigned else element.width - 1)


def _of_constant(constant: ir.Operation) -> int | None:
    attribute, shape = constant.attributes["value"], list(constant.results[0].type.shape)
    if not isinstance(attribute, ir.DenseIntElementsAttr) or attribute.is_splat:
        return None
    values = np.array(attribute).reshape(shape)
    for dim, size in enumerate(shape):
        along = [size if each == dim else 1 for each in range(len(shape))]
        if size > 1 and (values == np.arange(size).reshape(along)).all():
            return dim
    return None


def _of_reshape(reshape: views.Reshape) -> int | None:
    """Only dimensions of size 1 come or go."""
    dim = counted_dim(reshape.operand)
    before, after = (
        {each: size for each, size in enumerate(value.type.shape) if size != 1}
        for value in (reshape.operand, reshape.result)
    )
    is_same = list(before.values()) == list(after.values())
    return None if dim is None or not is_same else list(after)[list(before).index(dim)]


def _chosen(select: views.Select) -> ir.Value | None:
    """Which of two values is chosen everywhere, by a comparison of what counts with a number that is not positive."""
    compare = views.Compare.defining(select.pred)
    if compare is None or counted_dim(compare.lhs) is None or compare.comparison_direction not in _ALWAYS:
        return None
    limit = constant_number(compare.rhs)
    if limit is None or limit > 0:
        return None
    return select.on_true if _ALWAYS[compare.comparison_direction] else select.on_false


def _of_limited(op: ir.Operation) -> int | None:
    """Numbers that are no smaller than a number, or no larger, and were so before."""
    if (clamp := views.Clamp.match(op)) is not None:
        value, limits = clamp.operand, [(clamp.min, False), (clamp.max, True)]
    elif op.name in ("stablehlo.maximum", "stablehlo.minimum"):
        value, limit = op.operands if constant_number(op.operands[0]) is None else reversed(list(op.operands))
        limits = [(limit, op.name == "stablehlo.minimum")]
    else:
        return None
    dim = counted_dim(value)
    if dim is None:
        return None
    for limit, is_upper in limits:
        number = constant_number(limit)
        if number is None or (number < value.type.shape[dim] - 1 if is_upper else number > 0):
            return None
    return dim


_MOST = 1 << 14
"""More numbers are not computed."""

_DEEPEST = 64
"""Nor are those behind more ops than these."""

_COMPUTED: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "stablehlo.convert": lambda x: x,
    "stablehlo.divide": np.divide,
    "stablehlo.floor": np.floor,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.multiply": np.multiply,
    "stablehlo.select": np.where,
    "stablehlo.subtract": np.subtract,
}

_COMPARED: dict[str, Callable[..., np.ndarray]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}

_KNOWN = frozenset(_COMPUTED) | {"stablehlo.broadcast_in_dim", "stablehlo.compare", "stablehlo.reshape"}


def known_integers(value: ir.Value) -> np.ndarray | None:
    """The elements of a tensor of integers; None if they are not known.

    That is constants and iotas, moved, converted, compared, and computed with, so that it makes no difference whether
    numbers on the way have 32 or 64 bits.
    """
    if not isinstance(value.type.element_type, ir.IntegerType):
        return None
    with np.errstate(all="ignore"):
        found, more_exact = (_Elements(np.dtype(each)).of(value) for each in (np.float32, np.float64))
    is_known = found is not None and more_exact is not None and np.array_equal(found, more_exact)
    return found if is_known else None


class _Elements:
    """The elements of tensors, integers in 64 bits and numbers of 32 bits as `number`; each is computed once."""

    def __init__(self, number: np.dtype) -> None:
        self._number = number
        self._found: dict[ir.Value, np.ndarray | None] = {}

    def of(self, value: ir.Value, depth: int = 0) -> np.ndarray | None:
        """None if they are not known."""
        if value not in self._found:
            self._found[value] = self._computed(value, depth + 1)
        return self._found[value]

    def _computed(self, value: ir.Value, depth: int) -> np.ndarray | None:
        op = defining_op(value)
        if op is None or depth > _DEEPEST or not value.type.has_static_shape or math.prod(value.type.shape) > _MOST:
            return None
        shape, dtype = tuple(value.type.shape), _dtype(value.type.element_type, self._number)
        if dtype is None:
            return None
        if op.name in CONSTANTS:
            return np.array(op.attributes["value"]).reshape(shape).astype(dtype)
        if (iota := views.Iota.match(op)) is not None:
            dim = iota.iota_dimension
            return np.broadcast_to(np.arange(shape[dim], dtype=dtype).reshape(_along(shape, dim)), shape)
        operands = [self.of(operand, depth) for operand in op.operands] if op.name in _KNOWN else [None]
        known = [each for each in operands if each is not None]
        made = _made(op, known, shape) if len(known) == len(operands) else None
        if made is None or not np.isfinite(made).all():
            return None
        made = np.broadcast_to(np.trunc(made) if dtype == np.int64 else made, shape).astype(dtype)
        return made if _fits(value.type.element_type, made) else None


def _made(op: ir.Operation, operands: Sequence[np.ndarray], shape: Sequence[int]) -> np.ndarray | None:
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        return _broadcast(operands[0], shape, broadcast.broadcast_dimensions)
    if op.name == "stablehlo.reshape":
        return operands[0].reshape(shape)
    if (compare := views.Compare.match(op)) is not None:
        return _COMPARED[compare.comparison_direction](*operands)
    if op.name == "stablehlo.divide" and operands[0].dtype == np.int64:
        return None
    return _COMPUTED[op.name](*operands)


def _broadcast(x: np.ndarray, shape: Sequence[int], dims: Sequence[int]) -> np.ndarray:
    order = np.argsort(dims)
    sizes = [1] * len(shape)
    for dim, size in zip(dims, x.shape, strict=True):
        sizes[dim] = size
    return np.broadcast_to(x.transpose(order).reshape(sizes), shape)


def _along(shape: Sequence[int], dim: int) -> list[int]:
    return [size if each == dim else 1 for each, size in enumerate(shape)]


def _dtype(element: ir.Type, number: np.dtype) -> np.dtype | None:
    if isinstance(element, ir.IntegerType):
        return np.dtype(np.bool_ if element.width == 1 else np.int64)
    return {ir.F32Type: number, ir.F64Type: np.dtype(np.float64)}.get(type(element))


def _fits(element: ir.Type, numbers: np.ndarray) -> bool:
    """Whether integers are in the range of their type."""
    if not isinstance(element, ir.IntegerType) or element.width == 1 or not numbers.size:
        return True
    bits = element.width - (0 if element.is_unsigned else 1)
    return (0 if element.is_unsigned else -(1 << bits)) <= numbers.min() and int(numbers.max()) < 1 << min(bits, 63)


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
