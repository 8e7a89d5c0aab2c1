"""Axis references and axis lists."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from sdy.dialect.values.axes import (
    AxisRef,
    align,
    any_overlap,
    axes,
    common_prefix,
    difference,
    gather,
    is_strict_prefix,
    list_key,
    merged,
    prefix_without_all,
    product,
    quote,
    slice_,
    truncate,
)
from tests.unit.notation import (
    SIZES,
    axis,
    axis_list,
    axis_refs,
    digits,
    disjoint_lists,
    maybe,
    power_of_two_axes,
)

# One axis ---------------------------------------------------------------------------------------

# first, second: contains, is prefix, is suffix, overlaps, can coexist, overlap, prefix without, suffix without, merges
RELATIONS = """
x         x:(2)3   yes no  no  yes yes  x:(2)3  x:(1)2  x:(6)4  no
x:(1)12   x:(2)3   yes no  no  yes yes  x:(2)3  x:(1)2  x:(6)2  no
x:(1)6    x:(2)6   no  no  no  yes yes  x:(2)3  x:(1)2  -       no
x:(2)6    x:(1)6   no  no  no  yes yes  x:(2)3  -       x:(6)2  no
x:(1)6    x:(1)2   yes no  no  yes yes  x:(1)2  -       x:(2)3  no
x:(1)2    x:(4)3   no  no  no  no  yes  -       x:(1)2  x:(1)2  no
x:(1)2    x:(2)3   no  no  no  no  yes  -       x:(1)2  x:(1)2  yes
x:(1)2    x:(3)2   no  no  no  no  no   -       -       -       no
x:(1)4    x:(1)6   no  yes no  yes no   -       -       -       no
x:(4)6    x        no  no  yes yes yes  x:(4)6  -       -       no
x         x        yes yes yes yes yes  x       -       -       no
x:(2)3    x:(2)3   yes yes yes yes yes  x:(2)3  -       -       no
x         y        no  no  no  no  yes  -       x       x       no
"""


@pytest.mark.parametrize("row", RELATIONS.strip().splitlines())
def test_relations(row: str) -> None:
    first, second, *expected = row.split()
    a, b = axis(first), axis(second)
    flags = [
        a.contains(b),
        a.is_prefix_of(b),
        a.is_suffix_of(b, SIZES),
        a.overlaps(b),
        a.can_coexist(b),
    ]
    assert ["yes" if flag else "no" for flag in flags] == expected[:5]
    assert a.overlap(b) == maybe(expected[5])
    assert a.prefix_without(b) == maybe(expected[6])
    assert a.suffix_without(b, SIZES) == maybe(expected[7])
    assert a.can_merge(b) == (expected[8] == "yes")


def test_strict_relations_exclude_equality() -> None:
    a, b = axis("x:(1)4"), axis("x:(1)2")
    assert a.strictly_contains(b)
    assert not a.strictly_contains(a)
    assert b.is_strict_prefix_of(a)
    assert not b.is_strict_prefix_of(b)


@pytest.mark.parametrize(
    ("major", "minor", "expected"),
    [("x:(1)2", "x:(2)3", "x:(1)6"), ("x:(1)4", "x:(4)6", "x"), ("x:(2)2", "x:(4)6", "x:(2)12")],
)
def test_merge_is_written_as_the_full_axis_where_it_covers_it(major: str, minor: str, expected: str) -> None:
    assert axis(major).merge(axis(minor), SIZES) == axis(expected)


def test_greatest_common_prefix() -> None:
    assert axis("x:(1)4").greatest_common_prefix(axis("x:(1)2")) == axis("x:(1)2")
    assert axis("x:(1)2").greatest_common_prefix(axis("x")) == axis("x:(1)2")
    assert axis("x:(1)4").greatest_common_prefix(axis("x:(1)6")) is None  # their borders do not fit together
    assert axis("x:(1)2").greatest_common_prefix(axis("y")) is None


def test_name_order() -> None:
    ordered = [axis(a) for a in "a x:(1)2 x:(1)4 x x:(2)2 x:(2)3 x:(4)2 y:(1)2 y".split()]
    backwards = ordered[::-1]
    assert sorted(backwards, key=lambda a: a.name_key) == ordered


@given(power_of_two_axes, power_of_two_axes)
def test_relations_are_set_arithmetic_on_digits(a: AxisRef, b: AxisRef) -> None:
    assert a.can_coexist(b)
    assert a.overlaps(b) == bool(digits(a) & digits(b))
    assert a.contains(b) == (digits(a) >= digits(b))
    overlap = a.overlap(b)
    assert (digits(overlap) if overlap else set()) == digits(a) & digits(b)


@given(axis_refs, axis_refs)
def test_prefix_overlap_and_suffix_make_the_axis_again(a: AxisRef, b: AxisRef) -> None:
    if not a.can_coexist(b) or not a.overlaps(b):
        return
    parts = [a.prefix_without(b), a.overlap(b), a.suffix_without(b, SIZES)]
    assert merged([part for part in parts if part is not None], SIZES) == (a,)


@given(axis_refs, axis_refs)
def test_coexistence_and_overlap_are_symmetric(a: AxisRef, b: AxisRef) -> None:
    assert a.can_coexist(b) == b.can_coexist(a)
    assert a.overlaps(b) == b.overlaps(a)
    assert a.overlap(b) == b.overlap(a)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("x", '"x"'), ("", '""'), ('a"b', r'"a\22b"'), ("a\nb", r'"a\0Ab"'), ("é", r'"\C3\A9"'), ("a\\b", r'"a\\b"')],
)
def test_names_print_as_mlir_strings(text: str, expected: str) -> None:
    assert quote(text) == expected


def test_axes_print_as_in_the_dialect() -> None:
    assert str(axis("x")) == '"x"'
    assert str(axis("x:(2)3")) == '"x":(2)3'


# Lists ------------------------------------------------------------------------------------------


def test_merged_joins_neighbours_only() -> None:
    assert merged(axis_list("x:(1)2 x:(2)3 y"), SIZES) == axis_list("x:(1)6 y")
    assert merged(axis_list("x:(2)3 x:(1)2"), SIZES) == axis_list("x:(2)3 x:(1)2")
    assert merged(axis_list("x:(1)2 y x:(2)3"), SIZES) == axis_list("x:(1)2 y x:(2)3")
    assert merged(axis_list("x:(1)2 x:(2)3 x:(6)4"), SIZES) == axis_list("x")


@pytest.mark.parametrize(
    ("minuend", "subtrahend", "expected"),
    [
        ("z y", "y:(2)2", "z y:(1)2 y:(4)4"),
        ("x y", "x y", ""),
        ("x y", "", "x y"),
        ("", "x", ""),
        ("x y", "y x", ""),
        ("y:(1)4 x", "y:(2)8", "y:(1)2 x"),
        ("x", "x:(4)2 x:(1)2", "x:(2)2 x:(8)3"),
        ("x:(1)4 y", "x:(1)6", "y"),  # cannot coexist: the axis disappears
    ],
)
def test_difference(minuend: str, subtrahend: str, expected: str) -> None:
    assert difference(axis_list(minuend), axis_list(subtrahend), SIZES) == axis_list(expected)


@given(st.lists(power_of_two_axes, max_size=2), st.lists(power_of_two_axes, max_size=2))
def test_difference_is_set_difference(a: list[AxisRef], b: list[AxisRef]) -> None:
    def all_digits(refs: list[AxisRef] | tuple[AxisRef, ...]) -> set[tuple[str, int, int]]:
        return set().union(*map(digits, refs))

    assert all_digits(difference(a, b, SIZES)) == all_digits(a) - all_digits(b)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("x y", "x z", "x"),
        ("x y", "x y z", "x y"),
        ("x y:(1)4", "x y:(1)2", "x y:(1)2"),
        ("x:(1)2 y", "x y", "x:(1)2"),
        ("y", "x", ""),
        ("", "x", ""),
    ],
)
def test_common_prefix(first: str, second: str, expected: str) -> None:
    assert common_prefix(axis_list(first), axis_list(second)) == axis_list(expected)
    assert common_prefix(axis_list(second), axis_list(first)) == axis_list(expected)


@pytest.mark.parametrize(
    ("kept", "others", "expected"),
    [
        ("x y z", "", "x y z"),
        ("x y z", "y", "x"),
        ("x y z", "y:(4)2", "x y:(1)4"),
        ("x y z", "x:(1)2", ""),
        ("x y", "y:(4)4 y:(2)2", "x y:(1)2"),
        ("x:(1)4 y", "x:(1)6", ""),
    ],
)
def test_truncate(kept: str, others: str, expected: str) -> None:
    assert truncate(axis_list(kept), axis_list(others)) == axis_list(expected)


def test_prefix_without_several_axes() -> None:
    assert prefix_without_all(axis("x"), axis_list("x:(12)2 x:(4)3")) == axis("x:(1)4")
    assert prefix_without_all(axis("x"), axis_list("x:(4)3 x:(1)2")) is None
    assert prefix_without_all(axis("x"), ()) == axis("x")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "x", True),
        ("", "", False),
        ("x", "x", False),
        ("x", "x y", True),
        ("x y:(1)2", "x y:(1)4", True),
        ("x y:(1)2", "x y:(1)4 z", True),
        ("x y:(1)2", "x y:(1)2", False),
        ("y x", "y x:(1)2", False),
        ("x:(1)2 y", "x y", False),  # only the last element may be a proper prefix
        ("x y z", "x y", False),
    ],
)
def test_is_strict_prefix(first: str, second: str, expected: bool) -> None:
    assert is_strict_prefix(axis_list(first), axis_list(second)) is expected


def test_lists_are_ordered_by_length_then_name() -> None:
    ordered = [axis_list(text) for text in ("", "x", "y", "x y", "x z", "y x", "x y z")]
    backwards = ordered[::-1]
    assert sorted(backwards, key=list_key) == ordered


def test_overlap_of_lists() -> None:
    assert any_overlap(axis_list("x y:(1)2"), axis_list("z y"))
    assert not any_overlap(axis_list("x y:(1)2"), axis_list("z y:(2)2"))


def test_product() -> None:
    assert product(axis_list("x:(2)3 y"), SIZES) == 48
    assert product((), SIZES) == 1


# Collectives on a dimension ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "gathered", "after"),
    [
        ("z y", "y:(4)4", "z y:(1)4"),
        ("z y", "y", "z"),
        ("z y", "z y", ""),
        ("z y", "y:(2)2 y:(4)4", "z y:(1)2"),
        ("z y", "y:(1)4", None),
        ("z y", "z", None),
        ("", "z", None),
    ],
)
def test_gather(before: str, gathered: str, after: str | None) -> None:
    expected = None if after is None else axis_list(after)
    assert gather(axis_list(before), axis_list(gathered), SIZES) == expected


def test_slice_merges() -> None:
    assert slice_(axis_list("z y:(1)4"), axis_list("y:(4)4"), SIZES) == axis_list("z y")
    assert slice_(axis_list("z"), axis_list("x y"), SIZES) == axis_list("z x y")


@given(disjoint_lists())
def test_slicing_undoes_gathering(whole: tuple[AxisRef, ...]) -> None:
    for cut in range(len(whole) + 1):
        kept = gather(whole, whole[cut:], SIZES)
        assert kept == whole[:cut]
        assert slice_(whole[:cut], whole[cut:], SIZES) == whole


# Alignment --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lists", "others", "expected"),
    [
        (["y"], "y:(2)2", ["y:(1)2 y:(2)2 y:(4)4"]),
        (["y:(2)2"], "y", ["y:(2)2"]),
        (["x", "y"], "y:(4)4 x:(1)2", ["x:(1)2 x:(2)12", "y:(1)4 y:(4)4"]),
        (["y"], "y:(1)2 y:(4)2", ["y:(1)2 y:(2)2 y:(4)2 y:(8)2"]),
        (["x:(1)4"], "x:(1)6", ["x:(1)4"]),
        (["z", ""], "", ["z", ""]),
    ],
)
def test_align(lists: list[str], others: str, expected: list[str]) -> None:
    got = align([axis_list(text) for text in lists], axis_list(others), SIZES)
    assert [tuple(part) for part in got] == [axis_list(text) for text in expected]


@given(disjoint_lists(), disjoint_lists())
def test_aligned_axes_mean_the_same(first: tuple[AxisRef, ...], second: tuple[AxisRef, ...]) -> None:
    (parts,) = align([first], second, SIZES)
    assert merged(parts, SIZES) == merged(first, SIZES)


def test_axes_of_names() -> None:
    assert axes("x", "y") == axis_list("x y")
