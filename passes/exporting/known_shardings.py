"""The shardings of values, read once per value while a pass works through a function."""

from __future__ import annotations

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.functions import body
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, op_shardings
from sdy.dialect.values import get_sharding, inherent_sharding_name, set_sharding
from sdy.mlir import ir

Shardings = tuple[TensorSharding | None, ...]


class KnownShardings:
    """What is known about the values of one function without data-flow edge ops.

    Whoever makes a value says so with `put`, and with `forget` before its op is erased: values are told apart by their
    address, which a later value may get.
    """

    def __init__(self, func: ir.Operation) -> None:
        self._known: dict[ir.Value, TensorSharding | None] = dict(
            zip(body(func).arguments, arg_shardings(func), strict=True)
        )
        self._behind_barriers: dict[ir.Value, ir.Value] = {}
        for barrier in ops_named(func, "sdy.propagation_barrier"):
            operand = barrier.operands[0]
            self._behind_barriers[barrier.results[0]] = self._behind_barriers.get(operand, operand)

    def put(self, value: ir.Value, sharding: TensorSharding | None) -> None:
        self._known[value] = sharding

    def forget(self, value: ir.Value) -> None:
        self._known.pop(value, None)

    def of(self, value: ir.Value) -> TensorSharding | None:
        """The sharding of a value."""
        try:
            return self._known[value]
        except KeyError:
            sharding = self._known[value] = get_sharding(value)
            return sharding

    def bypassing_barriers(self, value: ir.Value) -> TensorSharding | None:
        """The sharding of what goes into the propagation barriers that define `value`, if any do."""
        return self.of(self._behind_barriers.get(value, value)) if self._behind_barriers else self.of(value)

    def of_results(self, op: ir.Operation) -> Shardings:
        """The shardings of all results of an op."""
        results = op.results
        if inherent_sharding_name(op.name) is not None or is_data_flow_op(op.name):
            return tuple(map(self.of, results))
        listed = op_shardings(op)
        shardings: Shardings = (None,) * len(results) if listed is None else listed[: len(results)]
        self._known.update(zip(results, shardings, strict=True))
        return shardings

    def change_result(self, op: ir.Operation, index: int, sharding: TensorSharding) -> None:
        """Gives a result of `op` another sharding; where there was no list, the other results become fully open."""
        set_sharding(op.results[index], sharding)
        for value in op.results:
            self._known[value] = get_sharding(value)
