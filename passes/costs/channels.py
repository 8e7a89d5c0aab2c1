"""Which collectives hinder one another: those over the same links (spec: async, 13).

A set of mesh axes has links of its own, and a link has two directions. A permute that sends every device's data the
same way round takes one of them, any other collective both.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import Collective, Groups, source_target_pairs

_UP, _DOWN = "up", "down"


def channels(found: Collective, op: ir.Operation, mesh: Mesh, machine: Machine) -> tuple[Hashable, ...]:
    """The channels that a collective occupies while it is sent."""
    if machine.channels == "one":
        return ("all",)
    both = ((found.axes_text, _UP), (found.axes_text, _DOWN))
    if found.kind != "collective_permute" or found.axes is None:
        return both
    way = _way_round(mesh, source_target_pairs(op), found.axes)
    return both if way is None else ((found.axes_text, way),)


@lru_cache
def _way_round(mesh: Mesh, pairs: Groups, axes: AxisList) -> str | None:
    """The way in which a permutation turns the devices along `axes`; None if it goes both ways.

    Half way round counts as up.
    """
    if not axes:
        return None
    count = 1
    for axis in axes:
        count *= axis.size(mesh.axis_sizes)
    logical = {device: number for number, device in enumerate(mesh.devices)}
    ways: set[str] = set()
    for source, target in pairs:
        by = (mesh.shard_index(axes, logical[target]) - mesh.shard_index(axes, logical[source])) % count
        if by:
            ways.add(_UP if by <= count // 2 else _DOWN)
    return ways.pop() if len(ways) == 1 else None
