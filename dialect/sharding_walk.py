"""Visiting every sharding of a module (spec: import-passes 1.8)."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING, ShardingPerValue
from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.values import inherent_sharding_name
from sdy.dialect.walk import pre_order
from sdy.mlir import ir

Transform = Callable[[TensorSharding], TensorSharding]

_COMPUTATIONS = frozenset({"sdy.manual_computation", "sdy.named_computation"})


def transform_shardings(root: ir.Operation, transform: Transform) -> None:
    """Replaces every sharding at and below `root` by what `transform` makes of it.

    Ops are visited before what they contain; per op: arguments before results, in shardings (with their manual axes)
    before out shardings. `transform` is asked once per distinct sharding, in the order of their first appearance, so it
    must be a function of the sharding alone. Axis lists that are no shardings are not visited.
    """
    walk = _Walk(transform)
    for op in pre_order(root):
        walk.visit(op)


class _Walk:
    def __init__(self, transform: Transform) -> None:
        self._transform = transform
        self._one: dict[TensorSharding, TensorSharding] = {}
        self._lists: dict[ShardingPerValue, ShardingPerValue] = {}
        self._dicts: dict[ir.Attribute, ir.Attribute] = {}

    def visit(self, op: ir.Operation) -> None:
        name = op.name
        if name == "func.func":
            self._dictionaries(op, "arg_attrs")
            self._dictionaries(op, "res_attrs")
        elif name in _COMPUTATIONS:
            self._list(op, "in_shardings")
            self._list(op, "out_shardings")
        elif (inherent := inherent_sharding_name(name)) is not None:
            self._single(op, inherent)
        elif (flow := interface(op)) is not None:
            self._owners(flow)
        else:
            self._list(op, SHARDING)

    def _new(self, sharding: TensorSharding) -> TensorSharding:
        new = self._one.get(sharding)
        if new is None:
            new = self._one[sharding] = self._transform(sharding)
        return new

    def _single(self, op: ir.Operation, name: str) -> None:
        old = attributes.get(op, name)
        if old is not None and (new := self._new(old)) != old:
            attributes.put(op, name, new)

    def _list(self, op: ir.Operation, name: str) -> None:
        old = attributes.get(op, name)
        if old is None:
            return
        new = self._lists.get(old)
        if new is None:
            new = self._lists[old] = ShardingPerValue(tuple(map(self._new, old.shardings)))
        if new != old:
            attributes.put(op, name, new)

    def _owners(self, flow: DataFlowOp) -> None:
        block_args, results = flow.block_arg_shardings(), flow.result_shardings()
        if block_args is not None:
            new = tuple(map(self._new, block_args))
            if new != tuple(block_args):
                flow.set_block_arg_shardings(new)
        if results is not None:
            new = tuple(map(self._new, results))
            if new != tuple(results):
                flow.set_result_shardings(new)

    def _dictionaries(self, func: ir.Operation, name: str) -> None:
        stored = func.attributes
        if name in stored:
            old = list(stored[name])
            new = list(map(self._dictionary, old))
            if new != old:
                stored[name] = ir.ArrayAttr.get(new)

    def _dictionary(self, old: ir.Attribute) -> ir.Attribute:
        """The attributes of one argument or result."""
        new = self._dicts.get(old)
        if new is None:
            new = old
            if SHARDING in old:
                sharding = self._new(attributes.value_of(old[SHARDING]))
                entries = {entry.name: entry.attr for entry in old}
                new = ir.DictAttr.get({**entries, SHARDING: attributes.attr_of(sharding)})
            self._dicts[old] = new
        return new
