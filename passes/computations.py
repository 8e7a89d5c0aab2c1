"""What the passes behind propagation ask about the named computations of a module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.analyses import Analysis

COMPUTATION = "sdy.named_computation"

Shardings = Sequence[TensorSharding] | None


@dataclass(slots=True)
class Computation:
    """A named computation with the shardings of its arguments and results, those on edges first.

    `holder` is the position of the computation that it is directly in, -1 where there is none. `returned` are the
    shardings of what its body returns, as they will be when the edges of all computations are gone.
    """

    op: ir.Operation
    name: str
    holder: int
    in_shardings: Shardings
    out_shardings: Shardings
    returned: tuple[TensorSharding | None, ...] = ()


@dataclass(frozen=True)
class PropagatedComputations(Analysis):
    """The computations of the module, as propagation knows them without looking into the IR again.

    `read` lists them, nested ones before those that they are in; None if there are calls or modules besides, or
    computations without results.
    """

    read: Callable[[], list[Computation] | None]
