"""Which rules fit an op (spec: sharding-rules, 1.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sdy.dialect.ops.notation import parse_rule, verify_rule
from sdy.dialect.values.rule import ShardingRule

MATMUL = parse_rule("<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>")
SHAPES = ([(8, 4), (4, 16)], [(8, 16)])


def test_a_rule_that_fits():
    assert verify_rule(MATMUL, *SHAPES) is None


@pytest.mark.parametrize(
    "text",
    [
        "<([ij])->([i, j]) {i=2, j=4}>",
        "<([i])->([j, k]) {i=3, j=5, k=7} permutation={i} blocked_propagation={i, j}>",  # sizes do not matter
        "<([i])->([i, j]) {i=0, j=-1}>",
    ],
)
def test_sizes_need_not_be_those_of_the_dimensions(text: str):
    assert verify_rule(parse_rule(text), [(8,)], [(2, 4)]) is None


@pytest.mark.parametrize(
    ("operands", "results", "problem"),
    [
        ([(8, 4)], [(8, 16)], "2 operand mappings for 1 operands"),
        ([(8, 4), (4, 16)], [], "1 result mappings for 0 results"),
        ([(8, 4), None], [(8, 16)], "operand 1: the value has no static shape"),
        ([(8, 4), (4, 16)], [(-1, 16)], "result 0: the value has no static shape"),
        ([(8, 4), (4,)], [(8, 16)], "operand 1: the mapping has rank 2, the value 1"),
    ],
)
def test_values_that_do_not_fit(operands: list, results: list, problem: str):
    assert problem in (verify_rule(MATMUL, operands, results) or "")


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (ShardingRule((), (), ((),)), "without operand mappings"),
        (ShardingRule((), ((),), ()), "without result mappings"),
    ],
)
def test_rules_need_operands_and_results(rule: ShardingRule, problem: str):
    assert problem in (verify_rule(rule, [()] * len(rule.operands), [()] * len(rule.results)) or "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<([i, ])->([i, j]) {i=2, j=4}>", "operand 0: dimension 1 has no factor"),
        ("<([i, k])->([i, j]) {i=2, j=4}>", "operand 0: dimension 1 has factor number 2, there are 2"),
        ("<([i, i])->([i, j]) {i=2, j=4}>", "operand 0: dimension 1 repeats factor i"),
        ("<([i, j])->([ij, j]) {i=2, j=4}>", "result 0: dimension 1 repeats factor j"),
        ("<([i, j])->([ii, j]) {i=2, j=4}>", "result 0: dimension 0 repeats factor i"),
        ("<([i, jk])->([i, j]) {i=2, j=4, k=1}>", "dimension 1 has factor k of size 1 besides others"),
        ("<([i, j])->([i, j]) {i=2, j=4, k=4}>", "factor k is in no operand or result"),
        ("<([i, j])->([i, j]) {i=2, j=4} permutation={j, i}>", "permutation factors are not in ascending order"),
        ("<([i, j])->([i, j]) {i=2, j=4} permutation={i, i}>", "permutation factors are not in ascending order"),
        ("<([i, j])->([i, j]) {i=2, j=4} blocked_propagation={k}>", "not all among its 2 factors"),
        ("<([i, j])->([i, k]) {i=2, j=4, k=1} reduction={j} need_replication={j}>", "j is in reduction and need_rep"),
        ("<([i, j])->([i, k]) {i=2, j=4, k=1} reduction={j} permutation={j}>", "j is in reduction and permutation"),
        ("<([i, j])->([i, j]) {i=2, j=4} need_replication={j} permutation={j}>", "need_replication and permutation"),
        ("<([i, j])->([i, j]) {i=2, j=4} reduction={j}>", "reduction factor j is in a result"),
    ],
)
def test_what_is_wrong(text: str, problem: str):
    assert problem in (verify_rule(parse_rule(text), [(2, 4)], [(2, 4)]) or "")


def test_a_factor_may_be_blocked_and_of_any_kind():
    assert verify_rule(replace(MATMUL, blocked_propagation=(0, 1, 2)), *SHAPES) is None
