"""What the sharding rules of ops depend on, for the ops of a module one after the other."""

from __future__ import annotations

from collections.abc import Hashable

from sdy.dialect.rules.registry import KindRules, has_target, rules_of_kind
from sdy.mlir import ir


class RuleFacts:
    """As `facts_for_rule`, while no rule is declared: what ops of one name have in common is looked up once."""

    def __init__(self) -> None:
        self._kinds: dict[str, KindRules] = {}

    def of(self, op: ir.Operation, name: str) -> tuple[Hashable, ...] | None:
        """What `create_rule` goes by apart from the types of `op` and from its `name`; None if that is not known."""
        kind = self._kinds.get(name)
        if kind is None:
            kind = rules_of_kind(op, False)
            if not has_target(name):
                self._kinds[name] = kind
        return (kind.number, *kind.facts(op)) if kind.rules and not kind.looked_beyond else None
