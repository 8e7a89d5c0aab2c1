"""Agreement of the shardings of an op's operands and results, and the shardings to use where they disagree.

The factors of an op's sharding rule define the parts that a device can compute alone. A pass-through factor may be
sharded if all its tensors are sharded equally. A reduction factor may be sharded in the operands if the partial results
are combined afterwards. All other factors have to be replicated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.values.axes import AxisList, any_overlap, common_prefix, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    FactorSharding,
    FactorType,
    ShardingRule,
    TensorFactors,
    TensorMapping,
    contains_factor,
    from_factors,
    to_factors,
)
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass

Shardings = tuple[TensorSharding | None, ...]


@dataclass(frozen=True)
class Agreement:
    """Layouts of an op's operands and results with which every device computes its own part.

    `is_given` tells that they are the given layouts.
    """

    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    is_given: bool


def agree(
    rule: ShardingRule,
    operands: Sequence[Layout],
    results: Sequence[Layout],
    layouts: Layouts,
    *,
    reductions: bool = False,
    whole: frozenset[int] = frozenset(),
) -> Agreement:
    """Layouts that fit `rule`, as close to the given ones as possible.

    Args:
      rule: the sharding rule of the op.
      operands: layouts of the operands.
      results: layouts of the results.
      layouts: makes the new layouts.
      reductions: whether the op's lowering combines partial results of reduction factors.
      whole: factors that must not be sharded, whatever the rule says.
    """
    tensors = (*operands, *results)
    found = _common_mesh((*results, *operands))
    if found is None:
        return Agreement(tuple(operands), tuple(results), True)
    ref, mesh = found
    shapes = tuple(layout.shape for layout in tensors)
    shardings = tuple(layout.sharding if layout.mesh == mesh else None for layout in tensors)
    new = _fitting(rule, shapes, shardings, len(operands), ref, mesh, reductions, whole)
    fitting = tuple(layouts.of(layout.type, sharding) for layout, sharding in zip(tensors, new, strict=True))
    is_given = all(
        fit is layout or fit.placement == layout.placement for fit, layout in zip(fitting, tensors, strict=True)
    )
    return Agreement(fitting[: len(operands)], fitting[len(operands) :], is_given)


@lru_cache(maxsize=1 << 13)
def _fitting(
    rule: ShardingRule,
    shapes: tuple[tuple[int, ...], ...],
    shardings: Shardings,
    num_operands: int,
    ref: MeshRef,
    mesh: Mesh,
    reductions: bool,
    whole: frozenset[int],
) -> Shardings:
    """The shardings of tensors that fit `rule`; the given ones are on `mesh`."""
    projected = [
        to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes)
        for sharding, mapping in zip(shardings, rule.tensors, strict=True)
    ]
    assigned = _assign(rule, projected, num_operands, reductions, whole)
    return _lay_out(rule, shapes, shardings, assigned, ref, mesh)


def _common_mesh(tensors: Sequence[Layout]) -> tuple[MeshRef, Mesh] | None:
    """The mesh of the first sharded tensor."""
    for layout in tensors:
        if layout.mesh is not None and layout.sharded_dims:
            return layout.mesh_ref, layout.mesh
    return None


def _assign(
    rule: ShardingRule, projected: Sequence[TensorFactors], num_operands: int, reductions: bool, whole: frozenset[int]
) -> list[AxisList]:
    """Assign axes to each factor: those of the first result that has it, else of the first operand."""
    assigned: list[AxisList] = []
    used: list[AxisList] = []
    in_order = [*range(num_operands, len(projected)), *range(num_operands)]
    for factor, kind in enumerate(rule.factor_types):
        may = kind is FactorType.PASS_THROUGH and any(contains_factor(mapping, factor) for mapping in rule.results)
        may |= reductions and kind is FactorType.REDUCTION
        axes: AxisList = ()
        if may and factor not in whole:
            axes = _first_axes(projected, in_order, factor)
        if any(any_overlap(axes, other) for other in used):
            axes = ()
        assigned.append(axes)
        used.append(axes)
    return assigned


def _first_axes(projected: Sequence[TensorFactors], order: Sequence[int], factor: int) -> AxisList:
    for index in order:
        sharding = projected[index][factor]
        if sharding is not None and sharding.axes and not sharding.overflow:
            return sharding.axes
    return ()


def _lay_out(
    rule: ShardingRule,
    shapes: Sequence[tuple[int, ...]],
    given: Shardings,
    assigned: list[AxisList],
    ref: MeshRef,
    mesh: Mesh,
) -> Shardings:
    """Lay out every tensor by the axes `assigned` to its factors.

    A dimension of several factors cannot hold axes of a minor factor unless the axes of the major ones cover them;
    otherwise all tensors drop such axes.
    """
    while True:
        shardings = tuple(
            _sharding(like, mapping, rule, assigned, ref, mesh)
            for like, mapping in zip(given, rule.tensors, strict=True)
        )
        held = list(assigned)
        for sharding, mapping in zip(shardings, rule.tensors, strict=True):
            factors = to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes)
            for factor, part in enumerate(factors):
                if contains_factor(mapping, factor):
                    held[factor] = common_prefix(held[factor], part.axes if part is not None else ())
        for factor in _uneven_factors(rule, shapes, shardings, mesh):
            held[factor] = ()
        if held == assigned:
            return shardings
        assigned = held


def _uneven_factors(
    rule: ShardingRule, shapes: Sequence[tuple[int, ...]], shardings: Shardings, mesh: Mesh
) -> list[int]:
    """The factors of all dimensions that their shards do not divide."""
    found: list[int] = []
    for shape, sharding, mapping in zip(shapes, shardings, rule.tensors, strict=True):
        if sharding is not None:
            for size, axes, factors in zip(shape, sharding.dim_axes, mapping, strict=False):
                found += factors if size >= 0 and size % product(axes, mesh.axis_sizes) else ()
    return found


def _sharding(
    like: TensorSharding | None,
    mapping: TensorMapping,
    rule: ShardingRule,
    assigned: Sequence[AxisList],
    ref: MeshRef,
    mesh: Mesh,
) -> TensorSharding | None:
    if not mapping:
        return like
    factors: list[FactorSharding | None] = [FactorSharding(axes, True) for axes in assigned]
    return from_factors(factors, mapping, rule.factor_sizes, mesh.axis_sizes, ref, like)
