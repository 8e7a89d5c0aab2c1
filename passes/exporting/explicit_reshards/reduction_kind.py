"""What a reduce or scatter combines with (spec: export-passes, 5.6)."""

from __future__ import annotations

from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.stablehlo.idioms.reduction_bodies import combining_ops

_KINDS = {"stablehlo.add": Reduction.SUM, "stablehlo.maximum": Reduction.MAX, "stablehlo.minimum": Reduction.MIN}


def reduction_kind(op: ir.Operation) -> Reduction | None:
    """The kind of the first region of `op`: each value that it returns adds two elements, or is the larger or smaller.

    None for any other body.
    """
    names = combining_ops(op.regions[0])
    kinds = {_KINDS.get(name) for name in names or ()}
    return kinds.pop() if len(kinds) == 1 else None
