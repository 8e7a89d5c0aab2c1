"""Directions by op-priority level (spec: propagation, 12)."""

from __future__ import annotations

import pytest

from sdy.dialect.ops.notation import parse_rule
from sdy.passes.propagation.engine.strategy import Direction
from sdy.passes.propagation.engine.visits import LEVELS, OpCategory, OpProfile, category_of

RULE = parse_rule("<([i,j,k])->([i,j]) {i=2, j=2, k=2} reduction={k} blocked_propagation={j}>")
LETTERS = {Direction.NONE: ".", Direction.FORWARD: "f", Direction.BACKWARD: "b", Direction.BOTH: "x"}


def levels(profile: OpProfile, *, is_only_user: bool = True) -> str:
    """The directions of the three factors at each level; the third is a reduction."""
    return " ".join("".join(LETTERS[d] for d in profile.directions(p, is_only_user=is_only_user)) for p in LEVELS)


@pytest.mark.parametrize(
    ("category", "alone", "shared"),
    [
        (OpCategory.PASS_THROUGH, "xxx xxx xxx xxx xxx", "... xxx xxx xxx xxx"),
        (OpCategory.DYNAMIC_SLICE, "fff fff xxf xxx xxx", "... fff xxf xxx xxx"),
        (OpCategory.BROADCAST, "... ... bb. bbb xxx", "... ... bb. bbb xxx"),
        (OpCategory.OTHER, "... ... xx. xxx xxx", "... ... xx. xxx xxx"),
    ],
)
def test_levels(category: OpCategory, alone: str, shared: str) -> None:
    """`alone`: each operand has one use."""
    profile = OpProfile(RULE, category)
    assert levels(profile) == alone
    assert levels(profile, is_only_user=False) == shared


def test_everything_is_allowed_at_no_level() -> None:
    assert OpProfile(RULE, OpCategory.BROADCAST).directions(None) == (Direction.BOTH,) * 3


def test_barriers_ignore_levels() -> None:
    profile = OpProfile(RULE, fixed=Direction.BACKWARD)
    assert levels(profile) == "bbb bbb bbb bbb bbb"
    assert profile.directions(None) == (Direction.BACKWARD,) * 3
    assert not profile.depends_on_uses


@pytest.mark.parametrize(
    ("name", "elementwise", "target", "category"),
    [
        ("stablehlo.add", True, None, OpCategory.PASS_THROUGH),
        ("stablehlo.reshape", False, None, OpCategory.PASS_THROUGH),
        ("sdy.data_flow_edge", False, None, OpCategory.PASS_THROUGH),
        ("stablehlo.custom_call", False, "MoveToHost", OpCategory.PASS_THROUGH),
        ("stablehlo.custom_call", False, "foo", OpCategory.OTHER),
        ("stablehlo.dynamic_slice", False, None, OpCategory.DYNAMIC_SLICE),
        ("stablehlo.broadcast_in_dim", False, None, OpCategory.BROADCAST),
        ("stablehlo.dot_general", False, None, OpCategory.OTHER),
    ],
)
def test_categories(name: str, elementwise: bool, target: str | None, category: OpCategory) -> None:
    assert category_of(name, elementwise, target) is category
