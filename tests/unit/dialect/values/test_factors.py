"""Shardings by factor and back (specs: propagation, 4.1 and 4.2; export-passes, 5.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdy.dialect.values.rule import FactorSharding, TensorFactors, TensorMapping, from_factors, to_factors
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from tests.unit.notation import axis_list

SIZES = {"a": 8, "b": 2, "c": 3, "d": 2}


def sharding(*dims: str) -> TensorSharding:
    """One text per dimension, ``a b:(1)2``, with ``?`` at the end of an open one."""
    parts = [DimensionSharding(axis_list(dim.rstrip("? ")), not dim.endswith("?")) for dim in dims]
    return TensorSharding("mesh", tuple(parts))


def shown(factors: TensorFactors) -> list[str | None]:
    """Axes of every factor, overflow behind ``|``."""

    def text(factor: FactorSharding) -> str:
        axes = " ".join(str(axis).replace('"', "") for axis in factor.axes)
        overflow = " ".join(str(axis).replace('"', "") for axis in factor.overflow)
        return f"{axes}|{overflow}" if overflow else axes

    return [None if factor is None else text(factor) for factor in factors]


@pytest.mark.parametrize(
    ("factor_sizes", "mapping", "dims", "expected"),
    [
        # One factor per dimension takes everything, whether it divides or not.
        ((4, 5), ((0,), (1,)), ("b", "c d"), ["b", "c d"]),
        # An axis is cut where the first factor is full; the second one gets the rest.
        ((4, 4), ((0, 1),), ("a b",), ["a:(1)4", "a:(4)2 b"]),
        # Axes that do not divide a factor overflow it; the next factor is empty, and what follows is not there.
        ((2, 9), ((0, 1),), ("c d",), ["|c d", ""]),
        ((2, 3, 3), ((0, 1, 2),), ("c d",), ["|c d", "", None]),
        # 6 takes the part of 2 of an axis of 8; the rest of it does not divide 3.
        ((6, 4), ((0, 1),), ("a b",), ["a:(1)2|a:(2)4 b", ""]),
        # Sub-axes that meet again in the last factor are one axis again.
        ((4,), ((0,),), ("a:(1)2 a:(2)4",), ["a"]),
        # A factor that another tensor has.
        ((4, 4), ((1,),), ("b",), [None, "b"]),
    ],
)
def test_to_factors(
    factor_sizes: tuple[int, ...], mapping: TensorMapping, dims: tuple[str, ...], expected: list[str | None]
) -> None:
    assert shown(to_factors(sharding(*dims), mapping, factor_sizes, SIZES)) == expected


def test_missing_sharding_is_open_or_closed() -> None:
    for closed in (False, True):
        (factor,) = to_factors(None, ((0,),), (4,), SIZES, missing_is_closed=closed)
        assert factor == FactorSharding((), closed, True)


def test_factors_are_as_closed_as_their_dimension() -> None:
    first, second = to_factors(sharding("b ?", "d"), ((0,), (1,)), (4, 4), SIZES)
    assert first is not None and second is not None
    assert (first.is_closed, second.is_closed) == (False, True)


def factor(axes: str, overflow: str = "", *, closed: bool = False) -> FactorSharding:
    return FactorSharding(axis_list(axes), closed, False, axis_list(overflow))


@pytest.mark.parametrize(
    ("factor_sizes", "factors", "expected"),
    [
        # Axes meet again at the border of two factors.
        ((4, 4), [factor("a:(1)4"), factor("a:(4)2 b")], "a b"),
        # Behind a factor that is not full the next one's axes would be strided.
        ((4, 4), [factor("b"), factor("d")], "b"),
        # Overflow ends the dimension.
        ((2, 9), [factor("", "c d"), factor("b")], "c d"),
        # A factor that is not there is empty.
        ((2, 9), [factor("b"), None], "b"),
    ],
)
def test_from_factors(factor_sizes: tuple[int, ...], factors: list[FactorSharding | None], expected: str) -> None:
    made = from_factors(factors, (tuple(range(len(factors))),), factor_sizes, SIZES, "mesh")
    assert made == sharding(expected + " ?")


def test_a_dimension_is_closed_if_a_factor_in_it_is() -> None:
    made = from_factors([factor("a:(1)4"), factor("", closed=True)], ((0, 1),), (4, 4), SIZES, "mesh")
    assert made == sharding("a:(1)4")


def test_the_rest_of_the_sharding_stays_but_priorities() -> None:
    old = TensorSharding("old", (DimensionSharding((), True, 2),), axis_list("b"), axis_list("d"))
    made = from_factors([factor("c", closed=True)], ((0,),), (4,), SIZES, "new", old)
    assert made == TensorSharding("new", (DimensionSharding(axis_list("c"), True),), axis_list("b"), axis_list("d"))


@given(
    st.permutations(["a", "b", "c", "d"]),
    st.integers(0, 4),
    st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), min_size=1, max_size=4),
)
def test_a_dimension_survives_the_way_there_and_back(axes: list[str], count: int, factor_sizes: list[int]) -> None:
    """Whatever the factors: their axes, and what overflows them, are all axes of the dimension."""
    mapping = (tuple(range(len(factor_sizes))),)
    old = sharding(" ".join(axes[:count]))
    factors = to_factors(old, mapping, factor_sizes, SIZES)
    assert from_factors(factors, mapping, factor_sizes, SIZES, "mesh") == old
