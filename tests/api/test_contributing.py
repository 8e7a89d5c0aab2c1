"""What CONTRIBUTING.md shows works."""

import re
from pathlib import Path

import pytest

import sdy
from sdy.passes import registry

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>,
    %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""


def test_the_auto_partitioner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_passes", dict(registry.passes()))
    section = TEXT.partition("## An auto-partitioner")[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code
    module = sdy.parse(PROGRAM)
    try:
        exec(code[1], {"__name__": "__main__", "module": module})
    finally:
        sdy.auto_partitioner.clear()
    printed = sdy.print_module(module)
    assert printed.count('#sdy.sharding<@mesh, [{"x"}, {}]>') == 2
    assert 'stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}' in printed
