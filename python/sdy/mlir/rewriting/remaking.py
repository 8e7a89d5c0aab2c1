"""An op once more, with other operands and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.mlir import ir


def remade(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    types: Sequence[ir.Type],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """An op of the same kind and location in front of `op`, with its attributes or those given, and empty regions.

    Nothing is inferred: the attributes may be of any dialect, and what the regions hold is moved into them later.
    """
    kept = {name: op.attributes[name] for name in op.attributes} if attributes is None else dict(attributes)
    where = ir.InsertionPoint(op) if ip is None else ip
    return ir.Operation.create(op.name, list(types), list(operands), kept, None, len(op.regions), op.location, where)
