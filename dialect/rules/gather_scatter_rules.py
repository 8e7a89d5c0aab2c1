"""Gather and scatter (spec: sharding-rules, 5.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from sdy.dialect.rules.builder import NEED_REPLICATION, PASS_THROUGH, REDUCTION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature, Shape
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting.insertion import terminator
from sdy.stablehlo.idioms.reduction_bodies import combining_ops, is_reduction


@built_in_rule("stablehlo.gather")
def gather(op: OpSignature) -> ShardingRule:
    """Batch dimensions pass through; of the input's, those that an index selects from reduce where one element is
    taken and are replicated where more are."""
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


@built_in_rule("stablehlo.scatter")
def scatter(op: OpSignature) -> ShardingRule:
    """The mirror image of gather; updates for one element may come from many devices only if they are combined by a
    plain reduction."""
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


class _Dims(NamedTuple):
    """Which dimensions are which, in words that hold for both."""

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
    """The walk over the slices' dimensions, which gather and scatter have in common."""

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
    """Whether the body combines argument k and argument N+k to result k, for all k by the same reduction."""
    body = scatter.regions[0]
    names, values = combining_ops(body), terminator(body.blocks[0]).operands
    if names is None or len(set(names)) != 1:
        return False
    return all(is_reduction(names[0], value.type.element_type) for value in values)
