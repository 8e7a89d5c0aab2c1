"""Sharding rules as values."""

import pytest

from sdy.dialect.values.rule import FactorType, ShardingRule, contains_factor, factor_symbol

MATMUL = ShardingRule((8, 16, 4), (((0,), (2,)), ((2,), (1,))), (((0,), (1,)),), reduction=(2,))


@pytest.mark.parametrize(
    ("factor", "symbol"), [(0, "i"), (1, "j"), (16, "y"), (17, "z"), (18, "z_1"), (19, "z_2"), (27, "z_10")]
)
def test_symbols(factor: int, symbol: str) -> None:
    assert factor_symbol(factor) == symbol


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (MATMUL, "<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>"),
        (ShardingRule((), ((), ()), ((),)), "<([], [])->([])>"),
        (ShardingRule((), ((),), ((),), is_custom=True), "<([])->([]), custom>"),
        (ShardingRule((2, 4), (((0,), (1,)),), (((0, 1),),)), "<([i, j])->([ij]) {i=2, j=4}>"),
        (
            ShardingRule((2, 4, 3), (((0,), (1,)),), (((2,), (1,)),), (), (0, 2), (1,), (1,)),
            "<([i, j])->([k, j]) {i=2, j=4, k=3} need_replication={i, k} permutation={j} blocked_propagation={j}>",
        ),
    ],
)
def test_text(rule: ShardingRule, text: str) -> None:
    assert str(rule) == text


def test_identity_has_a_factor_per_dimension() -> None:
    rule = ShardingRule.identity((8, 4), operands=2)
    assert str(rule) == "<([i, j], [i, j])->([i, j]) {i=8, j=4}>"
    assert rule.factor_types == (FactorType.PASS_THROUGH,) * 2


def test_factor_types() -> None:
    assert MATMUL.factor_types == (FactorType.PASS_THROUGH, FactorType.PASS_THROUGH, FactorType.REDUCTION)
    rule = ShardingRule((2, 4, 3), (((0,), (1,)),), (((2,), (1,)),), (), (0, 2), (1,))
    assert rule.factor_types == (FactorType.NEED_REPLICATION, FactorType.PERMUTATION, FactorType.NEED_REPLICATION)


def test_batching_factors_are_in_every_tensor_that_has_dimensions() -> None:
    batched = ShardingRule(
        (2, 8, 16, 4), (((0,), (1,), (3,)), ((0,), (3,), (2,)), ()), (((0,), (1,), (2,)),), reduction=(3,)
    )
    assert batched.batching_factors == (0,)
    assert MATMUL.batching_factors == ()
    assert ShardingRule.identity((8, 4)).batching_factors == (0, 1)


def test_dimensions_of_several_factors() -> None:
    assert ShardingRule((2, 4), (((0,), (1,)),), (((0, 1),),)).has_multi_factor_dims
    assert not MATMUL.has_multi_factor_dims


def test_tensors_are_operands_then_results() -> None:
    assert MATMUL.tensors == (((0,), (2,)), ((2,), (1,)), ((0,), (1,)))
    assert [contains_factor(mapping, 2) for mapping in MATMUL.tensors] == [True, True, False]


def test_rules_are_values() -> None:
    same = ShardingRule((8, 16, 4), (((0,), (2,)), ((2,), (1,))), (((0,), (1,)),), reduction=(2,))
    assert same == MATMUL
    assert hash(same) == hash(MATMUL)
    assert same != ShardingRule(*(same.factor_sizes, same.operands, same.results), reduction=(2,), is_custom=True)
