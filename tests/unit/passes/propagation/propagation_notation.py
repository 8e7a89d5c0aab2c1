"""Short text for shardings and visits in tests of propagation: ``[{a,?},{b:(1)2},{}] replicated c``."""

from __future__ import annotations

import re

from sdy.dialect.ops.notation import parse_rule
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.passes.propagation.engine.sharding_store import ShardingTable
from sdy.passes.propagation.engine.strategy import Direction, FactorStrategy
from sdy.passes.propagation.engine.visit import OpKind, ProjectionCache, Visit
from tests.unit.notation import axis, axis_list

MESHES = {
    "m": Mesh.of(a=2, b=2, c=2),
    "twin": Mesh.of(a=2, b=2, c=2),
    "other": Mesh.of((1, 0, 2, 3, 4, 5, 6, 7), a=2, b=2, c=2),
    "empty": Mesh(),
    "single": Mesh((), (0,)),
}


def sharding(text: str) -> TensorSharding | None:
    """``[{a,?}p1,{}] @mesh replicated b unreduced c``; the mesh is @m if it is left out. ``-`` is no sharding."""
    if text == "-":
        return None
    match = re.fullmatch(r"\[(.*?)\](?: @(\w+))?(?: replicated ([^u]+?))?(?: unreduced (.+))?", text)
    assert match, text
    dims, mesh, replicated, unreduced = match.groups()
    parsed = tuple(_dim(*each) for each in re.findall(r"\{(.*?)\}(p\d+)?", dims))
    return TensorSharding(mesh or "m", parsed, axis_list(replicated or ""), axis_list(unreduced or ""))


def _dim(axes: str, priority: str) -> DimensionSharding:
    parts = [part for part in axes.split(",") if part]
    is_closed = "?" not in parts
    listed = tuple(axis(part) for part in parts if part != "?")
    return DimensionSharding(listed, is_closed, int(priority[1:]) if priority else None)


def show(found: TensorSharding | None) -> str:
    """The inverse of `sharding`."""
    if found is None:
        return "-"
    text = "[" + ",".join(str(dim).replace('"', "").replace(" ", "") for dim in found.dims) + "]"
    if found.mesh_or_ref != "m":
        text += f" @{found.mesh_or_ref}"
    for name, axes in (("replicated", found.replicated), ("unreduced", found.unreduced)):
        if axes:
            text += f" {name} " + " ".join(str(each).replace('"', "") for each in axes)
    return text


def visit(
    rule: str,
    shardings: str,
    *,
    strategy: FactorStrategy = FactorStrategy.BASIC,
    directions: Direction | tuple[Direction, ...] = Direction.BOTH,
    elementwise: bool = False,
    conservative: bool = False,
    sizes: dict[str, int] | None = None,
) -> str:
    """What a visit writes.

    Args:
      rule: ``([i,j])->([j]) {i=4, j=8}``.
      shardings: those of operands, then results, separated by semicolons.
      sizes: axis sizes of mesh @m, if not all are 2.

    Returns:
      The new shardings as ``number of the tensor: sharding``, in the order of writing.
    """
    meshes = {**MESHES, "m": Mesh.of(**sizes)} if sizes else MESHES
    table = ShardingTable(lambda ref: meshes[str(ref)])
    parsed = parse_rule(f"<{rule}>")
    each = directions if isinstance(directions, tuple) else (directions,) * parsed.num_factors
    one = Visit(OpKind(parsed, each, strategy, conservative, elementwise), table, ProjectionCache(table))
    numbers = tuple(table.number(sharding(text.strip())) for text in shardings.split(";"))
    updates = one.updates(numbers)
    return "; ".join(f"{index}: {show(table.shardings[number])}" for index, number in updates)
