"""Models of sdy's ops."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders import local_collectives
from sdy.dialect.ir_builders.local_collectives import as_partial, relayout
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp, local_types
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import OpSignature, pointwise
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.tensor_types import with_shape

T = TypeVar("T", AxisRef, AxisList)


class _Collective(OpModel, Generic[T]):
    """A collective along the axes that an attribute holds; without any it is its operand."""

    axes_attribute: ClassVar[str]

    def localize(self, op: LocalOp) -> None:
        axes = tuple(op.get(self.axes_attribute))
        if any(axes):
            self.lower(op, axes)
        else:
            op.replace(op.operands[0])

    @abstractmethod
    def lower(self, op: LocalOp, axes: tuple[T, ...]) -> None:
        """Make the collective along `axes` local."""


@op_model("sdy.all_gather")
class AllGather(_Collective[AxisList]):
    """The result is cut along gathered dimensions."""

    axes_attribute = "gathering_axes"

    def lower(self, op: LocalOp, axes: tuple[AxisList, ...]) -> None:
        """Lower to one StableHLO all_gather, or one per dimension by option or for a dynamic size."""
        ref, mesh = _mesh(op)
        x = op.operands[0]
        per_dim = op.setting.per_dim_all_gather or not is_static_shaped(x.type)
        op.replace(local_collectives.all_gather(op.comm, op.b, x, axes, ref, mesh, per_dim))

    def pad(self, op: PadOp) -> None:
        """The result is cut along gathered dimensions."""
        _gather(op, attributes.get(op.op, "gathering_axes").lists)


@op_model("sdy.all_slice")
class AllSlice(_Collective[AxisList]):
    """A dynamic slice at the device's place."""

    axes_attribute = "slicing_axes"

    def lower(self, op: LocalOp, axes: tuple[AxisList, ...]) -> None:
        """A dynamic slice at the device's place."""
        _expect_static(op)
        _, mesh = _mesh(op)
        op.replace(
            local_collectives.all_slice(op.comm, op.b, op.operands[0], axes, mesh, op.result_layouts[0].local_shape)
        )

    def pad(self, op: PadOp) -> None:
        """The operand is padded until its new shards are even."""
        operand = _with_room(op)
        if op.is_zero_padded(operand):
            op.progress.zero_padded.add(op.op.results[0])


@op_model("sdy.all_reduce")
class AllReduce(_Collective[AxisRef]):
    """Model of all_reduce, lowered to one StableHLO all_reduce."""

    axes_attribute = "reduction_axes"

    def lower(self, op: LocalOp, axes: AxisList) -> None:
        """Lower to one StableHLO all_reduce, or to the replicated value that the partial one was made from."""
        ref, mesh = _mesh(op)
        replicated = _replicated(op, axes)
        if replicated is not None:
            _replace(op, replicated)
            return
        op.replace(local_collectives.all_reduce(op.comm, op.b, op.op.operands[0], axes, _reduction(op), ref, mesh))

    grows_alike = True


@op_model("sdy.reduce_scatter")
class ReduceScatter(_Collective[AxisList]):
    """Model of reduce_scatter, lowered to one StableHLO reduce_scatter."""

    axes_attribute = "reduce_scatter_axes"

    def lower(self, op: LocalOp, axes: tuple[AxisList, ...]) -> None:
        """Lower to one StableHLO reduce_scatter, or to a slice of the replicated value behind the partial one."""
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

    def pad(self, op: PadOp) -> None:
        """The operand is padded until its new shards are even."""
        operand = _with_room(op)
        if op.is_zero_padded(operand):
            op.progress.zero_padded.add(op.op.results[0])


@op_model("sdy.all_to_all")
class AllToAll(OpModel):
    """Model of all_to_all, lowered to one StableHLO all_to_all."""

    def localize(self, op: LocalOp) -> None:
        """Lower to one StableHLO all_to_all; several parameters are merged into one dimension and split again."""
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

    def pad(self, op: PadOp) -> None:
        """The operand is padded along target dimensions, the result cut along source dimensions."""
        operand = _with_room(op)
        part = _slice_back(op, [param.src_dim for param in attributes.get(op.op, "params").params])
        if op.is_zero_padded(operand):
            op.progress.zero_padded.add(part)


@op_model("sdy.collective_permute")
class CollectivePermute(OpModel):
    """Model of collective_permute: devices exchange their parts for those of the new layout."""

    def localize(self, op: LocalOp) -> None:
        """Send the part of every device to the device with the same position in the new layout."""
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

    grows_alike = True


@op_model("sdy.replicated_to_unreduced")
class ReplicatedToUnreduced(OpModel):
    """Model of replicated_to_unreduced: one device of each group keeps the value."""

    def localize(self, op: LocalOp) -> None:
        axes = op.get("axes").axes
        _expect_static(op)
        _, mesh = _mesh(op)
        op.replace(
            local_collectives.replicated_to_unreduced(op.comm, op.b, op.operands[0], axes, _out(op).reduction, mesh)
        )

    grows_alike = True


@op_model("sdy.sharded_to_unreduced")
class ShardedToUnreduced(_Collective[AxisList]):
    """Each device has its part, and the identity elsewhere."""

    axes_attribute = "axes"

    def lower(self, op: LocalOp, axes: tuple[AxisList, ...]) -> None:
        _expect_static(op)
        _, mesh = _mesh(op)
        (type_,) = local_types(op)
        kind = _out(op).reduction
        op.replace(local_collectives.sharded_to_unreduced(op.comm, op.b, op.operands[0], axes, kind, mesh, type_))

    def pad(self, op: PadOp) -> None:
        """Pad like all_gather, but do not slice an unused result."""
        if not next(iter(op.op.results[0].uses), None):
            _grow_to(op, _gathered_shape(op))
            return
        _gather(op, attributes.get(op.op, "axes").lists)


def _replicated(op: LocalOp, axes: AxisList) -> ir.Value | None:
    """Return the replicated value that the operand was made from, if the collective along `axes` restores it."""
    along, value = op.setting.combined.get(address(op.op.operands[0]), ((), None))
    return None if value is None or set(along) != set(axes) else value


def _replace(op: LocalOp, value: ir.Value) -> None:
    """Replaces a collective by a value that does not depend on its operand."""
    part = op.operands[0]
    op.replace(value)
    erase_unused([part])


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


def _with_room(op: PadOp) -> ir.Value:
    """The operand, padded until the result has room in it."""
    result = op.result_layouts[0]
    shape = [max(have, want) for have, want in zip(op.op.operands[0].type.shape, result.padded_shape, strict=True)]
    op.high_pad(0, shape, op.operand_layouts[0].sharding)
    operand = op.op.operands[0]
    _grow_to(op, operand.type.shape)
    return operand


def _gather(op: PadOp, axes: Sequence[AxisList]) -> None:
    _grow_to(op, _gathered_shape(op))
    part = _slice_back(op, [dim for dim, axis_list in enumerate(axes) if axis_list])
    if op.is_zero_padded(op.op.operands[0]):
        op.progress.zero_padded.add(part)


def _gathered_shape(op: PadOp) -> list[int]:
    given, wanted = op.op.operands[0].type.shape, op.result_layouts[0].padded_shape
    return [max(have, want) for have, want in zip(given, wanted, strict=True)]


def _grow_to(op: PadOp, shape: Sequence[int]) -> None:
    result = op.op.results[0]
    if list(result.type.shape) != list(shape):
        result.set_type(with_shape(result.type, shape))


def _slice_back(op: PadOp, dims: Sequence[int]) -> ir.Value:
    """Slices the result along `dims` back to the shape of its own sharding."""
    result, layout = op.op.results[0], op.result_layouts[0]
    shape = list(result.type.shape)
    if all(shape[dim] == layout.shape[dim] for dim in dims):
        return result
    for dim in dims:
        shape[dim] = layout.padded_shape[dim]
    assert layout.sharding is not None
    return op.slice_result(shape, layout.sharding)


@op_model("sdy.data_flow_edge", "sdy.func_data_flow_edge", "sdy.propagation_barrier")
class Move(OpModel):
    """Returns the operand, gathered and sliced where the layouts differ."""

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        move(op)


@op_model("sdy.reshard")
class Reshard(Move):
    """Moves its operand to another sharding."""

    def grows(self, op: ShardedOp) -> bool:
        if not op.is_padded_alike:
            op.fail("moves a value between devices with different padding")
        return True


@op_model("sdy.sharding_constraint")
class ShardingConstraint(Move):
    """Model of a constraint, like a reshard; every dimension passes through."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise(op)


@op_model("mpmd.transfer")
class Transfer(OpModel):
    """Moves a tensor to another mesh; every dimension passes through if both meshes are equal."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise(op) if op.look(_is_between_equal_meshes) else None


def _is_between_equal_meshes(op: ir.Operation) -> bool:
    """Return whether the meshes on both sides of a transfer have the same axes and devices."""
    topology = attributes.value_of(op.parent.operation.attributes["topology"])
    source, target = (
        topology.find(attributes.value_of(each.type).mesh_name) for each in (op.operands[0], op.results[0])
    )
    return source == target


@op_model("sdy.sharding_group")
class ShardingGroup(OpModel):
    """Has done its duty in propagation."""

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        op.op.erase()


def move(op: LocalOp) -> None:
    """Return the operand, gathered and sliced where the layouts differ."""
    have, want = op.operand_layouts[0], op.result_layouts[0]
    moved = relayout(op.comm, op.b, op.operands[0], have, want, op.op)
    op.replace(as_partial(op.comm, op.b, moved, have, want))
