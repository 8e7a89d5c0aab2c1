"""A program after propagation, in terms of the user's program."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from sdy.dialect.data_flow import EDGE
from sdy.dialect.program_values import Place, Program, ProgramValue, ValueKind
from sdy.mlir import ir
from sdy.mlir.functions import body, callee_name, calls_in, funcs, has_body, symbol_name
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import identity
from sdy.passes.propagation.engine.driver import GROUP
from sdy.passes.propagation.explain.propagation_trace import TracedSession
from sdy.stablehlo.idioms.loops import WHILE

CALL = "sdy.named_computation"
_CONSTRAINT = "sdy.sharding_constraint"
_MANUAL = "sdy.manual_computation"

_NO_OPS_OF_THE_PROGRAM = frozenset({EDGE, "sdy.constant"})
"""Edges are beside the ops that they are of, and each use of a constant has one of its own."""


class OriginKind(Enum):
    """Source of an axis of a value."""

    ARGUMENT = "argument of a function"
    RESULT = "result of a function"
    CONSTRAINT = "sharding constraint"
    MANUAL_COMPUTATION = "manual computation"
    ATTRIBUTE = "sharding attribute"
    """The attribute of any other op; for a call those of the callee's arguments and results, too."""
    UNKNOWN = "unknown"


class PropagatedProgram:
    """Maps ops and values of a run to those of the user's program, by name."""

    def __init__(self, program: Program, session: TracedSession) -> None:
        self.program, self.session = program, session
        self._snapshot, self._store = session.snapshot, session.store
        self._owner_of_edge = {edge: owner for owner, edge in session.store.edges.items()}
        self._numbers = [program.number_of(op) for op in self._snapshot.ops]
        self._instances: dict[int, list[int]] = {}
        self._computations: dict[str, list[int]] = {}
        self._variables: dict[int, list[int | None]] = {}
        self._read_instances()
        self._calls: dict[str, list[ir.Operation]] = {}
        self._place_of_call: dict[Hashable, int] = {}
        for call in calls_in(program.module):
            calls = self._calls.setdefault(callee_name(call), [])
            self._place_of_call[identity(call)] = len(calls)
            calls.append(call)
        self._functions = {symbol_name(func): func for func in funcs(program.module)}
        self._found: dict[int, list[tuple[int, int]]] = {}
        self._values: dict[int, ProgramValue] = {}
        for find in (self._own_instances, self.instances):
            for value in program.values:
                for _, slot in find(value):
                    self._values.setdefault(slot, value)

    def _read_instances(self) -> None:
        renamed: dict[int, list[int]] = {}
        for op, number in enumerate(self._numbers):
            if number is None or not self.session.driver.is_alive(op):
                continue
            name, original = self._snapshot.names[op], self.program.ops[number].name
            if name == WHILE and name == original:
                self._variables[op] = self.program.variables_of(self._snapshot.ops[op])
            if self._is_call(op):
                callee = ir.StringAttr(self._snapshot.ops[op].attributes["name"]).value
                self._computations.setdefault(callee, []).append(op)
            if name == original or self._is_call(op):
                self._instances.setdefault(number, []).append(op)
            elif name not in _NO_OPS_OF_THE_PROGRAM:
                renamed.setdefault(number, []).append(op)
        for number, ops in renamed.items():
            if number not in self._instances and (alike := [op for op in ops if self._gives_the_same(op, number)]):
                self._instances[number] = alike

    def _gives_the_same(self, op: int, number: int) -> bool:
        """Return whether an op made from a program op has results of the same types."""
        pair = self._snapshot.ops[op].results, self.program.ops[number].results
        return [result.type for result in pair[0]] == [result.type for result in pair[1]]

    def _is_call(self, op: int) -> bool:
        """Return whether an op is a named computation that took the place of a call."""
        number = self._numbers[op]
        return self._snapshot.names[op] == CALL and number is not None and self.program.ops[number].name == "func.call"

    # Values --------------------------------------------------------------------------------------

    def instances(self, value: ProgramValue) -> list[tuple[int, int]]:
        """Return (op, slot) of each copy of the value: one for each call of its function; none in dead code."""
        found = self._found.get(value.number)
        if found is None:
            found = self._found[value.number] = self._own_instances(value) or self._inlined_instances(value)
        return found

    def _own_instances(self, value: ProgramValue) -> list[tuple[int, int]]:
        """Origins at the op that defines the value."""
        owner = self.program.ops[value.op]
        ops = self._instances.get(value.op, [])
        if owner.name == "func.func":
            ops = ops + self._computations.get(symbol_name(owner), [])
        if owner.name == WHILE:
            return self._variable_instances(value, owner, ops)
        slots = ((op, self._slot(value, op)) for op in ops)
        return [(op, slot) for op, slot in slots if slot != self._store.nowhere]

    def _inlined_instances(self, value: ProgramValue) -> list[tuple[int, int]]:
        """Origins of a value that inlining or capturing of loop invariants replaces by another value."""
        owner = self.program.ops[value.op]
        if owner.name == WHILE and value.op in self._instances:
            return self.instances(self.program.value_of(owner.operands[value.index % len(owner.results)]))
        if owner.name == "func.call":
            return self._result_of_call(value, owner)
        if owner.name != "func.func" or value.op in self._instances:
            return []
        if value.kind is ValueKind.OUTPUT:
            return self.instances(self.program.value_of(self._returned(owner)[value.index]))
        operands = [call.operands[value.index] for call in self._calls.get(symbol_name(owner), ())]
        return [one for operand in operands for one in self.instances(self.program.value_of(operand))]

    def _result_of_call(self, value: ProgramValue, call: ir.Operation) -> list[tuple[int, int]]:
        """Return origins of the callee's value at this call, or of its users if calls are indistinguishable."""
        callee = self._functions[callee_name(call)]
        if not has_body(callee):
            return []
        returned = self.program.value_of(self._returned(callee)[value.index])
        calls = self._calls[callee_name(call)]
        if returned.kind is ValueKind.ARGUMENT and self.program.ops[returned.op] == callee:
            return self.instances(self.program.value_of(call.operands[returned.index]))
        found = self.instances(returned)
        if len(found) == len(calls):
            return [found[self._place_of_call[identity(call)]]]
        return list(dict.fromkeys(self._uses(call.results[value.index])))

    def _uses(self, value: ir.Value) -> Iterator[tuple[int, int]]:
        for use in value.uses:
            user = use.owner.operation
            for op in self._instances.get(self.program.number_of_op(user), ()):
                operands = self._snapshot.operands[op]
                if len(operands) == len(user.operands):
                    yield op, self._store.slot_of[operands[use.operand_number]]

    @staticmethod
    def _returned(func: ir.Operation) -> Sequence[ir.Value]:
        return terminator(body(func)).operands

    def _variable_instances(self, value: ProgramValue, loop: ir.Operation, ops: Sequence[int]) -> list[tuple[int, int]]:
        """Origins of a variable or result of a loop that still carries it."""
        variable = value.index % len(loop.results)
        found: list[tuple[int, int]] = []
        for op in ops:
            kept = self._variables[op]
            if variable in kept:
                index = kept.index(variable) + (value.index - variable) // len(loop.results) * len(kept)
                found.append((op, self._slot(replace(value, index=index), op)))
        return [(op, slot) for op, slot in found if slot != self._store.nowhere]

    def _slot(self, value: ProgramValue, op: int) -> int:
        slot_of = self._store.slot_of
        if value.kind is ValueKind.ARGUMENT:
            return slot_of[self._snapshot.arguments[op][value.index]]
        if value.kind is ValueKind.OUTPUT and op in self._store.function_results:
            return self._store.function_results[op][value.index]
        return slot_of[self._snapshot.results[op][value.index]]

    def calls_around(self, op: int) -> tuple[str, ...]:
        """The calls that lead to an op, from the outside in."""
        calls = []
        while op >= 0:
            if self._is_call(op):
                callee = ir.StringAttr(self._snapshot.ops[op].attributes["name"]).value
                calls.append(f"call of @{callee} ({self.location(op)})")
            op = self._snapshot.parents[op]
        return tuple(reversed(calls))

    def name(self, slot: int) -> str:
        """Return the name of a value in the program; empty if it is not in the program."""
        value = self._values.get(slot)
        return "" if value is None else self.program.name(value)

    def number(self, slot: int) -> int:
        """Return the number of the program's value that a slot holds; -1 if it holds none."""
        value = self._values.get(slot)
        return -1 if value is None else value.number

    # Ops -----------------------------------------------------------------------------------------

    def location(self, op: int) -> str:
        if op in self._owner_of_edge:
            op = self._snapshot.holder_of(self._owner_of_edge[op])
        return self.program.location(self._numbers[op])

    def op_name(self, op: int) -> str:
        """Return the name of the user's op that an edge or the body belongs to in the run."""
        name = self._snapshot.names[op]
        if name == EDGE and op in self._owner_of_edge:
            return self.op_name(self._snapshot.holder_of(self._owner_of_edge[op]))
        return "func.call" if self._is_call(op) else name

    def place(self, op: int) -> Place:
        """Return the op that a value crosses; for a function result, the return."""
        if self._snapshot.names[op] == "func.func":
            op = self._snapshot.terminators(op)[-1]
        return Place(self.op_name(op), self.location(op))

    def group_place(self, slot: int) -> Place:
        """The op that puts the value of a slot into its sharding group."""
        names, operands = self._snapshot.names, self._snapshot.operands
        op = next(op for op, name in enumerate(names) if name == GROUP and operands[op][0] == slot)
        return self.place(op)

    def role(self, op: int, tensor: int, slots: tuple[int, ...]) -> str:
        """Return the role of a tensor of an op: ``operand 1``, ``result 0``."""
        name = self._snapshot.names[op]
        if name == "func.func":
            return self._role_in_function(op, tensor, slots)
        if name == EDGE and op in self._owner_of_edge:
            return self._role_at_edge(op, tensor, len(slots) - 1)
        num_operands = len(slots) - len(self._snapshot.results[op])
        return f"operand {tensor}" if tensor < num_operands else f"result {tensor - num_operands}"

    def _role_in_function(self, op: int, tensor: int, slots: tuple[int, ...]) -> str:
        index = self._store.function_results[op].index(slots[1])
        return f"operand {index}" if tensor == 0 else f"result {index} of @{symbol_name(self._snapshot.ops[op])}"

    def _role_at_edge(self, edge: int, tensor: int, num_sources: int) -> str:
        owner = self._owner_of_edge[edge]
        holder = self._snapshot.holder_of(owner)
        if tensor == num_sources:
            return self._owner_role(owner)
        user, position = self._snapshot.data_flow_ops[holder].sources[owner][tensor]
        if user == holder:
            return f"operand {position}"
        regions = self._snapshot.terminators(holder)
        where = f" of region {regions.index(user)}" if len(regions) > 1 else ""
        return f"returned value {position}{where}"

    def _owner_role(self, owner: int) -> str:
        holder = self._snapshot.holder_of(owner)
        if self._snapshot.definers[owner] >= 0:
            return f"result {owner - self._snapshot.results[holder].start}"
        return f"block argument {self._snapshot.arguments[holder].index(owner)}"

    # Origins -------------------------------------------------------------------------------------

    def origin(self, slot: int) -> tuple[OriginKind, Place]:
        """Return the origin of the axes that a slot had before propagation."""
        for function, slots in self._store.function_results.items():
            if slot in slots:
                return OriginKind.RESULT, self._place_of(function, ValueKind.OUTPUT, slot - slots.start)
        op = self._snapshot.holder_of(slot)
        if self._snapshot.definers[slot] < 0:
            return self._argument_origin(slot, op)
        name = self._snapshot.names[op]
        if name == EDGE and op in self._owner_of_edge:
            owner = self._owner_of_edge[op]
            holder = self._snapshot.holder_of(owner)
            is_manual = self._snapshot.names[holder] == _MANUAL
            kind = OriginKind.MANUAL_COMPUTATION if is_manual else OriginKind.ATTRIBUTE
            return kind, Place(f"{self._owner_role(owner)} of {self.op_name(holder)}", self.location(holder))
        kind = OriginKind.CONSTRAINT if name == _CONSTRAINT else OriginKind.ATTRIBUTE
        return kind, self.place(op)

    def _argument_origin(self, slot: int, op: int) -> tuple[OriginKind, Place]:
        index = self._snapshot.arguments[op].index(slot)
        if self._snapshot.names[op] != "func.func":
            return OriginKind.ATTRIBUTE, Place(f"block argument {index} of {self.op_name(op)}", self.location(op))
        return OriginKind.ARGUMENT, self._place_of(op, ValueKind.ARGUMENT, index)

    def _place_of(self, func: int, kind: ValueKind, index: int) -> Place:
        number = self._numbers[func]
        assert number is not None, "functions are not made by passes"
        return self.program.value_at(number, kind, index).what
