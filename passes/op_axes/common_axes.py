"""Common axes of every tensor of an op, by factor (spec: export-passes, 5.4).

An op can run locally when each factor of its sharding rule is sharded equally in all its tensors. Otherwise some
tensors must be resharded, and the choice of the common axes decides how much data moves. Of three cases the first that
applies decides:

1. *Compatible.* The tensors agree already: nothing moves, whatever kinds the sharded factors have.
2. *Two tensors*, say of an element-wise op with one operand. One of the two keeps its sharding and the other follows:
   the one without a sharded permutation factor, else the larger one, else the one cut into more shards.
3. *Greedy.* Every prefix of every factor's axes in any tensor is a candidate. The dearest candidate is taken, the
   others are cut so that no axis is used twice, and so on until none is left.

Cost model of the greedy choice. Keeping a candidate saves the reshard of all tensors that have these axes on this
factor, so its *weight* is the number of elements of those tensors. Among equal weights a factor that needs no
communication afterwards comes first (pass-through, then reduction, which costs an all-reduce, then permutation, which
costs halo exchanges, then replication), then the *gain*, the number of additional shards. What remains is settled by
factor index and axes, so that the result does not depend on anything but the arguments.

Axes chosen for a factor that must be replicated are given up in the end; they move to batching factors that can hold
them, since otherwise every device on those axes would do the same work.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.values.axes import (
    AxisList,
    AxisSizes,
    any_overlap,
    append_or_merge,
    is_strict_prefix,
    list_key,
    product,
    truncate,
)
from sdy.dialect.values.rule import FactorType, ShardingRule, TensorFactors
from sdy.lazy_dataclass import dataclass

Assignment = tuple[AxisList, ...]
"""Axes of every factor."""


@dataclass(frozen=True)
class RuleProjection:
    """Rule of an op with the factor shardings and element counts of operands and results.

    An element count is 0 for a tensor without a static shape.
    """

    rule: ShardingRule
    tensors: tuple[TensorFactors, ...]
    elements: tuple[int, ...]
    sizes: AxisSizes


def common_axes(projection: RuleProjection) -> Assignment:
    """The axes that every factor gets in all tensors."""
    compatible = compatible_axes(projection)
    if compatible is not None:
        return compatible
    rule = projection.rule
    non_scalars = [index for index, mapping in enumerate(rule.tensors) if mapping]
    if len(non_scalars) == 2 and not rule.need_replication and not rule.has_multi_factor_dims:
        return _follow_preferred(projection, non_scalars[0], non_scalars[1])
    assignment = _Greedy(projection).run()
    return _without_replication(rule, assignment, projection.sizes)


# Compatible --------------------------------------------------------------------------------------


def compatible_axes(projection: RuleProjection) -> Assignment | None:
    """Return the axes of each factor if all tensors agree on them and no axis is on two factors; else None."""
    rule = projection.rule
    found: list[AxisList | None] = [None] * rule.num_factors
    for tensor in projection.tensors:
        for factor, sharding in enumerate(tensor):
            if sharding is None:
                continue
            if found[factor] is None:
                found[factor] = sharding.axes
            elif found[factor] != sharding.axes:
                return None
    assignment = tuple(axis_list or () for axis_list in found)
    if any(assignment[factor] for factor in rule.need_replication):
        return None
    seen: list = []
    for axis_list in assignment:
        if any_overlap(axis_list, seen):
            return None
        seen += axis_list
    return assignment


# Two tensors -------------------------------------------------------------------------------------


def _follow_preferred(projection: RuleProjection, first: int, second: int) -> Assignment:
    def merit(index: int) -> tuple[bool, int, int]:
        tensor = projection.tensors[index]
        has_permutation = any(
            sharding is not None and sharding.axes and projection.rule.factor_types[factor] is FactorType.PERMUTATION
            for factor, sharding in enumerate(tensor)
        )
        shards = product((a for s in tensor if s is not None for a in s.all_axes), projection.sizes)
        return (not has_permutation, projection.elements[index], shards)

    if merit(second) > merit(first):
        first, second = second, first
    kept, other = projection.tensors[first], projection.tensors[second]
    used = tuple(axis for sharding in kept if sharding is not None for axis in sharding.axes)
    assignment: list[AxisList] = []
    for mine, theirs in zip(kept, other, strict=True):
        if mine is not None:
            assignment.append(mine.axes)
        else:
            assignment.append(truncate(theirs.axes, used) if theirs is not None else ())
    return tuple(assignment)


# Greedy ------------------------------------------------------------------------------------------

_CLASS = {
    FactorType.PASS_THROUGH: 3,
    FactorType.REDUCTION: 2,
    FactorType.PERMUTATION: 1,
    FactorType.NEED_REPLICATION: 0,
}


@dataclass(slots=True)
class _Candidate:
    """Axes that a factor could get, with the merits of taking them (see the module's cost model)."""

    factor: int
    axes: AxisList
    weight: int
    factor_class: int
    gain: int

    @property
    def merit(self) -> tuple:
        return (self.weight, self.factor_class, self.gain, self.factor, list_key(self.axes))


class _Greedy:
    """Run of the greedy choice."""

    def __init__(self, projection: RuleProjection):
        self.rule = projection.rule
        self.sizes = projection.sizes
        self.assignment: list[AxisList] = [()] * self.rule.num_factors
        self.candidates = _candidates(projection)
        self.full = [False] * self.rule.num_factors
        self.before = _factors_before(self.rule)

    def run(self) -> list[AxisList]:
        while free := [c for c in self.candidates if not self.is_blocked(c.factor)]:
            self.take(max(free, key=lambda candidate: candidate.merit))
        return self.assignment

    def is_blocked(self, factor: int) -> bool:
        """Return whether a major factor is not fully sharded, so that the axes of this one would be strided."""
        return not all(self.full[major] for major in self.before[factor])

    def take(self, best: _Candidate) -> None:
        factor, taken = best.factor, best.axes
        self.assignment[factor] = taken
        taken_shards = product(taken, self.sizes)
        if taken_shards == self.rule.factor_sizes[factor]:
            self.full[factor] = True
        self.candidates = [c for c in self.candidates if self.update(c, factor, taken, taken_shards)]

    def update(self, candidate: _Candidate, factor: int, taken: AxisList, taken_shards: int) -> bool:
        """Restrict `candidate` to the axes that are still free; return False if none is left."""
        if candidate.factor == factor:
            if not is_strict_prefix(taken, candidate.axes):
                return False
            candidate.gain = product(candidate.axes, self.sizes) // taken_shards
            return True
        rest = truncate(candidate.axes, taken)
        if rest == candidate.axes:
            # The gain counts all shards here, also those that the factor has already; the choice depends on it.
            candidate.gain = product(rest, self.sizes)
            return True
        own = self.assignment[candidate.factor]
        if rest == own:
            return False
        candidate.axes = rest
        candidate.gain = product(rest, self.sizes) // product(own, self.sizes)
        return True


def _candidates(projection: RuleProjection) -> list[_Candidate]:
    """Return all prefixes, by whole axes, of the axes of every factor in every tensor."""
    rule, sizes = projection.rule, projection.sizes
    prefixes: dict[tuple[int, AxisList], None] = {}
    for tensor in projection.tensors:
        for factor, sharding in enumerate(tensor):
            if sharding is not None:
                for length in range(1, len(sharding.axes) + 1):
                    prefixes[factor, sharding.axes[:length]] = None
    return [
        _Candidate(
            factor,
            axis_list,
            _weight(projection, factor, axis_list),
            _CLASS[rule.factor_types[factor]],
            product(axis_list, sizes),
        )
        for factor, axis_list in prefixes
    ]


def _weight(projection: RuleProjection, factor: int, axis_list: AxisList) -> int:
    """Elements of all tensors whose axes on `factor` start with `axis_list`."""
    weight = 0
    for tensor, elements in zip(projection.tensors, projection.elements, strict=True):
        sharding = tensor[factor]
        if sharding is not None and (sharding.axes == axis_list or is_strict_prefix(axis_list, sharding.axes)):
            weight += elements
    return weight


def _factors_before(rule: ShardingRule) -> list[list[int]]:
    """Return, for every factor, the factors directly before it in some dimension of some tensor."""
    before: list[list[int]] = [[] for _ in range(rule.num_factors)]
    for mapping in rule.tensors:
        for dim in mapping:
            for major, minor in zip(dim, dim[1:], strict=False):
                if major not in before[minor]:
                    before[minor].append(major)
    return before


# Factors that need replication -------------------------------------------------------------------


def _without_replication(rule: ShardingRule, assignment: Sequence[AxisList], sizes: AxisSizes) -> Assignment:
    """Clears the factors that need replication; their axes go to batching factors if all tensors have both."""
    out = [list(axis_list) for axis_list in assignment]
    for factor in rule.need_replication:
        queue, out[factor] = out[factor], []
        if not rule.is_in_all_non_scalars(factor):
            continue
        for batching in rule.batching_factors:
            size, shards = rule.factor_sizes[batching], product(out[batching], sizes)
            if size == 0 or size % shards:
                continue
            capacity = size // shards
            while queue and capacity % queue[0].size(sizes) == 0:
                axis = queue.pop(0)
                append_or_merge(out[batching], axis, sizes)
                capacity //= axis.size(sizes)
    return tuple(map(tuple, out))
