"""Which of several errors is reported: the first one in the order of upstream's verifier, not in that of the text.

Upstream verifies an op before the ops in it, but a function (or any other op that is isolated from above) only when all
else around it is done. Uses of symbols come last, when everything in the symbol table is verified, and among those the
ops of the last region come first.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.definition.attributes import ManualAxes
from sdy.dialect.verification.checked_attributes import value
from sdy.dialect.verification.registry import SYMBOL_USES, OpCheck
from sdy.dialect.verification.scope import Scope
from sdy.mlir import ir
from sdy.mlir.diagnostics import Faults

_SYMBOL_TABLE = "builtin.module"


def check_in_order(module: ir.Operation, scope: Scope, check_entry: OpCheck) -> None:
    """Raises the first error in the module, or that of each function.

    `check_entry` raises what is wrong with an op before symbols are looked up.

    Slow: nothing is remembered from one op to the next.
    """
    check_entry(module, scope)
    inner, later = _inside(module, scope), []
    for op in _nested(module):
        if len(op.regions) and op.has_trait(ir.IsIsolatedFromAboveTrait):
            later.append(op)
        else:
            check_in_order(op, inner, check_entry)
    # Upstream verifies all of them, whatever is wrong with one.
    with Faults() as faults:
        for op in later:
            with faults.one():
                check_in_order(op, inner, check_entry)
    if module.name == _SYMBOL_TABLE:
        _check_symbol_uses(module, inner)


def _check_symbol_uses(table: ir.Operation, scope: Scope) -> None:
    """Checks the ops of a symbol table, not those of the tables in it."""
    regions = [(region, scope) for region in table.regions]
    while regions:
        region, around = regions.pop()
        for block in region.blocks:
            for found in block.operations:
                op = found.operation
                check = SYMBOL_USES.get(op.name)
                if check is not None:
                    check(op, around)
                if op.name != _SYMBOL_TABLE:
                    inner = _inside(op, around)
                    regions += [(each, inner) for each in op.regions]


def _nested(op: ir.Operation) -> Iterator[ir.Operation]:
    """The ops directly in `op`."""
    for region in op.regions:
        for block in region.blocks:
            for nested in block.operations:
                yield nested.operation


def _inside(op: ir.Operation, scope: Scope) -> Scope:
    """The scope of what is in `op`, which stands in `scope`."""
    if op.name == _SYMBOL_TABLE:
        return scope.of_module(op)
    if op.name == "sdy.manual_computation":
        return scope.inside(op, value(op, "manual_axes", ManualAxes))
    return scope
