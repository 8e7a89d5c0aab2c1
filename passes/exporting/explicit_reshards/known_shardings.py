"""What explicit reshards know of ops and values: kinds, reductions, shardings."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from sdy.dialect.data_flow import DataFlowOp, edge_of_owner, interface, is_data_flow_op, owning_op
from sdy.dialect.definition.attributes import SHARDING, value_of
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.shardings.attribute_shardings import arg_shardings, set_op_shardings, with_entries
from sdy.dialect.shardings.meshes import of_module
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES, get_sharding, set_sharding
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.functions import body
from sdy.mlir.search import ops_named
from sdy.stablehlo.idioms.reduction_bodies import combining_ops


class Kind(Enum):
    """How ops of one name are treated."""

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
    """The kind of the first region of `op`: each value that it returns adds two elements, or is the larger or smaller.

    None for any other body.
    """
    names = combining_ops(op.regions[0])
    kinds = {_KINDS.get(name) for name in names or ()}
    return kinds.pop() if len(kinds) == 1 else None


Shardings = tuple[TensorSharding | None, ...]

_NONE: Shardings = (None,)
_BARRIER = "sdy.propagation_barrier"


class _NotRead:
    """Stands for the sharding of a value that has not been looked at."""


_UNREAD = _NotRead()


def _has_barriers(module: ir.Operation) -> bool:
    return bool(ops_named(module, _BARRIER))


class KnownShardings:
    """What is known about the values of one function without data-flow edge ops.

    Whoever makes a value says so with `put`, and with `forget` before its op is erased: values are told apart by their
    address, which a later value may get.
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
        """The shardings of what goes into the propagation barriers that define `values`, where any do."""
        if self._barriers:
            values = [self._before_barriers(value) for value in values]
        known = self._known
        return tuple([known[key] if (key := address(value)) in known else self._read(value) for value in values])

    def _before_barriers(self, value: ir.Value) -> ir.Value:
        """What goes into the barriers that end in `value`; that changes as reshards are put in front of them."""
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
            elsewhere = self._elsewhere[name] = name in INHERENT_NAMES or is_data_flow_op(name)
        return elsewhere

    def _list(self, attr: ir.Attribute) -> Shardings:
        found = self._lists.get(attr)
        if found is None:
            found = self._lists[attr] = value_of(attr).shardings
        return found

    def change_result(self, op: ir.Operation, index: int, sharding: TensorSharding) -> None:
        """Gives a result of `op` another sharding; where there was no list, the other results become fully open."""
        attr = None if self._is_elsewhere(op.name) else op.attributes.get(SHARDING)
        if attr is not None:
            changed = with_entries(value_of(attr).shardings, {index: sharding}, ())
            set_op_shardings(op, changed)
            self._known.update(zip(map(address, op.results), changed, strict=False))
            return
        set_sharding(op.results[index], sharding)
        for value in op.results:
            self._known[address(value)] = get_sharding(value)
