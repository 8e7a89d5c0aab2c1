"""Products in blocks: the dimensions, the cuts, and the computation of one block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import remade
from sdy.mlir.tensor_types import byte_size
from sdy.stablehlo import ops, views
from sdy.stablehlo.ops.regions import Value

DOTS = ("stablehlo.dot_general", "stablehlo.dot")

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Dimensions of the left and of the right operand, one by one for each other."""


@dataclass(frozen=True)
class DotDimensions:
    """Dimensions of a dot of two operands of `ranks`; those of the result are batch, free left, free right.

    `side` is 0 for the left operand and 1 for the right one.
    """

    batching: Pair
    contracting: Pair
    ranks: tuple[int, int]

    def free(self, side: int) -> tuple[int, ...]:
        taken = (*self.batching[side], *self.contracting[side])
        return tuple(dim for dim in range(self.ranks[side]) if dim not in taken)

    def partner(self, side: int, dim: int) -> int | None:
        """Return the dimension of the other operand that is contracted or batched with `dim`; None for a free one."""
        for pairs in (self.batching, self.contracting):
            if dim in pairs[side]:
                return pairs[1 - side][pairs[side].index(dim)]
        return None

    def result_dim(self, side: int, dim: int) -> int | None:
        """Return the result dimension of `dim`; None for a contracted one."""
        if dim in self.contracting[side]:
            return None
        if dim in self.batching[side]:
            return self.batching[side].index(dim)
        before = len(self.batching[0]) + (len(self.free(0)) if side else 0)
        return before + self.free(side).index(dim)

    def operand_dims(self, result_dim: int) -> tuple[int | None, int | None]:
        """Return the dimension of each operand for `result_dim`; None for an operand without it."""
        batches, left = len(self.batching[0]), self.free(0)
        if result_dim < batches:
            return self.batching[0][result_dim], self.batching[1][result_dim]
        if result_dim < batches + len(left):
            return left[result_dim - batches], None
        return None, self.free(1)[result_dim - batches - len(left)]


def dot_dimensions(op: ir.Operation) -> DotDimensions:
    """Return the dimensions of a `stablehlo.dot_general` or `stablehlo.dot`."""
    ranks = (len(op.operands[0].type.shape), len(op.operands[1].type.shape))
    if op.name == "stablehlo.dot":
        return DotDimensions(((), ()), ((ranks[0] - 1,), (0,)), ranks)
    lhs_batching, rhs_batching, lhs_contracting, rhs_contracting = views.DotGeneral(op).dot_dimension_numbers
    return DotDimensions((lhs_batching, rhs_batching), (lhs_contracting, rhs_contracting), ranks)


@dataclass(frozen=True)
class CutProduct:
    """A product cut along dimension `cut[side]` of operand `side`; None for an operand without a cut.

    `result_element` is the element type in which blocks are computed.
    """

    dot: ir.Operation
    cut: tuple[int | None, int | None]
    result_element: ir.Type

    @property
    def element(self) -> str:
        """The element type that decides how fast it is computed."""
        return str(self.dot.operands[0].type.element_type)

    def operations(self, parts: int, tile: int) -> float:
        """Return the operations of one of `parts` blocks, its rows rounded up to a multiple of `tile`."""
        dims = dot_dimensions(self.dot)
        left, right = (self._sizes(side, parts) for side in (0, 1))
        rows = math.prod(left[dim] for dim in dims.free(0))
        columns = math.prod(right[dim] for dim in dims.free(1))
        depth = math.prod(left[dim] for dim in (*dims.batching[0], *dims.contracting[0]))
        return 2.0 * (math.ceil(rows / tile) * tile) * columns * depth

    def bytes_touched(self, parts: int) -> float:
        """Return the bytes of operands and result of one of `parts` blocks."""
        kept = [
            byte_size(value.type) / (1 if dim is None else parts)
            for value, dim in zip(self.dot.operands, self.cut, strict=True)
        ]
        result = self.dot.results[0].type
        if parts > 1:
            result = ir.RankedTensorType.get(list(result.shape), self.result_element)
        return sum(kept) + byte_size(result) / (1 if self.is_sum else parts)

    @property
    def is_sum(self) -> bool:
        """Return whether the result is the sum of the blocks."""
        return any(
            dim is not None and dim in dims
            for dim, dims in zip(self.cut, dot_dimensions(self.dot).contracting, strict=True)
        )

    def _sizes(self, side: int, parts: int) -> list[int]:
        shape = list(self.dot.operands[side].type.shape)
        dim = self.cut[side]
        if dim is not None:
            shape[dim] //= parts
        return shape


_WIDE_BITS = 32


def cut(tensor: Value, dim: int, number: Value, size: int) -> Value:
    """Block `number` of `tensor`, of `size` elements along `dim`."""
    shape = list(tensor.type.shape)
    shape[dim] = size
    return ops.dynamic_slice(tensor, _start(len(shape), dim, number, size), shape)


def put(tensor: Value, block: Value, dim: int, number: Value) -> Value:
    """Return `tensor` with the block of that number replaced by `block`."""
    return ops.dynamic_update_slice(tensor, block, _start(block.type.rank, dim, number, block.type.shape[dim]))


def _start(rank: int, dim: int, number: Value, size: int) -> list[Value]:
    zero = ops.constant(0, "i32")
    start = number * size if size > 1 else number
    return [start if at == dim else zero for at in range(rank)]


def with_dim(type_: ir.RankedTensorType, dim: int, size: int) -> ir.RankedTensorType:
    """`type_` with another size of one dimension."""
    shape = list(type_.shape)
    shape[dim] = size
    return ir.RankedTensorType.get(shape, type_.element_type)


def with_element(type_: ir.RankedTensorType, element: ir.Type) -> ir.RankedTensorType:
    """`type_` with other elements."""
    return ir.RankedTensorType.get(list(type_.shape), element)


def converted(tensor: Value, element: ir.Type) -> Value:
    """Return `tensor` converted to other elements, or itself if it has them already."""
    return tensor if tensor.type.element_type == element else ops.convert(tensor, element)


def neutral(type_: ir.RankedTensorType) -> Value:
    """Return the identity of a sum: -0.0, because 0.0 turns -0.0 into 0.0."""
    return ops.constant(0 if isinstance(type_.element_type, ir.IntegerType) else _negative_zero(type_), type_)


def _negative_zero(type_: ir.RankedTensorType) -> complex:
    return complex(-0.0, -0.0) if isinstance(type_.element_type, ir.ComplexType) else -0.0


def sum_element(element: ir.Type, dot: ir.Operation) -> ir.Type:
    """Return the element type in which to add up products: `f32` for narrower floats, if `dot` has no algorithm."""
    if "algorithm" not in dot.attributes and isinstance(element, ir.FloatType) and element.width < _WIDE_BITS:
        return ir.F32Type.get()
    return element


def replayed(chain: Sequence[ir.Operation], block: Value) -> Value:
    """Apply converts and transposes to a block in place of the whole tensor."""
    for op in chain:
        if (transpose := views.Transpose.match(op)) is not None:
            block = ops.transpose(block, transpose.permutation, loc=op.location)
        else:
            block = ops.convert(block, op.results[0].type.element_type, loc=op.location)
    return block


class BlockResult(Protocol):
    """Accumulator of the blocks of one tensor."""

    @property
    def whole(self) -> ir.Value:
        """Return the whole value."""
        ...

    def initial(self) -> Value:
        """Return the state before the first block."""
        ...

    def after(self, state: Value | None, block: Value, number: Value) -> Value:
        """Return the state after a block; no state means it is the first one."""
        ...

    def finished(self, state: Value) -> Value:
        """Return the result after all blocks."""
        ...


@dataclass(frozen=True)
class GatheredTensor:
    """Return the gathered tensor as a whole."""

    whole: ir.Value
    dim: int

    def initial(self) -> Value:
        return ops.constant(0, self.whole.type)

    def after(self, state: Value | None, block: Value, number: Value) -> Value:
        return put(self.initial() if state is None else state, block, self.dim, number)

    def finished(self, state: Value) -> Value:
        return state


@dataclass(frozen=True)
class BlockProduct:
    """A product whose operand `side` comes from the gathered tensor through the ops of `chain`; `dim` is its dimension.

    Along a contracted dimension the products of blocks are summed, in `f32` if they are narrower. Along
    others they are blocks of the result.
    """

    dot: ir.Operation
    side: int
    dim: int
    chain: tuple[ir.Operation, ...]

    @property
    def whole(self) -> ir.Value:
        return self.dot.results[0]

    @property
    def is_sum(self) -> bool:
        return self._result_dim is None

    @property
    def cut(self) -> CutProduct:
        partner = dot_dimensions(self.dot).partner(self.side, self.dim)
        cut = (partner, self.dim) if self.side else (self.dim, partner)
        return CutProduct(self.dot, cut, self._state_type.element_type)

    def bytes_beside(self, blocks: int) -> float:
        """Return the bytes read and written at each block besides the product."""
        other = self.cut.cut[1 - self.side]
        read = 0 if other is None else 2 * byte_size(self.dot.operands[1 - self.side].type) / blocks
        state, result = byte_size(self._state_type), byte_size(self.whole.type)
        if not self.is_sum:
            return read + 2 * state / blocks
        converted = (state + result) / blocks if state != result else 0  # once, at the end
        return read + 3 * state + converted

    def initial(self) -> Value:
        return neutral(self._state_type) if self.is_sum else ops.constant(0, self._state_type)

    def after(self, state: Value | None, block: Value, number: Value) -> Value:
        operand = replayed(self.chain, block)
        part = self._product(operand, self._other(number, operand.type.shape[self.dim]))
        if self._result_dim is not None:
            return put(self.initial() if state is None else state, part, self._result_dim, number)
        return part if state is None else state + part

    def finished(self, state: Value) -> Value:
        return converted(state, self.whole.type.element_type)

    @property
    def _result_dim(self) -> int | None:
        return dot_dimensions(self.dot).result_dim(self.side, self.dim)

    @property
    def _state_type(self) -> ir.RankedTensorType:
        element = self.whole.type.element_type
        return ir.RankedTensorType.get(
            list(self.whole.type.shape), sum_element(element, self.dot) if self.is_sum else element
        )

    def _other(self, number: Value, size: int) -> Value:
        """Return the other operand, or its block that matches a block."""
        other = Value(self.dot.operands[1 - self.side])
        partner = dot_dimensions(self.dot).partner(self.side, self.dim)
        return other if partner is None else cut(other, partner, number, size)

    def _product(self, operand: Value, other: Value) -> Value:
        pair = (other, operand) if self.side else (operand, other)
        return product(self.dot, pair, self._state_type.element_type)


def product(dot: ir.Operation, operands: tuple[Value, Value], element: ir.Type) -> Value:
    """Make the product `dot` of other operands, with elements of type `element`."""
    dims = dot_dimensions(dot)
    sizes = [operand.type.shape for operand in operands]
    shape = [sizes[0][dim] for dim in dims.batching[0]]
    shape += [sizes[side][dim] for side in (0, 1) for dim in dims.free(side)]
    made = remade(dot, operands, [ir.RankedTensorType.get(shape, element)], ip=ir.InsertionPoint.current)
    return Value(made.results[0])


def may_be_added(dot: ir.Operation) -> bool:
    """Return whether products of parts may be added up: the algorithm accumulates in the type of the result."""
    algorithm = views.DotGeneral(dot).algorithm
    return algorithm is None or algorithm.accumulation_type == dot.results[0].type.element_type
