"""Which directions an op propagates in at each op-priority level (spec: propagation, 12).

Level by level more is allowed: first what costs nothing, such as passing a sharding through an elementwise op whose
operands nobody else uses, last what needs communication.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, cached_property

from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.passes.propagation.strategies.factor_propagation import Direction

LEVELS = range(5)
"""The op-priority levels."""


class OpCategory(Enum):
    """How early an op may propagate."""

    PASS_THROUGH = auto()
    DYNAMIC_SLICE = auto()
    BROADCAST = auto()
    OTHER = auto()

    __hash__ = object.__hash__  # Enum's own is written in Python


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


@dataclass(frozen=True)
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

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        parts = (self.category, self.is_elementwise, self.is_conservative, self.has_rule, self.fixed)
        return hash((self.rule, *parts))

    def directions(self, level: int | None, *, is_only_user: bool = True) -> tuple[Direction, ...]:
        """The direction of each factor at a level; at no level in particular, everything is allowed.

        `is_only_user` says whether each operand that is not a scalar has this one use; it matters at level 0 only.
        """
        by_type = dict(zip(FactorType, self.directions_by_type(level, is_only_user=is_only_user), strict=True))
        return tuple([by_type[kind] for kind in self.rule.factor_types])

    def directions_by_type(self, level: int | None, *, is_only_user: bool = True) -> tuple[Direction, ...]:
        """As `directions`, for each type of factor that there is."""
        if self.fixed is not None:
            return (self.fixed,) * len(FactorType)
        if level is None:
            return _EVERYTHING
        return _directions(self.category, level, is_only_user, self.has_rule)

    @property
    def depends_on_uses(self) -> bool:
        """Whether the number of uses of the operands matters at level 0."""
        return self.fixed is None and _for_free(self.category) != Direction.NONE


_EVERYTHING = (Direction.BOTH,) * len(FactorType)


@cache
def _directions(category: OpCategory, level: int, is_only_user: bool, has_rule: bool) -> tuple[Direction, ...]:
    """The direction of the factors of each type."""
    free = _for_free(category) if level >= 1 or is_only_user else Direction.NONE
    return tuple(free | _with_communication(category, level, kind, has_rule) for kind in FactorType)


def _for_free(category: OpCategory) -> Direction:
    """Levels 0 and 1: ops that only pass their operands on."""
    if category is OpCategory.PASS_THROUGH:
        return Direction.BOTH
    return Direction.FORWARD if category is OpCategory.DYNAMIC_SLICE else Direction.NONE


def _with_communication(category: OpCategory, level: int, kind: FactorType, has_rule: bool) -> Direction:
    """Level 2 adds pass-through factors, level 3 all others; broadcasts go forward at level 4."""
    if level < 2 or (level == 2 and has_rule and kind is not FactorType.PASS_THROUGH):
        return Direction.NONE
    return Direction.BACKWARD if category is OpCategory.BROADCAST and level < 4 else Direction.BOTH
