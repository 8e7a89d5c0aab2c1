"""Giving the users of a value another one, while new users of the old value appear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sdy.dialect import builders
from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import is_unused

_MOVEMENTS = frozenset({"stablehlo.dynamic_slice", "stablehlo.pad", "stablehlo.transpose"})


def may_be_erased(op: ir.Operation) -> bool:
    """Whether an op is known to have no effects, without a look into its regions."""
    return op.name in _MOVEMENTS or op.name in COLLECTIVES or is_pure(op) or is_constant(op)


def erase_unused(values: Iterable[ir.Value], may_be_erased: Callable[[ir.Operation], bool] = may_be_erased) -> None:
    """Erases the ops that make `values` if nobody uses them and they have no effects; then those before them."""
    pending = dict.fromkeys(values)
    while pending:
        value = next(iter(pending))
        del pending[value]
        if not isinstance(value, ir.OpResult):
            continue
        op = value.owner.operation
        if is_unused(op) and may_be_erased(op):
            for result in op.results:
                pending.pop(result, None)  # it is not to be looked at once it is gone
            pending.update(dict.fromkeys(op.operands))
            op.erase()


class OperandSlot(NamedTuple):
    """Operand `number` of `user`."""

    user: ir.Operation
    number: int


def uses_of(value: ir.Value) -> list[OperandSlot]:
    """The operands that are `value`, as a snapshot."""
    return [OperandSlot(use.owner.operation, use.operand_number) for use in value.uses]


def use_instead(slots: Sequence[OperandSlot], value: ir.Value) -> None:
    """Makes all of `slots` use `value`."""
    for slot in slots:
        slot.user.operands[slot.number] = value


def replace_resharded(op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> None:
    """Puts `value` in the place of the only result of `op`, which is gone, with what made its first operand if unused.

    Users that reshard the result reshard the new value, the others get it in `sharding`.
    """
    others = [slot for slot in uses_of(op.results[0]) if slot.user.name != "sdy.reshard"]
    if others and get_sharding(value) != sharding:
        use_instead(others, builders.reshard(value, sharding, loc=op.location, ip=ir.InsertionPoint(op)))
    op.results[0].replace_all_uses_with(value)
    before = op.operands[0]
    op.erase()
    erase_unused([before])
