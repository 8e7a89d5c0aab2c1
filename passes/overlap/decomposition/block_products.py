"""Results that come about block by block, as the blocks of a gathered tensor arrive (spec: async, 15.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import remade
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.overlap.decomposition.blocks import converted, cut, neutral, put, replayed, sum_element
from sdy.passes.overlap.decomposition.cut_products import CutProduct
from sdy.passes.overlap.decomposition.dot_dimensions import dot_dimensions
from sdy.stablehlo import ops, views
from sdy.stablehlo.ops.values import Value


class BlockResult(Protocol):
    """What becomes of the blocks of one tensor."""

    @property
    def whole(self) -> ir.Value:
        """The value that it stands for."""
        ...

    def initial(self) -> Value:
        """What there is before the first block."""
        ...

    def after(self, state: Value | None, block: Value, number: Value) -> Value:
        """What there is after a block; without a state it is the first one."""
        ...

    def finished(self, state: Value) -> Value:
        """The result, once all blocks have been there."""
        ...


@dataclass(frozen=True)
class GatheredTensor:
    """The gathered tensor itself, for those who need it as a whole."""

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
    """A product: operand `side` is what the links of `chain` make of the gathered tensor, whose dimension is `dim`.

    Along a contracted dimension the products of blocks are added up, in `f32` if `wide` and they are narrower. Along
    others they are blocks of the result.
    """

    dot: ir.Operation
    side: int
    dim: int
    chain: tuple[ir.Operation, ...]
    wide: bool

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
        """What is read and written at each of the blocks besides the product."""
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
            list(self.whole.type.shape), sum_element(element, wide=self.wide) if self.is_sum else element
        )

    def _other(self, number: Value, size: int) -> Value:
        """The other operand, or the block of it that goes with a block."""
        other = Value(self.dot.operands[1 - self.side])
        partner = dot_dimensions(self.dot).partner(self.side, self.dim)
        return other if partner is None else cut(other, partner, number, size)

    def _product(self, operand: Value, other: Value) -> Value:
        pair = (other, operand) if self.side else (operand, other)
        return product(self.dot, pair, self._state_type.element_type)


def product(dot: ir.Operation, operands: tuple[Value, Value], element: ir.Type) -> Value:
    """The same product of other operands, with elements of type `element`."""
    dims = dot_dimensions(dot)
    sizes = [operand.type.shape for operand in operands]
    shape = [sizes[0][dim] for dim in dims.batching[0]]
    shape += [sizes[side][dim] for side in (0, 1) for dim in dims.free(side)]
    made = remade(dot, operands, [ir.RankedTensorType.get(shape, element)], ip=ir.InsertionPoint.current)
    return Value(made.results[0])


def may_be_added(dot: ir.Operation) -> bool:
    """Whether products of parts may be added up: an algorithm, if given, has to do so in the type of the result."""
    algorithm = views.DotGeneral(dot).algorithm
    return algorithm is None or algorithm.accumulation_type == dot.results[0].type.element_type
