"""Inserts communication behind values so that their uses get the needed sharding (spec: export-passes, 5.9 to 5.13)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from sdy.dialect import builders
from sdy.dialect.data_flow import DataFlowOp, edge_of_owner, interface, is_data_flow_op, owning_op
from sdy.dialect.definition.attributes import SHARDING, value_of
from sdy.dialect.op_properties import is_terminator, rank
from sdy.dialect.shardings.attribute_shardings import arg_shardings, set_op_shardings, with_entries
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS, get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, AxisSizes, difference, is_strict_prefix
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding, is_equivalent
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import body
from sdy.mlir.search import ops_named
from sdy.stablehlo.idioms.loops import combining_ops


class Kind(Enum):
    """Treatment of ops of one name."""

    ORDINARY = auto()
    DATA_FLOW = auto()
    CALL = auto()
    RESHARD = auto()
    NOTHING = auto()


def kind_of(op: ir.Operation) -> Kind:
    name = op.name
    if is_data_flow_op(name):
        return Kind.DATA_FLOW
    if name == "func.func" or is_terminator(op):
        return Kind.NOTHING
    return {"func.call": Kind.CALL, "sdy.reshard": Kind.RESHARD}.get(name, Kind.ORDINARY)


_KINDS = {"stablehlo.add": Reduction.SUM, "stablehlo.maximum": Reduction.MAX, "stablehlo.minimum": Reduction.MIN}


def reduction_kind(op: ir.Operation) -> Reduction | None:
    """Return the kind of the first region of `op`: each returned value is a sum, maximum or minimum of two elements.

    None for any other body.
    """
    names = combining_ops(op.regions[0])
    kinds = {_KINDS.get(name) for name in names or ()}
    return kinds.pop() if len(kinds) == 1 else None


Shardings = tuple[TensorSharding | None, ...]

_NONE: Shardings = (None,)
_BARRIER = "sdy.propagation_barrier"


class _NotRead:
    """Marks the sharding of a value that has not been read yet."""


_UNREAD = _NotRead()


def _has_barriers(module: ir.Operation) -> bool:
    return bool(ops_named(module, _BARRIER))


class KnownShardings:
    """Shardings of the values of one function without data-flow edges.

    Makers of new values call `put`, and `forget` before their op is erased: values are identified by their address,
    which a later value may get.
    """

    def __init__(self, func: ir.Operation) -> None:
        self._known: dict[int, TensorSharding | None] = dict(
            zip(map(address, body(func).arguments), arg_shardings(func), strict=True)
        )
        """By the address of the value."""
        self._lists: dict[ir.Attribute, Shardings] = {}
        self._elsewhere: dict[str, bool] = {}
        """By name, whether ops keep the shardings of their results elsewhere than in `sdy.sharding`."""
        barriers = ops_named(func, _BARRIER) if of_module(_has_barriers, func) else ()
        self._barriers: dict[ir.Value, ir.Operation] = {barrier.results[0]: barrier for barrier in barriers}

    def put(self, value: ir.Value, sharding: TensorSharding | None) -> None:
        self._known[address(value)] = sharding

    def forget(self, value: ir.Value) -> None:
        self._known.pop(address(value), None)

    def of(self, value: ir.Value) -> TensorSharding | None:
        """The sharding of a value."""
        known = self._known.get(address(value), _UNREAD)
        return self._read(value) if isinstance(known, _NotRead) else known

    def _read(self, value: ir.Value) -> TensorSharding | None:
        op = owning_op(value)
        flow = None if op is None else interface(op)
        if flow is not None:
            self._read_targets(flow)
            if address(value) in self._known:
                return self._known[address(value)]
        if op is None or isinstance(value, ir.BlockArgument) or self._is_elsewhere(op.name):
            sharding = get_sharding(value)
        else:
            attr = op.attributes.get(SHARDING)
            sharding = None if attr is None else self._list(attr)[ir.OpResult(value).result_number]
        self._known[address(value)] = sharding
        return sharding

    def _read_targets(self, flow: DataFlowOp) -> None:
        """Notes how all results and block arguments are sharded that are targets of edges of an op."""
        for owners, shardings in (
            (flow.result_owners(), flow.result_shardings()),
            (flow.block_arg_owners(), flow.block_arg_shardings()),
        ):
            for index, owner in enumerate(owners):
                if shardings is None or edge_of_owner(owner) is not None:
                    sharding = get_sharding(owner)
                else:
                    sharding = shardings[index]
                self._known.update((address(target), sharding) for target in flow.targets(owner))

    def bypassing_barriers(self, values: Sequence[ir.Value]) -> Shardings:
        """Return the shardings of the operands of propagation barriers that define `values`."""
        if self._barriers:
            values = [self._before_barriers(value) for value in values]
        known = self._known
        return tuple([known[key] if (key := address(value)) in known else self._read(value) for value in values])

    def _before_barriers(self, value: ir.Value) -> ir.Value:
        """Return the operand of the barriers that end in `value`, as it is now."""
        while (barrier := self._barriers.get(value)) is not None:
            value = barrier.operands[0]
        return value

    def of_results(self, op: ir.Operation, name: str, attr: ir.Attribute | None) -> Shardings:
        """The shardings of all results of an op of that name with that attribute `sdy.sharding`."""
        results = op.results
        if self._is_elsewhere(name):
            return tuple(map(self.of, results))
        count = len(results)
        if count == 1:
            shardings = _NONE if attr is None else self._lists.get(attr) or self._list(attr)
            self._known[address(results[0])] = shardings[0]
            return shardings
        shardings = _NONE * count if attr is None else self._list(attr)
        for value, sharding in zip(results, shardings, strict=False):
            self._known[address(value)] = sharding
        return shardings[:count]

    def _is_elsewhere(self, name: str) -> bool:
        elsewhere = self._elsewhere.get(name)
        if elsewhere is None:
            elsewhere = self._elsewhere[name] = name in INHERENT_SHARDINGS or is_data_flow_op(name)
        return elsewhere

    def _list(self, attr: ir.Attribute) -> Shardings:
        found = self._lists.get(attr)
        if found is None:
            found = self._lists[attr] = value_of(attr).shardings
        return found

    def change_result(self, op: ir.Operation, index: int, sharding: TensorSharding) -> None:
        """Sets the sharding of a result of `op`; if there was no list, the other results become fully open."""
        attr = None if self._is_elsewhere(op.name) else op.attributes.get(SHARDING)
        if attr is not None:
            changed = with_entries(value_of(attr).shardings, {index: sharding}, ())
            set_op_shardings(op, changed)
            self._known.update(zip(map(address, op.results), changed, strict=False))
            return
        set_sharding(op.results[index], sharding)
        for value in op.results:
            self._known[address(value)] = get_sharding(value)


@dataclass(frozen=True)
class UnreducedSteps:
    """The steps from one sharding to another with more unreduced axes; an unneeded step is None or empty.

    First `reshard` to a sharding that the others can start from. Then make the axes `replicated` unreduced, which gives
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
    """Return the axes of `axis_list` behind its strict prefix `prefix`; none if it is not a prefix."""
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
    """Return whether a value may be used as sharded like `target` as it is.

    A value without a sharding fits wherever no dimension is sharded, even if the target is unreduced: its user is
    assumed to make it so, as the verification of unreduced axes lets any op do.
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
        """True if an op was inserted or a sharding changed."""

    def matched(
        self, value: ir.Value, target: TensorSharding | None, place: ir.InsertionPoint, *, full: bool
    ) -> ir.Value:
        """Return `value` as needed by a use that is sharded like `target` (5.13).

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
        """Return whether `matched` may insert anything; cheap where it does not."""
        source = self.known.of(value)
        if source is target:
            return False
        is_unreduced = any(sharding is not None and sharding.unreduced for sharding in (source, target))
        return is_unreduced or (full and not _fits(source, target))

    def reshard(self, value: ir.Value, sharding: TensorSharding, place: ir.InsertionPoint) -> ir.Value:
        return self._made(builders.reshard(value, sharding, loc=value.location, ip=place), sharding)

    def reduced(self, value: ir.Value, user: TensorSharding | None, place: ir.InsertionPoint) -> ir.Value:
        """`value` all-reduced over its unreduced axes that are not unreduced in `user` (5.9).

        Unreduced axes of another mesh, or of another reduction, do not count.
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
        """Return `value` with the unreduced axes and the other axes of `target`; None if it has all of these (5.10).

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
        """Return `value` resharded to `source` where needed, and from there to `target`."""
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
