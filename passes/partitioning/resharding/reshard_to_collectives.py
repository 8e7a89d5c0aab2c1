"""sdy-reshard-to-collectives: Replace each reshard by the collectives that move the data.

    %1 = sdy.reshard %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
==> %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>

Here %0 is sharded as <@mesh, [{"x"}, {}]>. A reshard to or from a single device is left to
sdy-resolve-single-device-sharding; with `cross-meshes` its operand is gathered first, which takes all devices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Unpack

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.lowering.layout import mesh_with_axes
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import bypass_barriers, get_sharding, sharding_or_open
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import At
from sdy.mlir.search import ops_named
from sdy.mlir.walk import in_textual_order
from sdy.passes.options import option
from sdy.passes.partitioning.reshard_planning.reshard_plan import AllGather, AllSlice, AllToAll, CollectiveStep
from sdy.passes.partitioning.reshard_planning.reshard_search import cheapest_plan, plan_reshard
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class Options:
    """Options of sdy-reshard-to-collectives."""

    keep_redundant_reshards: bool = option(False, "keep reshards whose operand is sharded like their result already")
    cross_meshes: bool = option(
        False, "also convert reshards between meshes that differ in their axes, by way of replication"
    )
    fewest_bytes: bool = option(False, "go by a sharding in between where that sends fewer bytes")


@pass_("sdy-reshard-to-collectives", on="func.func", options=Options)
def reshard_to_collectives(func: ir.Operation, options: Options) -> object:
    reshards = in_textual_order(ops_named(func, "sdy.reshard"), func)
    if not reshards:
        return UNCHANGED
    return _Conversion(func, reshards, options).run()


@dataclass(frozen=True, slots=True)
class _Change:
    """The change from one sharding to another, with the meshes that they name."""

    source: TensorSharding
    source_mesh: Mesh
    target: TensorSharding
    target_mesh: Mesh
    fewest_bytes: bool

    @property
    def leaves_for_one_device(self) -> bool:
        """Return whether a reshard moves a sharded value to one device."""
        return self.target_mesh.is_maximal and not self.source_mesh.is_maximal and not self.source.is_fully_replicated

    @property
    def has_equal_axes(self) -> bool:
        """Return whether both meshes have the same axes, which collectives between them require."""
        same = self.source.mesh_or_ref == self.target.mesh_or_ref
        return same or self.source_mesh.equals_ignoring_device_ids(self.target_mesh)

    @property
    def may_cross(self) -> bool:
        """Return whether the value can be gathered on one mesh, then sliced on the other."""
        return (
            self.source_mesh.size == self.target_mesh.size and not self.source.unreduced and not self.target.unreduced
        )

    def steps(self, shape: tuple[int, ...]) -> tuple[tuple[CollectiveStep, TensorSharding], ...]:
        """The collectives, and the shardings of their results."""
        source, target, mesh = self.source.dim_axes, self.target.dim_axes, self.target_mesh
        unreduced, changes_mesh = self.target.unreduced, self.source_mesh != mesh
        if self.fewest_bytes and not changes_mesh:
            plan = cheapest_plan(source, target, shape, mesh, unreduced)
        else:
            plan = plan_reshard(source, target, shape, mesh, changes_mesh=changes_mesh, unreduced=unreduced)
        return tuple((step, self.sharding_after(step)) for step in plan)

    def sharding_after(self, step: CollectiveStep) -> TensorSharding:
        """Closed dimensions, the unreduced axes of the target.

        Two names of one mesh need no permute, and a permute from one name to the other would be invalid.
        """
        moved = step.on_target_mesh and self.source_mesh != self.target_mesh
        mesh = self.target.mesh_or_ref if moved else self.source.mesh_or_ref
        reduction = self.target.reduction if self.target.unreduced else Reduction.SUM
        return TensorSharding.from_axes(mesh, step.after).with_unreduced(self.target.unreduced, reduction)


_steps = lru_cache(maxsize=1 << 13)(_Change.steps)
"""A program has many reshards that are alike."""


_Emitter = Callable[[ir.Operation, ir.Value, _Change], ir.Value]


class _Conversion:
    """Conversion of all reshards of a function (spec: collectives, 1.1).

    The original sharding of its operand decides whether a reshard is converted. The conversion starts from the
    operand's replacement; behind a barrier, from the original operand, which is replaced at the end.
    """

    def __init__(self, func: ir.Operation, reshards: Sequence[ir.Operation], options: Options) -> None:
        self._options = options
        self._meshes = of_module(MeshTable, func)
        self._known_meshes: dict[TensorSharding, Mesh] = {}
        self._reshards = reshards
        self._replaced: dict[ir.Value, ir.Value] = {}

    def run(self) -> None:
        converted = [op for op in self._reshards if self._convert(op)]
        for op in converted:
            op.results[0].replace_all_uses_with(self._latest(op.results[0]))
        for op in converted:
            op.erase()

    def _latest(self, value: ir.Value) -> ir.Value:
        while value in self._replaced:
            value = self._replaced[value]
        return value

    def _convert(self, op: ir.Operation) -> bool:
        """Replace a reshard; return False if it stays."""
        operand = op.operands[0]
        before = bypass_barriers(operand)
        if self._options.keep_redundant_reshards and _is_redundant(get_sharding(before), _sharding(op)):
            return False
        operand = self._latest(operand)
        value = bypass_barriers(operand)
        change = self._change(op, value)
        emit = self._emitter(change, value)
        was_converted = value == before or self._emitter(self._change(op, before), value) is not None
        if emit is None or not was_converted:
            if self._options.cross_meshes and change.leaves_for_one_device:
                op.operands[0] = _emit_gathered(op, value, change)
            return False
        # A value that stays as it is keeps its barriers.
        self._replaced[op.results[0]] = emit(op, operand if emit is _forwarded else value, change)
        return True

    def _emitter(self, change: _Change, value: ir.Value) -> _Emitter | None:
        """Return the emitter of a reshard's replacement; None if the reshard stays."""
        if change.source_mesh.is_maximal or change.target_mesh.is_maximal:
            return None
        if change.source.is_fully_replicated and change.target.is_fully_replicated:
            return _forwarded
        if change.has_equal_axes:
            return _emit
        is_static = isinstance(value.type, ir.ShapedType) and value.type.has_static_shape
        return _emit_across if self._options.cross_meshes and is_static and change.may_cross else None

    def _change(self, op: ir.Operation, value: ir.Value) -> _Change:
        """Return the change of sharding by `op`, barriers skipped."""
        target = _sharding(op)
        source = sharding_or_open(value, target.mesh_or_ref)
        meshes = self._mesh(source, op), self._mesh(target, op)
        change = _Change(source, meshes[0], target, meshes[1], self._options.fewest_bytes)
        return _on_mesh_of_source(change) if target.is_fully_replicated and not source.is_fully_replicated else change

    def _mesh(self, sharding: TensorSharding, op: ir.Operation) -> Mesh:
        mesh = self._known_meshes.get(sharding)
        if mesh is None:
            mesh = mesh_with_axes(self._meshes, sharding, op)
            if mesh is None:
                raise DiagnosticError(op, f"names an unknown mesh: {sharding}")
            self._known_meshes[sharding] = mesh
        return mesh


def _sharding(op: ir.Operation) -> TensorSharding:
    return attributes.get(op, "sharding")


def _is_redundant(source: TensorSharding | None, target: TensorSharding) -> bool:
    return target.is_fully_replicated if source is None else source.is_equivalent(target)


def _on_mesh_of_source(change: _Change) -> _Change:
    """Return the replicated target on the mesh of the source, unless unreduced axes need its own."""
    source, target = change.source, change.target
    if change.source_mesh.is_maximal or change.target_mesh.is_maximal:
        return change
    if target.unreduced and change.source_mesh != change.target_mesh:
        return change
    closed = TensorSharding.closed(source.mesh_or_ref, source.rank).with_unreduced(target.unreduced, target.reduction)
    return replace(change, target=closed, target_mesh=change.source_mesh)


def _forwarded(op: ir.Operation, value: ir.Value, change: _Change) -> ir.Value:
    """The operand, which does as it is."""
    return value


def _emit(op: ir.Operation, value: ir.Value, change: _Change) -> ir.Value:
    """Make the collectives that change the sharding of `value` in front of the reshard; return the last result."""
    if not isinstance(value.type, ir.ShapedType):
        raise DiagnosticError(op, f"cannot be turned into collectives on a value of type {value.type}")
    at: At = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    for step, sharding in _steps(change, tuple(value.type.shape)):
        value = _emit_step(value, step, sharding, **at)
    return value


def _emit_step(value: ir.Value, step: CollectiveStep, sharding: TensorSharding, **at: Unpack[At]) -> ir.Value:
    if isinstance(step, AllSlice):
        return builders.all_slice(value, step.axes, sharding, **at)
    if isinstance(step, AllGather):
        return builders.all_gather(value, step.axes, sharding, **at)
    if isinstance(step, AllToAll):
        return builders.all_to_all(value, [AllToAllParam(step.axes, step.source, step.target)], sharding, **at)
    return builders.collective_permute(value, sharding, **at)


def _emit_across(op: ir.Operation, value: ir.Value, change: _Change) -> ir.Value:
    """Gathers on the source's mesh and slices on the target's (spec: collectives, 6)."""
    target = change.target
    gathered = _emit_gathered(op, value, change)
    # A replicated value has no place on the target's mesh as long as it has a sharding; the result of this has none.
    placeless = Builder.before(op).reshape(gathered, value.type)
    start = TensorSharding.open(target.mesh_or_ref, target.rank)
    return _emit(op, placeless, replace(change, source=start, source_mesh=change.target_mesh))


def _emit_gathered(op: ir.Operation, value: ir.Value, change: _Change) -> ir.Value:
    """Replicate `value` on every device of its mesh."""
    replicated = TensorSharding.closed(change.source.mesh_or_ref, change.source.rank)
    return _emit(op, value, replace(change, target=replicated, target_mesh=change.source_mesh))
