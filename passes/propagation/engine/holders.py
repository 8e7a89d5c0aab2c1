"""Places in the IR that keep shardings of several values (spec: propagation, 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sdy.dialect.definition.attributes import SHARDING, attr_of
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir

Current = Callable[[int], TensorSharding | None]
"""The sharding that is in a slot."""


class Holder(Protocol):
    """A place that keeps the shardings of some slots."""

    def store(self, current: Current) -> None:
        """Writes them to the IR."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ListHolder:
    """A list with one sharding for each of `slots`, there or not there as a whole.

    `normalise`, if given, says how slot number i reads what was written to it.
    """

    slots: Sequence[int]
    put: Callable[[Sequence[TensorSharding]], None]
    normalise: Callable[[int, TensorSharding], TensorSharding] | None = None

    def store(self, current: Current) -> None:
        shardings = [current(slot) for slot in self.slots]
        self.put([sharding for sharding in shardings if sharding is not None])


@dataclass(frozen=True, slots=True, eq=False)
class FunctionHolder:
    """The attribute dictionaries of a function's arguments (`arg_attrs`) or results (`res_attrs`)."""

    op: ir.Operation
    name: str
    slots: Sequence[int]

    def store(self, current: Current) -> None:
        stored = self.op.attributes
        entries = list(stored[self.name]) if self.name in stored else [ir.DictAttr.get({})] * len(self.slots)
        for position, slot in enumerate(self.slots):
            sharding = current(slot)
            if sharding is None:
                continue
            attr, entry = attr_of(sharding), entries[position]
            if SHARDING not in entry or entry[SHARDING] != attr:
                kept = {named.name: named.attr for named in entry}
                entries[position] = ir.DictAttr.get({**kept, SHARDING: attr})
        stored[self.name] = ir.ArrayAttr.get(entries)
