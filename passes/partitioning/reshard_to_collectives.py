"""sdy-reshard-to-collectives: replaces every reshard by the collectives that move the data.

    %1 = sdy.reshard %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
==> %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>

where %0 is sharded as <@mesh, [{"x"}, {}]>. A reshard to or from a single device is left to
sdy-resolve-single-device-sharding.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from sdy.dialect import attributes, ops
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.lists import AllToAllParam
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable, enclosing_module
from sdy.dialect.sharding import MeshRef, Reduction, TensorSharding
from sdy.dialect.values import bypass_barriers, get_sharding, open_like
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.partitioning.reshard_plan import Plan, plan_reshard
from sdy.passes.partitioning.reshard_steps import AllGather, AllSlice, AllToAll, Step
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class Options:
    """Options of sdy-reshard-to-collectives."""

    keep_redundant_reshards: bool = field(
        default=False, metadata={"help": "keep reshards whose operand is sharded like their result already"}
    )
    cross_meshes: bool = field(
        default=False,
        metadata={
            "help": "also convert reshards between meshes of other axes over the same devices, by way of replication"
        },
    )


@pass_("sdy-reshard-to-collectives", on="func.func", options=Options)
def reshard_to_collectives(func: ir.Operation, options: Options) -> None:
    meshes = MeshTable(enclosing_module(func))
    for op in pre_order(func, "sdy.reshard"):
        _convert(op, meshes, options)


class _Way(Enum):
    """What becomes of a reshard."""

    KEEP = 0
    FORWARD = 1
    """The operand does as it is."""
    MOVE = 2
    """Collectives on meshes with equal axes."""
    CROSS = 3
    """All gathered on one mesh, then sliced on another."""


def _convert(op: ir.Operation, meshes: MeshTable, options: Options) -> None:
    """Replaces one reshard (spec: collectives, 1.1)."""
    value = bypass_barriers(op.operands[0])
    target: TensorSharding = attributes.get(op, "sharding")
    stored = get_sharding(value)
    if options.keep_redundant_reshards and _is_redundant(stored, target):
        return
    source = stored or open_like(target.mesh_or_ref, value.type)
    source_mesh, target_mesh = _mesh(source, meshes, op), _mesh(target, meshes, op)
    if target.is_fully_replicated and not source.is_fully_replicated:
        target, target_mesh = _on_mesh_of(source, source_mesh, target, target_mesh)
    way = _way(source, source_mesh, target, target_mesh)
    if way is _Way.KEEP or (way is _Way.CROSS and not (options.cross_meshes and _is_static(value.type))):
        return
    if way is _Way.FORWARD:
        result = op.operands[0]
    elif way is _Way.MOVE:
        result = _Emitter(op, source, target).emit(value, _plan(op, source, source_mesh, target, target_mesh))
    else:
        result = _cross(op, value, source, source_mesh, target, target_mesh)
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _is_redundant(source: TensorSharding | None, target: TensorSharding) -> bool:
    return target.is_fully_replicated if source is None else source.is_equivalent(target)


def _mesh(sharding: TensorSharding, meshes: MeshTable, op: ir.Operation) -> Mesh:
    mesh = meshes.of(sharding)
    if mesh is None:
        raise DiagnosticError(op, f"names an unknown mesh: {sharding}")
    return mesh


def _on_mesh_of(
    source: TensorSharding, source_mesh: Mesh, target: TensorSharding, target_mesh: Mesh
) -> tuple[TensorSharding, Mesh]:
    """A replicated target as one on the mesh of the source, unless unreduced axes tie it to its own."""
    if source_mesh.is_maximal or target_mesh.is_maximal or (target.unreduced and source_mesh != target_mesh):
        return target, target_mesh
    replicated = TensorSharding.closed(source.mesh_or_ref, source.rank)
    return replicated.with_unreduced(target.unreduced, target.reduction), source_mesh


def _way(source: TensorSharding, source_mesh: Mesh, target: TensorSharding, target_mesh: Mesh) -> _Way:
    if source_mesh.is_maximal or target_mesh.is_maximal:
        return _Way.KEEP
    if source.is_fully_replicated and target.is_fully_replicated:
        return _Way.FORWARD
    if source.mesh_or_ref == target.mesh_or_ref or source_mesh.equals_ignoring_device_ids(target_mesh):
        return _Way.MOVE
    crossable = source_mesh.size == target_mesh.size and not source.unreduced and not target.unreduced
    return _Way.CROSS if crossable else _Way.KEEP


def _shape(type_: ir.Type, op: ir.Operation) -> tuple[int, ...]:
    if not isinstance(type_, ir.ShapedType):
        raise DiagnosticError(op, f"cannot be turned into collectives on a value of type {type_}")
    return tuple(type_.shape)


def _is_static(type_: ir.Type) -> bool:
    return isinstance(type_, ir.ShapedType) and type_.has_static_shape


def _plan(
    op: ir.Operation, source: TensorSharding, source_mesh: Mesh, target: TensorSharding, target_mesh: Mesh
) -> Plan:
    return plan_reshard(
        source.dim_axes,
        target.dim_axes,
        _shape(op.results[0].type, op),
        target_mesh,
        changes_mesh=source_mesh != target_mesh,
        unreduced=target.unreduced,
    )


def _cross(
    op: ir.Operation,
    value: ir.Value,
    source: TensorSharding,
    source_mesh: Mesh,
    target: TensorSharding,
    target_mesh: Mesh,
) -> ir.Value:
    """Gathers on the source's mesh and slices on the target's (spec: collectives, 6)."""
    replicated = TensorSharding.closed(source.mesh_or_ref, source.rank)
    plan = _plan(op, source, source_mesh, replicated, source_mesh)
    gathered = _Emitter(op, source, replicated).emit(value, plan)
    # A replicated value has no place on the target's mesh as long as it has a sharding; the result of this has none.
    placeless = ir.Operation.create(
        "stablehlo.reshape", results=[value.type], operands=[gathered], loc=op.location, ip=ir.InsertionPoint(op)
    ).results[0]
    start = TensorSharding.open(target.mesh_or_ref, target.rank)
    return _Emitter(op, start, target).emit(placeless, _plan(op, start, target_mesh, target, target_mesh))


class _Emitter:
    """Makes the ops of a plan in front of a reshard."""

    def __init__(self, op: ir.Operation, source: TensorSharding, target: TensorSharding) -> None:
        self._source_mesh = source.mesh_or_ref
        self._target = target
        self._where = {"loc": op.location, "ip": ir.InsertionPoint(op)}

    def emit(self, value: ir.Value, plan: Plan) -> ir.Value:
        """Applies the steps to `value`; returns the last result."""
        for step in plan:
            value = self._emit_step(value, step)
        return value

    def _emit_step(self, value: ir.Value, step: Step) -> ir.Value:
        sharding = self._sharding(step)
        if isinstance(step, AllSlice):
            return ops.all_slice(value, step.axes, sharding, **self._where)
        if isinstance(step, AllGather):
            return ops.all_gather(value, step.axes, sharding, **self._where)
        if isinstance(step, AllToAll):
            return ops.all_to_all(value, [AllToAllParam(step.axes, step.source, step.target)], sharding, **self._where)
        return ops.collective_permute(value, sharding, **self._where)

    def _sharding(self, step: Step) -> TensorSharding:
        """The sharding after `step`: closed dimensions, the unreduced axes of the target."""
        target = self._target
        mesh: MeshRef = target.mesh_or_ref if step.on_target_mesh else self._source_mesh
        reduction = target.reduction if target.unreduced else Reduction.SUM
        return TensorSharding.from_axes(mesh, step.after).with_unreduced(target.unreduced, reduction)
