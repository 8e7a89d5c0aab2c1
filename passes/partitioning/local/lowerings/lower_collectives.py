"""The sdy collectives (spec: partitioner, 7.1 to 7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.mlir import address, ir
from sdy.passes.partitioning.emit import local_collectives
from sdy.passes.partitioning.emit.unused import erase_unused
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.inference.derivation import local_types
from sdy.passes.partitioning.local.local_op import LocalOp
from sdy.passes.partitioning.local.registry import local_lowering

T = TypeVar("T", AxisRef, AxisList)
_ByAxes = Callable[[LocalOp, tuple[T, ...]], None]


def _lowers(name: str, attribute: str) -> Callable[[_ByAxes[T]], _ByAxes[T]]:
    """Declares the lowering of a collective, called with its axes; without any it is its operand."""

    def register(lower: _ByAxes[T]) -> _ByAxes[T]:
        @local_lowering(name)
        def lowering(op: LocalOp) -> None:
            axes = tuple(op.get(attribute))
            if any(axes):
                lower(op, axes)
            else:
                op.replace(op.operands[0])

        return lower

    return register


@_lowers("sdy.all_gather", "gathering_axes")
def all_gather(op: LocalOp, axes: tuple[AxisList, ...]) -> None:
    """One StableHLO all_gather, or one per dimension if the pass was told so or the size is dynamic."""
    ref, mesh = _mesh(op)
    x = op.operands[0]
    per_dim = op.setting.per_dim_all_gather or not is_static_shaped(x.type)
    op.replace(local_collectives.all_gather(op.comm, op.b, x, axes, ref, mesh, per_dim))


@_lowers("sdy.all_slice", "slicing_axes")
def all_slice(op: LocalOp, axes: tuple[AxisList, ...]) -> None:
    """A dynamic slice at the device's place."""
    _expect_static(op)
    _, mesh = _mesh(op)
    op.replace(local_collectives.all_slice(op.comm, op.b, op.operands[0], axes, mesh, op.result_layouts[0].local_shape))


def _replicated(op: LocalOp, axes: AxisList) -> ir.Value | None:
    """The replicated value that the operand was made of, if it is what combining that along `axes` gives."""
    along, value = op.setting.combined.get(address(op.operands[0]), ((), None))
    return value if set(along) == set(axes) else None


def _replace(op: LocalOp, value: ir.Value) -> None:
    """Replaces a collective by a value for which its operand is not needed."""
    part = op.operands[0]
    op.replace(value)
    erase_unused([part])


@_lowers("sdy.all_reduce", "reduction_axes")
def all_reduce(op: LocalOp, axes: AxisList) -> None:
    """One StableHLO all_reduce; none of a value that was replicated before it became a partial one."""
    ref, mesh = _mesh(op)
    replicated = _replicated(op, axes)
    if replicated is not None:
        _replace(op, replicated)
        return
    op.replace(local_collectives.all_reduce(op.comm, op.b, op.operands[0], axes, _reduction(op), ref, mesh))


@_lowers("sdy.reduce_scatter", "reduce_scatter_axes")
def reduce_scatter(op: LocalOp, axes: tuple[AxisList, ...]) -> None:
    """One StableHLO reduce_scatter; a slice of a value that was replicated before it became a partial one."""
    _expect_static(op)
    ref, mesh = _operand_mesh(op)
    replicated = _replicated(op, tuple(axis for each in axes for axis in each))
    if replicated is not None:
        _replace(
            op, local_collectives.all_slice(op.comm, op.b, replicated, axes, mesh, op.result_layouts[0].local_shape)
        )
        return
    combine = op.setting.combine_multi_dimension_reduce_scatter
    op.replace(
        local_collectives.reduce_scatter(op.comm, op.b, op.operands[0], axes, _reduction(op), ref, mesh, combine)
    )


@local_lowering("sdy.all_to_all")
def all_to_all(op: LocalOp) -> None:
    """One StableHLO all_to_all; several parameters are brought into one dimension and back."""
    params = op.get("params").params
    ref, mesh = _mesh(op)
    x = op.operands[0]
    for param in params:
        size = x.type.shape[param.tgt_dim]
        if size < 0 or size % local_collectives.product(param.axes, mesh.axis_sizes):
            op.fail(f"splits dimension {param.tgt_dim} of a local {x.type} unevenly")
    if len(params) > 1:
        _expect_static(op)
    op.replace(local_collectives.all_to_all(op.comm, op.b, x, params, ref, mesh))


@local_lowering("sdy.collective_permute")
def collective_permute(op: LocalOp) -> None:
    """Every device sends its part to the device that has its place in the new layout."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    if source.sharding is None or target.sharding is None or source.sharding == target.sharding:
        op.replace(op.operands[0])
        return
    assert source.mesh is not None and target.mesh is not None
    if source.mesh.size != target.mesh.size:
        op.fail(f"moves a value from {source.mesh.size} to {target.mesh.size} devices")
    manual = op.manual_axes
    pairs = local_collectives.permute_pairs(source.sharding, source.mesh, target.sharding, target.mesh, manual)
    op.replace(op.comm.permute(op.b, op.operands[0], pairs, target.mesh))


@local_lowering("sdy.replicated_to_unreduced")
def replicated_to_unreduced(op: LocalOp) -> None:
    axes = op.get("axes").axes
    _expect_static(op)
    _, mesh = _mesh(op)
    op.replace(local_collectives.replicated_to_unreduced(op.comm, op.b, op.operands[0], axes, _out(op).reduction, mesh))


@_lowers("sdy.sharded_to_unreduced", "axes")
def sharded_to_unreduced(op: LocalOp, axes: tuple[AxisList, ...]) -> None:
    _expect_static(op)
    _, mesh = _mesh(op)
    (type_,) = local_types(op)
    kind = _out(op).reduction
    op.replace(local_collectives.sharded_to_unreduced(op.comm, op.b, op.operands[0], axes, kind, mesh, type_))


def _expect_static(op: LocalOp) -> None:
    if not is_static_shaped(op.operands[0].type):
        op.fail("moves parts of a tensor of dynamic size")


def _out(op: LocalOp) -> TensorSharding:
    return op.get("out_sharding")


def _mesh(op: LocalOp) -> tuple[MeshRef, Mesh]:
    """The mesh of the result."""
    return _named_mesh(op, op.result_layouts[0])


def _operand_mesh(op: LocalOp) -> tuple[MeshRef, Mesh]:
    """The mesh of the operand, or that of the result if the operand has no sharding."""
    operand = op.operand_layouts[0]
    return _named_mesh(op, operand if operand.mesh is not None else op.result_layouts[0])


def _named_mesh(op: LocalOp, layout: Layout) -> tuple[MeshRef, Mesh]:
    if layout.mesh is None:
        op.fail("has a sharding on a mesh that the module does not have")
    return layout.mesh_ref, layout.mesh


def _reduction(op: LocalOp) -> Reduction:
    attributes = op.op.attributes
    return Reduction(attributes["reduction_op"].value) if "reduction_op" in attributes else Reduction.SUM
