"""What values and ops of a global program are on one device: here all local types and attributes come from.

The sharding decides what they are (spec: type-inference, 3.1 to 3.3). The conversion to local programs asks here for
every value and every op that it keeps, once the shardings fit; `sdy.local_return_types` and `sdy.localize_attributes`
ask for one op, and refuse shardings that do not fit.
"""

from __future__ import annotations

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import Attributes, any_model
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError


def local_type(layout: Layout, at: ir.Operation) -> ir.Type:
    """The type that a value of such a layout has on each device.

    Raises:
      DiagnosticError: at the op `at`, if the devices would have parts of different sizes.
    """
    if not layout.divides:
        raise DiagnosticError(
            at, f"has a value of type {layout.type} that its sharding {layout.sharding} does not divide evenly"
        )
    return layout.local_type


def local_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """The types of the results of an op on each device."""
    return tuple([local_type(layout, op.op) for layout in op.result_layouts])


def local_attributes(op: ShardedOp) -> Attributes:
    """The attributes of an op that are others on each device, for an op whose layouts fit.

    Raises:
      DiagnosticError: what the attributes say cannot be said of parts.
    """
    return any_model(op.op, "local_attributes").local_attributes(op)


def made_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """The types that the op itself makes with these attributes, of which each device may need a part only."""
    types = local_types(op)
    if not op.result_layouts or not op.result_layouts[0].sharded_dims:
        return types
    return any_model(op.op, "made_types").made_types(op, types)
