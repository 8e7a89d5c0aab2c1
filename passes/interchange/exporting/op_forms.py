"""What single ops of the dialect become in a module of StableHLO."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES, inherent_sharding_name
from sdy.dialect.values.lists import ShardingPerValue
from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import SHARDING_CALL
from sdy.passes.interchange.exporting.building import custom_call, says_reduction

RESHARDS = tuple(name for name in INHERENT_NAMES if name != "sdy.data_flow_edge")
"""Constraints, reshards and collectives: they give their result a sharding."""

EDGES = ("sdy.data_flow_edge", "sdy.func_data_flow_edge")


def write_reshard(op: ir.Operation, *, as_call: bool = True) -> None:
    """A call of @Sharding, or a copy, takes the place of `op`, one of `RESHARDS`, which is left without uses."""
    name = inherent_sharding_name(op.name)
    assert name is not None
    sharding = attributes.get(op, name)
    type_ = op.results[0].type
    if as_call:
        new = custom_call(SHARDING_CALL, op.operands, [type_], op, side_effect=says_reduction(sharding))
    else:
        new = ir.Operation.create(
            "mhlo.copy", results=[type_], operands=list(op.operands), loc=op.location, ip=ir.InsertionPoint(op)
        )
    attributes.put(new, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(new.results[0])


def write_constant(op: ir.Operation) -> None:
    """A constant of StableHLO takes the place of one of the dialect."""
    new = ir.Operation.create(
        "stablehlo.constant",
        results=[op.results[0].type],
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])


def forward(op: ir.Operation) -> None:
    """The operand takes the place of the result."""
    op.results[0].replace_all_uses_with(op.operands[0])
