"""Analyses of passes on several meshes beside plain searches: dependencies, chains, names and rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.functions import main_function
from sdy.mlir.walk import pre_order
from sdy.passes.manager import check
from sdy.passes.mpmd.common.order import Dependencies, in_chain_order
from sdy.passes.mpmd.common.rules import nearest, parse_assignment, parse_indices, read_merge_rules, read_schedule_rules
from tests.generators.mpmd_fragments import Options, fragment_program

SEEDS = range(6)


def _makers(op: ir.Operation) -> Iterator[ir.Operation]:
    """The ops that make what an op and those in its regions use, of whatever block."""
    for each in pre_order(op):
        for operand in each.operands:
            if isinstance(operand, ir.OpResult):
                yield operand.owner.operation


def _searched(order: Dependencies, edges: set[tuple[int, int]]) -> list[set[int]]:
    """For each op those that it needs, found step by step."""
    results = {result: number for number, op in enumerate(order.ops) for result in op.results}
    needs = [
        {results[made.results[0]] for made in _makers(op) if len(made.results) and made.results[0] in results}
        for op in order.ops
    ]
    for first, second in edges:
        needs[second].add(first)
    found: list[set[int]] = []
    for number in range(len(needs)):
        seen, waiting = set[int](), list(needs[number])
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += needs[one]
        found.append(seen)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_dependencies_are_those_of_a_search(seed: int) -> None:
    rng = random.Random(seed)
    module = sdy.parse(fragment_program(seed, Options(fragments=12)))
    with module.context:
        order = Dependencies(main_function(module.operation))
        count, edges = len(order.ops), set[tuple[int, int]]()
        for _ in range(8):
            searched = _searched(order, edges)
            got = [{first for first in range(count) if order.is_before(first, second)} for second in range(count)]
            assert got == searched
            first, second = rng.sample(range(count), 2)
            if not order.is_before(second, first):
                order.add(first, second)
                edges.add((first, second))
        searched = _searched(order, edges)
        for second, needed in enumerate(searched):
            for first in needed:
                path = order.path(first, second)
                assert (path[0], path[-1]) == (first, second)
                assert all(a in searched[b] for a, b in zip(path, path[1:], strict=False))
        assert order.sort()
        for second, needed in enumerate(searched):
            assert all(order.ops[first].is_before_in_block(order.ops[second]) for first in needed)
        check(module.operation)


def test_a_cycle_is_told() -> None:
    module = sdy.parse(fragment_program(3, Options(fragments=6)))
    with module.context:
        order = Dependencies(main_function(module.operation))
        order.add(0, 1)
        order.add(1, 0)
        assert not order.sort()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["m10", "m2", "m1"], ["m1", "m2", "m10"]),
        (["stage", "m2", "gpu"], ["gpu", "m2", "stage"]),
        (["b1", "a2"], ["b1", "a2"]),
        (["m2", "m2/cpu", "m1"], ["m1", "m2", "m2/cpu"]),
    ],
)
def test_chains_go_by_numbers_if_both_have_one(names: list[str], expected: list[str]) -> None:
    assert in_chain_order(names) == expected


def test_assignments_have_meshes_stages_and_kinds_of_memory() -> None:
    found = parse_assignment(["f@m1", "g@m2/3", "h@m1#pinned_host"])
    assert [(each.mesh_name, each.stage, each.memory_kind) for each in found.values()] == [
        ("m1", None, None),
        ("m2", 3, None),
        ("m1", None, "pinned_host"),
    ]
    assert list(parse_indices(["2@m1", "0@m2"])) == [0, 2]
    assert "'layer_1'" in nearest("layer1", {**parse_assignment(["layer_1@m1", "other@m2"])})


@pytest.mark.parametrize("entry", ["f", "@m1", "f@"])
def test_assignments_of_another_form_are_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="is not of the form name@mesh"):
        parse_assignment([entry])


def test_rules_are_read() -> None:
    info = 'FragmentInfo(origins=["f","g"(1)],stage=2,call_counter=1,split_type=kDropTransferred,mesh_name="m1")'
    (rule,) = read_schedule_rules(
        f'FragmentScheduleRule(ordered_fragments=[{info}->FragmentInfo(origins=["h"],mesh_name="m1")])'
    )
    first, second = rule.ordered_fragments
    assert [(each.computation_name, each.transpose_count) for each in first.origins] == [("f", 0), ("g", 1)]
    assert (first.stage_id, first.call_counter, first.mesh_name) == (2, 1, "m1")
    assert (second.stage_id, second.call_counter, second.split_type) == (None, None, None)
    (merge,) = read_merge_rules(f"FragmentMergeRule(sources=[{info},{info}],target={info})")
    assert (len(merge.sources), merge.target) == (2, first)


@pytest.mark.parametrize(
    "text", ["x", "FragmentScheduleRule(", "FragmentScheduleRule(ordered_fragments=[FragmentInfo()"]
)
def test_rules_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rules go wrong at"):
        read_schedule_rules(text)
