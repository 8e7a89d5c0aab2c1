"""Propagation of each op of a snapshot between slots (spec: propagation, 7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from enum import Enum, auto
from functools import cache, cached_property, partial

from sdy.dialect.definition.attributes import SHARDING_RULE, value_of
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.rules import KindRules, has_target, rules_of_kind
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.per_context import PerContext
from sdy.passes.propagation.engine.sharding_store import EDGE, ShardingStore
from sdy.passes.propagation.engine.snapshot import TypeInfo
from sdy.passes.propagation.engine.strategy import Direction

# Which directions an op propagates in at each op-priority level (spec: propagation, 12).
#
# Level by level more is allowed: first what costs nothing, such as passing a sharding through an elementwise op whose
# operands nobody else uses, last what needs communication.


LEVELS = range(5)
"""The op-priority levels."""


class OpCategory(Enum):
    """Priority of an op in propagation."""

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
    """Inputs of propagation besides shardings: ops of equal profile propagate equally.

    `has_rule` is false for edges, whose identity rule is not attached to them. A barrier has its `fixed` direction at
    every level.
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

        `is_only_user` tells whether each non-scalar operand has only this use; it matters at level 0 only.
        """
        by_type = dict(zip(FactorType, self.directions_by_type(level, is_only_user=is_only_user), strict=True))
        return tuple([by_type[kind] for kind in self.rule.factor_types])

    def directions_by_type(self, level: int | None, *, is_only_user: bool = True) -> tuple[Direction, ...]:
        """Return the directions, like `directions`, for each type of factor."""
        if self.fixed is not None:
            return (self.fixed,) * len(FactorType)
        if level is None:
            return _EVERYTHING
        return _directions(self.category, level, is_only_user, self.has_rule)

    @property
    def depends_on_uses(self) -> bool:
        """Return whether the number of uses of the operands matters at level 0."""
        return self.fixed is None and _for_free(self.category) != Direction.NONE


_EVERYTHING = (Direction.BOTH,) * len(FactorType)


@cache
def _directions(category: OpCategory, level: int, is_only_user: bool, has_rule: bool) -> tuple[Direction, ...]:
    """The direction of the factors of each type."""
    free = _for_free(category) if level >= 1 or is_only_user else Direction.NONE
    return tuple(free | _with_communication(category, level, kind, has_rule) for kind in FactorType)


def _for_free(category: OpCategory) -> Direction:
    """Levels 0 and 1: ops that only forward their operands."""
    if category is OpCategory.PASS_THROUGH:
        return Direction.BOTH
    return Direction.FORWARD if category is OpCategory.DYNAMIC_SLICE else Direction.NONE


def _with_communication(category: OpCategory, level: int, kind: FactorType, has_rule: bool) -> Direction:
    """Level 2 adds pass-through factors, level 3 all others; broadcasts go forward at level 4."""
    if level < 2 or (level == 2 and has_rule and kind is not FactorType.PASS_THROUGH):
        return Direction.NONE
    return Direction.BACKWARD if category is OpCategory.BROADCAST and level < 4 else Direction.BOTH


FUNC_EDGE = "sdy.func_data_flow_edge"
BARRIER = "sdy.propagation_barrier"

_WITHOUT_RULE = frozenset(
    {"func.func", "func.return", "func.call", "sdy.return", "sdy.constant", "sdy.mesh", "sdy.sharding_group"}
    | {"stablehlo.return", "stablehlo.constant", "sdy.reshard"}
)
"""Frequent ops that have no rule unless one is attached."""

_NO_RULE = ShardingRule((), (), ())
_EDGE = OpProfile(_NO_RULE, OpCategory.PASS_THROUGH, has_rule=False)


@dataclass(frozen=True, slots=True)
class Boundary:
    """Translation of edge shardings to their sources and back, by number (section 7.3)."""

    at_sources: Callable[[int], int]
    at_edge: Callable[[int], int]


class Visits:
    """Finds the visits of a module.

    Per op: `profile_of`, a position in `profiles` or -1 where nothing is propagated, and `slots`, those of the operands
    and results of its visits. `boundaries` has the edges of computations whose axes differ from their surroundings,
    `attached` the rules that ops had before propagation.
    """

    def __init__(self, store: ShardingStore, *, conservative: bool) -> None:
        self._store, self._snapshot, self._conservative = store, store.snapshot, conservative
        self.profiles: list[OpProfile] = []
        self.profile_of: list[int] = [-1] * len(store.snapshot.ops)
        self.slots: list[tuple[int, ...]] = [()] * len(store.snapshot.ops)
        self.boundaries: dict[int, Boundary] = {}
        self.attached: dict[int, ShardingRule] = {}
        self._positions: dict[OpProfile | None, int] = {None: -1}
        self._known: dict[tuple[Hashable, ...], int] = {}
        self._rules_of: dict[str, KindRules] = {}
        """By name, unless the ops of that name have targets."""
        self._profiles = _profiles.of(store.snapshot.module.context)
        self._rules: dict[ir.Attribute, ShardingRule] = {}
        self._edge_owners = {edge: owner for owner, edge in store.edges.items()}
        self._flow_op_of_owner = {
            owner: info for info in store.snapshot.data_flow_ops.values() for owner in info.owners
        }
        self._read()

    def finds_again(self, name: str) -> bool:
        """Return whether ops of that name have the same rules after propagation.

        Ops of the dialect have some only while they are propagated through.
        """
        rules = None if self._conservative or name.startswith("sdy.") else self._rules_of.get(name)
        return rules is not None and not rules.looks and not rules.looked_beyond

    def _read(self) -> None:
        snapshot, slot_of = self._snapshot, self._store.slot_of
        special = {EDGE: self._read_edge, FUNC_EDGE: self._read_func_edge, BARRIER: self._read_barrier}
        attached = snapshot.with_attribute(SHARDING_RULE)
        rows = zip(snapshot.names, snapshot.operands, snapshot.results, strict=True)
        for number, (name, operands, results) in enumerate(rows):
            slots = ()
            if name in special:
                position, slots = special[name](number)
            elif number in attached:
                position = self._read_attached(number, name, attached[number])
            elif name in _WITHOUT_RULE:
                position = -1
            else:
                position = self._read_op(number, name, operands, results)
            if position >= 0 and not slots:
                slots = tuple([slot_of[value] for value in operands] + [slot_of[value] for value in results])
            self.profile_of[number], self.slots[number] = position, slots

    # Ops with a rule -----------------------------------------------------------------------------

    def _read_attached(self, number: int, name: str, attr: ir.Attribute) -> int:
        rule = self._rules.get(attr)
        if rule is None:
            rule = self._rules[attr] = value_of(attr)
        self.attached[number] = rule
        return self._position(self._make_profile(self._snapshot.ops[number], name, rule))

    def _read_op(self, number: int, name: str, operands: list[int], results: range) -> int:
        """Return the profile of an op by the rule for its name, types and attributes."""
        op, types = self._snapshot.ops[number], self._snapshot.types
        rules = self._rules_of.get(name)
        if rules is None:
            rules = rules_of_kind(op, self._conservative)
            if not has_target(name):
                self._rules_of[name] = rules
        key = (rules.number, *[types[value] for value in operands], None, *[types[value] for value in results])
        if rules.attributes_read or rules.looks:
            key += rules.facts(op)
        position = self._known.get(key)
        if position is None:
            position = self._position(self._profile(op, name, rules, key))
            if not rules.looked_beyond:
                self._known[key] = position
        if position < 0:
            rules.tell(op)
        return position

    def _profile(self, op: ir.Operation, name: str, rules: KindRules, key: tuple[Hashable, ...]) -> OpProfile | None:
        """The profile of an op with the number of its rules, its types and facts as `key`.

        If the rule depends on an input that rules of such ops did not depend on before, it is stored under a key
        without that input. No later op will have such a key.
        """
        profile = self._profiles.get(key, _UNKNOWN)
        if profile is _UNKNOWN:
            profile = self._make_profile(op, name, rules.rule_of(op))
            if not rules.looked_beyond:
                self._profiles[key] = profile
        return profile

    def _position(self, profile: OpProfile | None) -> int:
        position = self._positions.get(profile)
        if position is None:
            assert profile is not None
            position = self._positions[profile] = len(self.profiles)
            self.profiles.append(profile)
        return position

    def _make_profile(self, op: ir.Operation, name: str, rule: ShardingRule | None) -> OpProfile | None:
        if rule is None:
            return None
        target = ir.StringAttr(op.attributes["call_target_name"]).value if name == "stablehlo.custom_call" else None
        elementwise = is_elementwise(op)
        return OpProfile(rule, category_of(name, elementwise, target), elementwise, self._conservative)

    # Edges and barriers --------------------------------------------------------------------------

    def _read_edge(self, number: int) -> tuple[int, tuple[int, ...]]:
        snapshot = self._snapshot
        owner = self._edge_owners.get(number)
        if owner is None:
            return -1, ()
        info = self._flow_op_of_owner[owner]
        sources = [snapshot.operands[op][position] for op, position in info.sources[owner]]
        if info.flow.has_boundary():
            at_sources, at_edge = info.flow.at_sources, info.flow.at_edge
            value = snapshot.value(owner)
            self.boundaries[number] = Boundary(
                self._by_number(partial(at_sources, value)), self._by_number(partial(at_edge, value))
            )
        return self._identity(number, sources)

    def _by_number(self, transform: Callable) -> Callable[[int], int]:
        table = self._store.table
        memo = {0: 0}

        def apply(number: int) -> int:
            found = memo.get(number)
            if found is None:
                found = memo[number] = table.number(transform(table.shardings[number]))
            return found

        return apply

    def _read_func_edge(self, number: int) -> tuple[int, tuple[int, ...]]:
        snapshot = self._snapshot
        value = snapshot.operands[number][0]
        definer = snapshot.definers[value]
        if definer >= 0:
            callee = snapshot.callee(definer)
            returned = [] if callee is None else snapshot.returned(callee)
            sources = returned[value - snapshot.results[definer].start :][:1]
        else:
            function = snapshot.parents[number]
            position = snapshot.entry_arguments(function).index(value)
            sources = [snapshot.operands[call][position] for call in snapshot.callers.get(function, ())]
        return self._identity(number, sources)

    def _read_barrier(self, number: int) -> tuple[int, tuple[int, ...]]:
        direction = ir.IntegerAttr(self._snapshot.ops[number].attributes["allowed_direction"]).value
        profile = OpProfile(_NO_RULE, has_rule=False, is_elementwise=True, fixed=Direction(direction))
        return self._identity(number, self._snapshot.operands[number], profile)

    def _identity(self, number: int, sources: list[int], profile: OpProfile = _EDGE) -> tuple[int, tuple[int, ...]]:
        """`profile` with the identity rule between `sources` and the op's result."""
        result = self._snapshot.results[number].start
        shape = self._snapshot.types[result].shape
        if shape is None or not sources:
            return -1, ()
        slots = (*[self._store.slot_of[value] for value in sources], result)
        key = ("identity", profile.fixed, self._snapshot.types[result], len(sources))
        position = self._known.get(key)
        if position is None:
            rule = ShardingRule.identity(shape, len(sources))
            position = self._known[key] = self._position(replace(profile, rule=rule))
        return position, slots


_UNKNOWN = OpProfile(_NO_RULE)
"""Stands for what is not in a dictionary of profiles; told by identity."""

_profiles: PerContext[dict[tuple[Hashable, ...], OpProfile | None]] = PerContext(dict)
"""The profiles of ops and edges by what they depend on."""


def identity_profile(info: TypeInfo) -> OpProfile | None:
    """Return the profile of the tie between a returned value and a function result; None without propagation there."""
    return None if info.shape is None else OpProfile(ShardingRule.identity(info.shape), has_rule=False)
