"""Why tensors take no more axes, said by what decides it (spec: propagation, 5)."""

from __future__ import annotations

import pytest

from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.rule import FactorSharding
from sdy.passes.propagation.engine.strategy import (
    Direction,
    FactorStrategy,
    OpFactors,
    Projection,
    RefusalKind,
    TensorProjection,
    contradiction,
    refusal,
)
from tests.unit.notation import axis, axis_list

SIZES = {"x": 4, "y": 2, "z": 2}


def tensor(first: FactorSharding | None, second: FactorSharding | None = None, blocked: str = "") -> TensorProjection:
    return TensorProjection([first, second], axis_list(blocked))


def op(*, conservative: bool = False, elementwise: bool = False) -> OpFactors:
    return OpFactors((8, 8), (Direction.BOTH, Direction.BOTH), SIZES, conservative, elementwise)


def factor(axes: str = "", overflow: str = "", *, is_closed: bool = False, is_last: bool = True) -> FactorSharding:
    return FactorSharding(axis_list(axes), is_closed, is_last, axis_list(overflow))


@pytest.mark.parametrize(
    ("asked", "of", "expected"),
    [
        ("x", tensor(factor("y")), None),
        ("x", tensor(factor(), blocked="y x"), (RefusalKind.NAMED, "x", None)),
        # What is left of an axis is refused by the part that is there.
        ("x", tensor(factor(), blocked="x:(2)2"), (RefusalKind.NAMED, "x:(2)2", None)),
        ("x", tensor(factor(is_closed=True)), (RefusalKind.CLOSED, None, None)),
        ("x", tensor(factor("", "z")), (RefusalKind.NO_ROOM, None, None)),
        # 8 / 4 = 2 cannot be split by 4 once more, at most by a part of it.
        ("y", tensor(factor("x", is_last=False)), None),
        ("z", tensor(factor("x y", is_last=False)), (RefusalKind.NO_ROOM, None, None)),
        ("x", tensor(factor(), factor("y x")), (RefusalKind.USED, "x", 1)),
        ("x", tensor(factor(), factor("y", "x")), (RefusalKind.USED, "x", 1)),
        # A tensor without the factor has no dimension that could be closed, but may use the axis.
        ("x", tensor(None, factor("x")), (RefusalKind.USED, "x", 1)),
        ("x", tensor(None, factor(is_closed=True)), None),
        # The limits of the factor come before those of the others.
        ("x", tensor(factor(is_closed=True), factor("x")), (RefusalKind.CLOSED, None, None)),
    ],
)
def test_refusals(
    asked: str, of: TensorProjection, expected: tuple[RefusalKind, str | None, int | None] | None
) -> None:
    found = refusal(axis(asked), of, 0, op())
    assert (found and (found.kind, _text(found.rival), found.rival_factor)) == expected


def test_a_conservative_op_refuses_parts() -> None:
    free = tensor(factor())
    assert refusal(axis("x:(1)2"), free, 0, op()) is None
    found = refusal(axis("x:(1)2"), free, 0, op(conservative=True))
    assert found is not None and found.kind is RefusalKind.PART


@pytest.mark.parametrize("strategy", list(FactorStrategy))
@pytest.mark.parametrize(
    "other", [factor(is_closed=True), factor("", "z"), factor(is_last=False), factor("y"), factor()]
)
def test_what_is_refused_is_not_taken(strategy: FactorStrategy, other: FactorSharding) -> None:
    """The strategy gives the axis to a tensor if and only if nothing is said to be in the way."""
    projection = Projection([tensor(factor("x"))], [tensor(other, factor("y"))])
    is_free = contradiction(axis_list("x"), other.axes, SIZES) is None
    is_free = is_free and refusal(axis("x"), projection.results[0], 0, op()) is None
    strategy.propagate(projection, op())
    assert (projection.results[0].axes(0) == axis_list("x")) == is_free


def test_on_whom_a_tensor_depends() -> None:
    """The basic strategy gives an axis to all or to none; on elementwise ops operands do not get ahead of results."""
    projection = Projection([tensor(factor()), tensor(factor())], [tensor(factor()), tensor(None)])
    basic, aggressive = FactorStrategy.BASIC, FactorStrategy.AGGRESSIVE
    assert basic.limits_of(1, 0, projection, op()) == [0, 2, 3]
    assert aggressive.limits_of(1, 0, projection, op()) == []
    assert aggressive.limits_of(1, 0, projection, op(elementwise=True)) == [2]
    assert aggressive.limits_of(2, 0, projection, op(elementwise=True)) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("x", "", None),
        ("x", "x y", None),
        ("x", "x:(1)2", None),
        ("x", "y", ("x", "y")),
        ("x y", "x z", ("y", "z")),
        ("x", "x:(1)2 y", ("x:(2)2", "y")),
        ("x:(1)2", "x:(2)2", ("x:(1)2", "x:(2)2")),
    ],
)
def test_contradictions(first: str, second: str, expected: tuple[str, str] | None) -> None:
    found = contradiction(axis_list(first), axis_list(second), SIZES)
    assert (found and (_list(found.first), _list(found.second))) == expected


def _text(each: object) -> str | None:
    return None if each is None else str(each).replace('"', "")


def _list(axes: AxisList) -> str:
    return " ".join(str(each).replace('"', "") for each in axes)
