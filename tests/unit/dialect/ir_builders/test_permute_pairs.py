"""Which device sends its part to which."""

from __future__ import annotations

import pytest

from sdy.dialect.ir_builders.local_collectives import permute_pairs
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding

MESH = Mesh.of(x=6, y=2)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ([AxisRef("y")], [AxisRef.sub("x", 1, 2)]),
        ([AxisRef("y"), AxisRef.sub("x", 1, 2)], [AxisRef.sub("x", 1, 2), AxisRef("y")]),
        # Digits by other bases: no factors of the axis have the borders of both.
        ([AxisRef.sub("x", 1, 3)], [AxisRef.sub("x", 2, 3)]),
        ([AxisRef.sub("x", 1, 2), AxisRef("y")], [AxisRef("y"), AxisRef.sub("x", 3, 2)]),
    ],
)
def test_every_device_gets_the_part_that_it_needs(source: list[AxisRef], target: list[AxisRef]) -> None:
    before, after = (TensorSharding.from_axes("mesh", [axes]) for axes in (source, target))
    pairs = permute_pairs(before, MESH, after, MESH)
    senders, receivers = pairs[:, 0], pairs[:, 1]
    assert sorted(senders) == sorted(receivers) == list(range(MESH.size))
    assert (MESH.shard_indices(source)[senders] == MESH.shard_indices(target)[receivers]).all()


@pytest.mark.parametrize("sizes", [(2, 2, 2), (2, 3, 2), (4, 2, 3)])
@pytest.mark.parametrize("place", range(3))
def test_manual_axes_are_not_crossed(sizes: tuple[int, int, int], place: int) -> None:
    names = ["s", "t"]
    names.insert(place, "m")
    mesh = Mesh.of(**dict(zip(names, sizes, strict=True)))
    s, t = (mesh.axis_sizes[name] for name in "st")
    parts = [AxisRef("s")], [AxisRef("t")]
    if s != t:
        parts = ([AxisRef("s"), AxisRef("t")], [AxisRef("t"), AxisRef("s")])
    before, after = (TensorSharding.from_axes("mesh", [axes]) for axes in parts)
    pairs = permute_pairs(before, mesh, after, mesh, manual=["m"])
    kept = mesh.shard_indices([AxisRef("m")])
    assert sorted(pairs[:, 1]) == list(range(mesh.size))
    assert (kept[pairs[:, 0]] == kept[pairs[:, 1]]).all()
    assert (mesh.shard_indices(parts[0])[pairs[:, 0]] == mesh.shard_indices(parts[1])[pairs[:, 1]]).all()


def test_who_has_what_it_needs_keeps_it() -> None:
    before, after = (TensorSharding.from_axes("mesh", [[AxisRef.sub("x", pre, 3)]]) for pre in (1, 2))
    pairs = permute_pairs(before, Mesh.of(x=6), after, Mesh.of(x=6))
    assert [[int(a), int(b)] for a, b in pairs] == [[0, 0], [1, 3], [2, 1], [3, 4], [4, 2], [5, 5]]
