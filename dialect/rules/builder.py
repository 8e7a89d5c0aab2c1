"""Building a sharding rule factor by factor (spec: sharding-rules, 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sdy.dialect.ops.op_signature import OpSignature, Shape
from sdy.dialect.values.rule import FactorType, ShardingRule, TensorMapping

PASS_THROUGH = FactorType.PASS_THROUGH
REDUCTION = FactorType.REDUCTION
NEED_REPLICATION = FactorType.NEED_REPLICATION
PERMUTATION = FactorType.PERMUTATION

_Dims = list[list[int]]


class RuleBuilder:
    """Collects the factors of the rule of one op.

    A factor's index is its place in the order of creation. Dimensions that are left without a factor get one of their
    own, of size 1, when the rule is built.
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

        A dimension that has a factor already is left out if the size is 1. ValueError if a dimension does not exist.
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
    """Every dimension passes through; None if the shapes differ."""
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
