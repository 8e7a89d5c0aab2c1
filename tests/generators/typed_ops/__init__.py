"""Instances of all ops of StableHLO and CHLO, valid and damaged, for type inference and verification."""

from __future__ import annotations

from random import Random

from tests.generators.typed_ops import communication, computing, moving, others  # noqa: F401  (they register)
from tests.generators.typed_ops.case import CASE_GENERATORS, Case
from tests.generators.typed_ops.damage import damaged


def random_case(number: int, name: str | None = None) -> Case:
    """Instance `number` of all ops in turn, or of one op; valid but for what inference says, and perhaps damaged."""
    names = list(CASE_GENERATORS)
    name = name or names[number % len(names)]
    return CASE_GENERATORS[name](Random(f"{name} {number}"), name)


def damage_case(number: int, case: Case) -> Case:
    """The instance with changes drawn by that number, or as it is for about four of ten numbers."""
    rng = Random(f"damage {number}")
    return case if rng.random() < 0.4 else damaged(rng, case)


__all__ = ["CASE_GENERATORS", "Case", "damage_case", "random_case"]
