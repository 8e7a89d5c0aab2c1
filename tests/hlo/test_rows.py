"""Every row of what XLA accepts and rejects: our reader, both sets of rules, and XLA itself (spec: async, 2.3)."""

from __future__ import annotations

import pytest

from sdy import hlo_text
from sdy.hlo_text import HloSyntaxError, parse
from sdy.tools.hlo.verdicts import Verdict, Verdicts
from tests import depth, oracle
from tests.hlo.rows import ROWS, Row

REPAIRED = {"45"}
"""Rows whose text XLA misreads; what we print of them says what was meant, and that is valid to XLA."""


def name(row: Row) -> str:
    return f"{row.number} {row.what}"


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_a_row_is_read_and_checked(row: Row) -> None:
    try:
        module = parse(row.text)
    except HloSyntaxError as error:
        assert not row.read, error
        return
    assert row.read
    assert [str(each) for each in hlo_text.check(module, hlo_text.XLA)] == [] or not row.xla
    assert [str(each) for each in hlo_text.check(module, hlo_text.STRICT)] == [] or not row.strict
    assert bool(hlo_text.check(module, hlo_text.XLA)) != row.xla
    assert bool(hlo_text.check(module, hlo_text.STRICT)) != row.strict
    assert row.xla or not row.strict or row.number == "11", "what the document allows XLA accepts, if it has the opcode"
    for sugar in (True, False):
        assert hlo_text.equivalent(parse(module.text(sugar=sugar)), module)


def test_all_rows_are_there() -> None:
    assert {int(row.number) for row in ROWS} == set(range(1, 50))


def word(verdict: Verdict) -> str:
    if verdict.crashed:
        return "crash"
    if not verdict.is_read:
        return "unread"
    return {True: "valid", False: "invalid", None: "unknown"}[verdict.is_valid]


@oracle.requires_reference
@pytest.mark.parametrize("row", ROWS if depth.ALL else ROWS[::9], ids=name)
def test_xla_says_the_same(row: Row, xla: Verdicts) -> None:
    verdict = xla.of(row.text)
    assert word(verdict) == row.oracle, verdict
    if not row.read:
        return
    module = parse(row.text)
    for sugar in (True, False):
        verdict = xla.of(module.text(sugar=sugar))
        assert (verdict.is_valid is True) == (row.xla or row.number in REPAIRED), verdict
