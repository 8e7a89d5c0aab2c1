"""The choice of common axes (spec: export-passes, 5.4)."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdy.dialect.values.axes import any_overlap
from sdy.dialect.values.rule import ShardingRule, TensorMapping, to_factors
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.passes.op_axes.common_axes import RuleProjection, common_axes, compatible_axes
from tests.unit.notation import axis_list

SIZES = {"x": 4, "y": 2, "z": 2}


def projection(rule: ShardingRule, *tensors: str, elements: Sequence[int] | None = None) -> RuleProjection:
    """Tensors as text, dimensions separated by commas: ``x, y z``."""
    shardings = [
        TensorSharding("mesh", tuple(DimensionSharding(axis_list(dim), True) for dim in text.split(",") if mapping))
        for text, mapping in zip(tensors, rule.tensors, strict=True)
    ]
    pairs = zip(shardings, rule.tensors, strict=True)
    factors = tuple(to_factors(s, mapping, rule.factor_sizes, SIZES) for s, mapping in pairs)
    counts = [_elements(rule, mapping) for mapping in rule.tensors] if elements is None else elements
    return RuleProjection(rule, factors, tuple(counts), SIZES)


def _elements(rule: ShardingRule, mapping: TensorMapping) -> int:
    return math.prod(rule.factor_sizes[factor] for dim in mapping for factor in dim)


def chosen(what: RuleProjection) -> list[str]:
    return [" ".join(str(axis).replace('"', "") for axis in axes) for axes in common_axes(what)]


MATMUL = ShardingRule((8, 16, 32), (((0,), (2,)), ((2,), (1,))), (((0,), (1,)),), reduction=(2,))
"""``8x32, 32x16 -> 8x16``: factors i, j and the contracting k."""

UNARY = ShardingRule.identity((8, 8))
BINARY = ShardingRule.identity((8, 8), operands=2)
SLICE = ShardingRule((8, 8), (((0,), (1,)),), (((0,), (1,)),), permutation=(0,))
CHOLESKY = ShardingRule((16, 8, 8), (((0,), (1,), (2,)),), (((0,), (1,), (2,)),), need_replication=(1, 2))
MERGE = ShardingRule((4, 8), (((0,), (1,)), ((0, 1),)), (((0, 1),),))


# Compatible ----------------------------------------------------------------------------------------


def test_tensors_that_agree_keep_their_axes() -> None:
    assert chosen(projection(MATMUL, "x, y", "y,", "x,")) == ["x", "", "y"]


def test_permutation_factors_may_stay_sharded() -> None:
    assert chosen(projection(SLICE, "x, y", "x, y")) == ["x", "y"]


def test_need_replication_is_never_compatible() -> None:
    assert compatible_axes(projection(CHOLESKY, ", x,", ", x,")) is None


def test_an_axis_on_two_factors_is_not_compatible() -> None:
    assert compatible_axes(projection(MATMUL, "x,", ", x", "x,")) is None


# Two tensors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "operand", "result", "elements", "expected"),
    [
        # The larger tensor stays.
        (UNARY, "y,", ", x", (64, 32), ["y", ""]),
        # Of equal ones that with more shards.
        (UNARY, "y,", ", x", (64, 64), ["", "x"]),
        # Else the operand.
        (UNARY, "x,", ", x", (64, 64), ["x", ""]),
        # One with a sharded permutation factor only if the other has one too.
        (SLICE, "x,", ", y", (64, 32), ["", "y"]),
    ],
)
def test_one_of_two_tensors_stays(
    rule: ShardingRule, operand: str, result: str, elements: tuple[int, int], expected: list[str]
) -> None:
    assert chosen(projection(rule, operand, result, elements=elements)) == expected


def test_a_factor_of_the_other_tensor_keeps_what_is_left() -> None:
    rule = ShardingRule((8, 8, 8), (((0,), (1,)),), (((0,), (2,)),))
    assert chosen(projection(rule, "x, y", "z, y", elements=(64, 64))) == ["x", "y", ""]


# Greedy --------------------------------------------------------------------------------------------


def test_the_axes_of_the_largest_tensors_win() -> None:
    # k on y is that of 768 elements, j on x of 512, i on x of 384.
    assert chosen(projection(MATMUL, "x, y", "y, x", "x,")) == ["", "x", "y"]


def test_pass_through_beats_reduction_at_equal_size() -> None:
    rule = ShardingRule((8, 8, 8), MATMUL.operands, MATMUL.results, reduction=(2,))
    assert chosen(projection(rule, "x,", "x,", ",", elements=(64, 64, 0))) == ["x", "", ""]


def test_more_shards_win_at_equal_size_and_class() -> None:
    assert chosen(projection(BINARY, "y,", "x,", ",")) == ["x", ""]


def test_ties_go_to_the_later_factor_and_then_the_greater_name() -> None:
    assert chosen(projection(BINARY, "x,", ", x", ",")) == ["", "x"]
    assert chosen(projection(BINARY, "y,", "z,", ",")) == ["z", ""]


def test_a_choice_is_extended_by_further_axes_of_the_same_list() -> None:
    # y alone is on two tensors, y x on one: y is chosen first, then y x.
    assert chosen(projection(BINARY, "y,", "y x,", ",")) == ["y x", ""]


def test_other_factors_keep_the_front_of_their_axes() -> None:
    assert chosen(projection(BINARY, "x:(2)2,", "x:(2)2,", ", x")) == ["x:(2)2", "x:(1)2"]


def test_a_factor_waits_until_the_one_before_it_is_full() -> None:
    # In the merged dimension y on the second factor would be strided.
    assert chosen(projection(MERGE, ", y", "", "")) == ["", ""]
    assert chosen(projection(MERGE, "x, y", "", "")) == ["x", "y"]


# Factors that need replication ---------------------------------------------------------------------


def test_axes_move_to_a_batching_factor() -> None:
    assert chosen(projection(CHOLESKY, ", x, y", ", x, y")) == ["x y", "", ""]


def test_axes_that_a_batching_factor_cannot_hold_are_lost() -> None:
    rule = ShardingRule((2, 8), (((0,), (1,)),), (((0,), (1,)),), need_replication=(1,))
    assert chosen(projection(rule, ", x", ", x")) == ["", ""]
    assert chosen(projection(rule, ", y x", ", y x")) == ["y", ""]


@pytest.mark.parametrize(("size", "expected"), [(0, "y"), (3, "y"), (4, "y"), (8, "y x"), (9, "y")])
def test_axes_move_to_a_batching_factor_that_they_divide(size: int, expected: str) -> None:
    """Also if it is empty, or too small for the axes that it has."""
    rule = ShardingRule((size, 8), (((0,), (1,)),), (((0,), (1,)),), need_replication=(1,))
    assert chosen(projection(rule, "y, x", "y, x")) == [expected, ""]


def test_axes_of_a_factor_that_is_not_in_all_tensors_are_lost() -> None:
    rule = ShardingRule((8, 8), (((0,), (1,)),), (((0,),),), need_replication=(1,))
    assert chosen(projection(rule, ", x", "")) == ["", ""]


# Any program ---------------------------------------------------------------------------------------


@st.composite
def projections(draw: st.DrawFn) -> RuleProjection:
    """A rule with tensors of random rank over up to four factors, each tensor sharded at random."""
    factor_sizes = tuple(draw(st.lists(st.sampled_from([1, 2, 4, 6, 8]), min_size=1, max_size=4)))
    factors = list(range(len(factor_sizes)))

    def mapping() -> TensorMapping:
        present = draw(st.permutations(factors))[: draw(st.integers(0, len(factors)))]
        return tuple((factor,) for factor in present)

    tensors = [mapping() for _ in range(draw(st.integers(2, 4)))]
    kinds = [draw(st.sampled_from(["pass", "replicate", "permute"])) for _ in factors]
    rule = ShardingRule(
        factor_sizes,
        tuple(tensors[:-1]),
        (tensors[-1],),
        need_replication=tuple(f for f in factors if kinds[f] == "replicate"),
        permutation=tuple(f for f in factors if kinds[f] == "permute"),
    )
    texts = []
    for each in rule.tensors:
        dims: list[list[str]] = [[] for _ in each]
        for name in draw(st.permutations(list(SIZES))):
            place = draw(st.integers(-1, len(dims) - 1))
            if place >= 0:
                dims[place].append(name)
        texts.append(", ".join(map(" ".join, dims)))
    return projection(rule, *texts)


@given(projections())
def test_no_axis_is_chosen_twice_and_none_for_a_factor_that_needs_replication(what: RuleProjection) -> None:
    axes = common_axes(what)
    assert not any(any_overlap(first, second) for i, first in enumerate(axes) for second in axes[:i])
    assert not any(axes[factor] for factor in what.rule.need_replication)


@given(projections())
def test_a_choice_is_stable(what: RuleProjection) -> None:
    """Tensors that have the chosen axes are compatible, and choose the same."""
    axes = common_axes(what)
    tensors = tuple(
        tuple(None if s is None else s.with_axes(axes[factor]) for factor, s in enumerate(tensor))
        for tensor in what.tensors
    )
    assert compatible_axes(RuleProjection(what.rule, tensors, what.elements, what.sizes)) == axes
