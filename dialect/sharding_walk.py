"""Visiting every sharding of a module (spec: import-passes 1.8)."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING, ShardingPerValue
from sdy.dialect.data_flow import interface, is_data_flow_op
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
    _Walk(transform).run(root)


class _Walk:
    """Remembers what became of each attribute, so that all but the first of equal ones cost a look-up."""

    def __init__(self, transform: Transform) -> None:
        self._transform = transform
        self._one: dict[TensorSharding, TensorSharding] = {}
        self._attributes: dict[ir.Attribute, ir.Attribute] = {}

    def run(self, root: ir.Operation) -> None:
        for op in pre_order(root):
            name = op.name
            if name == "func.func":
                self._dictionaries(op, "arg_attrs")
                self._dictionaries(op, "res_attrs")
            elif name in _COMPUTATIONS:
                self._attribute(op, "in_shardings")
                self._attribute(op, "out_shardings")
            elif (inherent := inherent_sharding_name(name)) is not None:
                self._attribute(op, inherent)
            elif is_data_flow_op(name):
                self._owners(op)
            else:
                self._attribute(op, SHARDING)

    def _new(self, sharding: TensorSharding) -> TensorSharding:
        new = self._one.get(sharding)
        if new is None:
            new = self._one[sharding] = self._transform(sharding)
        return new

    def _attribute(self, op: ir.Operation, name: str) -> None:
        """The sharding, or the list of them, that is kept in attribute `name`, if any."""
        stored = op.attributes
        if name not in stored:
            return
        old = stored[name]
        new = self._attributes.get(old)
        if new is None:
            new = self._attributes[old] = attributes.attr_of(self._new_value(attributes.value_of(old)))
        if new != old:
            stored[name] = new

    def _new_value(self, value: TensorSharding | ShardingPerValue) -> TensorSharding | ShardingPerValue:
        if isinstance(value, TensorSharding):
            return self._new(value)
        return ShardingPerValue(tuple(map(self._new, value.shardings)))

    def _owners(self, op: ir.Operation) -> None:
        """The owners' shardings of an op with edges, wherever it keeps them."""
        flow = interface(op)
        assert flow is not None
        block_args, results = flow.block_arg_shardings(), flow.result_shardings()
        if block_args is not None and (new := tuple(map(self._new, block_args))) != tuple(block_args):
            flow.set_block_arg_shardings(new)
        if results is not None and (new := tuple(map(self._new, results))) != tuple(results):
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
        if SHARDING not in old:
            return old
        new = self._attributes.get(old)
        if new is None:
            sharding = self._new(attributes.value_of(old[SHARDING]))
            entries = {entry.name: entry.attr for entry in old}
            new = self._attributes[old] = ir.DictAttr.get({**entries, SHARDING: attributes.attr_of(sharding)})
        return new
