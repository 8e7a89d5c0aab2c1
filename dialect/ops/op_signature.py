"""Inputs of sharding rules, and a builder of rules factor by factor (spec: sharding-rules, 2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.values.rule import FactorType, ShardingRule, TensorMapping
from sdy.mlir import ir

Shape = tuple[int, ...]
"""Sizes of the dimensions; a dynamic size is negative."""

Look = Callable[[ir.Operation], Hashable]
"""A question about an op and what is around or in it."""


class OpSignature:
    """An op as the builder of its rule sees it.

    All reads through this class are recorded. Another op of the same name and types with the same reads gets the same
    rule without another call of the builder. A builder that depends on more (on the ops around, or on regions) reads it
    by `look`, or takes `operation`; in the latter case every op gets a new rule.
    """

    def __init__(self, operation: ir.Operation, conservative: bool = False) -> None:
        self._operation = operation
        self._attributes = operation.attributes
        self.conservative = conservative
        """True if axes that do not divide a dimension must not pass through the op (spec: sharding-rules, 7)."""
        self.operands: tuple[Shape | None, ...] = tuple(_shape(value.type) for value in operation.operands)
        """Shape of each operand; None for what has none (a token, say)."""
        self.results: tuple[Shape | None, ...] = tuple(_shape(value.type) for value in operation.results)
        """Shape of each result; None for what has none."""
        self.attributes_read: list[str] = []
        """Names of the attributes that were asked for, found or not."""
        self.looks: list[Look] = []
        """Questions that were asked about the op."""
        self.looked_beyond = False
        """True if `operation` was read."""

    @property
    def operation(self) -> ir.Operation:
        self.looked_beyond = True
        return self._operation

    def look(self, question: Look) -> Hashable:
        """The answer of `question` about the op.

        The function is called for every op of that name (or call target), so it must be the same function each time.
        """
        self.looks.append(question)
        return question(self._operation)

    @property
    def name(self) -> str:
        return self._operation.name

    def operand(self, index: int) -> Shape:
        """Shape of an operand; ValueError if the op has no such operand, or it has no shape."""
        return _shape_at(self.operands, index, "operand")

    def result(self, index: int) -> Shape:
        """Shape of a result; ValueError if the op has no such result, or it has no shape."""
        return _shape_at(self.results, index, "result")

    def attribute(self, name: str) -> Any:
        """The attribute `name`; None if the op lacks it."""
        self.attributes_read.append(name)
        return self._attributes.get(name)

    def required(self, name: str) -> Any:
        """The attribute `name`; ValueError if the op lacks it."""
        value = self.attribute(name)
        if value is None:
            raise ValueError(f"the op has no attribute '{name}'")
        return value

    def integer(self, name: str, default: int = 0) -> int:
        """Value of an integer attribute; `default` if the op lacks it."""
        value = self.attribute(name)
        return default if value is None else value.value

    def integers(self, name: str) -> tuple[int, ...]:
        """Values of an array attribute; ValueError if the op lacks it."""
        return tuple(self.required(name))

    def optional_integers(self, name: str) -> tuple[int, ...] | None:
        """Values of an array or dense attribute in row-major order; None if the op lacks it."""
        value = self.attribute(name)
        return None if value is None else tuple(value)

    def string(self, name: str) -> str:
        """Value of a string attribute; ValueError if the op lacks it."""
        return self.required(name).value

    def flag(self, name: str) -> bool:
        """Value of a boolean attribute; False if the op lacks it."""
        value = self.attribute(name)
        return value is not None and value.value


def _shape(type_: ir.Type) -> Shape | None:
    type_ = sharded_type(type_)
    if not isinstance(type_, ir.ShapedType) or not type_.has_rank:
        return None
    return tuple(type_.shape)


def _shape_at(shapes: Sequence[Shape | None], index: int, what: str) -> Shape:
    shape = shapes[index] if index < len(shapes) else None
    if shape is None:
        raise ValueError(f"{what} {index} has no shape" if index < len(shapes) else f"the op has no {what} {index}")
    return shape


PASS_THROUGH = FactorType.PASS_THROUGH
REDUCTION = FactorType.REDUCTION
NEED_REPLICATION = FactorType.NEED_REPLICATION
PERMUTATION = FactorType.PERMUTATION

_Dims = list[list[int]]


class RuleBuilder:
    """Collects the factors of the rule of one op.

    A factor's index is its position in the order of creation. When the rule is built, each dimension without a factor
    gets its own factor of size 1.
    """

    def __init__(self, op: OpSignature) -> None:
        self._sizes: list[int] = []
        self._operands: list[_Dims] = [[[] for _ in shape or ()] for shape in op.operands]
        self._results: list[_Dims] = [[[] for _ in shape or ()] for shape in op.results]
        self._kinds: dict[FactorType, list[int]] = {kind: [] for kind in FactorType}
        self._blocked: list[int] = []

    def factor(
        self,
        size: int,
        operands: Mapping[int, int] | None = None,
        results: Mapping[int, int] | None = None,
        kind: FactorType = PASS_THROUGH,
        blocked: bool = False,
    ) -> None:
        """A factor in one dimension each of some operands and results, given as {number of the value: dimension}.

        A dimension of size 1 that already has a factor is left out. ValueError if a dimension does not exist.
        """
        index = self._create(size, kind, blocked)
        for tensors, what, targets in ((self._operands, "operand", operands), (self._results, "result", results)):
            for number, dim in (targets or {}).items():
                if number >= len(tensors) or not 0 <= dim < len(tensors[number]):
                    raise ValueError(f"{what} {number} has no dimension {dim}")
                factors = tensors[number][dim]
                if size != 1 or not factors:
                    factors.append(index)

    def align(self, dim: int, size: int, kind: FactorType = PASS_THROUGH, blocked: bool = False) -> None:
        """A factor in dimension `dim` of every operand and result that is not a scalar."""
        self._append(dim, self._operands + self._results, self._create(size, kind, blocked))

    def align_operands(self, dim: int, size: int, kind: FactorType = PASS_THROUGH, blocked: bool = False) -> None:
        """A factor in dimension `dim` of every operand that is not a scalar."""
        self._append(dim, self._operands, self._create(size, kind, blocked))

    def align_results(self, dim: int, size: int, kind: FactorType = PASS_THROUGH, blocked: bool = False) -> None:
        """A factor in dimension `dim` of every result that is not a scalar."""
        self._append(dim, self._results, self._create(size, kind, blocked))

    def build(self) -> ShardingRule:
        operands = tuple(self._finish(dims) for dims in self._operands)
        results = tuple(self._finish(dims) for dims in self._results)
        return ShardingRule(
            tuple(self._sizes),
            operands,
            results,
            reduction=tuple(self._kinds[REDUCTION]),
            need_replication=tuple(self._kinds[NEED_REPLICATION]),
            permutation=tuple(self._kinds[PERMUTATION]),
            blocked_propagation=tuple(self._blocked),
        )

    def _create(self, size: int, kind: FactorType, blocked: bool) -> int:
        index = len(self._sizes)
        self._sizes.append(size)
        self._kinds[kind].append(index)
        if blocked:
            self._blocked.append(index)
        return index

    def _append(self, dim: int, tensors: Iterable[_Dims], factor: int) -> None:
        for dims in tensors:
            if not dims:
                continue
            if dim >= len(dims):
                raise ValueError(f"an operand or result of rank {len(dims)} has no dimension {dim}")
            dims[dim].append(factor)

    def _finish(self, dims: _Dims) -> TensorMapping:
        for factors in dims:
            if not factors:
                factors.append(self._create(1, PASS_THROUGH, blocked=False))
        return tuple(map(tuple, dims))


def pointwise_of_one_shape(op: OpSignature) -> ShardingRule | None:
    """Return a rule in which every dimension passes through; None if the shapes differ."""
    if len({*op.operands, *op.results}) > 1:
        return None
    rule = RuleBuilder(op)
    for dim, size in enumerate(op.result(0)):
        rule.align(dim, size)
    return rule.build()


def pointwise(op: OpSignature) -> ShardingRule | None:
    """Dimension d of every operand and result is factor d, sized as in the first result (spec: sharding-rules, 2.3).

    The dimensions of a value of lower rank are the leading factors. None if the first result has no shape; ValueError
    if some value has a higher rank than it.
    """
    shape = op.results[0] if op.results else None
    if shape is None:
        return None
    factors = tuple((dim,) for dim in range(len(shape)))

    def mapping(other: Shape | None) -> TensorMapping:
        rank = len(other or ())
        if rank > len(factors):
            raise ValueError(f"a value of rank {rank} does not fit the first result of rank {len(factors)}")
        return factors[:rank]

    return ShardingRule(shape, tuple(map(mapping, op.operands)), tuple(map(mapping, op.results)))


def sliced_rule(op: OpSignature, kind: FactorType, *, blocked: bool) -> ShardingRule:
    """Pointwise, with factors of this kind where a part of a dimension is taken."""
    rule = RuleBuilder(op)
    for dim, (size, sliced_size) in enumerate(zip(op.operand(0), op.result(0), strict=True)):
        if size == sliced_size:
            rule.align(dim, size)
        else:
            rule.align(dim, size, kind, blocked=blocked)
    return rule.build()
