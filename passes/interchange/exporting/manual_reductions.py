"""Reductions across manual computations as text (spec: interchange, 8.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import lcm
from typing import Any

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.replica_groups import manual_axes_around
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import occurs
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisRef, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import FactorType, ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir import stablehlo as bindings
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.rewriting import replace
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import ops as stablehlo

_BODIES = {Reduction.SUM: stablehlo.add, Reduction.MAX: stablehlo.maximum, Reduction.MIN: stablehlo.minimum}


@pass_("xla-sdy-stablehlo-export-manual-reduction-collectives")
def stablehlo_export_manual_reduction_collectives(module: ir.Operation) -> object:
    """xla-sdy-stablehlo-export-manual-reduction-collectives: Replace reductions of partial values by local all-reduces.

        %1 = sdy.all_reduce {"b"} %0 out_sharding=<@mesh, [{"a"}]> : tensor<8xf32>
    ==> %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}], unreduced={"b"}>]
          out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a", "b"} (%x: tensor<4xf32>) {
            %2 = "stablehlo.all_reduce"(%x) ... : (tensor<4xf32>) -> tensor<4xf32>
            sdy.return %2 : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>

    Parts of several sizes are padded to one size first and sliced afterwards. Only values that have unreduced axes are
    partial. XLA's partitioner would treat a reshard of a partial value as a copy, and a reshard of a replicated value
    to a partial one, too, so that the sum would be a multiple: that is refused.

    Spec: interchange, 8.2.
    """
    meshes = MeshTable(module)
    refuse_parts_of_wholes(module, meshes)
    found = [step for op in ops_named(module, *_AXES) if (step := _Reduction.of(op, meshes)) is not None]
    if found:
        channels = count(_last_channel(module) + 1)
        for step in found:
            step.make_manual(channels)
    return None if found else UNCHANGED


@dataclass(frozen=True)
class _Reduction:
    """A collective of the dialect that reduces a partial value.

    `dims` are the axes that each dimension of the result gets, `axes` all reduced axes, major to minor.
    """

    op: ir.Operation
    mesh: Mesh
    given: TensorSharding
    wanted: TensorSharding
    axes: tuple[AxisRef, ...]
    dims: tuple[tuple[AxisRef, ...], ...]

    @staticmethod
    def of(op: ir.Operation, meshes: MeshTable) -> _Reduction | None:
        """None if the operand is not partial along the axes of `op`."""
        given, wanted = get_sharding(op.operands[0]), attributes.get(op, "out_sharding")
        mesh = None if given is None else meshes.of(given)
        if given is None or mesh is None or not given.unreduced:
            return None
        listed = attributes.get(op, _AXES[op.name])
        dims = tuple(map(tuple, listed.lists)) if op.name == "sdy.reduce_scatter" else ()
        axes = tuple(axis for each in dims for axis in each) if dims else tuple(listed.axes)
        if not any(axis.overlaps(other) for axis in axes for other in given.unreduced):
            return None
        return _Reduction(op, mesh, given.close(), wanted.close(), axes, dims)

    def make_manual(self, channels: Iterator[int]) -> None:
        """Puts a manual computation in the place of the collective."""
        manual = self._manual_axes()
        type_ = ir.RankedTensorType(self.op.results[0].type)
        operand = self.op.operands[0]
        if manual is None:
            manual, operand = tuple(self._everything), self._padded(operand)
        computation = builders.manual_computation(
            [operand],
            [operand.type],
            [self._completed(self.given, manual)],
            [self._completed(self.wanted, manual)],
            ManualAxes(manual),
            loc=self.op.location,
            ip=ir.InsertionPoint(self.op),
        )
        block = computation.regions[0].blocks[0]
        with ir.InsertionPoint(block), self.op.location:
            builders.return_([self._reduced(block.arguments[0], channels)])
        result = computation.results[0]
        if result.type != type_:
            result = self._cut(result, type_)
        replace(self.op, [result])

    @property
    def _everything(self) -> list[str]:
        """Return the axes that are not manual in surrounding computations."""
        outer = manual_axes_around(self.op)
        return [axis.name for axis in self.mesh.axes if axis.name not in outer]

    def _manual_axes(self) -> tuple[str, ...] | None:
        """Return all axes as XLA reduces them; only the reduced ones if all together do not divide a dimension.

        None if these do not either.
        """
        reduced = {axis.name for axis in self.axes}
        for names in (self._everything, [name for name in self._everything if name in reduced]):
            if all(self._divides(sharding, names) for sharding in (self.given, self.wanted)):
                return tuple(names)
        return None

    def _padded(self, value: ir.Value) -> ir.Value:
        """`value` with more elements at the ends of dimensions, so that all axes divide them."""
        type_ = ir.RankedTensorType(value.type)
        sizes = self.mesh.axis_sizes
        high = [
            -size % lcm(*(dim.shards(sizes) for dim in dims))
            for size, *dims in zip(type_.shape, self.given.dims, self.wanted.dims, strict=True)
        ]
        at: dict[str, Any] = {"loc": self.op.location, "ip": ir.InsertionPoint(self.op)}
        zero = stablehlo.constant(0, type_.element_type, **at)
        padded = stablehlo.pad(value, zero, [0] * len(high), high, **at)
        attributes.put(padded.owner, SHARDING, ShardingPerValue((self.given,)))
        return padded

    def _cut(self, value: ir.Value, type_: ir.RankedTensorType) -> ir.Value:
        """The elements at the beginning that are of `type_`."""
        rank = type_.rank
        cut = stablehlo.slice(value, [0] * rank, type_.shape, loc=self.op.location, ip=ir.InsertionPoint(self.op))
        attributes.put(cut.owner, SHARDING, ShardingPerValue((self.wanted,)))
        return cut

    def _divides(self, sharding: TensorSharding, names: Sequence[str]) -> bool:
        sizes = self.mesh.axis_sizes
        type_ = ir.RankedTensorType(self.op.results[0].type)
        for size, dim in zip(type_.shape, sharding.dims, strict=True):
            parts = [axis.size(sizes) for axis in dim.axes if axis.name in names]
            if any(axis.name not in names for axis in dim.axes[: len(parts)]):
                return False  # manual axes have to stand in front
            for part in parts:
                if size % part:
                    return False
                size //= part
        return True

    def _completed(self, sharding: TensorSharding, manual: Sequence[str]) -> TensorSharding:
        """Complete `sharding` with unused manual axes as replicated ones."""
        missing = [AxisRef(name) for name in manual if not sharding.binds(name)]
        return sharding.with_replicated(self.mesh.sort_and_merge(missing))

    def _reduced(self, value: ir.Value, channels: Iterator[int]) -> ir.Value:
        body = _BODIES[self.given.reduction]
        if not self.dims:
            groups = self.mesh.replica_groups(self.axes)
            return stablehlo.all_reduce(value, groups, body, channel=(next(channels), 1), use_global_device_ids=True)
        for number, axes in enumerate(self.dims):
            if not axes:
                continue
            groups = self.mesh.replica_groups(axes)
            value = stablehlo.reduce_scatter(
                value, number, groups, body, channel=(next(channels), 1), use_global_device_ids=True
            )
        return value


_AXES = {"sdy.all_reduce": "reduction_axes", "sdy.reduce_scatter": "reduce_scatter_axes"}


def _last_channel(module: ir.Operation) -> int:
    """The largest channel of the module."""
    handles = (bindings.ChannelHandle(op.attributes["channel_handle"]) for op in ops_with(module, "channel_handle"))
    return max((found.handle for found in handles), default=0)


def refuse_parts_of_wholes(module: ir.Operation, meshes: MeshTable) -> None:
    """Raises `DiagnosticError` where a value gets unreduced axes that it has not had."""
    with Faults() as faults:
        for op in ops_named(module, *_TARGETS):
            given, wanted = get_sharding(op.operands[0]), attributes.get(op, _TARGETS[op.name])
            known = () if given is None else given.unreduced
            if all(any(one.contains(axis) for one in known) for axis in wanted.unreduced):
                continue
            with faults.one():
                raise DiagnosticError(op, _MESSAGE)
        for op in ops_with(module, SHARDING) if occurs(module, lambda sharding: sharding.unreduced) else ():
            with faults.one():
                if _computes_wholes(op, meshes):
                    raise DiagnosticError(op, _MESSAGE)


_MESSAGE = "makes a whole value partial, which no sharding text can express"


def _computes_wholes(op: ir.Operation, meshes: MeshTable) -> bool:
    """Return whether a result is marked partial along axes that the rule of the op does not reduce."""
    partial = [sharding for sharding in attributes.get(op, SHARDING) if sharding.unreduced]
    rule = rule_of(op) if partial else None
    if rule is None:
        return bool(partial) and op.name in _SOURCES
    operands = [get_sharding(operand) for operand in op.operands]
    made = [axis for sharding in operands if sharding is not None for axis in sharding.unreduced]
    for sharding, mapping in zip(operands, rule.operands, strict=True):
        for dim, factors in zip(() if sharding is None else sharding.dims, mapping, strict=False):
            if any(rule.factor_types[factor] is FactorType.REDUCTION for factor in factors):
                made += dim.axes
    sizes = [mesh.axis_sizes for sharding in partial if (mesh := meshes.of(sharding)) is not None]
    return any(difference(sharding.unreduced, made, each) for sharding, each in zip(partial, sizes, strict=False))


_SOURCES = ("stablehlo.constant", "stablehlo.iota")
"""Ops without operands, which compute the same on each device."""


_TARGETS = {
    "sdy.reshard": "sharding",
    "sdy.sharded_to_unreduced": "out_sharding",
    "sdy.replicated_to_unreduced": "out_sharding",
}
