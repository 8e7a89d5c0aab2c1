"""Verification of the shardings and sharding rules on ops (spec: dialect, 5).

Nearly all ops have them, but few combinations of them with types occur. In a large module those of a sample are checked
first, and patterns compare the other ops with what has been found valid, which leaves few ops to look at. The patterns
are kept: what is verified next is mostly the same program, another pass later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from sdy.dialect.attributes import SHARDING, SHARDING_RULE, ShardingRule, value_of
from sdy.dialect.op_properties import shape_of
from sdy.dialect.pdl import Patterns
from sdy.dialect.per_context import PerContext
from sdy.dialect.rule_verifier import verify_rule
from sdy.dialect.samples import count_ops, sample
from sdy.dialect.search import ops_with
from sdy.dialect.signatures import NOTHING, Operand, PatternText, Signature, calling
from sdy.dialect.verification.scope import Scope, expect, value
from sdy.dialect.verification.scopes import Scopes
from sdy.dialect.verification.sharding import manual_axis_in
from sdy.mlir import ir

_LARGE = 3000
"""Number of ops from which it pays to compile patterns."""

_UNKNOWN_SHARE = 0.1
"""Patterns that leave more of the ops are made anew."""


def check_ops(module: ir.Operation, scopes: Scopes, holders: Sequence[ir.Operation]) -> None:
    """Checks all ops that have a sharding or a rule; most of them stand directly in regions of `holders`."""
    count = count_ops(holders)
    if scopes.share_meshes and count >= _LARGE:
        _check_most_by_patterns(module, scopes, holders, count)
        return
    for op in ops_with(module, SHARDING, SHARDING_RULE):
        check_sharding_and_rule(op, scopes.around(op))


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
    shapes = [shape_of(operand) for operand in op.operands], [shape_of(result) for result in op.results]
    expect(op, verify_rule(value(op, SHARDING_RULE, ShardingRule), *shapes))
    scope.valid.add(key)


def _key(op: ir.Operation) -> tuple[int, ...]:
    """What the checks depend on: addresses of attributes and types, with the number of operands between them."""
    stored = op.attributes
    operands = [hash(operand.type) for operand in op.operands]
    values = hash(stored.get(SHARDING)), hash(stored.get(SHARDING_RULE)), len(operands)
    return (*values, *operands, *map(hash, op.results.types))


# Ops that are alike ------------------------------------------------------------------------------


class _Known:
    """What is valid everywhere in modules with certain meshes and manual axes."""

    def __init__(self, surroundings: Hashable) -> None:
        self.surroundings = surroundings
        self.keys: set[tuple[int, ...]] = set()
        self.patterns: Patterns | None = None
        """They "collect" the ops that are not like one of those that the patterns were made from."""

    def unknown(self, module: ir.Operation) -> list[ir.Operation]:
        """The ops that the patterns do not recognise."""
        found: list[ir.Operation] = []
        assert self.patterns is not None
        self.patterns.apply(module, {"collect": lambda _rewriter, _results, ops: found.extend(ops)})
        return found

    def check(self, op: ir.Operation, scopes: Scopes) -> None:
        """Checks an op, unless it is known to be valid."""
        if (key := _key(op)) not in self.keys:
            check_sharding_and_rule(op, scopes.around(op))
            if _uses_no_manual_axes(op, scopes):
                self.keys.add(key)


_latest: PerContext[list[_Known]] = PerContext(list)
"""What was found out last, if anything."""


def _check_most_by_patterns(module: ir.Operation, scopes: Scopes, holders: Sequence[ir.Operation], count: int) -> None:
    """As `check_ops`, for a module of `count` ops in which all meshes have the same name everywhere."""
    surroundings = tuple(scopes.outermost.meshes.by_name.items()), scopes.manual_names
    latest = _latest.of(module.context)
    for known in latest:
        if known.surroundings == surroundings and len(unknown := known.unknown(module)) <= _UNKNOWN_SHARE * count:
            break
    else:
        known = _sampled(surroundings, scopes, holders)
        unknown = known.unknown(module)
        latest[:] = [known]
    for op in unknown:
        known.check(op, scopes)


def _sampled(surroundings: Hashable, scopes: Scopes, holders: Sequence[ir.Operation]) -> _Known:
    """What a sample shows, and patterns for it."""
    known, alike = _Known(surroundings), {}
    for op in sample(holders):
        if SHARDING in op.attributes or SHARDING_RULE in op.attributes:
            known.check(op, scopes)
            alike.setdefault(_key(op), op)
    text = _pattern_text(op for key, op in alike.items() if key in known.keys)
    known.patterns = Patterns(holders[0].context, text, ["collect"])
    return known


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
