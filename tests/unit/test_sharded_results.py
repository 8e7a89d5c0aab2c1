"""How results are sharded: of long programs most ops are compared by patterns with those of a sample."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.stored import op_shardings
from sdy.dialect.walk import pre_order
from sdy.passes.partitioning.sharded_results import sharded_results

FILLING = 3600
"""Ops around those that matter: enough for patterns."""


def _op(number: int, name: str, sharding: str, size: int) -> str:
    attribute = f"{{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}}"
    return f"%{number} = stablehlo.{name} %of{size} {attribute} : tensor<{size}xf32>"


def _program(count: int) -> str:
    """Most ops are alike; a few have another sharding, another type, or are in a region."""
    lines = [_op(number, "negate", '<@mesh, [{"x"}]>', 8) for number in range(count)]
    lines[count // 3] = _op(count // 3, "abs", "<@mesh, [{}]>", 8)
    lines[count // 2] = _op(count // 2, "negate", '<@mesh, [{"x"}]>', 7)
    lines[-1] = f"""
      %{count} = "stablehlo.case"(%branch) ({{
        {_op(count + 1, "negate", '<@mesh, [{"y"}]>', 7)}
        stablehlo.return %{count + 1} : tensor<7xf32>
      }}) : (tensor<i32>) -> tensor<7xf32>"""
    arguments = "%of8: tensor<8xf32>, %of7: tensor<7xf32>, %branch: tensor<i32>"
    body = "\n".join(lines)
    return f'sdy.mesh @mesh = <["x"=4, "y"=2]>\nfunc.func @main({arguments}) {{\n{body}\nreturn\n}}\n'


@pytest.mark.parametrize("count", [30, FILLING])
def test_all_that_occur_are_found_once(count: int) -> None:
    module = sdy.parse(_program(count))
    expected = {
        (str(result.type), sharding)
        for op in pre_order(module.operation)
        for result, sharding in zip(op.results, op_shardings(op) or (), strict=False)
    }
    found = [(str(type_), sharding) for type_, sharding in sharded_results(module.operation)]
    assert len(expected) == 4
    assert set(found) == expected
    assert len(found) == len(expected)
