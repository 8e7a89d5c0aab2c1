"""Targets of custom calls by which JAX asks a partitioner."""

from __future__ import annotations

from sdy.mlir import ir

CUSTOM_PARTITIONING = "CustomSPMDPartitioning"
"""A Python function partitions the call; its `backend_config` says which."""

INSPECT_SHARDING = "InspectSharding"
"""How the operand is sharded is reported to who is named in `backend_config`."""


def target_of(call: ir.Operation) -> str:
    """The target of a `stablehlo.custom_call`."""
    return ir.StringAttr(call.attributes["call_target_name"]).value
