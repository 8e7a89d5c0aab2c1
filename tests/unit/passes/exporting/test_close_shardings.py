"""Shardings that are open are closed, wherever they are behind many that are closed already."""

from __future__ import annotations

import pytest

import sdy

FILLING = 400
"""More ops than show whether all are closed."""

OPEN = '#sdy.sharding_per_value<[<@mesh, [{"x", ?}], replicated={"y"}>]>'
CLOSED = '#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>'

LAST = {
    "an op": f"%l = stablehlo.negate %a {{sdy.sharding = {OPEN}}} : tensor<8xf32>",
    "a constraint": '%l = sdy.sharding_constraint %a <@mesh, [{"x", ?}], replicated={"y"}> : tensor<8xf32>',
    "a computation": f"""%l = sdy.named_computation<"g">(%a) in_shardings=[<@mesh, [{{"x", ?}}], replicated={{"y"}}>]
      out_shardings=[<@mesh, [{{"x", ?}}], replicated={{"y"}}>] (%b: tensor<8xf32>) {{
        sdy.return %b : tensor<8xf32>
      }} {{sdy.sharding = {CLOSED}}} : (tensor<8xf32>) -> tensor<8xf32>""",
    "nothing": "",
}


@pytest.mark.parametrize("last", LAST)
def test_what_is_open_behind_what_is_closed(last: str) -> None:
    closed = (
        f"%{number} = stablehlo.negate %a {{sdy.sharding = {CLOSED}}} : tensor<8xf32>" for number in range(FILLING)
    )
    body = "\n".join([*closed, LAST[last], "return"])
    text = f'sdy.mesh @mesh = <["x"=2, "y"=2]>\nfunc.func @main(%a: tensor<8xf32>) {{\n{body}\n}}\n'
    context = sdy.make_context()
    # What is remembered of the programs before makes no difference.
    for _ in range(2):
        module = sdy.parse(text, context=context)
        sdy.run(module, "sdy-close-shardings")
        printed = sdy.print_module(module)
        assert "?" not in printed and "replicated" not in printed
        assert printed.count('[{"x"}]') >= FILLING
