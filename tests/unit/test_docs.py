"""The generated pages are those of the docstrings as they are; the page on differences names tests that exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from sdy.mlir import ir, load_chlo, stablehlo
from sdy.stablehlo import InferenceError, infer_return_types
from sdy.stablehlo.declarations import declared_ops
from tests.generators.typed_ops import CASE_GENERATORS, random_case

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "tools" / "generate_docs.py")
assert _spec is not None and _spec.loader is not None
generate_docs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate_docs)


@pytest.mark.parametrize("name", sorted(generate_docs.PAGES))
def test_pages_are_current(name: str) -> None:
    current = generate_docs.PAGES[name]().rstrip() + "\n"
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == current, "run `make docs`"


def test_status_says_what_can_be_inferred() -> None:
    """Of valid instances of each op: the types, or only shapes, or nothing, follow."""
    context = ir.Context()
    stablehlo.register_dialect(context)
    load_chlo(context)
    said = {row[0].strip("`"): row[3] for row in generate_docs.stablehlo_status.rows()}
    assert set(said) == set(declared_ops())
    for name in sorted(set(said) & set(CASE_GENERATORS)):
        assert _inferable(name, context) == (said[name] in ("yes", "yes*")), name


def test_status_says_why_not() -> None:
    """What is not there is not there for a reason, and each reason is that of some op."""
    status = generate_docs.stablehlo_status
    why = set()
    for _, specification, *others in status.rows():
        assert specification in ("yes", "no")
        for value in others:
            refusal = re.fullmatch(r"no \((\w)\)", value)
            assert refusal or value in ("yes", "yes*", "yes (shape)", "yes* (shape)", "infeasible"), value
            why |= {refusal[1]} if refusal else set()
    assert why == set(status.REASONS)


def _inferable(name: str, context: ir.Context) -> bool:
    """Whether the types of some instance follow."""
    for number in range(20):
        with random_case(number, name).parts(context) as (operands, attributes, module):
            op = random_case(number, name).create(operands, attributes, module)
            try:
                infer_return_types(name, operands, attributes, list(op.regions))
                return True
            except InferenceError:
                continue
    return False


DIFFERENCES = [
    line
    for line in (ROOT / "docs" / "differences.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("| pass |", "| opcode |", "|---"))
]


@pytest.mark.parametrize("row", DIFFERENCES)
def test_differences_name_a_test(row: str) -> None:
    *_, test = [cell.strip() for cell in row.strip("|").split(" | ")]
    node = re.fullmatch(r"`(tests/[\w/]+\.py)::(\w+)`", test)
    lit = re.fullmatch(r"`([\w/]+\.mlir)`(?: `(@\w+)`)?", test)
    if node:
        assert f"def {node[2]}(" in (ROOT / node[1]).read_text(encoding="utf-8")
    else:
        assert lit, f"no test: {test}"
        assert f"{lit[2] or ''}(" in (ROOT / "lit_tests" / lit[1]).read_text(encoding="utf-8")
