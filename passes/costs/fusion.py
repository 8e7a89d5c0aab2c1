"""Which ops a compiler computes where their results are used, so that these never come to memory.

That is a model: what a back end does is better in some places and worse in others. It has to be the same wherever two
programs are compared. Compilers inline what is called before they fuse, so calls are seen through, and the borders of
manual computations, which the program of a device does not have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sdy.dialect.op_properties import is_constant, is_elementwise, is_terminator
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name, funcs, symbol_name
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.walk import pre_order

_MOVING = frozenset(
    f"stablehlo.{name}" for name in "broadcast_in_dim broadcast convert dynamic_slice iota slice".split()
)
"""Ops that are no arithmetic, and yet are computed element by element where their results are used."""

_TAKING = frozenset({"stablehlo.reduce"})
"""Ops that compute their operands themselves, without being computed elsewhere."""

RENAMING = ("stablehlo.reshape", "stablehlo.broadcast_in_dim", "sdy.sharding_constraint", "sdy.reshard")
"""Ops that may only name what is there (see `renames`)."""

_CALL = "func.call"
_MANUAL = "sdy.manual_computation"
_RETURN = "sdy.return"


@dataclass(frozen=True)
class Fusion:
    """What is fused in a module that is not changed meanwhile: its functions by name, and the calls of each."""

    functions: Mapping[str, ir.Operation] = field(default_factory=dict)
    calls: Mapping[str, list[ir.Operation]] = field(default_factory=dict)
    _fused: dict[int, bool] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(module: ir.Operation) -> Fusion:
        """That of a module."""
        functions = {symbol_name(function): function for function in funcs(module)}
        if len(functions) == 1:
            return Fusion()
        calls: dict[str, list[ir.Operation]] = {}
        for op in pre_order(module):
            if op.name == _CALL and callee_name(op) in functions:
                calls.setdefault(callee_name(op), []).append(op)
        return Fusion(functions, calls)

    def is_fused(self, op: ir.Operation) -> bool:
        """Whether an op is computed in all of its users, so that its result takes neither time to write nor room."""
        if not len(op.results):
            return False
        value = op.results[0]
        found = self._fused.get(address(value))
        if found is None:
            found = self._fused[address(value)] = _is_element_by_element(op) and self._is_taken(value)
        return found

    def _is_taken(self, value: ir.Value) -> bool:
        users = list(self._users(value))
        return bool(users) and all(_is_element_by_element(user) or user.name in _TAKING for user in users)

    def is_in_memory(self, value: ir.Value) -> bool:
        """Whether a value is read from memory where it is used."""
        value = source(value)
        if isinstance(value, ir.OpResult):
            op = value.owner.operation
            function = self.functions.get(callee_name(op)) if op.name == _CALL else None
            if function is not None:
                returned = terminator(function.regions[0].blocks[0]).operands[value.result_number]
                return self.is_in_memory(returned)
            if op.name == _MANUAL:
                return self.is_in_memory(terminator(op.regions[0].blocks[0]).operands[value.result_number])
            return not self.is_fused(op)
        argument = ir.BlockArgument(value)
        holder = argument.owner.owner.operation
        if holder.name == _MANUAL:
            return self.is_in_memory(holder.operands[argument.arg_number])
        calls = self._calls_of(holder)
        return not calls or any(self.is_in_memory(call.operands[argument.arg_number]) for call in calls)

    def _calls_of(self, op: ir.Operation) -> list[ir.Operation]:
        """The calls of what is a function."""
        return self.calls.get(symbol_name(op), []) if self.calls and op.name == "func.func" else []

    def _users(self, value: ir.Value) -> Iterator[ir.Operation]:
        for use in value.uses:
            user = use.owner.operation
            if renames(user):
                yield from self._users(user.results[0])
            elif user.name == _CALL and callee_name(user) in self.functions:
                block = self.functions[callee_name(user)].regions[0].blocks[0]
                yield from self._users(block.arguments[use.operand_number])
            elif user.name == _MANUAL:
                yield from self._users(user.regions[0].blocks[0].arguments[use.operand_number])
            elif user.name == _RETURN and user.parent.name == _MANUAL:
                yield from self._users(user.parent.results[use.operand_number])
            elif self.calls and is_terminator(user) and (calls := self._calls_of(user.parent)):
                for call in calls:
                    yield from self._users(call.results[use.operand_number])
            else:
                yield user


def source(value: ir.Value) -> ir.Value:
    """The value of which `value` is another name."""
    while isinstance(value, ir.OpResult) and renames(value.owner.operation):
        value = value.owner.operation.operands[0]
    return value


def renames(op: ir.Operation) -> bool:
    """Whether an op only gives a value another shape, as a broadcast does that adds dimensions of size 1, or a layout.

    What it takes to move a value into another layout is no matter of the op by itself.
    """
    if op.name != "stablehlo.broadcast_in_dim":
        return op.name in RENAMING
    have, want = op.operands[0].type, op.results[0].type
    if not have.has_static_shape or math.prod(have.shape) != math.prod(want.shape):
        return False
    dims = list(ir.DenseI64ArrayAttr(op.attributes["broadcast_dimensions"]))
    return dims == sorted(dims)


def _is_element_by_element(op: ir.Operation) -> bool:
    return op.name in _MOVING or is_constant(op) or (not len(op.regions) and is_elementwise(op))
