"""Programs that are damaged: those of the lit tests, some that JAX has lowered, generated ones, and odd ones."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from tests.data.generate import program as lowered
from tests.generators.dialect_modules import invalid, valid
from tests.generators.features import Features
from tests.generators.programs import generate

_ROOT = Path(__file__).parents[2]
_FROM_JAX = ("cholesky", "fft", "mlp_fsdp", "shard_map_manual", "shard_map_partial", "sort_topk", "while_cond")

_LARGEST = 20_000
"""Characters of a program that it pays to damage."""

_PROGRAMS = Features(max_ops=4, maximal=True, inlined=True, unreduced=True, messy_groups=True, dynamic=True)

ODD = [
    "",
    "module {}",
    "module @a { module @b { func.func @f() { return } } }",
    "func.func private @f(tensor<8xf32>) -> tensor<8xf32>\nfunc.func private @g()",
    "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}\nfunc.func @g() {\n  return\n}",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) -> tensor<?x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8x!quant.uniform<i8:f32, 1.0>> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<8x!quant.uniform<i8:f32, 1.0>>) -> tensor<8xf32>
  return
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%t: !stablehlo.token, %x: tensor<8xf32>) -> !stablehlo.token {
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  %1:2 = "stablehlo.infeed"(%0) : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  %2 = "stablehlo.outfeed"(%1#0, %1#1) : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return %2 : !stablehlo.token
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<8xf32>> {
  %0 = stablehlo.tuple %x, %x : tuple<tensor<8xf32>, tensor<8xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> tensor<8xf32>
  return %0 : tuple<tensor<8xf32>, tensor<8xf32>>
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<16xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<8xf32>):
    %2 = "stablehlo.all_gather"(%y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<8xf32>) -> tensor<16xf32>
    stablehlo.return %2 : tensor<16xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}""",
    """sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = "my.op"(%x) ({
  ^bb0(%y: tensor<8x8xf32>):
    "my.end"(%y) : (tensor<8x8xf32>) -> ()
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>}
    : (tensor<8x8xf32>) -> tensor<8x8xf32>
  "my.return"(%0) : (tensor<8x8xf32>) -> ()
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %x <@m, [{"a"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%n: tensor<i32>, %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<8xf32> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %n : tensor<i32>
    %2 = stablehlo.negate %v : tensor<8xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}""",
    """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
^bb1(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}""",
]


def program(rng: random.Random) -> str:
    """One of them, undamaged."""
    match rng.randrange(8):
        case 0 | 1:
            return generated(rng)
        case 2:
            return rng.choice(valid())
        case 3:
            return rng.choice(invalid())
        case 4:
            return rng.choice(ODD)
        case 5:
            return rng.choice(_lowered_by_jax())
        case _:
            return rng.choice(_lit_inputs())


def generated(rng: random.Random) -> str:
    return generate(rng, _PROGRAMS)


@cache
def _lit_inputs() -> list[str]:
    files = sorted((_ROOT / "lit_tests").rglob("*.mlir"))
    parts = [part for file in files for part in re.split(r"^// -----.*\n", file.read_text(), flags=re.MULTILINE)]
    return [part for part in parts if part.strip() and len(part) < _LARGEST]


@cache
def _lowered_by_jax() -> list[str]:
    return [lowered(name) for name in _FROM_JAX]
