"""Ops that rearrange or reinterpret dimensions (spec: sharding-rules, 4.3, 5 and 5.1)."""

from __future__ import annotations

import math

from sdy.dialect.rules.builder import NEED_REPLICATION, PERMUTATION, RuleBuilder
from sdy.dialect.rules.op_signature import OpSignature, Shape
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule


@built_in_rule("stablehlo.transpose")
def transpose(op: OpSignature) -> ShardingRule:
    """Every dimension passes through, in the order of the result."""
    rule = RuleBuilder(op)
    shape = op.operand(0)
    for result_dim, dim in enumerate(op.integers("permutation")):
        rule.factor(shape[dim], {0: dim}, {0: result_dim})
    return rule.build()


@built_in_rule("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: OpSignature) -> ShardingRule:
    """The operand's dimensions pass through; one that is expanded from size 1 has a factor on either side."""
    rule = RuleBuilder(op)
    shape = op.operand(0)
    operand_dims = {result_dim: dim for dim, result_dim in enumerate(op.integers("broadcast_dimensions"))}
    for result_dim, size in enumerate(op.result(0)):
        dim = operand_dims.get(result_dim)
        if dim is not None and shape[dim] == 1 and size != 1:
            rule.factor(1, {0: dim})
            dim = None
        rule.factor(size, {} if dim is None else {0: dim}, {0: result_dim})
    return rule.build()


@built_in_rule("stablehlo.bitcast_convert")
def bitcast_convert(op: OpSignature) -> ShardingRule:
    """Pointwise; the extra last dimension on the side of the narrower element type is replicated."""
    rule = RuleBuilder(op)
    operand, result = op.operand(0), op.result(0)
    for dim, size in enumerate(operand if len(operand) <= len(result) else result):
        rule.align(dim, size)
    if len(operand) > len(result):
        rule.factor(operand[-1], {0: len(operand) - 1}, kind=NEED_REPLICATION)
    elif len(operand) < len(result):
        rule.factor(result[-1], {}, {0: len(result) - 1}, kind=NEED_REPLICATION)
    return rule.build()


@built_in_rule("stablehlo.reshape")
def reshape(op: OpSignature) -> ShardingRule | None:
    """Dimensions that are merged or split pass through; where the two shapes diverge, the part in common moves data and
    the rest is replicated up to the point where they meet again. None if a tensor is empty or its shape not static."""
    operand, result = op.operand(0), op.result(0)
    if any(size <= 0 for size in operand + result):
        return None
    rule = RuleBuilder(op)
    source, target = _Side(operand), _Side(result)
    while not (source.at_end and target.at_end):
        if source.at_unit_dim:
            rule.factor(1, {0: source.dim}, kind=NEED_REPLICATION)
            source.dim += 1
        elif target.at_unit_dim:
            rule.factor(1, {}, {0: target.dim}, kind=NEED_REPLICATION)
            target.dim += 1
        else:
            source.enter()
            target.enter()
            _next_factor(rule, source, target)
            source.leave()
            target.leave()
    return rule.build()


class _Side:
    """How far the dimensions of one side of a reshape are turned into factors."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.dim = 0
        self.entered = 1
        """Product of the dimensions entered so far."""
        self.done = 1
        """Product of the factors made so far."""

    @property
    def at_end(self) -> bool:
        return self.dim == len(self.shape)

    @property
    def at_unit_dim(self) -> bool:
        return not self.at_end and self.shape[self.dim] == 1

    @property
    def left(self) -> int:
        """What is left of the current dimension."""
        return self.entered // self.done

    def enter(self) -> None:
        """Starts the current dimension unless it is begun."""
        if not self.at_end and self.entered == self.done:
            self.entered *= self.shape[self.dim]

    def leave(self) -> None:
        """Goes on to the next dimension if the current one is used up."""
        if not self.at_end and self.entered == self.done:
            self.dim += 1


def _next_factor(rule: RuleBuilder, source: _Side, target: _Side) -> None:
    common = math.gcd(source.left, target.left)
    if source.done < target.done:
        size = _catch_up(source.left, common, source.done, target.done)
        rule.factor(size, {0: source.dim}, kind=NEED_REPLICATION)
        source.done *= size
    elif source.done > target.done:
        size = _catch_up(target.left, common, target.done, source.done)
        rule.factor(size, {}, {0: target.dim}, kind=NEED_REPLICATION)
        target.done *= size
    elif common > 1:
        rule.factor(common, {0: source.dim}, {0: target.dim})
        source.done *= common
        target.done *= common
    else:
        # The shapes diverge: what is left of both dimensions becomes one factor, of the operand's size.
        rule.factor(source.left, {0: source.dim}, {0: target.dim}, PERMUTATION)
        source.done, target.done = source.done * source.left, target.done * target.left


def _catch_up(left: int, common: int, behind: int, ahead: int) -> int:
    """Size of the next factor of the side whose product of factors is `behind`.

    `left` of its dimension is to go, `common` of it in common with the other side.
    """
    if ahead % behind == 0 and left % (ahead // behind) == 0:
        return ahead // behind
    return left // common if left > common else left
