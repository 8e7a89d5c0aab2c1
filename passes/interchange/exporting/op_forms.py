"""What single ops of the dialect become in a module of StableHLO."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES, inherent_sharding_name
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.interchange.custom_calls import SHARDING_CALL
from sdy.passes.interchange.exporting.building import custom_call, says_reduction

RESHARDS = tuple(name for name in INHERENT_NAMES if name != "sdy.data_flow_edge")
"""Constraints, reshards and collectives: they give their result a sharding."""

EDGES = ("sdy.data_flow_edge", "sdy.func_data_flow_edge")


def write_reshard(op: ir.Operation, *, as_call: bool = True, keep_open_dims: bool = False) -> None:
    """A call of @Sharding, or a copy, takes the place of `op`, one of `RESHARDS`, which is left without uses.

    With `keep_open_dims` the call says which dimensions are open.
    """
    name = inherent_sharding_name(op.name)
    assert name is not None
    sharding = attributes.get(op, name)
    type_ = op.results[0].type
    if as_call:
        given = open_dims_of(sharding) if keep_open_dims else None
        new = custom_call(
            SHARDING_CALL, op.operands, [type_], op, side_effect=says_reduction(sharding), attributes=given
        )
    else:
        new = ir.Operation.create(
            "mhlo.copy", results=[type_], operands=list(op.operands), loc=op.location, ip=ir.InsertionPoint(op)
        )
    attributes.put(new, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(new.results[0])


def open_dims_of(sharding: TensorSharding) -> dict[str, ir.Attribute]:
    """What a call of @Sharding has beside a text that cannot say that dimensions are open."""
    listed = [str(number) for number, dim in enumerate(sharding.dims) if not dim.is_closed]
    return {"backend_config": ir.StringAttr.get(f"unspecified_dims=[{','.join(listed)}]")} if listed else {}


def write_constant(op: ir.Operation) -> None:
    """A constant of StableHLO takes the place of one of the dialect.

    Raises `DiagnosticError` if its value is none, which StableHLO would not survive where nothing is verified.
    """
    if not isinstance(getattr(op.attributes["value"], "type", None), ir.ShapedType):
        raise DiagnosticError(op, "has a value that is no tensor of elements")
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
