"""Sharding rules (spec: sharding-rules, 1) and the edges along which propagation moved axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sdy.dialect.values.axes import AxisRef


class FactorType(Enum):
    """What a sharded factor costs."""

    PASS_THROUGH = 0
    REDUCTION = 1
    NEED_REPLICATION = 2
    PERMUTATION = 3

    __hash__ = object.__hash__  # Enum's own is written in Python


DimMapping = tuple[int, ...]
"""Factors of one dimension, major to minor."""

TensorMapping = tuple[DimMapping, ...]
"""Factors of each dimension of one operand or result."""


@dataclass(frozen=True)
class ShardingRule:
    """The factors of an op and where each occurs.

    `factor_sizes[f]` is the size of factor f. The four lists hold ascending factor indices; a factor in none of the
    first three passes through. `is_custom` marks a rule that the user wrote and that passes must keep.
    """

    factor_sizes: tuple[int, ...]
    operands: tuple[TensorMapping, ...]
    results: tuple[TensorMapping, ...]
    reduction: tuple[int, ...] = ()
    need_replication: tuple[int, ...] = ()
    permutation: tuple[int, ...] = ()
    blocked_propagation: tuple[int, ...] = ()
    is_custom: bool = False

    @staticmethod
    def identity(shape: Iterable[int], operands: int = 1, results: int = 1) -> ShardingRule:
        """One pass-through factor per dimension, in every operand and result (section 2.4)."""
        sizes = tuple(shape)
        mapping = tuple((dim,) for dim in range(len(sizes)))
        return ShardingRule(sizes, (mapping,) * operands, (mapping,) * results)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.factor_sizes, self.operands, self.results, *self._lists, self.is_custom))

    @property
    def _lists(self) -> tuple[tuple[int, ...], ...]:
        return (self.reduction, self.need_replication, self.permutation, self.blocked_propagation)

    def __str__(self) -> str:
        text = f"<({_mappings(self.operands)})->({_mappings(self.results)})"
        if self.factor_sizes:
            sizes = ", ".join(f"{factor_symbol(f)}={size}" for f, size in enumerate(self.factor_sizes))
            text += f" {{{sizes}}}"
        names = ("reduction", "need_replication", "permutation", "blocked_propagation")
        for name, factors in zip(names, self._lists, strict=True):
            if factors:
                text += f" {name}={{{', '.join(map(factor_symbol, factors))}}}"
        return text + (", custom>" if self.is_custom else ">")

    @property
    def num_factors(self) -> int:
        return len(self.factor_sizes)

    @property
    def tensors(self) -> tuple[TensorMapping, ...]:
        """Mappings of the operands, then of the results."""
        return self.operands + self.results

    @cached_property
    def factor_types(self) -> tuple[FactorType, ...]:
        types = [FactorType.PASS_THROUGH] * self.num_factors
        for factor in self.permutation:
            types[factor] = FactorType.PERMUTATION
        for factor in self.need_replication:
            types[factor] = FactorType.NEED_REPLICATION
        for factor in self.reduction:
            types[factor] = FactorType.REDUCTION
        return tuple(types)

    @cached_property
    def batching_factors(self) -> tuple[int, ...]:
        """Pass-through factors that occur in every tensor of rank > 0."""
        return tuple(
            factor
            for factor in range(self.num_factors)
            if self.factor_types[factor] is FactorType.PASS_THROUGH and self.is_in_all_non_scalars(factor)
        )

    def is_in_all_non_scalars(self, factor: int) -> bool:
        return all(contains_factor(mapping, factor) for mapping in self.tensors if mapping)

    @property
    def has_multi_factor_dims(self) -> bool:
        return any(len(dim) > 1 for mapping in self.tensors for dim in mapping)


def contains_factor(mapping: TensorMapping, factor: int) -> bool:
    return any(factor in dim for dim in mapping)


def factor_symbol(factor: int) -> str:
    """0..17 are i..z, then z_1, z_2, ..."""
    return chr(ord("i") + factor) if factor < 18 else f"z_{factor - 17}"


def _mappings(mappings: Iterable[TensorMapping]) -> str:
    return ", ".join("[" + ", ".join(dim_mapping_text(dim) for dim in mapping) + "]" for mapping in mappings)


def dim_mapping_text(dim: DimMapping) -> str:
    return "".join(map(factor_symbol, dim))


class EdgeNode(Enum):
    """Whether an edge end is an operand or a result."""

    OPERAND = 0
    RESULT = 1


@dataclass(frozen=True, slots=True)
class EdgeValueRef:
    """Operand or result number `index` of the op that carries the record."""

    node: EdgeNode
    index: int

    def __str__(self) -> str:
        return f"{self.node.name.lower()}-{self.index}"


@dataclass(frozen=True, slots=True)
class AxisToPropagationDetails:
    """One axis went from `source` to `targets`."""

    axis: AxisRef
    source: EdgeValueRef
    targets: tuple[EdgeValueRef, ...]

    def __str__(self) -> str:
        return f"{{{self.axis} = {self.source} -> [{', '.join(map(str, self.targets))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationOneStep:
    """All that travelled across the op at one step."""

    step_index: int
    axis_entries: tuple[AxisToPropagationDetails, ...]

    def __str__(self) -> str:
        return f"{{step-{self.step_index} = [{', '.join(map(str, self.axis_entries))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationEdges:
    """The steps of one op, in order."""

    steps: tuple[PropagationOneStep, ...]

    def __iter__(self) -> Iterator[PropagationOneStep]:
        return iter(self.steps)

    def __str__(self) -> str:
        return f"<[{', '.join(map(str, self.steps))}]>"
