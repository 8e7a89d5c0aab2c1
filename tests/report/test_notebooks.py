"""What notebooks show of the main objects: static HTML without scripts, whose style stays in it."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sdy
from sdy.markup.fragments import MOST_ROWS, Cell, fragment, layout_of, table
from sdy.report.sharding_pictures import value_shardings
from tests.report.layers import layers

OBJECTS = ("communication", "explanation", "explanations", "partitioned", "value", "cause", "module")
OBJECTS += ("comparison", "timeline", "estimate")


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
        "cause": sdy.why(text, "c0"),
        "module": propagated,
        "comparison": sdy.compare(text, {"as it is": {}}),
        "timeline": sdy.timeline(text, "h100"),
        "estimate": sdy.auto.estimate(text, "h100"),
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
    assert f"{report.bytes_sent:,.0f} bytes sent by each device: 100.0 % all_reduce<" in html
    assert '<td>c0</td><td>all_reduce</td><td><b class="a' in html
    assert "jit(step)/jvp(&lt;b&gt;0)/mlp/dot_general" in html


def test_values_have_labels(shown: dict[str, Any]) -> None:
    assert 'title="f32[32÷4 data, 16] ×2 copies"' in shown["partitioned"]._repr_html_()
    # How large the axes are is not in an explanation.
    assert 'title="f32[32 data, 16]"' in shown["explanation"]._repr_html_()
    assert shown["partitioned"]._repr_html_().count("<rect") == 8
    assert "from argument 0 of @main" in shown["explanation"]._repr_html_()


def test_a_cause_lists_its_cures(shown: dict[str, Any]) -> None:
    cause = shown["cause"]
    html = cause._repr_html_()
    assert html.count("<tr>") == len(cause.cures) + 1
    assert f'<td class="number">{0 - cause.cures[0].bytes_saved:+,.0f}</td>' in html
    assert f"of {cause.tried} tried" in html and "factor k (64, reduced)" in html


def test_texts_are_shown_as_they_are(shown: dict[str, Any]) -> None:
    for name in ("comparison", "timeline", "estimate"):
        text = str(shown[name]).replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;").replace("'", "&#39;")
        assert text.splitlines()[1] in shown[name]._repr_html_()
    long = sdy.parse("".join(f"func.func @f{n}() {{ return }}\n" for n in range(200)))._repr_html_()
    assert "@f131" in long and "@f199" not in long and "202 more lines" in long
    weights = sdy.parse(
        'func.func @f() -> tensor<99xi8> { %0 = stablehlo.constant dense<"0x'
        + "07" * 98
        + '08"> : tensor<99xi8> return %0 : tensor<99xi8> }'
    )
    assert "0x07" not in weights._repr_html_() and "__elided__" in weights._repr_html_()


def test_a_page_in_a_frame_is_short_where_there_is_no_html() -> None:
    assert repr(sdy.page.Frame("<!DOCTYPE html>")) == "Frame(height=700)"


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
