"""What a reduce or scatter combines with (spec: export-passes, 5.6)."""

from __future__ import annotations

from sdy.dialect.sharding import Reduction
from sdy.mlir import ir
from sdy.passes.exporting.insertion import terminator

_KINDS = {"stablehlo.add": Reduction.SUM, "stablehlo.maximum": Reduction.MAX, "stablehlo.minimum": Reduction.MIN}


def reduction_kind(op: ir.Operation) -> Reduction | None:
    """The kind of the first region of `op`: all that it returns is computed by additions, maxima or minima.

    None for any other body.
    """
    kinds = [_kind(value) for value in terminator(op.regions[0].blocks[0]).operands]
    return kinds[0] if kinds and all(kind is kinds[0] for kind in kinds) else None


def _kind(value: ir.Value) -> Reduction | None:
    return None if isinstance(value, ir.BlockArgument) else _KINDS.get(value.owner.operation.name)
