"""Shardings of data-flow edges, moved back to the ops that own them (spec: export-passes, 3.10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.data_flow import edge_of_owner
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.attribute_shardings import open_like
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir


def shardings_on_edges(owners: Sequence[ir.Value]) -> Sequence[TensorSharding] | None:
    """Return the shardings of the `sdy.data_flow_edge` ops of `owners`; None if no edge has one.

    An owner without a sharding on an edge counts as fully open on the mesh of the first one that has a sharding.
    """
    return filled_shardings(owners, [sharding_of_edge(edge_of_owner(owner)) for owner in owners])


def sharding_of_edge(edge: ir.Operation | None) -> TensorSharding | None:
    """Return the sharding of an edge; None without an edge or sharding."""
    return None if edge is None else attributes.get(edge, "sharding")


def filled_shardings(
    owners: Sequence[ir.Value], found: Sequence[TensorSharding | None]
) -> Sequence[TensorSharding] | None:
    """Fill the shardings that were `found` on the owners' edges, like `shardings_on_edges`."""
    given = [sharding for sharding in found if sharding is not None]
    if not given or len(given) == len(found):
        return given or None
    mesh = given[0].mesh_or_ref
    return [sharding or open_like(mesh, owner.type) for sharding, owner in zip(found, owners, strict=True)]


def erase_edges(owners: Iterable[ir.Value]) -> None:
    """Replaces the edge ops of `owners`, where they have one, by the owners."""
    for owner in list(owners):
        edge = edge_of_owner(owner)
        if edge is not None:
            erase_forwarding(edge)


def erase_forwarding(op: ir.Operation) -> None:
    """Replaces the result of `op` by its operand, and erases it."""
    op.results[0].replace_all_uses_with(op.operands[0])
    op.erase()
