"""Erasing what nobody uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_unused

_MOVEMENTS = frozenset({"stablehlo.dynamic_slice", "stablehlo.pad", "stablehlo.transpose"})


def may_be_erased(op: ir.Operation) -> bool:
    """Whether an op is known to have no effects, without a look into its regions."""
    return op.name in _MOVEMENTS or op.name in COLLECTIVES or is_pure(op) or is_constant(op)


def erase_unused(values: Iterable[ir.Value], may_be_erased: Callable[[ir.Operation], bool] = may_be_erased) -> None:
    """Erases the ops that make `values` if nobody uses them and they have no effects; then those before them."""
    pending = dict.fromkeys(values)
    while pending:
        value = next(iter(pending))
        del pending[value]
        if not isinstance(value, ir.OpResult):
            continue
        op = value.owner.operation
        if is_unused(op) and may_be_erased(op):
            for result in op.results:
                pending.pop(result, None)  # it is not to be looked at once it is gone
            pending.update(dict.fromkeys(op.operands))
            op.erase()
