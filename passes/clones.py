"""Which named computations are clones of each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from sdy.passes.analyses import Analysis


@dataclass(frozen=True)
class ClonedComputations(Analysis):
    """The computations that have the same body, all that is nested in it included.

    `kinds` has the number of the body by the address of a computation's first result. Attributes
    of a computation that are not about its arguments may be its own.
    """

    survives: ClassVar[frozenset[str]] = frozenset(
        {"symbol-dce", "sdy-pre-order-funcs", "sdy-sink-func-data-flow-edges"}
    )

    kinds: Mapping[int, int]


@dataclass
class ClonedShare:
    """How much of a program is clones once all calls in it are computations, counting the ops of functions' own blocks.

    Functions are added after those that they call.
    """

    _sizes: dict[str, int] = field(default_factory=dict)
    """Of each function, all that it calls included."""
    _called: set[str] = field(default_factory=set)
    _distinct: int = 0

    def add(self, function: str, ops: int, callees: Sequence[str]) -> None:
        """Counts a function with `ops` in its own blocks, which has a call of each of `callees`."""
        self._sizes[function] = ops + sum(self._sizes[callee] for callee in callees)
        self._called.update(callees)
        self._distinct += ops

    @property
    def is_large(self) -> bool:
        """Whether more ops are in clones than are not."""
        whole = sum(size for function, size in self._sizes.items() if function not in self._called)
        return whole > 2 * self._distinct
