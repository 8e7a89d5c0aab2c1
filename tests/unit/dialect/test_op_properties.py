"""What is known of ops by their names, types and attributes."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.op_properties import is_pure
from sdy.mlir import pdl
from sdy.mlir.search import ops_named
from sdy.mlir.walk import post_order


@pytest.mark.parametrize(
    ("op", "pure"),
    [
        ("stablehlo.add %x, %x : tensor<8x8xf32>", True),
        ("stablehlo.tanh %d : tensor<?x8xf32>", True),
        ("stablehlo.add %d, %d : tensor<?x8xf32>", False),
        ("stablehlo.bitcast_convert %x : (tensor<8x8xf32>) -> tensor<8x8xi32>", True),
        ("stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>", False),
        ("stablehlo.reshape %x : (tensor<8x8xf32>) -> tensor<64xf32>", True),
        ("stablehlo.dot %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>", False),
        ("stablehlo.custom_call @f(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>", False),
        ("sdy.reshard %x <@m, [{}, {}]> : tensor<8x8xf32>", True),
        ("sdy.sharding_constraint %x <@m, [{}, {}]> : tensor<8x8xf32>", False),
        ("arith.addf %x, %x : tensor<8x8xf32>", True),
        ("arith.divsi %i, %i : tensor<8xi32>", False),
    ],
)
def test_which_ops_are_pure(op: str, pure: bool) -> None:
    """Those without effects that may be executed where nobody asks for their result."""
    arguments = "%x: tensor<8x8xf32>, %d: tensor<?x8xf32>, %i: tensor<8xi32>"
    module = sdy.parse(f'sdy.mesh @m = <["a"=2]>\nfunc.func @f({arguments}) {{\n%0 = {op}\nreturn\n}}')
    (found,) = ops_named(module.operation, op.split()[0])
    assert is_pure(found) is pure


def test_samples_are_runs_from_all_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdl, "RUNS", 3)
    monkeypatch.setattr(pdl, "LENGTH", 2)
    blocks = ["\n".join(f"%{number} = stablehlo.constant dense<{number}> : tensor<i32>" for number in part)
              for part in (range(5), range(5, 12))]  # fmt: skip
    module = sdy.parse("\n".join(f"func.func @f{at}() {{\n{body}\nreturn\n}}" for at, body in enumerate(blocks)))
    found = pdl.sample(ops_named(module.operation, "func.func"))
    ops = [op for op in post_order(module.operation) if op.name in ("stablehlo.constant", "func.return")]
    assert len(ops) == pdl.count_ops(ops_named(module.operation, "func.func")) == 14
    assert [ops.index(op) for op in found] == [0, 1, 4, 5, 9, 10]
