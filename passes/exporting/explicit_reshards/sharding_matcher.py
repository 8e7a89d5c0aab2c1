"""Puts communication behind values so that their uses get the sharding they want (spec: export-passes, 5.9 to 5.13)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect import builders
from sdy.dialect.op_properties import rank
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, AxisSizes, difference, is_strict_prefix
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding, is_equivalent
from sdy.mlir import ir
from sdy.passes.exporting.explicit_reshards.known_shardings import KnownShardings


@dataclass(frozen=True)
class UnreducedSteps:
    """The steps from one sharding to another with more unreduced axes; a step that is not needed is None or empty.

    First `reshard` to a sharding that the others can start from, then make the axes `replicated` unreduced, which gives
    the sharding `between`, then the axes `sharded`, one list per dimension, which gives the target.
    """

    reshard: TensorSharding | None
    replicated: AxisList
    between: TensorSharding
    sharded: tuple[AxisList, ...]


def unreduced_steps(source: TensorSharding, target: TensorSharding, mesh: Mesh) -> UnreducedSteps | None:
    """The steps from `source` to `target` on one mesh; None if `target` has no further unreduced axes.

    All unreduced axes of `source` must be unreduced in `target`.
    """
    sizes = mesh.axis_sizes
    new = difference(target.unreduced, source.unreduced, sizes)
    if not new:
        return None
    needs_reshard = False
    dims, sharded = [], []
    for have, want in zip(source.dims, target.dims, strict=True):
        rest = beyond(have.axes, want.axes, sizes)
        if rest and not difference(rest, new, sizes):
            dims.append(have)
            sharded.append(rest)
            continue
        needs_reshard |= have.axes != want.axes
        dims.append(want)
        sharded.append(())
    replicated = difference(new, [axis for axis_list in sharded for axis in axis_list], sizes)
    unreduced = mesh.sort_and_merge((*source.unreduced, *replicated))
    between = TensorSharding(source.mesh_or_ref, tuple(dims), target.replicated, unreduced, target.reduction)
    return UnreducedSteps(source.with_dims(dims) if needs_reshard else None, replicated, between, tuple(sharded))


def beyond(axis_list: AxisList, prefix: AxisList, sizes: AxisSizes) -> AxisList:
    """What `axis_list` has behind its strict prefix `prefix`; nothing if that is none."""
    if not is_strict_prefix(prefix, axis_list):
        return ()
    if not prefix:
        return axis_list
    last = len(prefix) - 1
    cut = None if axis_list[last] == prefix[last] else axis_list[last].suffix_without(prefix[last], sizes)
    return (*(() if cut is None else (cut,)), *axis_list[len(prefix) :])


def closed_like(mesh: MeshRef, value: ir.Value) -> TensorSharding:
    """Closed and without axes, of the rank of `value`."""
    return TensorSharding.closed(mesh, rank(value.type))


def _fits(source: TensorSharding | None, target: TensorSharding | None) -> bool:
    """Whether a value may be used as sharded like `target` as it is.

    One that has no sharding at all fits wherever no dimension is sharded, even if the target is unreduced: the op that
    uses it is taken to make it so, as the verification of unreduced axes lets any op do.
    """
    if source is None:
        return target is None or target.is_fully_replicated
    return is_equivalent(source, target)


class ShardingMatcher:
    """Inserts reshards and collectives into one function and keeps its known shardings up to date."""

    def __init__(self, known: KnownShardings, meshes: MeshTable) -> None:
        self.known = known
        self.meshes = meshes
        self.has_changed = False
        """Whether something has been inserted, or a sharding changed."""

    def matched(
        self, value: ir.Value, target: TensorSharding | None, place: ir.InsertionPoint, *, full: bool
    ) -> ir.Value:
        """`value` as a use wants it that is sharded like `target` (5.13).

        Unreduced axes are always matched, the axes of dimensions only if `full`.
        """
        value = self.reduced(value, target, place)
        reached = self.known.of(value)
        if reached is not None:
            value = self.made_unreduced(value, target, place) or value
            reached = self.known.of(value)
        if not full or _fits(reached, target):
            return value
        if target is None:
            assert reached is not None
            target = closed_like(reached.mesh_or_ref, value)
        return self.reshard(value, target, place)

    def needs_match(self, value: ir.Value, target: TensorSharding | None, *, full: bool) -> bool:
        """Whether `matched` may insert anything; cheap where it does not."""
        source = self.known.of(value)
        if source is target:
            return False
        is_unreduced = any(sharding is not None and sharding.unreduced for sharding in (source, target))
        return is_unreduced or (full and not _fits(source, target))

    def reshard(self, value: ir.Value, sharding: TensorSharding, place: ir.InsertionPoint) -> ir.Value:
        return self._made(builders.reshard(value, sharding, loc=value.location, ip=place), sharding)

    def reduced(self, value: ir.Value, user: TensorSharding | None, place: ir.InsertionPoint) -> ir.Value:
        """`value` all-reduced over its unreduced axes that are not unreduced in `user` (5.9).

        Unreduced axes of another mesh, or of another reduction, have nothing to do with it.
        """
        sharding = self.known.of(value)
        if sharding is None or not sharding.unreduced:
            return value
        mesh = self.mesh(sharding)
        is_alike = user is not None and user.reduction is sharding.reduction and self.mesh(user) == mesh
        kept = user.unreduced if user is not None and is_alike else ()
        axes = difference(sharding.unreduced, kept, mesh.axis_sizes)
        if not axes:
            return value
        out = sharding.with_unreduced(difference(sharding.unreduced, axes, mesh.axis_sizes))
        return self._made(builders.all_reduce(value, axes, out, sharding.reduction, loc=value.location, ip=place), out)

    def made_unreduced(
        self, value: ir.Value, target: TensorSharding | None, place: ir.InsertionPoint
    ) -> ir.Value | None:
        """`value` with the unreduced axes and the other axes of `target`; None if it lacks none of them (5.10).

        A value without a sharding is replicated. Unreduced axes that `target` does not have are reduced first.
        """
        if target is None or not target.unreduced:
            return None
        source = self.known.of(value)
        mesh = self.mesh(target)
        if source is None or self.mesh(source) != mesh:
            return self._unreduced_steps(value, target.with_unreduced(()), target, place)
        if not difference(target.unreduced, source.unreduced, mesh.axis_sizes):
            return None
        value = self.reduced(value, target, place)
        return self._unreduced_steps(value, self.known.of(value) or source, target, place)

    def _unreduced_steps(
        self, value: ir.Value, source: TensorSharding, target: TensorSharding, place: ir.InsertionPoint
    ) -> ir.Value:
        """`value` resharded to `source` unless it is so sharded, and from there on to `target`."""
        if self.known.of(value) != source:
            value = self.reshard(self.reduced(value, None, place), source, place)
        steps = unreduced_steps(source, target, self.mesh(target))
        assert steps is not None, "the target has further unreduced axes"
        if steps.reshard is not None:
            value = self.reshard(value, steps.reshard, place)
        if steps.replicated:
            made = builders.replicated_to_unreduced(
                value, steps.replicated, steps.between, loc=value.location, ip=place
            )
            value = self._made(made, steps.between)
        if any(steps.sharded):
            made = builders.sharded_to_unreduced(value, steps.sharded, target, loc=value.location, ip=place)
            value = self._made(made, target)
        return value

    def is_on_single_device(self, sharding: TensorSharding | None) -> bool:
        return self.meshes.is_on_single_device(sharding)

    def mesh(self, sharding: TensorSharding) -> Mesh:
        mesh = self.meshes.of(sharding)
        assert mesh is not None, "shardings are verified to name meshes that exist"
        return mesh

    def _made(self, value: ir.Value, sharding: TensorSharding) -> ir.Value:
        self.has_changed = True
        self.known.put(value, sharding)
        return value
