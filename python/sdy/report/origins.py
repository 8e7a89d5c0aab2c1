"""Origins of the collectives of a local program: the ops of the user's program that they serve.

Passes preserve locations, so every op gets a location with a number, which is looked up in the end. Ops that
communicate but do not come from the user get their own number as soon as they exist.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace

from sdy.dialect.definition import attributes
from sdy.dialect.hlo_async.chains import done_of, is_done, is_start, operation_of, start_of
from sdy.dialect.program_values import main_name, printed_names
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.surroundings import NOWHERE, NameScopes, Surroundings, frontend_name, op_name
from sdy.dialect.values.sharding import TensorSharding, axis_set
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import position_of
from sdy.mlir.functions import symbol_name
from sdy.mlir.walk import pre_order
from sdy.passes.costs.program_collectives import kind_of

_NUMBER = re.compile(r'"sdy#(\d+)"')
_REDUCING = ("sdy.all_reduce", "sdy.reduce_scatter", "stablehlo.all_reduce", "stablehlo.reduce_scatter")

COMMUNICATION = (
    "sdy.all_gather",
    "sdy.all_reduce",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.collective_permute",
    "sdy.reduce_scatter",
    "sdy.replicated_to_unreduced",
    "sdy.reshard",
    "sdy.sharded_to_unreduced",
)
"""The ops of the dialect that change how a value is distributed."""


@dataclass(frozen=True, slots=True)
class Reshard:
    """A value that is needed in another sharding than it has.

    `serves` is the user of its result, ``operand 1 of stablehlo.dot_general``, and `location`, `position` and `value`
    identify it in the program (see `Origin`). `source` is None if unknown, which means replicated.
    """

    source: TensorSharding | None
    target: TensorSharding
    serves: str
    location: str
    position: str = ""
    value: str = ""
    group: int = field(default=-1, compare=False, repr=False)
    """Number that all reshards of one value to one sharding share, because one may serve them all."""

    def __str__(self) -> str:
        return f"{_dims(self.source) if self.source else 'replicated'} -> {_dims(self.target)}"


def _dims(sharding: TensorSharding) -> str:
    """Return the sharding without its mesh, which is usually common to all."""
    dims = f"[{', '.join(map(str, sharding.dims))}]"
    return f"{dims} unreduced={axis_set(sharding.unreduced)}" if sharding.unreduced else dims


@dataclass(frozen=True, slots=True)
class Origin:
    """The reason of a communication: its purpose, the place in the user's program, and the reshard, if any.

    `location` is the frontend's name of the op that it `serves`, or else its position; `position` is ``file:line:col``,
    empty if there is none; `value` is the result of the op (the operand of a return) by the name in the printed program
    and in `sdy.explain`: ``%3``, or ``@f:%3`` outside of the main function. `op` is the number of the op in the given
    program, parents first; None for an op made by passes.
    """

    serves: str
    location: str
    position: str = ""
    value: str = ""
    reshard: Reshard | None = None
    op: int | None = None


@dataclass(frozen=True, slots=True)
class _Op:
    """An op of the user's program; `values` are the names of its results or, if it has none, of its operands."""

    name: str
    location: ir.Location
    values: tuple[str, ...] = ()
    number: int | None = None
    around: Surroundings = NOWHERE

    @property
    def value(self) -> str:
        """The name by which the op is found."""
        return self.values[0].partition("#")[0] if self.values else ""


class Origins:
    """The numbered ops of one module; `filename` replaces the name ``-`` in locations."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._known: list[Origin | _Op] = []
        self._groups: dict[tuple[ir.Value, TensorSharding], int] = {}

    def of(self, op: ir.Operation, number: int = 0) -> Origin:
        """The origin of operand `number` of an op of the local program."""
        found = self._find(op)
        if isinstance(found, Origin):
            return found
        if found is not None:
            return self._at(found.name, found)
        return self._served(op, number)

    def number_of(self, op: ir.Operation) -> int | None:
        """Return the number of the given program's op that a local op comes from, or serves."""
        found = self._find(op)
        return None if found is None else found.number if isinstance(found, _Op) else found.op

    def number_ops(self, module: ir.Operation) -> None:
        """Record all ops of the module by name and location, and the names of their values."""
        state, main, prefix = printed_names(module), main_name(module), ""
        surroundings = NameScopes(module, main)
        for number, op in enumerate(pre_order(module)):
            if op.name == "func.func":
                function = symbol_name(op)
                prefix = "" if function == main else f"@{function}:"
            values = op.results if len(op.results) else op.operands
            names = tuple(prefix + value.get_name(state) for value in values)
            self._number(op, _Op(op.name, op.location, names, number, surroundings.of(op)))

    def number_communication(self, module: ir.Operation) -> tuple[Reshard, ...]:
        """Record the purpose of each op that communicates. Return the reshards, in program order."""
        wanted = [op for op in pre_order(module) if op.name in COMMUNICATION]
        origins = [self._origin(op) for op in wanted]
        for op, origin in zip(wanted, origins, strict=True):
            self._number(op, origin)
        return tuple(origin.reshard for origin in origins if origin.reshard is not None)

    def _number(self, op: ir.Operation, known: Origin | _Op) -> None:
        op.location = ir.Location.name(f"sdy#{len(self._known)}", op.location)
        self._known.append(known)

    def _find(self, op: ir.Operation) -> Origin | _Op | None:
        number = _NUMBER.search(str(op.location))
        return self._known[int(number[1])] if number else None

    def _origin(self, op: ir.Operation) -> Origin:
        origin = self._served(op)
        if op.name != "sdy.reshard":
            return origin
        source, target = get_sharding(op.operands[0]), attributes.get(op, "sharding")
        where = origin.serves, origin.location, origin.position, origin.value
        group = self._groups.setdefault((op.operands[0], target), len(self._groups))
        return Origin(*where, Reshard(source, target, *where, group), origin.op)

    # What an op serves ---------------------------------------------------------------------------

    def _served(self, op: ir.Operation, number: int = 0) -> Origin:
        """A reduction serves the op with the partial results, everything else the first op that uses the result."""
        if op.name in _REDUCING:
            producer = _producer(op.operands[number])
            if producer is not None:
                return self._named(f"{_result(producer)} of", producer.owner.operation)
        return self._consumer(op) or self._named("", op)

    def _consumer(self, op: ir.Operation) -> Origin | None:
        for value in _results(op):
            uses = [(use.owner.operation, use.operand_number) for use in value.uses]
            for user, number in reversed(uses):
                if not _communicates(user):
                    return self._user(user, number)
                found = self._consumer(user)
                if found is not None:
                    return found
        return None

    def _user(self, user: ir.Operation, number: int) -> Origin:
        if not user.name.endswith("return"):
            return self._named(f"operand {number} of", user)
        parent = user.parent.operation
        if parent.name != "func.func":
            return self._named(f"result {number} of", parent)
        found, role = self._find(user), f"result {number} of @{symbol_name(parent)}"
        if not isinstance(found, _Op):
            return replace(self._named("", user), serves=role)
        return self._at(role, replace(found, values=found.values[number : number + 1]))

    def _named(self, role: str, op: ir.Operation) -> Origin:
        """Return the op with its name and position in the user's program."""
        found = self._find(op)
        if isinstance(found, Origin):
            return found
        known = _Op(op.name, op.location) if found is None else found
        return self._at(f"{role} {known.name}".strip(), known)

    def _at(self, serves: str, op: _Op) -> Origin:
        position = op.around.place_of(position_of(op.location))
        shown = self._in_file(str(position)) if position.line else ""
        name = frontend_name(op.location)
        location = op.around.path_of(name) if name else op.around.path or op_name(op.location)
        return Origin(serves, self._in_file(location), shown, op.value, op=op.number)

    def _in_file(self, place: str) -> str:
        return self._filename + place.removeprefix("-") if place.startswith("-:") else place


def _communicates(op: ir.Operation) -> bool:
    if is_start(op):
        op = operation_of(op)
    return op.name in COMMUNICATION or kind_of(op) is not None


def _results(op: ir.Operation) -> Sequence[ir.OpResult]:
    """Return the results of an op; for an asynchronous op those of its done."""
    around = op if is_start(op) else op.parent.operation
    done = done_of(around) if is_start(around) else None
    return op.results if done is None else done.results


def _outside(value: ir.Value) -> ir.Value:
    """Return the operand of the asynchronous op if `value` is an argument of its body."""
    if isinstance(value, ir.BlockArgument) and is_start(value.owner.owner.operation):
        return value.owner.owner.operation.operands[value.arg_number]
    return value


def _producer(value: ir.Value) -> ir.OpResult | None:
    """Return the operand of the communication that made `value`, None for an argument."""
    value = _outside(value)
    while isinstance(value, ir.OpResult):
        op = value.owner.operation
        start = start_of(op) if is_done(op) else None
        op = op if start is None else start
        if not _communicates(op):
            return value
        value = _outside(op.operands[0])
    return None


def _result(value: ir.OpResult) -> str:
    several = len(value.owner.operation.results) > 1
    return f"result {value.result_number}" if several else "result"
