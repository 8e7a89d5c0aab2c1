"""Which ops may need what neighbouring devices have of a sharded dimension (spec: partitioner, 3.5)."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.mlir import ir
from sdy.mlir.search import ops_but

_NEIGHBOURLESS = frozenset(
    f"stablehlo.{name}" for name in "broadcast_in_dim constant dot dot_general iota reduce transpose".split()
)
"""Frequent ops that, like elementwise ones, need nothing of neighbouring shards, unless a rule on the op says so."""

_FREQUENT = (
    *sorted(_NEIGHBOURLESS),
    *(
        f"stablehlo.{name}"
        for name in (
            "add and compare convert divide exponential log maximum minimum multiply negate or power rsqrt select sqrt "
            "subtract tanh"
        ).split()
    ),
)
"""Ops that are not looked at one by one."""


def ops_needing_halo(module: ir.Operation) -> list[ir.Operation]:
    """The ops in question, nested ones first."""
    found: list[ir.Operation] = []
    by_name: dict[str, bool] = {}
    for op in ops_but(module, _FREQUENT, unless_with=SHARDING_RULE):
        name = op.name
        needs = by_name.get(name)
        if needs is None:
            needs = _may_need_neighbours(op, name)
            if name != _BITCAST:
                by_name[name] = needs
        if needs or (SHARDING_RULE in op.attributes and name.startswith("stablehlo.") and not is_terminator(op)):
            found.append(op)
    return found


_BITCAST = "stablehlo.bitcast_convert"
"""Elementwise or not, depending on the types."""


def _may_need_neighbours(op: ir.Operation, name: str) -> bool:
    """Whether an op without a rule on it may need anything of neighbouring shards."""
    if not name.startswith("stablehlo.") or name in _NEIGHBOURLESS:
        return False
    return not is_elementwise(op) and not is_terminator(op)
