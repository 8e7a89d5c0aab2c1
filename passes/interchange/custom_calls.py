"""Custom calls of XLA and JAX and their frontend attributes (spec: interchange, 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.dialect.definition.attributes import text_of
from sdy.mlir import ir
from sdy.mlir.search import ops_named

CUSTOM_CALL = "stablehlo.custom_call"
FRONTEND = "mhlo.frontend_attributes"

SHARDING_CALL = "Sharding"
FULL_TO_SHARD = "SPMDFullToShardShape"
SHARD_TO_FULL = "SPMDShardToFullShape"

CALLBACKS = (
    "xla_python_cpu_callback",
    "xla_python_gpu_callback",
    "xla_ffi_python_cpu_callback",
    "xla_ffi_python_gpu_callback",
)


def target_of(op: ir.Operation) -> str:
    """What a custom call calls."""
    return text_of(op.attributes["call_target_name"])


def calls_of(root: ir.Operation, *targets: str) -> list[ir.Operation]:
    """The custom calls of these targets below `root`."""
    return [op for op in ops_named(root, CUSTOM_CALL) if target_of(op) in targets]


def frontend(attributes: ir.OpAttributeMap | ir.DictAttr) -> dict[str, ir.Attribute]:
    """The frontend attributes of an op, argument or result, by key."""
    if FRONTEND not in attributes:
        return {}
    found = attributes[FRONTEND]
    return {entry.name: entry.attr for entry in found} if isinstance(found, ir.DictAttr) else {}


def frontend_string(op: ir.Operation, key: str) -> str | None:
    """The text of a frontend attribute; None if there is none of that key, or no text."""
    found = frontend(op.attributes).get(key)
    return text_of(found) if isinstance(found, ir.StringAttr) else None


def set_frontend(op: ir.Operation, entries: Mapping[str, ir.Attribute]) -> None:
    """Replaces all frontend attributes of `op`; without entries the attribute goes."""
    if entries:
        op.attributes[FRONTEND] = ir.DictAttr.get(dict(entries))
    elif FRONTEND in op.attributes:
        del op.attributes[FRONTEND]
