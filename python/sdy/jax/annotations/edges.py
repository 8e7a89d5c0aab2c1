"""Shardings at the edges of a program or of a named computation: of its arguments and of its results.

JAX has no primitive for them, so they are traced as constraints marked with their edge. Lowering writes them as the
attribute of the argument, or as the shardings of the named computation. If a transformation or a larger program has
moved them inside, they remain constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TypeAlias

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

_ATTRIBUTE = "sdy.sharding"

_noted: ContextVar[Noted | None] = ContextVar("sdy_noted_edges", default=None)
"""Of the named computation that is being lowered: the constraints that stand at an edge, perhaps not its own."""


class Edge(Enum):
    """The values with a constraint on their sharding."""

    ARGUMENT = "argument"
    RESULT = "result"

    @property
    def opposite(self) -> Edge:
        """Return this edge in the transposed computation."""
        return Edge.RESULT if self is Edge.ARGUMENT else Edge.ARGUMENT

    def note(self, op: ir.OpView) -> None:
        """Record a constraint at this edge of the named computation around it, if there is one."""
        noted = _noted.get()
        if noted is not None:
            noted.append((self, op.operation))


Noted: TypeAlias = "list[tuple[Edge, ir.Operation]]"
"""Constraints, each with the edge that it stands at."""


@contextmanager
def noting_edges() -> Iterator[Noted]:
    """Collect the constraints at edges that are lowered in the block."""
    noted: Noted = []
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def has_become_part_of_an_edge(edge: Edge, x: ir.Value, sharding: ir.Attribute) -> bool:
    """Return whether `x` is an argument of the whole program, which then takes this sharding.

    Raises `ValueError` for an argument that is committed to another one.
    """
    block = x.owner
    if edge is not Edge.ARGUMENT or not isinstance(block, ir.Block):
        return False
    function = block.owner.operation
    if function.name != "func.func" or not _is_public(function):
        return False
    number = next(number for number, each in enumerate(block.arguments) if each == x)
    every = _argument_attributes(function)
    already = every[number].get(_ATTRIBUTE)
    # On a mesh of its own it is what JAX has for parts of axes.
    if already is not None and _mesh(already) == _mesh(sharding):
        if not _allows(sharding, already):
            raise ValueError(f"an argument is committed to {already}, but in_shardings has {sharding} for it")
        if not _is_closed(sharding):
            return True
    every[number][_ATTRIBUTE] = sharding
    function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in every])
    return True


def _is_public(function: ir.Operation) -> bool:
    attributes = function.attributes
    return "sym_visibility" in attributes and ir.StringAttr(attributes["sym_visibility"]).value == "public"


def _mesh(sharding: ir.Attribute) -> ir.Attribute:
    return sdy_dialect.TensorShardingAttr(sharding).mesh_or_ref


def _argument_attributes(function: ir.Operation) -> list[dict[str, ir.Attribute]]:
    if "arg_attrs" not in function.attributes:
        return [{} for _ in function.regions[0].blocks[0].arguments]
    listed = ir.ArrayAttr(function.attributes["arg_attrs"])
    return [{entry.name: entry.attr for entry in ir.DictAttr(one)} for one in listed]


def _dimensions(sharding: ir.Attribute) -> Sequence[ir.Attribute]:
    return sdy_dialect.TensorShardingAttr(sharding).dimension_shardings


def _is_closed(sharding: ir.Attribute) -> bool:
    return all(sdy_dialect.DimensionShardingAttr(dim).is_closed for dim in _dimensions(sharding))


def _allows(given: ir.Attribute, committed: ir.Attribute) -> bool:
    """Return whether `given` describes an array with the sharding `committed`."""
    for one, other in zip(_dimensions(given), _dimensions(committed), strict=True):
        wanted, found = sdy_dialect.DimensionShardingAttr(one), sdy_dialect.DimensionShardingAttr(other)
        axes, its = list(map(str, wanted.axes)), list(map(str, found.axes))
        if its[: len(axes)] != axes or (wanted.is_closed and len(its) != len(axes)):
            return False
    return True
