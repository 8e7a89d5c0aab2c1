"""Changes that a user can make to the shardings of a program; ops are meant by their number, parents first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.dialect.shardings.attribute_shardings import set_arg_sharding, set_result_sharding
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.walk import pre_order


@dataclass(frozen=True, slots=True)
class _OfValue:
    """A change to the value with number `index` of its kind of an op."""

    kind: ClassVar[ValueKind]
    op: int
    index: int

    def name(self, program: Program) -> str:
        return _named(program, program.value_at(self.op, self.kind, self.index))


@dataclass(frozen=True, slots=True)
class ShardArgument(_OfValue):
    """Another sharding of an argument of a function."""

    kind = ValueKind.ARGUMENT
    sharding: TensorSharding

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        set_arg_sharding(ops[self.op], self.index, self.sharding)

    def told(self, program: Program) -> str:
        return f"shard {self.name(program)} as {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class ShardResult(_OfValue):
    """Another sharding of a result of a function; None leaves it to propagation."""

    kind = ValueKind.OUTPUT
    sharding: TensorSharding | None

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        set_result_sharding(ops[self.op], self.index, self.sharding)

    def told(self, program: Program) -> str:
        name = self.name(program)
        if self.sharding is None:
            return f"leave the sharding of {name} open"
        return f"shard {name} as {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class Constrain(_OfValue):
    """A sharding constraint on a result of an op, for all of its users."""

    kind = ValueKind.RESULT
    sharding: TensorSharding

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        op = ops[self.op]
        value = op.results[self.index]
        users = [(use.owner.operation, use.operand_number) for use in value.uses]
        after = ir.InsertionPoint.after(op)
        constrained = builders.sharding_constraint(value, self.sharding, loc=op.location, ip=after)
        for user, operand in users:
            user.operands[operand] = constrained

    def told(self, program: Program) -> str:
        return f"constrain {self.name(program)} to {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class Reconstrain:
    """Another sharding in a sharding constraint of the program; None removes the constraint."""

    op: int
    sharding: TensorSharding | None

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        op = ops[self.op]
        if self.sharding is None:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()
        else:
            attributes.put(op, "sharding", self.sharding)

    def told(self, program: Program) -> str:
        value = program.value_at(self.op, ValueKind.RESULT, 0)
        if self.sharding is None:
            return f"remove the sharding constraint {_named(program, value)}"
        return f"make the sharding constraint {_named(program, value)} one to {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class DeclareRule:
    """A sharding rule for an op of which none is known, if that is what the op does."""

    op: int
    rule: ShardingRule

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        attributes.put(ops[self.op], SHARDING_RULE, self.rule)

    def told(self, program: Program) -> str:
        op = program.ops[self.op]
        target = f" @{op.attributes['call_target_name'].value}" if "call_target_name" in op.attributes else ""
        rule = replace(self.rule, is_custom=False)
        where = program.location(self.op)
        return f"declare a sharding rule for {op.name}{target} ({where}), if it is elementwise: {rule}"


Change = ShardArgument | ShardResult | Constrain | Reconstrain | DeclareRule


def apply(change: Change, module: ir.Module | ir.Operation) -> None:
    """Makes a change to a module whose ops are those of the program, in its context, which is the current one."""
    change.apply(pre_order(module.operation))


def dims_text(sharding: TensorSharding) -> str:
    """The sharding without its mesh, which is mostly the same everywhere."""
    return f"[{', '.join(map(str, sharding.dims))}]"


def _named(program: Program, value: ProgramValue) -> str:
    """``%3 (stablehlo.add, "jit(f)/add" f.py:3:4)``, or ``argument 0 of @main ("w" ...)``."""
    name = program.name(value)
    head = value.what.what if value.kind is ValueKind.ARGUMENT else name
    what = f"{value.what.what}, " if value.kind is ValueKind.RESULT else ""
    return f"{head} ({what}{value.what.location})"
