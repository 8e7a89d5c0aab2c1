"""What goes with each op of the dialect, and with each collective: text, checks, sharding, what becomes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sdy.dialect.definition.op_declarations import COLLECTIVES, OPS
from sdy.dialect.ops.model import model_with
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS
from sdy.dialect.verification.sharding_checks import INVARIANTS, SYMBOL_USES
from sdy.passes.registry import passes
from sdy.report.origins import COMMUNICATION

passes()  # imports all that is registered

LIT_TESTS = Path(__file__).parents[3] / "lit_tests"

UNCHECKED = {"sdy.return"}
"""Ops of which the declaration says all."""

PADDED_AS_ANY_OTHER = {"sdy.all_reduce", "sdy.collective_permute", "sdy.replicated_to_unreduced"}
"""Collectives that leave the padding where it is."""


def text(folder: str, pattern: str) -> str:
    return "".join(path.read_text() for path in sorted((LIT_TESTS / folder).glob(pattern)))


@pytest.mark.parametrize("name", sorted(OPS))
def test_op(name: str) -> None:
    assert re.search(rf"{name}[ (<]", text("dialect", "ops.mlir")), "its text is not shown"
    is_checked = name in INVARIANTS or name in SYMBOL_USES
    assert is_checked != (name in UNCHECKED)
    if is_checked:
        assert name in text("dialect", "invalid_*.mlir"), "nothing shows what is refused"


@pytest.mark.parametrize("name", sorted(COLLECTIVES))
def test_collective(name: str) -> None:
    assert name in INHERENT_SHARDINGS, "its sharding is not found"
    assert name in SYMBOL_USES, "it is not verified"
    assert name in COMMUNICATION, "reports of communication do not know it"
    assert model_with("localize", name), "it has no local form"
    assert (model_with("pad", name) is not None) != (name in PADDED_AS_ANY_OTHER)
    assert name in text("passes/partitioning", "convert_global_to_local_*.mlir"), "nothing shows its local form"


def test_what_communicates_are_collectives() -> None:
    assert {*COMMUNICATION} == {*COLLECTIVES, "sdy.reshard"}
