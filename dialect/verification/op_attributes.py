"""Verification of the shardings and sharding rules on ops (spec: dialect, 5).

Nearly all ops have them, but few combinations of them with types occur. In a large module those of a sample are checked
first, and patterns compare the other ops with what has been found valid, which leaves few ops to look at. The patterns
are kept: what is verified next is mostly the same program, another pass later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, ShardingRule, value_of
from sdy.dialect.ops.notation import check_rule
from sdy.dialect.verification.scope import Scope, Scopes, value
from sdy.dialect.verification.sharding_checks import manual_axis_in
from sdy.mlir import address, ir
from sdy.mlir.pdl import Patterns
from sdy.mlir.per_context import PerContext
from sdy.mlir.search import ops_with
from sdy.mlir.signatures import NOTHING, Operand, PatternText, Signature, calling, count_ops, sample

_LARGE = 3000
"""Number of ops from which it pays to compile patterns."""

_UNKNOWN_SHARE = 0.1
"""Patterns that leave more of the ops are made anew."""


def check_ops(module: ir.Operation, scopes: Scopes, holders: Sequence[ir.Operation]) -> None:
    """Checks all ops that have a sharding or a rule; most of them stand directly in regions of `holders`."""
    if not scopes.share_meshes:
        for op in ops_with(module, SHARDING, SHARDING_RULE):
            check_sharding_and_rule(op, scopes.around(op))
        return
    known = _known_in(module.context, scopes)
    for op in _unknown_ops(module, known, scopes, holders):
        known.check(op, scopes)


def _unknown_ops(
    module: ir.Operation, known: _Known, scopes: Scopes, holders: Sequence[ir.Operation]
) -> list[ir.Operation]:
    """The ops that have to be looked at; in a large module but for those that patterns recognise."""
    count = count_ops(holders)
    if count < _LARGE:
        return ops_with(module, SHARDING, SHARDING_RULE)
    unknown = known.unknown(module)
    if unknown is None or len(unknown) > _UNKNOWN_SHARE * count:
        known.learn(sample(holders), scopes)
        unknown = known.unknown(module)
    return ops_with(module, SHARDING, SHARDING_RULE) if unknown is None else unknown


def check_sharding_and_rule(op: ir.Operation, scope: Scope) -> None:
    """Checks the list of shardings and the rule of an op; each combination of them with types once."""
    stored = op.attributes
    if SHARDING_RULE not in stored:
        scope.check_list(op, SHARDING, op.results.types)
        return
    key = _key(op)
    if key in scope.valid:
        return
    if SHARDING in stored:
        scope.check_list(op, SHARDING, op.results.types)
    check_rule(op, value(op, SHARDING_RULE, ShardingRule))
    scope.valid.add(key)


def _key(op: ir.Operation) -> tuple[int, ...]:
    """What the checks depend on: addresses of attributes and types, with the number of operands between them."""
    stored = op.attributes
    operands = [address(operand.type) for operand in op.operands]
    values = address(stored.get(SHARDING)), address(stored.get(SHARDING_RULE)), len(operands)
    return (*values, *operands, *map(address, op.results.types))


# Ops that are alike ------------------------------------------------------------------------------


class _Known:
    """What is valid everywhere in modules with certain meshes and manual axes."""

    def __init__(self) -> None:
        self._keys: set[tuple[int, ...]] = set()
        self._patterns: Patterns | None = None
        """They "collect" the ops that are not like one of those that the patterns were made from."""

    def unknown(self, module: ir.Operation) -> list[ir.Operation] | None:
        """The ops that the patterns do not recognise; None without patterns."""
        if self._patterns is None:
            return None
        found: list[ir.Operation] = []
        self._patterns.apply(module, {"collect": lambda _rewriter, _results, ops: found.extend(ops)})
        return found

    def check(self, op: ir.Operation, scopes: Scopes) -> bool:
        """Checks an op, unless it is known to be valid; whether that is known of all ops like it from now on."""
        key = _key(op)
        if key not in self._keys:
            check_sharding_and_rule(op, scopes.around(op))
            if not _uses_no_manual_axes(op, scopes):
                return False
            self._keys.add(key)
        return True

    def learn(self, sampled: Iterable[ir.Operation], scopes: Scopes) -> None:
        """Makes patterns of what is valid in a sample."""
        concerned = [op for op in sampled if SHARDING in op.attributes or SHARDING_RULE in op.attributes]
        alike = {_key(op): op for op in concerned if self.check(op, scopes)}
        if alike:
            self._patterns = Patterns(concerned[0].context, _pattern_text(alike.values()), ["collect"])


_kept: PerContext[dict[Hashable, _Known]] = PerContext(dict)
"""What has been found out in a context, by the meshes and manual axes."""

_KEPT = 4
"""How much of that is kept at most: what is exported is verified with and without its meshes inlined."""


def _known_in(context: ir.Context, scopes: Scopes) -> _Known:
    """What is known of modules with these meshes and manual axes."""
    kept, surroundings = _kept.of(context), (tuple(scopes.outermost.meshes.by_name.items()), scopes.manual_names)
    if surroundings not in kept:
        if len(kept) == _KEPT:
            kept.clear()
        kept[surroundings] = _Known()
    return kept[surroundings]


def _uses_no_manual_axes(op: ir.Operation, scopes: Scopes) -> bool:
    """Whether no sharding of an op uses an axis that is manual anywhere."""
    if not scopes.manual_names or SHARDING not in op.attributes:
        return True
    shardings = value_of(op.attributes[SHARDING]).shardings
    return all(manual_axis_in(sharding, scopes.manual_names) is None for sharding in shardings)


def _pattern_text(ops: Iterable[ir.Operation]) -> str:
    """Patterns that leave out what is like one of `ops`, and "collect" what else has one of the attributes.

    That an op lacks an attribute cannot be said in a pattern. So ops with both come first, then those that are left and
    have a rule.
    """
    text = PatternText()
    for op in ops:
        stored = op.attributes
        names = tuple(name for name in (SHARDING, SHARDING_RULE) if name in stored)
        attributes = tuple((name, stored[name]) for name in names)
        operands = tuple(Operand(value.type) for value in op.operands) if SHARDING_RULE in names else None
        text.add(Signature(None, attributes, operands, tuple(op.results.types)), _BENEFITS[names] + 1, NOTHING)
    for names, benefit in _BENEFITS.items():
        text.add(Signature(attributes=tuple((name, None) for name in names)), benefit, calling("collect"))
    return str(text)


_BENEFITS = {(SHARDING, SHARDING_RULE): 5, (SHARDING_RULE,): 3, (SHARDING,): 1}
"""Those of the patterns for unknown ops, by the attributes that these have; a known op is recognised first."""
