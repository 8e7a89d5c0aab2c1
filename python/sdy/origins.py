"""Where the collectives of a local program come from: the ops of the user's program that they serve.

Passes hand locations on, so every op gets a location that carries a number, and the numbers are looked up in the end.
Ops that communicate but are no ops of the user's get a number of their own as soon as they are there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sdy.dialect import attributes
from sdy.dialect.functions import symbol_name
from sdy.dialect.sharding import TensorSharding, axis_set
from sdy.dialect.values import get_sharding
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.op_names import op_name
from sdy.report import COLLECTIVES

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

    `serves` is what needs it, ``operand 1 of stablehlo.dot_general``, and `location` where that is in the program.
    `source` is None if nothing is known, which means replicated.
    """

    source: TensorSharding | None
    target: TensorSharding
    serves: str
    location: str

    def __str__(self) -> str:
        return f"{_dims(self.source) if self.source else 'replicated'} -> {_dims(self.target)}"


def _dims(sharding: TensorSharding) -> str:
    """The sharding without its mesh, which is mostly the same everywhere."""
    dims = f"[{', '.join(map(str, sharding.dims))}]"
    return f"{dims} unreduced={axis_set(sharding.unreduced)}" if sharding.unreduced else dims


@dataclass(frozen=True, slots=True)
class Origin:
    """Why something is communicated: for what, where in the user's program, and by which reshard if it was one."""

    serves: str
    location: str
    reshard: Reshard | None = None


class Origins:
    """The numbered ops of one module; `filename` is what locations in a text without a name (``-``) are given."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._known: list[Origin | tuple[str, Any]] = []

    def of(self, op: Any, number: int = 0) -> Origin:
        """The origin of operand `number` of an op of the local program."""
        found = self._find(op)
        if isinstance(found, Origin):
            return found
        if found is not None:
            return Origin(found[0], self._place(found[1]))
        return self._served(op, number)

    def number_ops(self, module: Any) -> None:
        """Remembers all ops of the module by name and location."""
        for op in pre_order(module):
            self._number(op, (op.name, op.location))

    def number_communication(self, module: Any) -> tuple[Reshard, ...]:
        """Remembers what each op that communicates serves. Returns the reshards, in program order."""
        wanted = [op for op in pre_order(module) if op.name in COMMUNICATION]
        origins = [self._origin(op) for op in wanted]
        for op, origin in zip(wanted, origins, strict=True):
            self._number(op, origin)
        return tuple(origin.reshard for origin in origins if origin.reshard is not None)

    def _number(self, op: Any, known: Origin | tuple[str, Any]) -> None:
        op.location = ir.Location.name(f"sdy#{len(self._known)}", op.location)
        self._known.append(known)

    def _find(self, op: Any) -> Origin | tuple[str, Any] | None:
        number = _NUMBER.search(str(op.location))
        return self._known[int(number[1])] if number else None

    def _origin(self, op: Any) -> Origin:
        origin = self._served(op)
        if op.name != "sdy.reshard":
            return origin
        source, target = get_sharding(op.operands[0]), attributes.get(op, "sharding")
        return Origin(origin.serves, origin.location, Reshard(source, target, origin.serves, origin.location))

    # What an op serves ---------------------------------------------------------------------------

    def _served(self, op: Any, number: int = 0) -> Origin:
        """A reduction serves the op with the partial results, everything else the first op that uses the result."""
        if op.name in _REDUCING:
            producer = _producer(op.operands[number])
            if producer is not None:
                return self._named(f"{_result(producer)} of", producer.owner.operation)
        return self._consumer(op) or self._named("", op)

    def _consumer(self, op: Any) -> Origin | None:
        for value in op.results:
            uses = [(use.owner.operation, use.operand_number) for use in value.uses]
            for user, number in reversed(uses):
                if not _communicates(user):
                    return self._user(user, number)
                found = self._consumer(user)
                if found is not None:
                    return found
        return None

    def _user(self, user: Any, number: int) -> Origin:
        if not user.name.endswith("return"):
            return self._named(f"operand {number} of", user)
        parent = user.parent.operation
        if parent.name != "func.func":
            return self._named(f"result {number} of", parent)
        return Origin(f"result {number} of @{symbol_name(parent)}", self._named("", user).location)

    def _named(self, role: str, op: Any) -> Origin:
        """The op under the name and at the place that it has in the user's program."""
        found = self._find(op)
        if isinstance(found, Origin):
            return found
        name, location = (op.name, op.location) if found is None else found
        return Origin(f"{role} {name}".strip(), self._place(location))

    def _place(self, location: Any) -> str:
        name = op_name(location)
        return self._filename + name.removeprefix("-") if name.startswith("-:") else name


def _communicates(op: Any) -> bool:
    return op.name in COMMUNICATION or op.name in COLLECTIVES


def _producer(value: Any) -> Any:
    """The value that the communication which made `value` works on, None for an argument."""
    while isinstance(value, ir.OpResult) and _communicates(value.owner.operation):
        value = value.owner.operation.operands[0]
    return value if isinstance(value, ir.OpResult) else None


def _result(value: Any) -> str:
    several = len(value.owner.operation.results) > 1
    return f"result {value.result_number}" if several else "result"
