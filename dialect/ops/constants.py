"""Constants, and counting up (spec: partitioner, 4, 6 and 7.10)."""

from __future__ import annotations

from sdy.dialect.ir_builders import local_collectives
from sdy.dialect.ir_builders.communication import index_type
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp, local_attributes, local_types
from sdy.dialect.ops.model import Attributes, OpModel, op_model
from sdy.mlir import ir
from sdy.mlir.rewriting import replace
from sdy.mlir.tensor_types import with_element_type, with_shape
from sdy.stablehlo import views
from sdy.stablehlo.idioms.dense import constant_of, is_splat, local_splat, resized_text

_PRECISION = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
"""Whole numbers of so many bits are all there. Of other types, such as f8E4M3FN, the name says it."""


@op_model("sdy.constant")
class SdyConstant(OpModel):
    """A splat of the local shape, or the local slice of the whole constant."""

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """Return a splat of the local shape. A constant whose parts may differ stays, and each device slices it."""
        layout = op.result_layouts[0]
        value = local_splat(op.op, layout.local_type) if layout.sharded_dims else None
        return {} if value is None else {"value": value}

    def made_types(self, op: ShardedOp, types: tuple[ir.Type, ...]) -> tuple[ir.Type, ...]:
        return types if "value" in self.local_attributes(op) else (op.result_layouts[0].type,)

    def localize(self, op: LocalOp) -> None:
        op.replace_by_whole(_part(op))

    def pad(self, op: PadOp) -> None:
        """A splat becomes larger; other constants are extended with zeros."""
        layout, old = op.result_layouts[0], op.op
        type_ = with_shape(layout.type, layout.padded_shape)
        known_zero = not is_splat(old)
        text = f'"{old.name}"() {{value = {resized_text(old, type_)}}} : () -> {type_}'
        new = ir.Operation.parse(text).operation
        op.b.ip.insert(new)
        new.location = old.location
        for name in [name for name in old.attributes if name != "value"]:
            new.attributes[name] = old.attributes[name]
        replace(old, [new.results[0]])
        if known_zero:
            op.progress.zero_padded.add(new.results[0])


@op_model("stablehlo.constant")
class Constant(SdyConstant):
    """Model of a constant, like `sdy.constant`; a replicated one stays as it is."""

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return None

    def localize(self, op: LocalOp) -> None:
        layout = op.result_layouts[0]
        if layout.local_shape != layout.shape or layout.unreduced:
            super().localize(op)


@op_model("stablehlo.iota")
class Iota(OpModel):
    """Model of iota: every device counts from the offset of its part."""

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return None

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        """Count from the offset of the device's part; in integers where index and offset would be rounded."""
        layout = op.result_layouts[0]
        if layout.is_replicated and not layout.unreduced:
            return
        dim = views.Iota(op.op).iota_dimension
        b = op.b
        element = layout.type.element_type
        counted = index_type(layout.shape[dim]) if layout.dim_axes[dim] and _rounds(layout, dim) else element
        local = b.iota(with_element_type(ir.RankedTensorType(local_types(op)[0]), counted), dim)
        if layout.dim_axes[dim]:
            offset = b.convert(op.offset(layout, dim), counted)
            local = b.add(local, b.broadcast_in_dim(offset, layout.local_shape))
        op.replace_by_whole(local if counted == element else b.convert(local, element))


def _part(op: LocalOp) -> ir.Value:
    """The device's part of the constant."""
    layout = op.result_layouts[0]
    b = op.b
    if layout.local_shape == layout.shape:
        return constant_of(b, op.op)
    splat = local_attributes(op).get("value")
    if splat is not None:
        return b.constant(splat)
    assert layout.mesh is not None
    return local_collectives.all_slice(
        op.comm, b, constant_of(b, op.op), layout.dim_axes, layout.mesh, layout.local_shape
    )


def _rounds(layout: Layout, dim: int) -> bool:
    """Return whether some index along `dim` is not a number of the element type."""
    element = layout.type.element_type
    if not isinstance(element, ir.FloatType):
        return False
    name = str(element)
    precision = _PRECISION[name] if name in _PRECISION else int(name.partition("M")[2][:1] or 0) + 1
    return layout.shape[dim] - 1 > 1 << precision
