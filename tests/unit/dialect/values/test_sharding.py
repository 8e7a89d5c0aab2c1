"""Tensor shardings: text, questions, updates, equivalence, local shapes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdy.dialect.values.axes import AxisRef, axes, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import (
    CLOSED,
    DYNAMIC,
    OPEN,
    DimensionSharding,
    Reduction,
    TensorSharding,
    is_equivalent,
    is_equivalent_across_reshape,
)
from tests.unit.notation import SIZES, axis_list, disjoint_lists

XY = {"x": 2, "y": 4}


def dim(text: str = "", *, is_closed: bool = True, priority: int | None = None) -> DimensionSharding:
    return DimensionSharding(axis_list(text), is_closed, priority)


def closed(*dims: str) -> TensorSharding:
    return TensorSharding("mesh", tuple(map(dim, dims)))


# Text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (CLOSED, "{}"),
        (OPEN, "{?}"),
        (dim("x y"), '{"x", "y"}'),
        (dim("x:(2)3", is_closed=False), '{"x":(2)3, ?}'),
        (dim("x", priority=0), '{"x"}p0'),
        (dim("", is_closed=False, priority=12), "{?}p12"),
    ],
)
def test_text_of_a_dimension(value: DimensionSharding, text: str) -> None:
    assert str(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TensorSharding("mesh"), "<@mesh, []>"),
        (TensorSharding.open("mesh", 2), "<@mesh, [{?}, {?}]>"),
        (TensorSharding.closed("mesh", 1), "<@mesh, [{}]>"),
        (TensorSharding("my mesh-1"), '<@"my mesh-1", []>'),
        (TensorSharding(Mesh.of((1, 0), a=2)), '<mesh<["a"=2], device_ids=[1, 0]>, []>'),
        (
            TensorSharding("mesh", (dim("x"),), axes("y"), axes("z"), Reduction.MAX),
            '<@mesh, [{"x"}], replicated={"y"}, unreduced=max{"z"}>',
        ),
        (TensorSharding("mesh", (), (), axes("z")), '<@mesh, [], unreduced={"z"}>'),
        (TensorSharding("mesh", (), (), (), Reduction.MIN), "<@mesh, []>"),
    ],
)
def test_text(value: TensorSharding, text: str) -> None:
    assert str(value) == text


def test_the_reduction_counts_even_without_unreduced_axes() -> None:
    assert TensorSharding("mesh", reduction=Reduction.MAX) != TensorSharding("mesh")
    assert is_equivalent(TensorSharding("mesh", reduction=Reduction.MAX), TensorSharding("mesh"))


# Questions --------------------------------------------------------------------------------------


def test_fully_replicated_looks_at_dimensions_only() -> None:
    assert TensorSharding.open("mesh", 2).is_fully_replicated
    assert TensorSharding("mesh", (CLOSED,), axes("x"), axes("y")).is_fully_replicated
    assert not closed("x", "").is_fully_replicated


def test_fully_open_and_closed() -> None:
    assert TensorSharding.open("mesh", 1).is_fully_open
    assert not TensorSharding("mesh", (OPEN,), axes("x")).is_fully_open
    assert not TensorSharding("mesh", (dim("", is_closed=False, priority=1),)).is_fully_open
    assert closed("x", "").is_fully_closed
    assert not TensorSharding("mesh", (CLOSED, OPEN)).is_fully_closed


def test_a_part_of_an_axis_binds_it() -> None:
    sharding = TensorSharding("mesh", (dim("x:(1)2"),), axes("y"), axes("z"))
    assert all(map(sharding.binds, "xyz"))
    assert not sharding.binds("w")


def test_absent_priority_is_the_highest() -> None:
    assert dim("x").priority_or_default == 0
    assert dim("x", priority=2).priority_or_default == 2


# Updates ----------------------------------------------------------------------------------------


def test_close_drops_replicated_axes_and_keeps_the_rest() -> None:
    sharding = TensorSharding(
        "mesh", (dim("x", is_closed=False, priority=1), OPEN), axes("y"), axes("z"), Reduction.MAX
    )
    assert sharding.close() == TensorSharding("mesh", (dim("x", priority=1), CLOSED), (), axes("z"), Reduction.MAX)


def test_new_axes_keep_flags_and_priorities() -> None:
    sharding = TensorSharding("mesh", (dim("x", priority=1), OPEN))
    assert sharding.with_dim_axes([(), axes("x")]) == TensorSharding(
        "mesh", (DimensionSharding((), True, 1), DimensionSharding(axes("x")))
    )


def test_no_unreduced_axes_keep_the_reduction() -> None:
    sharding = TensorSharding("mesh", (), (), axes("x"), Reduction.MIN)
    assert sharding.with_unreduced(()).reduction is Reduction.MIN
    assert sharding.with_unreduced(axes("y"), Reduction.SUM).reduction is Reduction.SUM


def test_manual_axes_off_and_on() -> None:
    outer = TensorSharding("mesh", (dim("x y", priority=1), OPEN), axes("z"), axes("w"), Reduction.MAX)
    inner = outer.erase_manual_axes(["x", "z"])
    assert inner == TensorSharding("mesh", (dim("y", priority=1), OPEN), (), axes("w"), Reduction.MAX)
    changed = TensorSharding("mesh", (dim("y v", is_closed=False), CLOSED), axes("u"))
    assert outer.add_manual_axes(changed, ["x", "z"]) == TensorSharding(
        "mesh", (dim("x y v", is_closed=False), CLOSED), axes("z"), axes("w"), Reduction.MAX
    )
    assert outer.erase_manual_axes([]) is outer


# Equivalence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (None, None, True),
        (None, TensorSharding.closed("mesh", 2), True),
        (None, closed("x"), False),
        (TensorSharding.open("mesh", 1), TensorSharding.closed("other", 3), True),
        (closed("x"), TensorSharding("other", (dim("x"),)), False),
        (closed("x"), TensorSharding("mesh", (dim("x", is_closed=False, priority=2),), axes("y")), True),
        (closed("x"), closed("x", ""), False),
        (closed("x y"), closed("y x"), False),
        (closed("x"), TensorSharding("mesh", (dim("x"),), (), axes("y")), False),
        (TensorSharding("mesh", (CLOSED,), (), axes("y")), TensorSharding.closed("mesh", 1), False),
    ],
)
def test_equivalence(first: TensorSharding | None, second: TensorSharding | None, expected: bool) -> None:
    assert is_equivalent(first, second) is expected
    assert is_equivalent(second, first) is expected


def test_equivalence_may_ignore_unreduced_axes() -> None:
    unreduced = TensorSharding("mesh", (dim("x"),), (), axes("y"))
    assert is_equivalent(unreduced, closed("x"), ignore_unreduced=True)
    assert is_equivalent(TensorSharding("mesh", (CLOSED,), (), axes("y")), None, ignore_unreduced=True)


@pytest.mark.parametrize(
    ("first", "first_shape", "second", "second_shape", "expected"),
    [
        (closed("x", ""), (8, 4), closed("x"), (32,), True),
        (closed("", "x"), (8, 4), closed("x"), (32,), False),
        (closed("x", "y"), (2, 4), closed("x y"), (8,), True),
        (closed("y", "x"), (2, 4), closed("y x"), (8,), False),
        (closed("x", ""), (8, 4), closed("", "x", ""), (1, 8, 4), True),
        (closed("x"), (8,), closed("x"), (8,), True),
        (closed("x"), (8,), None, (8,), False),
        (closed("x"), (8,), TensorSharding("mesh", (dim("x"),), axes("y")), (8,), False),
        (closed("x"), (8,), TensorSharding("other", (dim("x"),)), (8,), False),
    ],
)
def test_equivalence_across_a_reshape(
    first: TensorSharding,
    first_shape: tuple[int, ...],
    second: TensorSharding | None,
    second_shape: tuple[int, ...],
    expected: bool,
) -> None:
    assert is_equivalent_across_reshape(first, first_shape, second, second_shape, XY) is expected


def test_equivalence_across_a_reshape_joins_parts_of_an_axis() -> None:
    split = TensorSharding("mesh", (dim("y:(1)2"), dim("y:(2)2")))
    assert is_equivalent_across_reshape(split, (2, 2), closed("y"), (4,), XY)
    assert not is_equivalent_across_reshape(split, (4, 2), closed("y"), (8,), XY)


# Shapes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "local"),
    [((8, 8), (4, 2)), ((8, 3), (4, 1)), ((0, 8), (0, 2)), ((DYNAMIC, 8), (DYNAMIC, 2)), ((1, 1), (1, 1))],
)
def test_local_shape_rounds_up(shape: tuple[int, ...], local: tuple[int, ...]) -> None:
    assert closed("x", "y").local_shape(shape, XY) == local


def test_a_sharding_without_dimensions_leaves_the_shape() -> None:
    assert TensorSharding("maximal").local_shape((8, 3), {}) == (8, 3)
    assert TensorSharding("maximal").global_shape((8, 3), {}) == (8, 3)


def test_divides() -> None:
    assert closed("x", "y").divides((8, 8), XY)
    assert not closed("x", "y").divides((8, 6), XY)
    assert closed("x", "y").divides((DYNAMIC, 4), XY)


@st.composite
def shardings(draw: st.DrawFn) -> TensorSharding:
    parts = draw(disjoint_lists())
    dims: list[list[AxisRef]] = [[] for _ in range(draw(st.integers(1, 3)))]
    for part in parts:
        chosen = draw(st.sampled_from(dims))
        if not (chosen and chosen[-1].can_merge(part)):
            chosen.append(part)
    flags = draw(st.lists(st.booleans(), min_size=len(dims), max_size=len(dims)))
    return TensorSharding("mesh", tuple(DimensionSharding(tuple(d), f) for d, f in zip(dims, flags, strict=True)))


@given(shardings(), st.integers(1, 5))
def test_global_shape_undoes_local_shape(sharding: TensorSharding, factor: int) -> None:
    shape = tuple(factor * product(d.axes, SIZES) for d in sharding.dims)
    local = sharding.local_shape(shape, SIZES)
    assert math.prod(local) == factor**sharding.rank
    assert sharding.global_shape(local, SIZES) == shape
    assert sharding.divides(shape, SIZES)


@given(shardings())
def test_equivalence_ignores_flags(sharding: TensorSharding) -> None:
    assert sharding.is_equivalent(sharding.close())


@given(shardings())
def test_a_reshape_that_adds_a_dimension_of_size_one_moves_nothing(sharding: TensorSharding) -> None:
    shape = tuple(product(d.axes, SIZES) * 2 for d in sharding.dims)
    wider = sharding.with_dims((CLOSED, *sharding.dims))
    assert is_equivalent_across_reshape(sharding, shape, wider, (1, *shape), SIZES)
