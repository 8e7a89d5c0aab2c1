"""The reference accepts and refuses what we do, in the same line, and prints what it accepts as we do."""

from collections import Counter

import pytest

from tests.depth import seeds
from tests.generators.dialect_modules import invalid, valid
from tests.oracle import requires_reference
from tests.parity.attribute_spellings import ALIASES, AROUND, ATTRIBUTES, FUNCTION, WITH_WHOLE_ATTRIBUTES
from tests.parity.dialect import difference, module

_PART = 100
"""Modules per test; the reference's process and an MLIR context serve all of them."""


@requires_reference
@pytest.mark.parametrize(
    "part", [seeds(300, 2400)[i : i + _PART] for i in range(0, len(seeds(300, 2400)), _PART)], ids=str
)
def test_equals_reference(part: range) -> None:
    tally: Counter[str] = Counter()
    for seed in part:
        found = difference(module(seed), tally)
        if found is not None:
            again = f"Again: .venv/bin/python -m tests.parity.dialect --seed {seed}"
            pytest.fail(f"the module of seed {seed} differs\n{found}\n{again}", pytrace=False)
    assert tally["another error first"] <= len(part) // 20, f"upstream's errors hide too many others: {tally}"


@requires_reference
def test_the_lit_tests_hold_for_the_reference() -> None:
    """It refuses the ops that are marked as invalid, on the same lines, and accepts the rest."""
    for text in (*invalid(), *valid()):
        found = difference(text)
        assert found is None, found


@requires_reference
@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_end_where_the_reference_says(attribute: str) -> None:
    """What is in brackets counts as read, brackets in comments count, and without brackets there is only the name."""
    for around in AROUND:
        found = difference(f'{around.format(attribute)}sdy.mesh @m = <["a"=2]>\n')
        assert found is None, found


@requires_reference
@pytest.mark.parametrize("op", WITH_WHOLE_ATTRIBUTES)
def test_attributes_as_a_whole_and_aliases_stand_where_the_reference_takes_them(op: str) -> None:
    text = f"{op}\n" if op.startswith("sdy.mesh") else FUNCTION.replace("OP", op)
    found = difference(ALIASES + text)
    assert found is None, found


@requires_reference
@pytest.mark.parametrize("char", ["\v", "\f", "\r", "\x7f", "\\\v", "\\0b"])
def test_strings_hold_the_characters_that_the_reference_takes(char: str) -> None:
    found = difference(f'sdy.mesh @m = <["a{char}"=2]>\n')
    assert found is None, found


@requires_reference
@pytest.mark.parametrize(
    "rest",
    [
        '{a\n= "\n} : (tensor<8xf32>) -> tensor<8xf32>',
        "{a\n= [} : (tensor<8xf32>) -> tensor<8xf32>",
        "{a\n= [1,\n2}\n} : (tensor<8xf32>) -> tensor<8xf32>",
        ":\n(tensor<8xf32) -> tensor<8xf32>",
        ':\n(tensor<"\n8xf32>) -> tensor<8xf32>',
        ":\n(tensor<8xf32>) -> \n8",
        "{a} :\n(tensor<8xf32>) -> \ntensor<8xf32",
    ],
)
def test_faults_behind_a_region_are_where_the_reference_says(rest: str) -> None:
    op = '%0 = sdy.named_computation<"n">(%x) (%p: tensor<8xf32>) {\n    sdy.return %p : tensor<8xf32>\n  }'
    found = difference(f"func.func @f(%x: tensor<8xf32>) {{\n  {op} {rest}\n  return\n}}\n")
    assert found is None, found


@requires_reference
@pytest.mark.parametrize(
    "text",
    [
        '// a\rsdy.mesh @m = <["a"=2]>',
        'sdy.mesh @m // <\r = <["a" // ]\r =2]> // b\r sdy.mesh @n = <["b"=2]> // c\r\n',
        'func.func @f() { // }\r return } func.func @g() attributes {a = #sdy.mesh<["a"=2]>} { return }',
        """func.func @f(%x: tensor<8xf32>) {
  %0 = sdy.named_computation<"n">(%x) // {\r (%p: tensor<8xf32>) { // }\r sdy.return %p : tensor<8xf32> } // (\r : (
    tensor<8xf32>) // a\r -> tensor<8xf32>
  return
}""",
    ],
)
def test_comments_end_at_a_carriage_return(text: str) -> None:
    found = difference(text)
    assert found is None, found
