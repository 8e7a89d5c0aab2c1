"""Axes of one mesh written as axes of another."""

from __future__ import annotations

import pytest

from sdy.dialect.mesh_translation import translate
from sdy.dialect.values.axes import AxisList, AxisRef, axes
from sdy.dialect.values.mesh import Mesh

FLAT = Mesh.of(d=8)
GRID = Mesh.of(x=4, y=2)


@pytest.mark.parametrize(
    ("axis_list", "source", "target", "expected"),
    [
        (axes("d"), FLAT, GRID, axes("x", "y")),
        (axes("x", "y"), GRID, FLAT, axes("d")),
        (axes("x"), GRID, FLAT, (AxisRef.sub("d", 1, 4),)),
        (axes("y", "x"), GRID, FLAT, (AxisRef.sub("d", 4, 2), AxisRef.sub("d", 1, 4))),
        (axes("y"), GRID, Mesh.of(a=2, b=4), (AxisRef.sub("b", 2, 2),)),
        (axes("x"), GRID, Mesh.of(a=2, b=4), (AxisRef("a"), AxisRef.sub("b", 1, 2))),
        ((AxisRef.sub("d", 1, 2),), FLAT, GRID, (AxisRef.sub("x", 1, 2),)),
        ((AxisRef.sub("d", 2, 2),), FLAT, GRID, (AxisRef.sub("x", 2, 2),)),
        ((AxisRef.sub("d", 4, 2),), FLAT, GRID, axes("y")),
        ((AxisRef.sub("x", 2, 2),), GRID, FLAT, (AxisRef.sub("d", 2, 2),)),
        (axes("a"), Mesh.of(a=2, b=3), Mesh.of(c=3, d=2), None),
        (axes("x"), GRID, Mesh.of(z=4), None),
        ((), GRID, FLAT, ()),
    ],
)
def test_translate(axis_list: AxisList, source: Mesh, target: Mesh, expected: AxisList | None) -> None:
    found = translate(axis_list, source, target)
    assert found == expected
    if found is not None:
        assert (source.shard_indices(axis_list) == target.shard_indices(found)).all()
