"""Which directions an op propagates in at each op-priority level (spec: propagation, 12).

Level by level more is allowed: first what costs nothing, such as passing a sharding through an elementwise op whose
operands nobody else uses, last what needs communication.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from sdy.dialect.rule import FactorType, ShardingRule
from sdy.passes.propagation.direction import Direction

LEVELS = range(5)
"""The op-priority levels."""


class OpCategory(Enum):
    """How early an op may propagate."""

    PASS_THROUGH = auto()
    DYNAMIC_SLICE = auto()
    BROADCAST = auto()
    OTHER = auto()


_CATEGORIES = {
    "stablehlo.reshape": OpCategory.PASS_THROUGH,
    "stablehlo.transpose": OpCategory.PASS_THROUGH,
    "sdy.data_flow_edge": OpCategory.PASS_THROUGH,
    "sdy.func_data_flow_edge": OpCategory.PASS_THROUGH,
    "stablehlo.dynamic_slice": OpCategory.DYNAMIC_SLICE,
    "stablehlo.dynamic_update_slice": OpCategory.DYNAMIC_SLICE,
    "stablehlo.broadcast_in_dim": OpCategory.BROADCAST,
}

_PASS_THROUGH_CALLS = ("MoveToDevice", "MoveToHost")


def category_of(op_name: str, is_elementwise: bool, call_target: str | None) -> OpCategory:
    """The category of ops of that name; `call_target` is that of a custom call."""
    if is_elementwise or call_target in _PASS_THROUGH_CALLS:
        return OpCategory.PASS_THROUGH
    return _CATEGORIES.get(op_name, OpCategory.OTHER)


@dataclass(frozen=True, slots=True)
class OpProfile:
    """What decides, besides shardings, how ops propagate: ops of equal profile are alike.

    `has_rule` is false for edges, which go by an identity rule that is not attached to them. A barrier has its `fixed`
    direction at every level.
    """

    rule: ShardingRule
    category: OpCategory = OpCategory.OTHER
    is_elementwise: bool = False
    is_conservative: bool = False
    has_rule: bool = True
    fixed: Direction | None = None

    def directions(self, level: int | None, *, is_only_user: bool = True) -> tuple[Direction, ...]:
        """The direction of each factor at a level; at no level in particular, everything is allowed.

        `is_only_user` says whether each operand that is not a scalar has this one use; it matters at level 0 only.
        """
        if self.fixed is not None:
            return (self.fixed,) * self.rule.num_factors
        if level is None:
            return (Direction.BOTH,) * self.rule.num_factors
        shared = Direction.NONE
        if level >= 1 or is_only_user:
            shared |= self._for_free()
        return tuple(shared | self._with_communication(level, kind) for kind in self.rule.factor_types)

    @property
    def depends_on_uses(self) -> bool:
        """Whether the number of uses of the operands matters at level 0."""
        return self.fixed is None and self._for_free() != Direction.NONE

    def _for_free(self) -> Direction:
        """Levels 0 and 1: ops that only pass their operands on."""
        if self.category is OpCategory.PASS_THROUGH:
            return Direction.BOTH
        return Direction.FORWARD if self.category is OpCategory.DYNAMIC_SLICE else Direction.NONE

    def _with_communication(self, level: int, kind: FactorType) -> Direction:
        """Level 2 adds pass-through factors, level 3 all others; broadcasts go forward at level 4."""
        if level < 2 or (level == 2 and self.has_rule and kind is not FactorType.PASS_THROUGH):
            return Direction.NONE
        return Direction.BACKWARD if self.category is OpCategory.BROADCAST and level < 4 else Direction.BOTH
