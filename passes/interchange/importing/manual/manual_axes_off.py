"""Texts in a body say which axes are manual, as the computation does from now on (spec: interchange, 5.2)."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, SHARDING_CALL, target_of
from sdy.passes.interchange.importing.open_dims import with_open_dims
from sdy.passes.interchange.sites import ENTRIES, TEXT


def strip(block: ir.Block, nothing_left: bool) -> None:
    """Takes off what the texts of ops say of manual axes; constraints that say nothing else go.

    `nothing_left` says that all axes are manual.
    """
    for outermost in [op.operation for op in block.operations]:
        for op in pre_order(outermost):
            if TEXT in op.attributes:
                del op.attributes[TEXT]
            if op.name == CUSTOM_CALL and target_of(op) == SHARDING_CALL and _says_nothing(op, nothing_left):
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
            elif nothing_left and SHARDING in op.attributes:
                del op.attributes[SHARDING]


def strip_entries(func: ir.Operation, nothing_left: bool) -> None:
    """The same for arguments and results of a function that a body calls."""
    gone = (TEXT, SHARDING) if nothing_left else (TEXT,)
    for entries in ENTRIES:
        if entries in func.attributes:
            kept = [{e.name: e.attr for e in entry if e.name not in gone} for entry in func.attributes[entries]]
            func.attributes[entries] = ir.ArrayAttr.get([ir.DictAttr.get(entry) for entry in kept])


def _says_nothing(op: ir.Operation, nothing_left: bool) -> bool:
    shardings = op_shardings(op)
    if nothing_left or shardings is None:
        return True
    sharding = with_open_dims(op, shardings[0])
    return all(not dim.axes and not dim.is_closed for dim in sharding.dims) and not sharding.unreduced
