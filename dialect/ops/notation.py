"""Sharding rules as text, and whether a rule fits an op (spec: sharding-rules, 1.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from sdy.dialect.assembly.attribute_grammar import read_rule
from sdy.dialect.op_properties import shape_of
from sdy.dialect.ops.op_signature import OpSignature, Shape
from sdy.dialect.values.rule import DimMapping, ShardingRule, TensorMapping, factor_symbol
from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

_PREFIX = lazy_pattern(r"\s*#sdy\s*\.\s*op_sharding_rule\b")


def parse_rule(text: str) -> ShardingRule:
    """The rule written as ``<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>``.

    ``#sdy.op_sharding_rule`` in front is optional. ValueError if the text is not a rule; whether the rule fits an op is
    another question.
    """
    return read_rule(_PREFIX.sub("", text, count=1))


_DIM = lazy_pattern(r"\s*(?:\(([^()]*)\)|(\.\.\.[0-9]*)|([^\W\d_]\w*))\s*")
_NAME = lazy_pattern(r"[^\W\d_]\w*")

Dim = tuple[str, ...]
"""Names of the factors of a dimension; a single name that begins with ``...`` stands for any number of dimensions."""

Tensor = tuple[Dim, ...]


def einsum_rule(
    op: OpSignature,
    notation: str,
    *,
    reduction_factors: Sequence[str] = (),
    need_replication_factors: Sequence[str] = (),
    permutation_factors: Sequence[str] = (),
    blocked_propagation_factors: Sequence[str] = (),
    **factor_sizes: int,
) -> ShardingRule:
    """Return the rule that `notation` means for the shapes of `op`.

    Factors pass through unless listed otherwise. `factor_sizes` is needed exactly for factors that never are a complete
    dimension. A factor of dimensions of different sizes has the smallest size.

    Raises:
      ValueError: the notation is wrong, or does not fit the op.
    """
    operands, results = _parse(notation)
    ranks: dict[str, int] = {}
    tensors = [*_expanded(operands, op.operands, "operand", ranks), *_expanded(results, op.results, "result", ranks)]
    sizes = _sizes(tensors, factor_sizes)
    index = {name: number for number, name in enumerate(sizes)}
    mappings = [tuple(tuple(index[name] for name in dim) for dim in dims) for dims, _ in tensors]

    def indices(names: Sequence[str]) -> tuple[int, ...]:
        for name in names:
            if name not in index:
                raise ValueError(f"'{notation}' has no factor '{name}'")
        return tuple(sorted(index[name] for name in names))

    return ShardingRule(
        tuple(sizes.values()),
        tuple(mappings[: len(operands)]),
        tuple(mappings[len(operands) :]),
        indices(reduction_factors),
        indices(need_replication_factors),
        indices(permutation_factors),
        indices(blocked_propagation_factors),
    )


# From text to names ------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _parse(notation: str) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    sides = notation.split("->")
    if len(sides) != 2:
        raise ValueError(f"a sharding rule has the form 'operands -> results', not '{notation}'")
    operands, results = (tuple(_tensor(text) for text in side.split(",")) for side in sides)
    return operands, results


def _tensor(text: str) -> Tensor:
    dims: list[Dim] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _DIM.match(text, position)
        if match is None:
            raise ValueError(f"expected factors at '{text[position:]}' in a sharding rule")
        compound, ellipsis, name = match.groups()
        if ellipsis is not None:
            if dims:
                raise ValueError(f"'...' must come first in '{text}'")
            dims.append((f"...{int(ellipsis[3:] or 0)}",))
        else:
            dims.append((name,) if compound is None else _compound(compound))
        position = match.end()
    return tuple(dims)


def _compound(text: str) -> Dim:
    names = tuple(text.split())
    if len(names) < 2 or not all(_NAME.fullmatch(name) for name in names):
        raise ValueError(f"expected at least two factors in '({text})' in a sharding rule")
    return names


# From names to factors ---------------------------------------------------------------------------

_Sized = tuple[Tensor, Shape]


def _expanded(
    tensors: Sequence[Tensor], shapes: Sequence[Shape | None], what: str, ranks: dict[str, int]
) -> Iterator[_Sized]:
    """The dimensions of each value along with its shape, with `...` written out.

    `ranks` collects the number of dimensions that each group stands for.
    """
    if len(tensors) != len(shapes):
        raise ValueError(f"the sharding rule has {len(tensors)} {what}s, the op {len(shapes)}")
    for number, (dims, shape) in enumerate(zip(tensors, shapes, strict=True)):
        shape = shape or ()
        if dims and dims[0][0].startswith("..."):
            group, *others = dims
            count = ranks.setdefault(group[0], max(len(shape) - len(others), 0))
            dims = (*((f"{group[0]}.{position}",) for position in range(count)), *others)
        if len(dims) != len(shape):
            raise ValueError(f"{what} {number} has rank {len(dims)} in the sharding rule, {len(shape)} in the op")
        yield dims, shape


def _sizes(tensors: Sequence[_Sized], given: Mapping[str, int]) -> dict[str, int]:
    """Factor sizes by name, in the order in which the factors first occur."""
    whole: dict[str, set[int]] = {}
    for dims, shape in tensors:
        for dim, size in zip(dims, shape, strict=True):
            for name in dim:
                whole.setdefault(name, set())
            if len(dim) == 1:
                whole[dim[0]].add(size)
    for name in given:
        if name not in whole:
            raise ValueError(f"a size is given for '{name}', which is not a factor of the sharding rule")
        if whole[name]:
            raise ValueError(f"a size is given for factor '{name}', whose dimension defines it")
    for name, sizes in whole.items():
        if not sizes and name not in given:
            raise ValueError(f"factor '{name}' is never a complete dimension; give its size")
        if name.startswith("...") and len(sizes) > 1:
            raise ValueError(f"'...' stands for dimensions of sizes {sorted(sizes)}")
    found = {name: min(sizes) if sizes else given[name] for name, sizes in whole.items()}
    for dims, shape in tensors:
        for dim, size in zip(dims, shape, strict=True):
            if len(dim) > 1 and math.prod(found[name] for name in dim) != size:
                raise ValueError(f"the factors ({' '.join(dim)}) do not make up a dimension of size {size}")
    return found


_Shape = tuple[int, ...]


def check_rule(op: ir.Operation, rule: ShardingRule) -> None:
    """Raises `DiagnosticError` at an op that cannot have the rule, such as one with an operand of dynamic shape."""
    shapes = [shape_of(operand) for operand in op.operands], [shape_of(result) for result in op.results]
    problem = verify_rule(rule, *shapes)
    if problem is not None:
        raise DiagnosticError(op, problem)


def verify_rule(
    rule: ShardingRule, operand_shapes: Sequence[_Shape | None], result_shapes: Sequence[_Shape | None]
) -> str | None:
    """Return the error of `rule` for an op with the given shapes; None if it is valid.

    A shape is None for a value without one (a token, say); a negative size is dynamic. A rule cannot cover either.
    """
    return (
        _verify_values(rule, rule.operands, operand_shapes, "operand")
        or _verify_values(rule, rule.results, result_shapes, "result")
        or _verify_all_factors_used(rule)
        or _verify_factor_lists(rule)
    )


def _verify_values(
    rule: ShardingRule, mappings: Sequence[TensorMapping], shapes: Sequence[_Shape | None], what: str
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


def _verify_tensor(rule: ShardingRule, mapping: TensorMapping, shape: _Shape | None) -> str | None:
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
    kinds = {"reduction": rule.reduction, "need_replication": rule.need_replication, "permutation": rule.permutation}
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
