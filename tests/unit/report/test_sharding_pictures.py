"""Pictures of shardings: which device holds which part, of arguments, results and values in between."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.program_values import SelectorError

TEXT = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("params['w']"))
    -> tensor<8x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(f)/dot_general"("f.py":3:4))
  return %0 : tensor<8x32xf32>
}
"""


def test_a_value_in_between() -> None:
    (found,) = sdy.visualize_sharding(TEXT, "jit(f)/dot_general").values
    assert str(found).splitlines()[1:] == [
        "down: dimension 0, across: dimension 1",
        "┌───┬───┬───┬───┐",
        "│ 0 │ 1 │ 2 │ 3 │",
        "├───┼───┼───┼───┤",
        "│ 4 │ 5 │ 6 │ 7 │",
        "└───┴───┴───┴───┘",
    ]


def test_copies_stand_in_one_part() -> None:
    text = str(sdy.visualize_sharding(TEXT, "x"))
    assert text.splitlines()[1] == "down: dimension 0"
    assert "│ 0, 1, 2, 3 │" in text and "│ 4, 5, 6, 7 │" in text
    whole = TEXT.replace('[{"data"}, {}]', "[{}, {}]").replace('[{}, {"model"}]', "[{}, {}]")
    assert str(sdy.visualize_sharding(whole, "x")).endswith("the whole on each of 8 devices")


def test_many_parts_are_counted() -> None:
    many = TEXT.replace('"data"=2', '"data"=64').replace("8x", "64x")
    assert str(sdy.visualize_sharding(many, "x")).endswith("64 parts, which are not drawn")


def test_several_values_and_none() -> None:
    found = sdy.visualize_sharding(TEXT, "all")
    assert len(found.values) == 4 and str(found).count("┌") == 4
    assert "<svg" in found._repr_html_() and "params[" in found._repr_html_()
    with pytest.raises(SelectorError):
        sdy.visualize_sharding(TEXT, "nobody")
