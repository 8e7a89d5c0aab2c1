"""Verification of modules: all that IRDL cannot say (spec: dialect, 4 to 10).

`verify_module` runs after parsing and after each pass. Thousands of similar ops share their checks, so expensive checks
run once per sharding and type; see `Scope`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sdy.dialect.context import exclusively
from sdy.dialect.data_flow import data_flow_names
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import (  # noqa: F401  (each registers its checks)
    collective_checks,
    mpmd_checks,
    structure,
)
from sdy.dialect.verification.documents import (
    RECORDS,
    DocumentsScope,
    check_device_ids,
    check_ops,
    check_records,
    check_sharding_and_rule,
)
from sdy.dialect.verification.sharding_checks import (
    INVARIANTS,
    SYMBOL_USES,
    WITH_SCOPE,
    OpCheck,
    Scope,
    Scopes,
    as_value,
    check_by_name,
    invariants_of,
    module_scope,
)
from sdy.dialect.verification.structure import check_in_order
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import at_argument, saying_once
from sdy.mlir.pdl import PatternText, Signature, apply_pdl, calling
from sdy.mlir.search import has_branches, has_one, ops_to_look_at

__all__ = ["check_device_ids", "verify_module"]


def verify_module(module: ir.Module | ir.Operation, *, strict_documents: bool = False) -> None:
    """Checks every op of the module.

    Args:
      module: the module to check.
      strict_documents: also check rules of the dialect's documents that the C++ dialect does not check: meshes of
        one number of devices, no sharding along dimensions of size 0, one mesh for a manual computation, whose manual
        axes are in its order and named by each sharding.

    Raises:
      DiagnosticError: at the first op that is wrong.
    """
    op = module.operation
    with op.context, exclusively(op.context), saying_once():
        if strict_documents:
            module_scope(op)
            check_in_order(op, DocumentsScope(MeshTable(op)), _check_entry)
            return
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
    """Checks ops in the fastest order, and only those that may be invalid."""
    found, recorded = _ops_to_check(module)
    found += recorded
    scopes = Scopes(module, [op for op in found if op.name in WITH_SCOPE])
    _check_entry(module, scopes.outermost)
    for op in found:
        check_by_name(op, scopes.around(op))
    for op in recorded:
        check_records(op, scopes.around(op))
    check_ops(module, scopes, [op for op in found if op.name in _WITH_OPS])


def _ops_to_check(module: ir.Operation) -> tuple[list[ir.Operation], list[ir.Operation]]:
    """Return the ops with checks of their own or regions to visit, and the ops with records."""
    found: list[ir.Operation] = []
    recorded: list[ir.Operation] = []
    few = ops_to_look_at(module, _TO_CHECK)
    if few is None:
        lists = {"collect": found, "collect_recorded": recorded}
        apply_pdl(module, _TO_CHECK, {name: partial(_collect, ops) for name, ops in lists.items()})
        return found, recorded
    for op in few:
        stored = op.attributes
        if has_one(stored, RECORDS):
            recorded.append(op)
        elif op.name in _NAMES_TO_CHECK:
            found.append(op)
    return found, recorded


def _collect(found: list[ir.Operation], _rewriter: object, _results: object, ops: Sequence[ir.Operation]) -> None:
    found.extend(ops)


def _check_entry(op: ir.Operation, scope: Scope) -> None:
    """Checks an op, except its uses of symbols."""
    stored = op.attributes
    for names, check in _ATTRIBUTES.items():
        if any(name in stored for name in names):
            check(op, scope)
    check = INVARIANTS.get(op.name)
    if check is not None:
        check(op, scope)


_ATTRIBUTES: dict[tuple[str, ...], OpCheck] = {
    (SHARDING, SHARDING_RULE): check_sharding_and_rule,
    RECORDS: check_records,
}
"""The checks of the discardable attributes of this dialect, by name (section 5)."""


@invariants_of("func.func")
def _verify_function(func: ir.Operation, scope: Scope) -> None:
    """Checks the shardings of arguments and results, also of a declaration (section 5.1)."""
    type_ = func.attributes["function_type"].value
    for name, types, what in (("arg_attrs", type_.inputs, "argument"), ("res_attrs", type_.results, "result")):
        entries = func.attributes.get(name)
        key = ("function", name, address(entries), address(type_))
        if entries is not None and key not in scope.valid:
            _verify_entries(func, scope, zip(entries, types, strict=True), what)
            scope.valid.add(key)


def _verify_entries(
    func: ir.Operation, scope: Scope, entries: Iterable[tuple[ir.DictAttr, ir.Type]], what: str
) -> None:
    """Checks the shardings of all arguments, or of all results: their attributes and types are `entries`."""
    for number, (entry, value_type) in enumerate(entries):
        if SHARDING not in entry:
            continue
        attr = entry[SHARDING]
        key = ("value", address(attr), address(value_type))
        if key not in scope.valid:
            value_name = f"{what} {number} "
            with at_argument(func, number if what == "argument" else None):
                sharding = as_value(func, attr, TensorSharding, SHARDING, value_name)
                scope.check(func, sharding, value_type, value_name)
            scope.valid.add(key)


_WITH_OPS = ("func.func", *data_flow_names())
"""Ops that contain most ops of a module."""


_NAMES_TO_CHECK = frozenset({*INVARIANTS, *SYMBOL_USES, *WITH_SCOPE, *_WITH_OPS})


def _patterns_of_ops_to_check() -> str:
    """Write PDL patterns of ops with checks of their own, records or regions to visit.

    Constants are checked only if they can be invalid, because there are thousands.
    """
    text = PatternText()
    for name in sorted(_NAMES_TO_CHECK - {"sdy.constant"}):
        text.add(Signature(name), 1, calling("collect"))
    for record in RECORDS:
        text.add(Signature(attributes=((record, None),)), 3, calling("collect_recorded"))
    return f"{text}{structure.CONSTANTS_OF_OTHER_TYPE}"


_TO_CHECK = _patterns_of_ops_to_check()
