"""How explicit reshards treat ops, by their name."""

from __future__ import annotations

from enum import Enum, auto

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.op_properties import is_terminator
from sdy.mlir import ir


class Kind(Enum):
    """How ops of one name are treated."""

    ORDINARY = auto()
    DATA_FLOW = auto()
    CALL = auto()
    RESHARD = auto()
    NOTHING = auto()


def kind_of(op: ir.Operation) -> Kind:
    name = op.name
    if is_data_flow_op(name):
        return Kind.DATA_FLOW
    if name == "func.func" or is_terminator(op):
        return Kind.NOTHING
    return {"func.call": Kind.CALL, "sdy.reshard": Kind.RESHARD}.get(name, Kind.ORDINARY)
