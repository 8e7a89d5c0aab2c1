"""The table of what ops do with elements: every op has a row, and sets of ops that passes keep agree with it."""

from __future__ import annotations

import pytest

from sdy.dialect.ir_builders.with_sharding import _MOVEMENTS
from sdy.passes.costs.machine import KINDS
from sdy.passes.overlap.decomposition.gather_decomposition import _MOVABLE
from sdy.passes.overlap.prefetch_in_loops import _WITHOUT_EFFECTS
from sdy.stablehlo.declarations import declared_ops
from sdy.stablehlo.op_table import OPS, Effects, Linear, OpKind, ops_of


def test_every_op_is_classified() -> None:
    assert set(OPS) == {name for name in declared_ops() if name.startswith(("stablehlo.", "chlo."))}


def test_what_runs_or_talks_is_never_free_of_effects() -> None:
    for name, row in OPS.items():
        if row.kind in (OpKind.COMMUNICATES, OpKind.RUNS, OpKind.ENDS):
            assert row == (row.kind, Effects.OTHER, Linear.NO), name


@pytest.mark.parametrize("names", [_MOVABLE, _WITHOUT_EFFECTS, _MOVEMENTS])
def test_what_passes_take_for_functions_are_functions(names: frozenset[str]) -> None:
    communicating = ops_of(OpKind.COMMUNICATES)
    assert {name for name in names if name not in communicating and OPS[name].effects is Effects.OTHER} == set()


def test_collectives_are_those_that_cost() -> None:
    assert {f"stablehlo.{kind}" for kind in KINDS} & set(OPS) <= ops_of(OpKind.COMMUNICATES)
