"""How often loops run, against counting."""

from __future__ import annotations

import operator
import re
from itertools import product

import pytest

from sdy.mlir.search import ops_named
from sdy.programs.parsing import parse_in_lean
from sdy.stablehlo.idioms.loops import trip_count

COMPARE = {"LT": operator.lt, "LE": operator.le, "GT": operator.gt, "GE": operator.ge, "NE": operator.ne}


def loop(start: str, condition: str, step: str, amount: str = "2", element: str = "i32") -> str:
    kind = "UNSIGNED" if element.startswith("u") else "SIGNED"
    return f"""
func.func @main(%n: tensor<{element}>) -> tensor<{element}> {{
  %start = stablehlo.constant dense<{start}> : tensor<{element}>
  %limit = stablehlo.constant dense<10> : tensor<{element}>
  %0:2 = stablehlo.while(%i = %start, %end = %limit) : tensor<{element}>, tensor<{element}>
   cond {{
    %c = stablehlo.compare {condition}, {kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %step = stablehlo.constant dense<{amount}> : tensor<{element}>
    %next = stablehlo.{step} : tensor<{element}>
    stablehlo.return %next, %end : tensor<{element}>, tensor<{element}>
  }}
  return %0#0 : tensor<{element}>
}}
"""


def count(text: str) -> int | None:
    module = parse_in_lean(text)
    (found,) = ops_named(module.operation, "stablehlo.while")
    return trip_count(found)


def counted(start: int, direction: str, step: int) -> int | None:
    """By going through the loop; None for one that does not end soon."""
    value = start
    for rounds in range(100):
        if not COMPARE[direction](value, 10):
            return rounds
        value += step
    return None


@pytest.mark.parametrize(("direction", "step"), list(product(COMPARE, [1, 3, -1, -4])))
def test_counting_loops(direction: str, step: int) -> None:
    for start in (-2, 1, 9, 10, 11, 18, 22):
        text = loop(str(start), f"{direction}, %i, %end", "add %i, %step", str(step))
        assert count(text) == counted(start, direction, step), start


@pytest.mark.parametrize(
    ("condition", "step", "expected"),
    [
        ("GT, %limit, %i", "add %i, %step", 5),  # the counter on the right
        ("LT, %i, %limit", "add %step, %i", 5),
        ("GT, %i, %limit", "subtract %i, %step", 0),
        ("LT, %i, %n", "add %i, %step", None),
        ("LT, %i, %limit", "multiply %i, %step", None),
        ("LT, %i, %limit", "subtract %step, %i", None),
        ("EQ, %i, %limit", "add %i, %step", None),
        ("LT, %n, %limit", "add %i, %step", None),
    ],
)
def test_what_counts(condition: str, step: str, expected: int | None) -> None:
    assert count(loop("0", condition, step)) == expected


@pytest.mark.parametrize(
    ("element", "step", "expected"), [("i8", 120, None), ("i8", 100, 1), ("ui8", 120, 1), ("ui8", 250, None)]
)
def test_counters_that_overflow(element: str, step: int, expected: int | None) -> None:
    assert count(loop("0", "LT, %i, %limit", "add %i, %step", str(step), element)) == expected


def test_counters_that_are_no_integers() -> None:
    text = loop("0.0", "LT, %i, %limit", "add %i, %step", "1.0", "f32")
    assert count(text.replace("dense<10>", "dense<10.0>").replace("SIGNED", "FLOAT")) is None


def test_names_of_values_do_not_matter() -> None:
    """As `jax.shard_map` gives them where axes are free: of the counter, the limit, the comparison and the sum."""
    plain = loop("0", "LT, %i, %end", "add %i, %step")
    named = plain.replace("\nfunc.func", '\nsdy.mesh @mesh = <["x"=2]>\nfunc.func')
    for name, before in [
        ("%i", "    %c = "),
        ("%end", "    %c = "),
        ("%c", "    stablehlo.return %c"),
        ("%i", "    %next = "),
        ("%next", "    stablehlo.return %next"),
        ("%start", "  %0:2 = "),
        ("%limit", "  %0:2 = "),
    ]:
        element = "i1" if name == "%c" else "i32"
        first, rest = named.split(before, 1)
        constraint = f"    %said = sdy.sharding_constraint {name} <@mesh, []> : tensor<{element}>\n"
        line, rest = (before + rest).split("\n", 1)
        used = re.sub(rf"(?<=[ ,(=]){name}\b(?! =)", "%said", line)
        assert used != line, name
        assert count(f"{first}{constraint}{used}\n{rest}") == count(plain) == 5, name
