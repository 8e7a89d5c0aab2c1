"""What values and ops of a global program are on one device: here all local types and attributes come from.

The sharding decides what they are (spec: type-inference, 3.1 to 3.3). The conversion to local programs asks here for
every value and every op that it keeps, once the shardings fit; `sdy.local_return_types` and `sdy.localize_attributes`
ask for one op, and refuse shardings that do not fit.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.emit.laid_op import LaidOp
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.inference.local_attributes import Attributes, changed_attributes, local_padding


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


def local_types(op: LaidOp) -> tuple[ir.Type, ...]:
    """The types of the results of an op on each device."""
    return tuple([local_type(layout, op.op) for layout in op.result_layouts])


def local_attributes(op: LaidOp) -> Attributes:
    """The attributes of an op that are others on each device, for an op whose layouts fit.

    Raises:
      DiagnosticError: what the attributes say cannot be said of parts.
    """
    return changed_attributes(op)


def made_types(op: LaidOp) -> tuple[ir.Type, ...]:
    """The types that the op itself makes with these attributes, of which each device may need a part only."""
    types, name = local_types(op), op.op.name
    if not op.result_layouts or not op.result_layouts[0].sharded_dims:
        return types
    if name == "stablehlo.pad":
        return (with_shape(ir.RankedTensorType(types[0]), local_padding(op).shape),)
    if name in ("stablehlo.constant", "sdy.constant") and "value" not in local_attributes(op):
        return (op.result_layouts[0].type,)
    return types
