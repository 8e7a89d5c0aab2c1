"""The axes on which tensors agree (spec: propagation, 5.1)."""

from __future__ import annotations

import pytest

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.rule import FactorSharding
from sdy.passes.propagation.engine.strategy import (
    Direction,
    Projection,
    TensorProjection,
    compatible_axes,
)
from tests.unit.notation import axis_list


def projection(operands: str, results: str) -> Projection:
    """Tensors with one factor, its axes separated by semicolons; ``-`` where a tensor does not have it."""
    return Projection(*([_tensor(text.strip()) for text in side.split(";")] for side in (operands, results)))


def _tensor(text: str) -> TensorProjection:
    return TensorProjection([None if text == "-" else FactorSharding(axis_list(text))])


def show(axes: AxisList) -> str:
    return " ".join(str(each).replace('"', "") for each in axes)


@pytest.mark.parametrize(
    ("operands", "results", "expected"),
    [
        ("", "", ""),
        ("x", "", "x"),
        ("x; ", "-", "x"),
        # The longer list, if one starts with the other.
        ("x; x y", "x", "x y"),
        ("x y; x", "x y z", "x y z"),
        # Up to where they differ; from then on lists only shrink.
        ("x y; x z", "", "x"),
        ("x; y", "", ""),
        ("x y; z", "x y", ""),
        ("x y z; x z", "x y", "x"),
        # Parts of axes.
        ("x:(1)2; x", "", "x"),
        ("x; x:(1)2", "", "x"),
        ("x:(1)2 y; x", "", "x:(1)2"),
        ("x y; x:(1)2", "", "x y"),
        ("x; x:(1)2 y", "", "x:(1)2"),
        ("x:(1)2; x:(1)4 y", "", "x:(1)4 y"),
        ("x:(2)2; x:(1)4", "", ""),
    ],
)
def test_both_directions(operands: str, results: str, expected: str) -> None:
    assert show(compatible_axes(projection(operands, results), 0, Direction.BOTH)) == expected


@pytest.mark.parametrize(
    ("operands", "results", "forward", "backward"),
    [
        ("x", "", "x", ""),
        ("", "x", "", "x"),
        ("x", "x y", "x", "x y"),
        ("x y", "x", "x y", "x"),
        ("x y", "x z", "x", "x"),
        ("x:(1)2", "x", "x:(1)2", "x"),
        ("x", "x:(1)2", "x", "x:(1)2"),
        ("-", "x", "", "x"),
    ],
)
def test_one_direction(operands: str, results: str, forward: str, backward: str) -> None:
    tensors = projection(operands, results)
    assert show(compatible_axes(tensors, 0, Direction.FORWARD)) == forward
    assert show(compatible_axes(tensors, 0, Direction.BACKWARD)) == backward
    assert compatible_axes(tensors, 0, Direction.NONE) == ()
