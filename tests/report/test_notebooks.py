"""What notebooks show of the main objects: static HTML without scripts, whose style stays in it."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sdy
from sdy.markup.fragments import MOST_ROWS, Cell, fragment, layout_of, table
from sdy.report.sharding_table import value_shardings
from tests.report.layers import layers

OBJECTS = ("communication", "explanation", "explanations", "partitioned", "value")


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    text = layers(1, name="<b>")
    propagated = sdy.parse(text)
    sdy.run(propagated, "sdy-propagation-pipeline")
    explanations = sdy.explain(text)
    return {
        "communication": sdy.communication(text),
        "explanation": explanations[-1],
        "explanations": explanations,
        "partitioned": sdy.partition(text),
        "value": value_shardings(propagated)[0],
    }


@pytest.mark.parametrize("name", OBJECTS)
def test_fragments_need_nothing_and_reach_nothing(shown: dict[str, Any], name: str) -> None:
    html = shown[name]._repr_html_()
    assert not re.search(r"<script| id=|<b>\d*\)|https?:|@import", html)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    selectors = [each for rule in re.findall(r"([^{}]+)\{", style) for each in rule.split(",")]
    assert len(selectors) > 20 and all(re.search(r"\.sdy\b", each) for each in selectors)


def test_a_communication_report(shown: dict[str, Any]) -> None:
    report = shown["communication"]
    html = report._repr_html_()
    assert f"{report.bytes_sent:,.0f} bytes sent by each device<" in html
    assert '<td>c0</td><td>all_reduce</td><td><b class="a' in html
    assert "jit(step)/jvp(&lt;b&gt;0)/mlp/dot_general" in html


def test_values_have_labels(shown: dict[str, Any]) -> None:
    assert 'title="f32[32÷4 data, 16] ×2 copies"' in shown["partitioned"]._repr_html_()
    # How large the axes are is not in an explanation.
    assert 'title="f32[32 data, 16]"' in shown["explanation"]._repr_html_()
    assert shown["partitioned"]._repr_html_().count("<rect") == 8
    assert "from argument 0 of @main" in shown["explanation"]._repr_html_()


def test_long_tables_are_cut() -> None:
    html = fragment("", table(("n",), [[Cell(str(n))] for n in range(MOST_ROWS + 3)]))
    assert html.count("<tr>") == MOST_ROWS + 1 and "3 more" in html


@pytest.mark.parametrize(
    ("type_", "shape", "element"),
    [
        ("tensor<f32>", (), "f32"),
        ("tensor<2x?xbf16>", (2, -1), "bf16"),
        ("tensor<4xcomplex<f32>>", (4,), "complex<f32>"),
        ("tensor<8x2xf32, #stablehlo.bounds<?, 4>>", (8, 2), "f32"),
    ],
)
def test_types_are_read(type_: str, shape: tuple[int, ...], element: str) -> None:
    layout = layout_of(type_, None, None)
    assert layout is not None and (layout.shape, layout.element) == (shape, element)


def test_what_is_no_tensor_has_no_layout() -> None:
    assert layout_of("!stablehlo.token", None, None) is None
