"""The table of functions that make sharding rules, and the rule of a given op (spec: sharding-rules, 3).

A rule depends only on the properties that its function reads. Ops with equal properties share one rule, and the
function is called once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field, replace
from functools import partial
from itertools import count
from typing import cast

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.extensions import load_extensions
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.ops.model import (
    CUSTOM_CALL,
    TARGETS,
    Key,
    built_in_models,
    model_with,
    ops_that_may_define,
    reduction_named,
    target_of,
    users_model_with,
    when_declared,
)
from sdy.dialect.ops.notation import einsum_rule, parse_rule, verify_rule
from sdy.dialect.ops.op_signature import Look, OpSignature
from sdy.dialect.replica_groups import manual_axes_around
from sdy.dialect.shardings.meshes import MeshTable, enclosing_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError, warn_once
from sdy.mlir.per_context import MOST, PerContext

FRONTEND_RULES = ("xla.sdy.sharding_rule", "xla.sdy.custom_sharding_rule")
"""Keys in `mhlo.frontend_attributes` under which a custom call carries its rule as text: XLA's and Tenstorrent's."""

RuleFunction = Callable[[OpSignature], ShardingRule | None]


def reduction_of(op: ir.Operation) -> Reduction:
    """Return the reduction of partial results of `op` along reduction factors of its rule."""
    load_extensions()
    model = users_model_with("rule", op.name, target_of(op))
    return Reduction.SUM if model is None else reduction_named(model.reduction)


def is_users(op_name: str, target: str | None = None) -> bool:
    """Return whether a user declared the rule of ops with that name, and that target if given."""
    load_extensions()
    return users_model_with("rule", op_name, target) is not None


def extension_rule(op: ir.Operation) -> ShardingRule | None:
    """Return the extension rule of an op, where the reference has none or a less strict one.

    Returns None without one, or for a user's rule.

    Propagation alone does not use it; `sdy-normalize-ops` puts it on the op. Raises `DiagnosticError` at an op of
    unexpected ranks.
    """
    name, target = op.name, target_of(op)
    model = model_with("extension_rule", name, target)
    if model is None or is_users(name, target):
        return None
    return made_by(model.extension_rule, OpSignature(op), op)


def ruled_ops() -> list[Key]:
    """Return the ops and call targets that have a built-in rule."""
    return [key for key, model in built_in_models().items() if model_with("rule", *key) is model]


def extended_ops() -> tuple[str, ...]:
    """The names of the ops that may have an `extension_rule`, apart from custom calls."""
    return ops_that_may_define("extension_rule")


def _custom(function: Callable[[OpSignature], ShardingRule | str | None]) -> RuleFunction:
    def make(op: OpSignature) -> ShardingRule | None:
        rule = function(op)
        if isinstance(rule, str):
            rule = parse_rule(rule) if "<" in rule else einsum_rule(op, rule)
        return None if rule is None else _verified_custom(rule, op)

    return make


def _verified_custom(rule: ShardingRule, op: OpSignature) -> ShardingRule:
    problem = verify_rule(rule, op.operands, op.results)
    if problem is not None:
        raise DiagnosticError(op.operation, problem)
    return replace(rule, is_custom=True)


# Finding rules -----------------------------------------------------------------------------------


def rule_of(op: ir.Operation, conservative: bool = False) -> ShardingRule | None:
    """Return the rule on the op, else the one for its name, types and attributes; None if it has none.

    Warns about the first unknown op in its module, and about the first unknown custom call. DiagnosticError if the rule
    does not fit the op.
    """
    rule = attributes.get(op, SHARDING_RULE)
    return create_rule(op, conservative) if rule is None else rule


def create_rule(op: ir.Operation, conservative: bool = False) -> ShardingRule | None:
    """Return the rule like `rule_of`, ignoring the attribute `sdy.sharding_rule`."""
    return rules_of_kind(op, conservative).rule_of(op)


def depends_on_surroundings(op: ir.Operation, conservative: bool = False) -> bool:
    """Return whether the rule of `op` may differ from that of ops with the same name, types and attributes."""
    made = rules_of_kind(op, conservative)
    return made.looked_beyond or bool(made.looks)


def has_built_in_rule(op_name: str) -> bool:
    """Return whether all ops of that name have a built-in rule."""
    return _built_in_rule(op_name) is not None


def is_without_rule(op_name: str) -> bool:
    """Return whether ops with that name are known to have no rule."""
    return op_name in _WITHOUT_RULE


def known_rules(context: ir.Context) -> object:
    """Return an object that is replaced after each declaration of a rule, so that caches can compare it."""
    return _made.of(context)


def has_target(op_name: str) -> bool:
    """Return whether ops with that name are identified by the name of a target."""
    return op_name in TARGETS


def rules_of_kind(op: ir.Operation, conservative: bool) -> KindRules:
    """Return the rules of all ops with the name and target of `op`; declaring a rule replaces them."""
    made_by_key = _made.of(op.context)
    name = op.name
    target = target_of(op)
    made = made_by_key.get((name, target, conservative))
    if made is None:
        made = made_by_key[name, target, conservative] = KindRules(*_function_of(op, target), conservative)
    return made


def made_by(function: RuleFunction, signature: OpSignature, op: ir.Operation) -> ShardingRule | None:
    """Return the rule that a function gives for an op. Raises `DiagnosticError` at an op of unexpected ranks."""
    try:
        return function(signature)
    except (ValueError, IndexError) as error:
        raise DiagnosticError(op, f"does not fit its sharding rule: {error}") from error


@dataclass(slots=True)
class KindRules:
    """The rules made so far for the ops of one name, or the custom calls of one target.

    Attributes and types live as long as their context and are told apart by their address; objects of them would keep
    the context alive.
    """

    function: RuleFunction | None
    unknown: str
    """Remark on ops without a rule; empty if none is expected."""
    conservative: bool
    attributes_read: tuple[str, ...] = ()
    """Names of all attributes that some op's rule depended on."""
    looks: tuple[Look, ...] = ()
    """All questions that some op's rule depended on."""
    looked_beyond: bool = False
    """True if some op's rule depended on more."""
    number: int = field(default_factory=count().__next__)
    """Tells it from all others: from those of another target, and from those before a user declared another rule."""
    rules: dict[tuple[Hashable, ...], ShardingRule | None] = field(default_factory=dict)

    def rule_of(self, op: ir.Operation) -> ShardingRule | None:
        rule = None
        if self.function is not None:
            try:
                rule = self.rules[self._key(op)]
            except KeyError:
                rule = self._make(op, self.function)
        if rule is None:
            self.tell(op)
        return rule

    def tell(self, op: ir.Operation) -> None:
        """Warns that `op` has no rule, unless that is expected; the fact may come from an equal op."""
        if self.unknown:
            warn_unknown(op, self.unknown)

    def _key(self, op: ir.Operation) -> tuple[Hashable, ...]:
        key: list[Hashable] = [address(value.type) for value in op.operands]
        key.append(len(key))
        key += map(address, op.results.types)
        return (*key, *self.facts(op))

    def facts(self, op: ir.Operation) -> tuple[Hashable, ...]:
        """Return the inputs of the rule of such an op, without the types."""
        stored = op.attributes
        facts = tuple([address(stored.get(name)) for name in self.attributes_read])
        return (*facts, *[look(op) for look in self.looks]) if self.looks else facts

    def _make(self, op: ir.Operation, function: RuleFunction) -> ShardingRule | None:
        signature = OpSignature(op, self.conservative)
        rule = made_by(function, signature, op)
        if signature.looked_beyond:
            self.looked_beyond = True
        else:
            self._remember(op, rule, signature)
        return rule

    def _remember(self, op: ir.Operation, rule: ShardingRule | None, signature: OpSignature) -> None:
        known = self.attributes_read, self.looks
        self.attributes_read = tuple(dict.fromkeys((*self.attributes_read, *signature.attributes_read)))
        self.looks = tuple(dict.fromkeys((*self.looks, *signature.looks)))
        if (self.attributes_read, self.looks) != known:
            self.rules.clear()
        self.rules[self._key(op)] = rule


def _num_rules(made: dict[tuple[str, str | None, bool], KindRules]) -> int:
    """Return the number of rules.

    Exceeds any bound if a user's function made one, since it may return another rule next time.
    """
    users = any(is_users(name, target) for name, target, _ in made)
    return MOST + 1 if users else sum(1 + len(each.rules) for each in made.values())


_made: PerContext[dict[tuple[str, str | None, bool], KindRules]] = PerContext(dict, size=_num_rules)
when_declared(_made.clear)


def _function_of(op: ir.Operation, target: str | None) -> tuple[RuleFunction | None, str]:
    """Return the function that makes the rules of such ops, or None, and the error without one."""
    load_extensions()
    users = users_model_with("rule", op.name, target)
    function = _built_in_rule(op.name, target) if users is None else _custom(users.rule)
    if op.name == CUSTOM_CALL:
        return partial(_rule_of_call, function), "" if function else _CALL
    is_known = function or op.name in _WITHOUT_RULE or is_data_flow_op(op.name) or is_terminator(op)
    return function, "" if is_known else _OP


def _built_in_rule(name: str, target: str | None = None) -> RuleFunction | None:
    model = model_with("rule", name, target)
    return None if model is None else cast("RuleFunction", model.rule)


_WITHOUT_RULE = frozenset(
    """
    arith.constant builtin.module chlo.constant func.func func.call
    sdy.constant sdy.data_flow_edge sdy.func_data_flow_edge sdy.manual_computation sdy.mesh sdy.named_computation
    hlo_async.update sdy.propagation_barrier sdy.reshard sdy.sharding_group
    stablehlo.after_all stablehlo.case stablehlo.constant stablehlo.create_token stablehlo.get_tuple_element
    stablehlo.if stablehlo.infeed stablehlo.iota stablehlo.optimization_barrier stablehlo.outfeed
    stablehlo.partition_id stablehlo.recv stablehlo.send stablehlo.while
    """.split()
)
"""Ops that have no rule, as is to be expected."""


def _rule_of_call(function: RuleFunction | None, op: OpSignature) -> ShardingRule | None:
    """The rule that a custom call carries as text, else that of its target."""
    frontend = op.attribute("mhlo.frontend_attributes")
    for key in FRONTEND_RULES:
        if frontend is not None and key in frontend:
            return _verified_custom(parse_rule(frontend[key].value), op)
    return None if function is None else function(op)


# Warnings ----------------------------------------------------------------------------------------

_OP, _CALL = "an op", "a custom call"


def _meshes(op: ir.Operation) -> Iterable[Mesh]:
    return MeshTable(enclosing_module(op)).by_name.values()


def warn_unknown(op: ir.Operation, what: str = _OP) -> None:
    """Warns once per module about an unknown op, and once about a custom call, where axes remain to be propagated."""
    manual = manual_axes_around(op)
    if manual and all(axis.name in manual for mesh in _meshes(op) for axis in mesh.axes):
        return
    if op.name.startswith("mpmd."):
        message = "cannot be propagated through before mpmd-import-pipeline has made fragments and transfers"
        raise DiagnosticError(op, message)
    message = f"is {what} without a known sharding rule: nothing is propagated through it (reported once)"
    warn_once(f"unknown: {what}", op, message)


class RuleFacts:
    """Reads the inputs that sharding rules of ops depend on, while no rule is declared.

    Ops of one name and of the same types with equal inputs have the same rule, in every module of the context.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, KindRules] = {}

    def of(self, op: ir.Operation, name: str) -> tuple[Hashable, ...] | None:
        """Return the inputs of `create_rule` without the types of `op` and its `name`; None if unknown."""
        kind = self._kinds.get(name)
        if kind is None:
            kind = rules_of_kind(op, False)
            if not has_target(name):
                self._kinds[name] = kind
        return (kind.number, *kind.facts(op)) if kind.rules and not kind.looked_beyond else None
