"""When a sharding rule fits an op (spec: sharding-rules, 1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sdy.dialect.op_properties import shape_of
from sdy.dialect.values.rule import DimMapping, ShardingRule, TensorMapping, factor_symbol
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

Shape = tuple[int, ...]


def check_rule(op: ir.Operation, rule: ShardingRule) -> None:
    """Raises `DiagnosticError` at an op that cannot have the rule, such as one with an operand of dynamic shape."""
    shapes = [shape_of(operand) for operand in op.operands], [shape_of(result) for result in op.results]
    problem = verify_rule(rule, *shapes)
    if problem is not None:
        raise DiagnosticError(op, problem)


def verify_rule(
    rule: ShardingRule, operand_shapes: Sequence[Shape | None], result_shapes: Sequence[Shape | None]
) -> str | None:
    """What is wrong with `rule` on an op whose operands and results have the given shapes; None if nothing is.

    A shape is None for a value without one (a token, say); a negative size is a dynamic one. Neither can have a rule.
    """
    return (
        _verify_values(rule, rule.operands, operand_shapes, "operand")
        or _verify_values(rule, rule.results, result_shapes, "result")
        or _verify_all_factors_used(rule)
        or _verify_factor_lists(rule)
    )


def _verify_values(
    rule: ShardingRule, mappings: Sequence[TensorMapping], shapes: Sequence[Shape | None], what: str
) -> str | None:
    if len(mappings) != len(shapes):
        return f"has a sharding rule with {len(mappings)} {what} mappings for {len(shapes)} {what}s"
    if not mappings:
        return f"has a sharding rule without {what} mappings"
    for number, (mapping, shape) in enumerate(zip(mappings, shapes, strict=True)):
        problem = _verify_tensor(rule, mapping, shape)
        if problem is not None:
            return f"has a sharding rule that does not fit {what} {number}: {problem}"
    return None


def _verify_tensor(rule: ShardingRule, mapping: TensorMapping, shape: Shape | None) -> str | None:
    if shape is None or any(size < 0 for size in shape):
        return "the value has no static shape"
    if len(mapping) != len(shape):
        return f"the mapping has rank {len(mapping)}, the value {len(shape)}"
    seen: set[int] = set()
    for dim, factors in enumerate(mapping):
        problem = _verify_dim(rule, factors, seen)
        if problem is not None:
            return f"dimension {dim} {problem}"
    return None


def _verify_dim(rule: ShardingRule, factors: DimMapping, seen: set[int]) -> str | None:
    """Checks one dimension; adds its factors to those `seen` in the tensor."""
    if not factors:
        return "has no factor"
    for factor in factors:
        if not 0 <= factor < rule.num_factors:
            return f"has factor number {factor}, there are {rule.num_factors}"
        if factor in seen:
            return f"repeats factor {factor_symbol(factor)}"
        seen.add(factor)
        if len(factors) > 1 and rule.factor_sizes[factor] == 1:
            return f"has factor {factor_symbol(factor)} of size 1 besides others"
    return None


def _verify_all_factors_used(rule: ShardingRule) -> str | None:
    used = {factor for mapping in rule.tensors for factors in mapping for factor in factors}
    for factor in range(rule.num_factors):
        if factor not in used:
            return f"has a sharding rule whose factor {factor_symbol(factor)} is in no operand or result"
    return None


def _verify_factor_lists(rule: ShardingRule) -> str | None:
    kinds = {
        "reduction": rule.reduction,
        "need_replication": rule.need_replication,
        "permutation": rule.permutation,
    }
    for name, factors in {**kinds, "blocked_propagation": rule.blocked_propagation}.items():
        if list(factors) != sorted(set(factors)):
            return f"has a sharding rule whose {name} factors are not in ascending order"
        if factors and (factors[0] < 0 or factors[-1] >= rule.num_factors):
            return f"has a sharding rule whose {name} factors are not all among its {rule.num_factors} factors"
    for (name, factors), (other_name, other_factors) in combinations(kinds.items(), 2):
        for factor in factors:
            if factor in other_factors:
                return f"has a sharding rule whose factor {factor_symbol(factor)} is in {name} and {other_name}"
    for factor in rule.reduction:
        if any(factor in factors for mapping in rule.results for factors in mapping):
            return f"has a sharding rule whose reduction factor {factor_symbol(factor)} is in a result"
    return None
