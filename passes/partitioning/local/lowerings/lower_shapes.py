"""Ops about shapes."""

from __future__ import annotations

from sdy.mlir.tensor_types import i32
from sdy.passes.partitioning.emit.devices import check_indices
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.facts.reshape_groups import is_equivalent
from sdy.passes.partitioning.local.generic_lowering import by_rule, elementwise
from sdy.passes.partitioning.local.local_op import LocalOp, Lowering
from sdy.passes.partitioning.local.registry import local_lowering, lowering_choice


@lowering_choice("stablehlo.reshape")
def reshape(op: LocalOp) -> Lowering:
    """Local if the shardings split the elements alike."""
    layouts, known = (op.operand_layouts[0], op.result_layouts[0]), op.setting.known
    is_local = known.get(("reshape", *layouts))
    if is_local is None:
        is_local = known["reshape", *layouts] = _is_local(*layouts)
    if is_local:
        return LocalOp.keep
    return by_rule(op, LocalOp.keep)


def _is_local(source: Layout, target: Layout) -> bool:
    if not source.sharded_dims and not target.sharded_dims:
        return True
    return source.unreduced == target.unreduced and source.divides and is_equivalent(source, target)


@local_lowering("stablehlo.get_dimension_size")
def get_dimension_size(op: LocalOp) -> None:
    """The size in the whole program, not that of the device's part."""
    source = op.operand_layouts[0]
    dim = op.op.attributes["dimension"].value
    if source.is_sharded(dim) and source.shape[dim] >= 0:
        check_indices(op.b, source.shape[dim])
        op.replace(op.b.constant(source.shape[dim], i32()))


@local_lowering("stablehlo.map")
def map_(op: LocalOp) -> None:
    """Works on each element."""
    elementwise(op)


@local_lowering("stablehlo.broadcast")
def broadcast(op: LocalOp) -> None:
    """New leading dimensions become as small as the result's part; the operand's dimensions follow the result's."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    count = target.rank - source.rank
    if target.sharding is None:
        op.bring(0, op.setting.layouts.of(source.type, None))
        return
    dims = target.sharding.dims[count:]
    op.bring(0, op.setting.layouts.of(source.type, target.sharding.with_dims(dims)))
    op.keep()
