"""How unreduced axes may change from the operands of an op to its results (spec: dialect, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.values.axes import AxisRef, any_overlap, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction, TensorSharding, axis_set


@dataclass(frozen=True, slots=True)
class Change:
    """Whether axes may become unreduced, or cease to be; by one reduction only if that is given."""

    allowed: bool
    reduction: Reduction | None = None


NEVER = Change(False)
ANY = Change(True)


def only(reduction: Reduction) -> Change:
    """Allowed for shardings with that reduction."""
    return Change(True, reduction)


def check_unreduced(
    sources: Sequence[TensorSharding],
    results: Sequence[TensorSharding],
    meshes: Sequence[Mesh],
    introduce: Change,
    remove: Change,
) -> str | None:
    """What is wrong with the unreduced axes of `results`, given those of the operands; None if nothing is.

    `meshes` are those of all the shardings; unless they are all the same nothing is checked.
    """
    if any(mesh != meshes[0] for mesh in meshes[1:]):
        return None
    sizes = meshes[0].axis_sizes
    before = [axis for sharding in sources for axis in sharding.unreduced]
    after = [axis for sharding in results for axis in sharding.unreduced]
    return (
        _check_change(difference(after, before, sizes), results, introduce, "makes axes unreduced")
        or _check_change(difference(before, after, sizes), sources, remove, "reduces axes")
        or _check_kept(sources, results)
    )


def _check_change(
    changed: Sequence[AxisRef], shardings: Sequence[TensorSharding], change: Change, what: str
) -> str | None:
    if not changed:
        return None
    if not change.allowed:
        return f"{what}, which it cannot: {axis_set(changed)}"
    for sharding in shardings:
        wrong = change.reduction is not None and sharding.reduction is not change.reduction
        if wrong and change.reduction is not None and any_overlap(sharding.unreduced, changed):
            return f"{what} by {sharding.reduction.keyword}, expected {change.reduction.keyword}: {axis_set(changed)}"
    return None


def _check_kept(sources: Sequence[TensorSharding], results: Sequence[TensorSharding]) -> str | None:
    for result in results:
        for source in sources:
            if result.reduction is not source.reduction and any_overlap(result.unreduced, source.unreduced):
                return (
                    f"has axes that are unreduced by {source.reduction.keyword} in an operand and by "
                    f"{result.reduction.keyword} in a result"
                )
    return None
