"""Matrices that a loop carries and decomposes in each round."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.lowering.partial_results import whole_factors
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.linalg import DECOMPOSING, decomposes_matrices
from sdy.dialect.ops.rules import create_rule, extension_rule
from sdy.dialect.values.rule import ShardingRule, TensorMapping
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.stablehlo import views

_MOVING = frozenset(
    f"stablehlo.{name}"
    for name in "concatenate dynamic_slice dynamic_update_slice pad reshape reverse slice transpose".split()
)
"""Ops that only put elements elsewhere."""

Dims = frozenset[int]


def carried_matrices(loop: ir.Operation) -> dict[int, Dims]:
    """The dimensions of matrices that a loop carries, by number, and that a decomposition in its body needs as a whole.

    Matrices with more than twice as many rows as columns, or columns as rows, are left out.
    """
    body = views.While(loop).body
    found: dict[int, Dims] = {}
    seen: set[tuple[ir.Value, Dims]] = set()
    for op in ops_named(loop, *DECOMPOSING):
        rule = _rule_of(op) if decomposes_matrices(op) else None
        if rule is not None:
            factors = whole_factors(op, rule).union(rule.need_replication)
            for operand, mapping in zip(op.operands, rule.operands, strict=True):
                _look_back(operand, dims_of(mapping, factors), body, found, seen)
    return {number: dims for number, dims in found.items() if _is_matrix(loop.results[number], dims)}


def _is_matrix(value: ir.Value, dims: Dims) -> bool:
    """Whether `dims` are those of a matrix that is not much longer than it is wide."""
    if not value.type.has_static_shape:
        return False
    sizes = sorted(value.type.shape[dim] for dim in dims)
    return len(sizes) == 2 and sizes[1] <= 2 * sizes[0]


def _rule_of(op: ir.Operation) -> ShardingRule | None:
    """That which is on the op, or the one that it gets."""
    return attributes.get(op, SHARDING_RULE) or extension_rule(op)


def _look_back(
    value: ir.Value, dims: Dims, body: ir.Block, found: dict[int, Dims], seen: set[tuple[ir.Value, Dims]]
) -> None:
    """Follows dimensions through ops that keep or move elements to what is carried."""
    if not dims or (value, dims) in seen:
        return
    seen.add((value, dims))
    if isinstance(value, ir.BlockArgument):
        if value.owner == body:
            found[value.arg_number] = found.get(value.arg_number, frozenset()) | dims
        return
    for operand, along in passed_on(value.owner.operation, dims):
        _look_back(operand, along, body, found, seen)


def passed_on(op: ir.Operation, dims: Dims) -> Iterator[tuple[ir.Value, Dims]]:
    """The operands of an op that keeps or moves elements, and their dimensions that belong to those of its result."""
    if op.name == "stablehlo.scatter" and len(op.results) == 1:  # what an update of slices becomes under jax.vmap
        yield op.operands[0], dims
        return
    rule = create_rule(op) if is_elementwise(op) or op.name in _MOVING else None
    if rule is not None:
        factors = frozenset(factor for dim in dims for factor in rule.results[0][dim])
        for operand, mapping in zip(op.operands, rule.operands, strict=True):
            yield operand, dims_of(mapping, factors)


def dims_of(mapping: TensorMapping, factors: frozenset[int]) -> Dims:
    return frozenset(dim for dim, here in enumerate(mapping) if factors.intersection(here))
