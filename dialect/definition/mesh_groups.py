"""Lets StableHLO's inference read the mesh that replica groups along axes refer to by its symbol.

To be imported where programs with such groups are verified; sizes of groups are open otherwise.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import value_of
from sdy.mlir import ir
from sdy.stablehlo.shared_rules.replica_group_rules import mesh_op


@mesh_op("sdy.mesh")
def axis_sizes(op: ir.Operation) -> dict[str, int]:
    """The sizes of the axes of an `sdy.mesh` op."""
    return value_of(op.attributes["mesh"]).axis_sizes
