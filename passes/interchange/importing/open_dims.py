"""Dimensions that a constraint leaves open, as its custom call says (spec: interchange, 5.1)."""

from __future__ import annotations

import re
from dataclasses import replace

from sdy.dialect.definition.attributes import text_of
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError


def with_open_dims(op: ir.Operation, sharding: TensorSharding) -> TensorSharding:
    """`sharding` with the dimensions open that `backend_config` lists.

    Raises `DiagnosticError` if it says something else, or a dimension that there is not.
    """
    stored = op.attributes
    text = text_of(stored["backend_config"]) if "backend_config" in stored and _is_string(stored) else ""
    if not text:
        return sharding
    found = re.fullmatch(r"unspecified_dims=\[\s*(\d+(?:\s*,\s*\d+)*)?\s*\]", text)
    if found is None:
        raise DiagnosticError(op, f'expected backend_config "unspecified_dims=[...]", got "{text}"')
    listed = {int(number) for number in found[1].split(",")} if found[1] else set()
    beyond = max(listed, default=-1)
    if beyond >= max(sharding.rank, 1) and sharding.rank:
        raise DiagnosticError(op, f"unspecified dimension {beyond} of a value of rank {sharding.rank}")
    return sharding.with_dims(
        replace(dim, is_closed=False) if number in listed else dim for number, dim in enumerate(sharding.dims)
    )


def _is_string(stored: ir.OpAttributeMap) -> bool:
    return isinstance(stored["backend_config"], ir.StringAttr)
