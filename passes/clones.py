"""Which named computations are clones of each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sdy.passes.analyses import Analysis


@dataclass(frozen=True)
class ClonedComputations(Analysis):
    """The computations that have the same body, all that is nested in it included.

    `kinds` has the number of the body by the hash of a computation's first result, which is its address. Attributes
    of a computation that are not about its arguments may be its own.
    """

    survives: ClassVar[frozenset[str]] = frozenset(
        {"symbol-dce", "sdy-pre-order-funcs", "sdy-sink-func-data-flow-edges"}
    )

    kinds: Mapping[int, int]
