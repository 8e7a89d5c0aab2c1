"""What values are called in the printed text of a module."""

from __future__ import annotations

from sdy.dialect.context import groups_of
from sdy.dialect.definition.declared_ops import VARIADIC
from sdy.mlir import ir
from sdy.mlir.declared_dialects.variadic import TooManyTypes, segments_attached


def printed_names(module: ir.Operation) -> ir.AsmState:
    """The state from which `value.get_name` has the names that `sdy.print_module` prints.

    The bindings name the values of a module that they cannot verify as in generic form. So the module is as their
    verifier wants it for as long as it takes.
    """
    try:
        with segments_attached(module, VARIADIC, groups_of(module.context)):
            return ir.AsmState(module)
    except TooManyTypes:
        return ir.AsmState(module)
