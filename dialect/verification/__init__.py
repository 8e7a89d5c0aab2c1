"""Verification of modules: all that IRDL cannot say (spec: dialect, 4 to 10).

`verify_module` runs after parsing and after each pass. What is valid for one op is valid for thousands like it, so the
expensive questions are asked once per sharding and type; see `Scope`.
"""

from __future__ import annotations

from sdy.dialect.attributes import SHARDING, SHARDING_RULE, ShardingRule
from sdy.dialect.op_properties import shape_of
from sdy.dialect.rule_verifier import verify_rule
from sdy.dialect.search import has_branches, ops_matching, ops_named, ops_with
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.verification import collectives, computations, structure  # noqa: F401  (each registers its checks)
from sdy.dialect.verification.edges import RECORDS, check_records
from sdy.dialect.verification.order import check_in_order
from sdy.dialect.verification.registry import INVARIANTS, SYMBOL_USES, invariants_of
from sdy.dialect.verification.scope import OpCheck, Scope, as_value, expect, value
from sdy.dialect.verification.scopes import Scopes, module_scope
from sdy.mlir import ir

__all__ = ["verify_module"]


def verify_module(module: ir.Module | ir.Operation) -> None:
    """Checks every op of the module.

    Raises:
      DiagnosticError: at the first op that is wrong.
    """
    op = module.operation
    with op.context:
        if has_branches(op):
            check_in_order(op, module_scope(op), _check_entry)
            return
        try:
            _verify(op)
        except Exception:
            # Out of order a check may meet what another one would have refused, and stumble over it.
            check_in_order(op, module_scope(op), _check_entry)
            raise


def _verify(module: ir.Operation) -> None:
    """Checks the ops in whatever order is fastest, and only those that can be wrong."""
    scopes = Scopes(module)
    _check_entry(module, scopes.outermost)
    for op in (*ops_named(module, *_NAMES), *ops_matching(module, structure.CONSTANTS_OF_OTHER_TYPE)):
        name, scope = op.name, scopes.around(op)
        for checks in (INVARIANTS, SYMBOL_USES):
            if name in checks:
                checks[name](op, scope)
    for names, check in _ATTRIBUTES.items():
        for op in ops_with(module, *names):
            check(op, scopes.around(op))


def _check_entry(op: ir.Operation, scope: Scope) -> None:
    """Checks an op but for its uses of symbols."""
    stored = op.attributes
    for names, check in _ATTRIBUTES.items():
        if any(name in stored for name in names):
            check(op, scope)
    check = INVARIANTS.get(op.name)
    if check is not None:
        check(op, scope)


def _check_sharding_and_rule(op: ir.Operation, scope: Scope) -> None:
    """Checks the list of shardings and the rule; each combination of them with types once."""
    stored, results = op.attributes, op.results.types
    if SHARDING_RULE not in stored:
        scope.check_list(op, SHARDING, results)
        return
    operands = [operand.type for operand in op.operands]
    shardings = stored.get(SHARDING)
    values = hash(shardings), hash(stored[SHARDING_RULE]), len(operands)
    key = ("rule", *values, *map(hash, operands), *map(hash, results))
    if key in scope.valid:
        return
    if shardings is not None:
        scope.check_list(op, SHARDING, results)
    shapes = [shape_of(operand) for operand in op.operands], [shape_of(result) for result in op.results]
    expect(op, verify_rule(value(op, SHARDING_RULE, ShardingRule), *shapes))
    scope.valid.add(key)


_ATTRIBUTES: dict[tuple[str, ...], OpCheck] = {
    (SHARDING, SHARDING_RULE): _check_sharding_and_rule,
    RECORDS: check_records,
}
"""The checks of the discardable attributes of this dialect, by name (section 5)."""


@invariants_of("func.func")
def _verify_function(func: ir.Operation, scope: Scope) -> None:
    """Checks the shardings of arguments and results, also of a declaration (section 5.1)."""
    type_ = func.attributes["function_type"].value
    for name, types, what in (("arg_attrs", type_.inputs, "argument"), ("res_attrs", type_.results, "result")):
        if name not in func.attributes:
            continue
        for number, (entry, value_type) in enumerate(zip(func.attributes[name], types, strict=True)):
            if SHARDING not in entry:
                continue
            attr = entry[SHARDING]
            key = ("value", hash(attr), hash(value_type))
            if key not in scope.valid:
                value_name = f"{what} {number} "
                sharding = as_value(func, attr, TensorSharding, SHARDING, value_name)
                scope.check(func, sharding, value_type, value_name)
                scope.valid.add(key)


_NAMES = {*INVARIANTS, *SYMBOL_USES} - {"sdy.constant"}
"""The ops to be checked, but for constants, of which there are thousands (see `CONSTANTS_OF_OTHER_TYPE`)."""
